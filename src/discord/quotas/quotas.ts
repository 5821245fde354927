import type { Budget } from '../../feed/interface.ts';
import type { LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import type { Registry } from '../../watches/registry.ts';
import type { Admission } from '../admission.ts';
import { inTime } from '../explain.ts';
import { createTokenBuckets, type TokenBuckets } from './buckets.ts';
import { type LimitExceptions, NO_EXCEPTIONS } from './exceptions.ts';
import { createLookupShare } from './lookups.ts';

export interface QuotaLimits {
  readonly watchesPerGuild: number;
  /** Commands and presses a minute; half of them may come at once. */
  readonly commandsPerMinute: { readonly user: number; readonly guild: number };
  /** Of the bot's allowance, see `createLookupShare`. */
  readonly lookupShare: number;
}

export interface QuotaDeps {
  readonly limits: QuotaLimits;
  /** Other limits of single guilds and people. */
  readonly exceptions?: LimitExceptions;
  /** Who may use the bot; everybody if left out. */
  readonly admission?: Pick<Admission, 'refusal'>;
  readonly registry: Pick<Registry, 'ofGuild'>;
  readonly budget: Pick<Budget, 'acquire' | 'snapshot'>;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** A clock that never jumps, ms. */
  readonly clockMs: () => number;
}

/** What one server and one person may use, so that enough is left for the others. */
export interface Quotas {
  /** Why the bot takes no command of a person in a guild; null if it does. */
  refusal(guildId: string, userId: string): LocalizedText | null;
  /** Counts a command or a press. @throws UserError if the bot refuses the person, or says when, if it is too many; it does not count then */
  use(guildId: string, userId: string): void;
  /**
   * Counts a press that many of a guild may make at once, for the person alone.
   *
   * @throws UserError if the bot refuses the person, or says when, if it is too many; it does not count then
   */
  useAlone(guildId: string, userId: string): void;
  /** Counts a request for suggestions, in buckets of its own. False if it is too many: nothing is to be done for it. */
  mayComplete(guildId: string, userId: string): boolean;
  /** Counts a file to import, in a bucket of its own. @throws UserError that says when, if it is too many */
  useImport(guildId: string): void;
  /** The budget for look-ups of the guild's people. `acquire` @throws UserError if the guild has used its share */
  lookups(guildId: string): Pick<Budget, 'acquire'>;
  /**
   * Does work that adds up to `count` watches to the guild's; their places are kept while it runs.
   *
   * @throws UserError if the guild would have more than it may; nothing is done then
   */
  withSpaceFor<Result>(guildId: string, count: number, work: () => Promise<Result>): Promise<Result>;
  /** Why a guild may not have so many more watches; null if it may. */
  watchesTooMany(guildId: string, count: number): LocalizedText | null;
}

const MINUTE_MS = 60_000;
/** Requests for suggestions that a person or a server may make for each command: Discord asks at every pause in typing. */
const COMPLETIONS_PER_COMMAND = 10;
/** Files that a server may import for each command that it may give: to read one costs as much as many commands. */
const IMPORTS_PER_COMMAND = 0.1;

export function createQuotas(deps: QuotaDeps): Quotas {
  const { limits, exceptions = NO_EXCEPTIONS, registry, budget, nowMs, clockMs } = deps;
  const { user, guild } = limits.commandsPerMinute;
  const ofUser = bucketsBy(clockMs, user, exceptions.users);
  const ofGuild = bucketsBy(clockMs, guild, exceptions.guilds);
  const completionsOfUser = bucketsBy(clockMs, user, exceptions.users, COMPLETIONS_PER_COMMAND);
  const completionsOfGuild = bucketsBy(clockMs, guild, exceptions.guilds, COMPLETIONS_PER_COMMAND);
  const importsOfGuild = bucketsBy(clockMs, guild, exceptions.guilds, IMPORTS_PER_COMMAND);
  const lookups = createLookupShare({
    budget,
    share: limits.lookupShare,
    shareOf: (guildId) => exceptions.guilds.get(guildId)?.lookupShare,
    nowMs,
    clockMs,
  });
  /** Watches that are being added by `withSpaceFor`. */
  const comingByGuild = new Map<string, number>();

  const refuse = (waitMs: number, whose: 'user' | 'server') => {
    if (waitMs <= 0) return;
    const when = inTime(nowMs() + waitMs);
    throw new UserError(({ texts }) => texts.errors.quota[whose](when));
  };

  const watchesTooMany = (guildId: string, count: number): LocalizedText | null => {
    const present = registry.ofGuild(guildId).length + (comingByGuild.get(guildId) ?? 0);
    const watchesPerGuild = exceptions.guilds.get(guildId)?.watches ?? limits.watchesPerGuild;
    if (present + count <= watchesPerGuild) return null;
    return ({ texts }) => texts.errors.quota.watches(watchesPerGuild, present, count);
  };

  const refusal = (guildId: string, userId: string) => deps.admission?.refusal(guildId, userId) ?? null;
  const admit = (guildId: string, userId: string) => {
    const reason = refusal(guildId, userId);
    if (reason !== null) throw new UserError(reason);
  };

  return {
    refusal,
    useAlone(guildId, userId) {
      admit(guildId, userId);
      refuse(ofUser(userId).waitMs(userId), 'user');
      ofUser(userId).take(userId);
    },
    use(guildId, userId) {
      admit(guildId, userId);
      const [byUser, byGuild] = [ofUser(userId), ofGuild(guildId)];
      refuse(byUser.waitMs(userId), 'user');
      refuse(byGuild.waitMs(guildId), 'server');
      byUser.take(userId);
      byGuild.take(guildId);
    },
    mayComplete(guildId, userId) {
      if (refusal(guildId, userId) !== null) return false;
      const [byUser, byGuild] = [completionsOfUser(userId), completionsOfGuild(guildId)];
      if (byUser.waitMs(userId) > 0 || byGuild.waitMs(guildId) > 0) return false;
      byUser.take(userId);
      byGuild.take(guildId);
      return true;
    },
    useImport(guildId) {
      refuse(importsOfGuild(guildId).waitMs(guildId), 'server');
      importsOfGuild(guildId).take(guildId);
    },
    lookups: (guildId) => lookups.of(guildId),
    watchesTooMany,
    async withSpaceFor(guildId, count, work) {
      const reason = count === 0 ? null : watchesTooMany(guildId, count);
      if (reason !== null) throw new UserError(reason);
      const coming = (comingByGuild.get(guildId) ?? 0) + count;
      comingByGuild.set(guildId, coming);
      try {
        return await work();
      } finally {
        const left = (comingByGuild.get(guildId) ?? 0) - count;
        if (left > 0) comingByGuild.set(guildId, left);
        else comingByGuild.delete(guildId);
      }
    },
  };
}

/** The buckets of an id: those of all, or its own where its rate differs. Half of a minute's tokens may be used at once. */
function bucketsBy(
  clockMs: () => number,
  perMinute: number,
  others: LimitExceptions['guilds' | 'users'],
  perCommand = 1,
): (id: string) => TokenBuckets {
  const buckets = (rate: number) =>
    createTokenBuckets({ capacity: Math.ceil(rate / 2), everyMs: MINUTE_MS / rate, clockMs });
  const usual = buckets(perMinute * perCommand);
  const own = new Map<string, TokenBuckets>();
  for (const [id, { commandsPerMinute }] of others) {
    if (commandsPerMinute !== undefined) own.set(id, buckets(commandsPerMinute * perCommand));
  }
  return (id) => own.get(id) ?? usual;
}
