import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { createCorrections } from '../../src/delivery/corrections.ts';
import { type ActivityItem, activityIdentity } from '../../src/domain/records.ts';
import { trade } from '../support/records.ts';
import { WALLET_A } from '../support/wallets.ts';

const CHANNEL = '200000000000000001';
const about = { wallet: WALLET_A, channelId: CHANNEL, seenAtMs: 1 };

const alertOf = (item: ActivityItem): Alert => ({
  ...about,
  id: `alert ${item.quantity}`,
  event: { kind: 'activity', item },
});
const correctionOf = (item: ActivityItem): Alert => ({
  ...about,
  id: `correction ${item.quantity}`,
  event: {
    kind: 'amended',
    item: { ...item, transferNetAmount: 9 },
    before: item,
    identities: [activityIdentity(item)],
    atSeconds: 1,
  },
});

describe('a correction of a record', () => {
  it('is for a channel that was sent the alert, and waits while that does', async () => {
    const [sent, unsent, waits] = [1, 2, 3].map((quantity) => trade({ quantity })) as [
      ActivityItem,
      ActivityItem,
      ActivityItem,
    ];
    let searches = 0;
    const decide = createCorrections(async (_channelId, _wallet, records) => {
      searches += records.length;
      return records.map(({ identities }) => identities.includes(activityIdentity(sent)));
    });
    const corrections = [sent, unsent, waits].map(correctionOf);
    const pending = [alertOf(waits), ...corrections];
    const decided = await decide(CHANNEL, pending, pending);
    expect(decided.waiting).toEqual([alertOf(waits), corrections[0]]);
    expect(decided.unwanted).toEqual([corrections[1]]);
    expect(decided.isEarly).toBe(true);
    expect(searches).toBe(2);
    // The alert has been sent or dropped. What was found of another is not searched for again.
    const next = await decide(CHANNEL, corrections, corrections);
    expect(next).toMatchObject({ waiting: [corrections[0]], isEarly: false });
    expect(searches).toBe(3);
  });
});
