import { createHmac } from 'node:crypto';
import type { Account } from '../lib/fair-shares/account.ts';
import { PERSON_SIGN, personOf } from './owner.ts';

export type Payers = ReturnType<typeof createPayers>;

/**
 * A payer's name is so many bytes of a hash: the same in all bots of a token, and of no use to
 * others.
 */
const HASH_BYTES = 8;
/** A server's, person's or payer's share unless LIMITS_FILE says otherwise. */
const USUAL_WEIGHT = 1;

/**
 * Finds who pays for a server's share: the person who owns it, as far as the gateway has said since
 * the start, else the server itself. All persons for themselves are one payer. Kept in memory,
 * never stored.
 *
 * @param parts `secret`: keys the hash, the same in all bots of a token; `weightOf`: what
 *   LIMITS_FILE gives a server, by its id, or all persons, by `@`; a server with a weight is its
 *   own payer
 */
export function createPayers(parts: {
  readonly secret: string;
  readonly weightOf: (ownerId: string) => number | undefined;
}) {
  const { secret, weightOf } = parts;
  const payerByServer = new Map<string, string>();
  let onChange = (_ownerId: string): void => {};
  const hashOf = (userId: string) => {
    const digest = createHmac('sha256', secret).update(userId).digest();
    return digest.subarray(0, HASH_BYTES).toString('hex');
  };

  return {
    /** Notes who owns a server. It stays known until the process ends. */
    learn(guildId: string, userId: string): void {
      const payer = hashOf(userId);
      if (payerByServer.get(guildId) === payer) return;
      payerByServer.set(guildId, payer);
      onChange(guildId);
    },
    /** @param ownerId of watches: a server's, or a person's with its sign */
    accountOf(ownerId: string): Account {
      if (personOf(ownerId) !== null) {
        return {
          payer: PERSON_SIGN,
          owner: ownerId,
          weight: weightOf(PERSON_SIGN) ?? USUAL_WEIGHT,
        };
      }
      const weight = weightOf(ownerId);
      if (weight !== undefined) return { payer: ownerId, owner: ownerId, weight };
      return { payer: payerByServer.get(ownerId) ?? ownerId, owner: ownerId, weight: USUAL_WEIGHT };
    },
    /** The owner's weight, or that of all people by their sign, is another one. */
    weightChanged: (ownerId: string): void => onChange(ownerId),
    /** Called when an owner has another payer or weight. */
    listen(listener: (ownerId: string) => void): void {
      onChange = listener;
    },
  };
}
