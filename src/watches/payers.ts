import { createHmac } from 'node:crypto';
import type { Account } from '../lib/fair-shares/account.ts';
import { PERSON_SIGN, personOf } from './owner.ts';

export type Payers = ReturnType<typeof createPayers>;

/**
 * Length of the hash that names a payer, in bytes. It is the same in all bots with the same token,
 * and meaningless to others.
 */
const HASH_BYTES = 8;
/** Weight of a server, person or payer that LIMITS_FILE does not mention. */
const USUAL_WEIGHT = 1;

/**
 * Finds the payer of a server's share. It is the server's owner if the gateway has named them since
 * the start, otherwise the server itself. All persons with their own watches are one payer. Kept in
 * memory, never stored.
 *
 * @param parts `secret`: key of the hash, the same in all bots with the same token; `weightOf`:
 *   returns the weight that LIMITS_FILE gives a server (by its id) or all persons together (by
 *   `@`). A server with a weight is its own payer
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
    /** Records who owns a server, until the process ends. */
    learn(guildId: string, userId: string): void {
      const payer = hashOf(userId);
      if (payerByServer.get(guildId) === payer) return;
      payerByServer.set(guildId, payer);
      onChange(guildId);
    },
    /** @param ownerId owner of watches: a server's id, or a person's with its sign */
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
    /** Reports that the weight of an owner has changed, or that of all persons (by their sign). */
    weightChanged: (ownerId: string): void => onChange(ownerId),
    /** Sets the listener that is called when an owner's payer or weight changes. */
    listen(listener: (ownerId: string) => void): void {
      onChange = listener;
    },
  };
}
