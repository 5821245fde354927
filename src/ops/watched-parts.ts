import type { Logger } from 'pino';
import type { GuildButton, GuildCommand, SlashCommand } from '../../commands/shared/command.ts';
import type { Alert } from '../alerts/alert.ts';
import type { NewAlert, Outbox } from '../alerts/outbox.ts';
import type { RenderedMessage } from '../delivery/alert-messages.ts';
import { classifyFailure } from '../delivery/failures.ts';
import { ENGLISH } from '../language/language.ts';
import { explainToPerson } from '../lib/errors.ts';
import type { Store } from '../store/store.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import type { Observer, StoreOperation } from './observer.ts';

/** What the observed parts below need besides. */
export interface InstrumentationDeps {
  readonly observer: Observer;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
}

/** The same store, whose operations are told. */
export function instrumentedStore(store: Store, { observer, monotonicMs }: InstrumentationDeps): Store {
  const told = async <Result>(operation: StoreOperation, work: () => Promise<Result>): Promise<Result> => {
    const beganMs = monotonicMs();
    let isDone = false;
    try {
      const result = await work();
      isDone = true;
      return result;
    } finally {
      observer.stored(operation, isDone, (monotonicMs() - beganMs) / 1000);
    }
  };
  return {
    ...store,
    get: (key) => told('get', () => store.get(key)),
    set: (key, document) => told('set', () => store.set(key, document)),
    delete: (key) => told('delete', () => store.delete(key)),
  };
}

/** The same outbox for the poller, whose gaps are told. */
export function instrumentedOutbox(
  outbox: Outbox,
  { observer }: Pick<InstrumentationDeps, 'observer'>,
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
      for (const { event } of alerts) if (event.kind === 'gap') observer.gapFound(event.gap.endpoint);
      return poll;
    },
  };
}

/** The same budget for the ticker, whose plans are told. */
export function instrumentedBudget(
  budget: Budget,
  { observer }: Pick<InstrumentationDeps, 'observer'>,
): Pick<Budget, 'pollAllowance' | 'venueNowMs'> {
  return {
    venueNowMs: budget.venueNowMs,
    pollAllowance(untilMs) {
      const requests = budget.pollAllowance(untilMs);
      observer.ticked(requests, untilMs);
      return requests;
    },
  };
}

type Send<Body> = (channelId: string, message: RenderedMessage<Body>) => Promise<string>;

/** The same way to Discord, whose answers are told. */
export function instrumentedSend<Body>(send: Send<Body>, { observer, monotonicMs }: InstrumentationDeps): Send<Body> {
  return async (channelId, message) => {
    const beganMs = monotonicMs();
    const seconds = () => (monotonicMs() - beganMs) / 1000;
    try {
      const messageId = await send(channelId, message);
      observer.sent('sent', seconds());
      return messageId;
    } catch (error) {
      observer.sent(classifyFailure(error).kind, seconds());
      throw error;
    }
  };
}

/** What a message with these alerts has told, when it has arrived. */
export function arrivalOf(
  alerts: readonly Alert[],
  venueNowMs: number,
  guildId: string | null,
): Parameters<Observer['arrived']>[0] {
  return {
    guildId,
    delaysSeconds: alerts.flatMap(({ event }) =>
      event.kind === 'activity' || event.kind === 'transfer' ? [Math.max(0, venueNowMs / 1000 - event.item.time)] : [],
    ),
    gaps: alerts.flatMap(({ event }) => (event.kind === 'gap' ? [event.gap.cause] : [])),
  };
}

/** The same command, whose runs and button presses are told, and logged when they have been answered. */
export function instrumentedCommand(
  command: SlashCommand,
  { observer, monotonicMs, log }: InstrumentationDeps & { readonly log: Logger },
): SlashCommand {
  const { name } = command.definition;
  const told = async (interaction: GuildCommand | GuildButton, typed: string, work: () => Promise<void>) => {
    const beganMs = monotonicMs();
    const seconds = () => (monotonicMs() - beganMs) / 1000;
    try {
      await work();
    } catch (error) {
      observer.commanded(typed, outcomeOf(error), seconds());
      throw error;
    }
    observer.commanded(typed, 'ok', seconds());
    log.info({
      event: 'command.answered',
      command: typed,
      interaction: interaction.id,
      guild: interaction.guildId,
      channel: interaction.channelId,
      durationMs: Math.round(monotonicMs() - beganMs),
    });
  };
  const { check, press } = command;
  return {
    ...command,
    ...(check === undefined
      ? {}
      : {
          check(interaction, context) {
            try {
              check(interaction, context);
            } catch (error) {
              observer.commanded(typedName(name, interaction), outcomeOf(error), 0);
              throw error;
            }
          },
        }),
    execute: (interaction, context) =>
      told(interaction, typedName(name, interaction), () => command.execute(interaction, context)),
    ...(press === undefined
      ? {}
      : {
          // What a button's id holds comes back from outside: no part of it names a metric.
          press: (interaction, args, context) =>
            told(interaction, `${name} (button)`, () => press(interaction, args, context)),
        }),
  };
}

function typedName(name: string, interaction: GuildCommand): string {
  const subcommand = interaction.options.getSubcommand(false);
  return subcommand === null ? name : `${name} ${subcommand}`;
}

/** A refusal is told to the person; anything else is a fault of ours. */
function outcomeOf(error: unknown): 'failed' | 'refused' {
  return explainToPerson(error, ENGLISH) === null ? 'failed' : 'refused';
}
