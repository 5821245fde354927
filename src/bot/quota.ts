import type { Say } from '../language/language.ts';
import type { Budget } from '../venue/budget.ts';
import type { Registry } from '../watch/registry.ts';
import type { Admission } from './admission.ts';
import { inTime, UserError } from './errors.ts';
import { createTokenBuckets, type TokenBuckets } from './quota-buckets.ts';
import { type LimitExceptions, NO_EXCEPTIONS } from './quota-exceptions.ts';
import { createLookupShare } from './quota-lookups.ts';

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

/** What one room may take, so that enough is left for the others. */
export interface Quotas {
  /** Why the bot does nothing for a person in a guild, whatever they ask; null if it does. */
  refusal(guildId: string, userId: string): Say | null;
  /** Counts a command or a press. @throws UserError if the bot refuses the person, or says when, if it is too many; it does not count then */
  use(guildId: string, userId: string): void;
  /** The guild's way to the budget for what its people look up. `acquire` @throws UserError if it has used its share */
  lookups(guildId: string): Pick<Budget, 'acquire'>;
  /**
   * Does work that adds up to `count` watches to the guild's; their places are kept while it runs.
   *
   * @throws UserError if the guild would have more than it may; nothing is done then
   */
  withRoomFor<Result>(guildId: string, count: number, work: () => Promise<Result>): Promise<Result>;
  /** What to tell a guild that would have more watches than it may; null if there is room. */
  watchesTooMany(guildId: string, count: number): Say | null;
}

const MINUTE_MS = 60_000;

export function createQuotas(deps: QuotaDeps): Quotas {
  const { limits, exceptions = NO_EXCEPTIONS, registry, budget, nowMs, clockMs } = deps;
  const buckets = (perMinute: number) =>
    createTokenBuckets({ capacity: Math.ceil(perMinute / 2), everyMs: MINUTE_MS / perMinute, clockMs });
  /** Those who have a rate of their own have buckets of their own. */
  const bucketsBy = (perMinute: number, others: LimitExceptions['guilds' | 'users']) => {
    const usual = buckets(perMinute);
    const own = new Map<string, TokenBuckets>();
    for (const [id, { commandsPerMinute }] of others) {
      if (commandsPerMinute !== undefined) own.set(id, buckets(commandsPerMinute));
    }
    return (id: string) => own.get(id) ?? usual;
  };
  const ofUser = bucketsBy(limits.commandsPerMinute.user, exceptions.users);
  const ofGuild = bucketsBy(limits.commandsPerMinute.guild, exceptions.guilds);
  const lookups = createLookupShare({
    budget,
    share: limits.lookupShare,
    shareOf: (guildId) => exceptions.guilds.get(guildId)?.lookupShare,
    nowMs,
    clockMs,
  });
  const comingByGuild = new Map<string, number>();

  const refuse = (waitMs: number, whose: 'user' | 'server') => {
    if (waitMs <= 0) return;
    const when = inTime(nowMs() + waitMs);
    throw new UserError(({ words }) => words.errors.quota[whose](when));
  };

  const watchesTooMany = (guildId: string, count: number): Say | null => {
    const present = registry.ofGuild(guildId).length + (comingByGuild.get(guildId) ?? 0);
    const watchesPerGuild = exceptions.guilds.get(guildId)?.watches ?? limits.watchesPerGuild;
    if (present + count <= watchesPerGuild) return null;
    return ({ words }) => words.errors.quota.watches(watchesPerGuild, present, count);
  };

  const refusal = (guildId: string, userId: string) => deps.admission?.refusal(guildId, userId) ?? null;

  return {
    refusal,
    use(guildId, userId) {
      const reason = refusal(guildId, userId);
      if (reason !== null) throw new UserError(reason);
      const [byUser, byGuild] = [ofUser(userId), ofGuild(guildId)];
      refuse(byUser.waitMs(userId), 'user');
      refuse(byGuild.waitMs(guildId), 'server');
      byUser.take(userId);
      byGuild.take(guildId);
    },
    lookups: (guildId) => lookups.of(guildId),
    watchesTooMany,
    async withRoomFor(guildId, count, work) {
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
