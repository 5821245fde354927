import type { Budget } from '../../feed/interface.ts';
import type { LocalizedText } from '../../language/language.ts';
import type { Machine } from '../../lib/machine.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { personOf, personOwner } from '../../watches/owner.ts';
import { clockTime } from '../explain.ts';
import { createTokenBuckets, type TokenBuckets } from './buckets.ts';
import type { Admission } from './exceptions.ts';
import { createLookupShare } from './lookup-share.ts';
import { createWatchPlaces, refuseFor } from './watch-places.ts';

/**
 * Autocomplete requests that a person or a server may make per command; Discord sends one at every
 * pause in typing.
 */
const COMPLETIONS_PER_COMMAND = 10;
/** Files that a server may import per command; reading one costs as much as many commands. */
const IMPORTS_PER_COMMAND = 0.1;

export type Quotas = ReturnType<typeof createQuotas>;

/**
 * Creates limits on what one server and one person may use, in servers and for themselves, so that
 * enough is left for the others.
 */
export function createQuotas(
  machine: Machine,
  parts: Parameters<typeof createWatchPlaces>[0] & {
    readonly admission: Admission;
    readonly budget: Pick<Budget, 'acquire' | 'snapshot'>;
  },
) {
  const { limits, admission, budget, accountOf } = parts;
  const { LIMITS_FILE: exceptions } = limits;
  /**
   * Makes buckets by owner. Half of a minute's tokens may be used at once.
   *
   * @param usualOfPerson whose usual limit applies to a person without an exception
   */
  const bucketsFor = (perCommand: number, usualOfPerson: 'users' | 'guilds' = 'users') =>
    createTokenBuckets(machine, (ownerId) => {
      const usual = exceptions.usual()[personOf(ownerId) === null ? 'guilds' : usualOfPerson];
      const own = exceptions.get(ownerId)?.commandsPerMinute;
      const rate = (own ?? usual.commandsPerMinute) * perCommand;
      return { capacity: Math.ceil(rate / 2), everyMs: MINUTE_MS / rate };
    });
  const commands = bucketsFor(1);
  const completions = bucketsFor(COMPLETIONS_PER_COMMAND);
  const imports = bucketsFor(IMPORTS_PER_COMMAND, 'guilds');
  const lookups = createLookupShare(machine, {
    budget,
    accountOf,
    shareOf: (ownerId) =>
      exceptions.get(ownerId)?.lookupShare ?? exceptions.usual().guilds.lookupShare,
  });

  /**
   * Takes a token of each owner, or none if an owner has none.
   *
   * @returns a text that names the time of the next token if an owner has none; else null
   */
  const take = (buckets: TokenBuckets, ownerIds: readonly string[]): LocalizedText | null => {
    const empty = ownerIds.find((ownerId) => buckets.waitMs(ownerId) > 0);
    if (empty === undefined) {
      ownerIds.forEach(buckets.take);
      return null;
    }
    const againMs = machine.nowMs() + buckets.waitMs(empty);
    const whose = personOf(empty) === null ? 'server' : 'user';
    return (language) => language.texts.errors.quota[whose](clockTime(againMs, language));
  };

  /** Counts a person everywhere, and also the server that they are in. */
  const ofBoth = (ownerId: string, userId: string) => [...new Set([personOwner(userId), ownerId])];

  return {
    ...createWatchPlaces(parts),
    /** Whether a server, or a person for themselves, may use the bot at all. */
    isServed: admission.isServed,
    /**
     * Counts a command or a press.
     *
     * @param isAlone many people of a server may press at once, each for themselves: it then counts
     *   for the person, not the server
     * @throws UserError if the person is refused or has used too many, with the time of the next
     *   one; it then does not count
     */
    use(ownerId: string, userId: string, isAlone = false): void {
      refuseFor(admission.refusal(ownerId, userId));
      refuseFor(take(commands, isAlone ? [personOwner(userId)] : ofBoth(ownerId, userId)));
    },
    /**
     * Counts an autocomplete request, in separate buckets. Returns false if there are too many; the
     * request is then ignored.
     */
    mayComplete: (ownerId: string, userId: string): boolean =>
      admission.refusal(ownerId, userId) === null &&
      take(completions, ofBoth(ownerId, userId)) === null,
    /**
     * Counts a file to import, in a separate bucket.
     *
     * @throws UserError that says when the next import is possible, if there were too many
     */
    useImport: (ownerId: string): void => refuseFor(take(imports, [ownerId])),
    /**
     * The budget for lookups of the owner's people. Its `acquire` throws a UserError if the owner
     * has used its share.
     */
    lookups,
  };
}
