import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { groupBy } from '../../../src/lib/group-by.ts';
import { type Received, SECRET, startReceiver } from '../../alerts-out/receiver.ts';
import { moment } from '../moment.ts';
import type { Destination } from './destination.ts';

/** Ways in which the receiver fails. */
const FAILURES = ['refuses', 'hangs', 'isAway'] as const;
type Mode = 'takes' | (typeof FAILURES)[number];

/**
 * Longest time during which it accepts everything, in ms, and longest time of a failure after that.
 */
const LONGEST_GOOD_MS = 6_000;
const LONGEST_BAD_MS = 3_000;

/** A message at its first acceptance. */
interface Taken {
  readonly id: string;
  readonly key: string;
  readonly wallet: string;
  readonly sequence: number;
  readonly atMs: number;
}

/**
 * Starts a receiver of signed alerts that fails from time to time: it answers 500, does not answer,
 * or is unreachable.
 *
 * @param guildId the server whose alerts it receives
 */
export async function startFailingReceiver(guildId: string, random: () => number) {
  const events = new EventEmitter();
  const expected = new Map<string, number>();
  const taken = new Map<string, Taken>();
  const failures = { refuses: 0, hangs: 0, isAway: 0 };
  let mode: Mode = 'takes';
  let repeated = 0;
  /** Periods of failure, in epoch ms. */
  const bad: { readonly fromMs: number; readonly toMs: number }[] = [];
  let over = moment();

  const take = ({ id, body: { data } }: Received) => {
    if (taken.has(id)) repeated += 1;
    const { wallet, sequence } = data;
    const key = 'record' in data ? keyOf(wallet, data.record) : id;
    if (!taken.has(id)) taken.set(id, { id, key, wallet, sequence, atMs: Date.now() });
    events.emit('taken');
    return { status: 204 };
  };
  const receiver = await startReceiver(async (message) => {
    if (mode === 'takes') return take(message);
    failures[mode] += 1;
    if (mode === 'hangs') await over.reached;
    return { status: 500 };
  });

  const failOnce = async (signal: AbortSignal): Promise<void> => {
    mode = FAILURES[Math.floor(random() * FAILURES.length)] ?? 'refuses';
    const fromMs = Date.now();
    if (mode === 'isAway') await receiver.leave();
    await delay(random() * LONGEST_BAD_MS, undefined, { signal }).catch(() => {});
    if (mode === 'isAway') await receiver.comeBack();
    // Cuts the connections of hanging requests without a response.
    else receiver.cut();
    over.reach();
    over = moment();
    bad.push({ fromMs, toMs: Date.now() });
    mode = 'takes';
  };

  /** Whether it accepted everything during a period. */
  const wasGood = (fromMs: number, toMs: number) =>
    bad.every((time) => time.toMs < fromMs || time.fromMs > toMs);

  /**
   * Returns the number of wallets whose messages arrived out of order although none of them can
   * have failed.
   */
  const outOfOrder = () => {
    const clean = [...taken.values()].filter(({ key, atMs }) =>
      wasGood(expected.get(key) ?? 0, atMs),
    );
    const byWallet = groupBy(clean, ({ wallet }) => wallet);
    return [...byWallet.values()].filter((messages) =>
      messages.some(({ sequence }, index) => sequence < (messages[index - 1]?.sequence ?? 0)),
    ).length;
  };

  /** Returns the number of missing sequence numbers in the wallets' messages. */
  const skipped = () => {
    let count = 0;
    for (const messages of groupBy([...taken.values()], ({ wallet }) => wallet).values()) {
      const sequences = new Set(messages.map(({ sequence }) => sequence));
      count += Math.max(...sequences) - sequences.size;
    }
    return count;
  };

  const keysTaken = () => new Set([...taken.values()].map(({ key }) => key));
  const destination: Destination = {
    expect: ({ wallet, item }, atMs) => void expected.set(keyOf(wallet, item), atMs),
    missing() {
      const keys = keysTaken();
      return [...expected.keys()].filter((key) => !keys.has(key)).length;
    },
    async change(signal) {
      await once(events, 'taken', { signal }).catch(() => {});
    },
    report: () => ({
      taken: taken.size,
      /** Messages that arrived again with the same id after they were accepted. */
      repeated,
      failures: failures.refuses + failures.hangs,
      away: bad.length,
      lost: destination.missing(),
      /** Records that arrived with a second id. */
      duplicated: taken.size - keysTaken().size,
      unexpected: [...keysTaken()].filter((key) => !expected.has(key)).length,
      outOfOrder: outOfOrder(),
      skipped: skipped(),
      unverified: receiver.faults.length,
    }),
  };
  return {
    ...destination,
    environment: { ALERTS_URL: receiver.url, ALERTS_SECRET: SECRET, ALERTS_GUILDS: guildId },
    /**
     * Fails repeatedly until the signal aborts, and resolves once it accepts everything for good.
     */
    async fail(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await delay(random() * LONGEST_GOOD_MS, undefined, { signal }).catch(() => {});
        if (!signal.aborted) await failOnce(signal);
      }
    },
    close: receiver.close,
  };
}

/** Returns the key of a wallet's record; each played record has a different size. */
function keyOf(wallet: string, item: LedgerRecord['item']): string {
  const size = 'quantity' in item ? item.quantity : item.amount;
  return [wallet.toLowerCase(), item.txHash.toLowerCase(), size].join(':');
}
