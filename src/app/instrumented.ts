import type { Logger } from 'pino';
import type { Alert } from '../alerts/alert.ts';
import type { NewAlert, Outbox } from '../alerts/outbox.ts';
import { classifyFailure } from '../delivery/failures.ts';
import { explainToPerson } from '../discord/explain.ts';
import type { AnyUse, CommandUse, PrivateComponent, SlashCommand } from '../discord/slash-command.ts';
import { ENGLISH } from '../language/language.ts';
import type { Arrival, StoreOperation, Telemetry } from '../ops/telemetry.ts';
import type { Store } from '../store/store.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';

/** Where the instrumented parts report to. */
export interface InstrumentationDeps {
  readonly telemetry: Telemetry;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
}

/** Wraps the store: reports outcome and duration of each operation. */
export function instrumentedStore(store: Store, { telemetry, monotonicMs }: InstrumentationDeps): Store {
  const reported = async <Result>(operation: StoreOperation, work: () => Promise<Result>): Promise<Result> => {
    const beganMs = monotonicMs();
    let isDone = false;
    try {
      const result = await work();
      isDone = true;
      return result;
    } finally {
      telemetry.stored(operation, isDone, (monotonicMs() - beganMs) / 1000);
    }
  };
  return {
    ...store,
    get: (key) => reported('get', () => store.get(key)),
    set: (key, document) => reported('set', () => store.set(key, document)),
    delete: (key) => reported('delete', () => store.delete(key)),
  };
}

/** Wraps the outbox for the poller: each gap alert that it stores increments walletbell_gaps_total. */
export function instrumentedOutbox(
  outbox: Outbox,
  { telemetry }: Pick<InstrumentationDeps, 'telemetry'>,
): Pick<Outbox, 'pollState' | 'commit'> {
  return {
    pollState: outbox.pollState,
    async commit(wallet, change) {
      let alerts: readonly NewAlert[] = [];
      const poll = await outbox.commit(wallet, (before) => {
        const changed = change(before);
        alerts = changed.alerts;
        return changed;
      });
      for (const { event } of alerts) if (event.kind === 'gap') telemetry.gapFound(event.gap.endpoint);
      return poll;
    },
  };
}

/** Wraps the budget for the poll loop: reports how many requests each tick may send. */
export function instrumentedBudget(
  budget: Budget,
  { telemetry }: Pick<InstrumentationDeps, 'telemetry'>,
): Pick<Budget, 'pollAllowance' | 'venueNowMs'> {
  return {
    venueNowMs: budget.venueNowMs,
    pollAllowance(untilMs) {
      const requests = budget.pollAllowance(untilMs);
      telemetry.ticked(requests, untilMs);
      return requests;
    },
  };
}

/** Wraps the sending or editing of messages in Discord: reports outcome and duration of each attempt. */
export function instrumentedSend<Args extends readonly unknown[], Result>(
  send: (...args: Args) => Promise<Result>,
  { telemetry, monotonicMs }: InstrumentationDeps,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const beganMs = monotonicMs();
    const seconds = () => (monotonicMs() - beganMs) / 1000;
    try {
      const result = await send(...args);
      telemetry.sent('sent', seconds());
      return result;
    } catch (error) {
      telemetry.sent(classifyFailure(error).kind, seconds());
      throw error;
    }
  };
}

/**
 * What a delivered message with these alerts announced.
 *
 * @param venueNowMs when Discord answered, epoch ms by the venue's clock
 * @param ownerId null if the watch was removed meanwhile
 */
export function arrivalOf(alerts: readonly Alert[], venueNowMs: number, ownerId: string | null): Arrival {
  return {
    ownerId,
    records: alerts.flatMap(({ event }) => {
      if (event.kind !== 'activity' && event.kind !== 'transfer') return [];
      const saysPosition = event.kind === 'activity' ? event.context !== undefined : null;
      return [{ delaySeconds: Math.max(0, venueNowMs / 1000 - event.item.time), saysPosition }];
    }),
    gaps: alerts.flatMap(({ event }) => (event.kind === 'gap' ? [event.gap.cause] : [])),
  };
}

/** Reports outcome and duration of work for an interaction, and logs it if it was answered. */
function reportingRuns({ telemetry, monotonicMs, log }: InstrumentationDeps & { readonly log: Logger }) {
  return async (interaction: AnyUse, typed: string, work: () => Promise<void>): Promise<void> => {
    const beganMs = monotonicMs();
    const seconds = () => (monotonicMs() - beganMs) / 1000;
    try {
      await work();
    } catch (error) {
      telemetry.commanded(typed, outcomeOf(error), seconds());
      throw error;
    }
    telemetry.commanded(typed, 'ok', seconds());
    log.info({
      event: 'command.answered',
      command: typed,
      interaction: interaction.id,
      guild: interaction.guildId,
      channel: interaction.channelId,
      durationMs: Math.round(monotonicMs() - beganMs),
    });
  };
}

/** Wraps a button or menu of alerts: reports outcome and duration of each answer, and logs those that were given. */
export function instrumentedComponent<Context>(
  component: PrivateComponent<Context>,
  deps: InstrumentationDeps & { readonly log: Logger },
): PrivateComponent<Context> {
  const reported = reportingRuns(deps);
  return {
    ...component,
    answer: (interaction, id, context) =>
      reported(interaction, `${component.name} (button)`, () => component.answer(interaction, id, context)),
  };
}

/** Wraps a command: reports outcome and duration of each run and button press, and logs those that were answered. */
export function instrumentedCommand<Context>(
  command: SlashCommand<Context>,
  deps: InstrumentationDeps & { readonly log: Logger },
): SlashCommand<Context> {
  const { telemetry } = deps;
  const { name } = command.definition;
  const reported = reportingRuns(deps);
  const { press } = command;
  return {
    ...command,
    check(interaction, context) {
      try {
        command.check?.(interaction, context);
      } catch (error) {
        telemetry.commanded(typedName(name, interaction), outcomeOf(error), 0);
        throw error;
      }
    },
    execute: (interaction, context) =>
      reported(interaction, typedName(name, interaction), () => command.execute(interaction, context)),
    ...(press === undefined
      ? {}
      : {
          // A button's id comes from outside: no part of it becomes the label of a metric.
          press: (interaction, args, context) =>
            reported(interaction, `${name} (button)`, () => press(interaction, args, context)),
        }),
  };
}

function typedName(name: string, interaction: CommandUse): string {
  const subcommand = interaction.options.getSubcommand(false);
  return subcommand === null ? name : `${name} ${subcommand}`;
}

/** `refused`: the person was shown why; `failed`: a bug of ours. */
function outcomeOf(error: unknown): 'failed' | 'refused' {
  return explainToPerson(error, ENGLISH) === null ? 'failed' : 'refused';
}
