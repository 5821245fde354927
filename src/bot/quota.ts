import type { Say } from '../language/language.ts';
import type { Budget } from '../venue/budget.ts';
import type { Registry } from '../watch/registry.ts';
import { inTime, UserError } from './errors.ts';
import { createTokenBuckets } from './quota-buckets.ts';
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
  readonly registry: Pick<Registry, 'ofGuild'>;
  readonly budget: Pick<Budget, 'acquire' | 'snapshot'>;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** A clock that never jumps, ms. */
  readonly clockMs: () => number;
}

/** What one room may take, so that enough is left for the others. */
export interface Quotas {
  /** Counts a command or a press. @throws UserError that says when, if it is too many; it does not count then */
  use(guildId: string, userId: string): void;
  /** Counts a request for suggestions, in buckets of its own. False if it is too many: nothing is to be done for it. */
  mayComplete(guildId: string, userId: string): boolean;
  /** Counts a file to import, in a bucket of its own. @throws UserError that says when, if it is too many */
  useImport(guildId: string): void;
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
/** Requests for suggestions that a person or a server may make for each command: Discord asks at every pause in typing. */
const COMPLETIONS_PER_COMMAND = 10;
/** Files that a server may import for each command that it may give: to read one costs as much as many commands. */
const IMPORTS_PER_COMMAND = 0.1;

export function createQuotas({ limits, registry, budget, nowMs, clockMs }: QuotaDeps): Quotas {
  const buckets = (perMinute: number) =>
    createTokenBuckets({ capacity: Math.ceil(perMinute / 2), everyMs: MINUTE_MS / perMinute, clockMs });
  const byUser = buckets(limits.commandsPerMinute.user);
  const byGuild = buckets(limits.commandsPerMinute.guild);
  const completionsByUser = buckets(limits.commandsPerMinute.user * COMPLETIONS_PER_COMMAND);
  const completionsByGuild = buckets(limits.commandsPerMinute.guild * COMPLETIONS_PER_COMMAND);
  const importsByGuild = buckets(limits.commandsPerMinute.guild * IMPORTS_PER_COMMAND);
  const lookups = createLookupShare({ budget, share: limits.lookupShare, nowMs, clockMs });
  const comingByGuild = new Map<string, number>();

  const refuse = (waitMs: number, whose: 'user' | 'server') => {
    if (waitMs <= 0) return;
    const when = inTime(nowMs() + waitMs);
    throw new UserError(({ words }) => words.errors.quota[whose](when));
  };

  const watchesTooMany = (guildId: string, count: number): Say | null => {
    const present = registry.ofGuild(guildId).length + (comingByGuild.get(guildId) ?? 0);
    const { watchesPerGuild } = limits;
    if (present + count <= watchesPerGuild) return null;
    return ({ words }) => words.errors.quota.watches(watchesPerGuild, present, count);
  };

  return {
    use(guildId, userId) {
      refuse(byUser.waitMs(userId), 'user');
      refuse(byGuild.waitMs(guildId), 'server');
      byUser.take(userId);
      byGuild.take(guildId);
    },
    mayComplete(guildId, userId) {
      if (completionsByUser.waitMs(userId) > 0 || completionsByGuild.waitMs(guildId) > 0) return false;
      completionsByUser.take(userId);
      completionsByGuild.take(guildId);
      return true;
    },
    useImport(guildId) {
      refuse(importsByGuild.waitMs(guildId), 'server');
      importsByGuild.take(guildId);
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
