import type { LedgerRecord } from '../reference/ledger.ts';
import type { SeenMessage } from './discord/events.ts';

/** How many records the venue has per channel and transaction, or how many alerts a channel shows of it. */
type Tally = Map<string, number>;

export interface Balance {
  /** Alerts that the channels show. */
  readonly alerts: number;
  /** Shown more often than the venue has records. */
  readonly duplicates: number;
  /** In the venue, and in no alert. */
  readonly lost: number;
  /** `CHANNEL:TRANSACTION` of what does not agree. */
  readonly differences: readonly string[];
}

/**
 * Keeps account of what must ring and what did, by transaction hash alone, so that a fault in the bot's own way of
 * telling records apart cannot hide itself.
 */
export function createAccount() {
  const watches: { readonly wallet: string; readonly channelId: string; readonly sinceSeconds: number }[] = [];
  const expected: Tally = new Map();
  const shown: Tally = new Map();
  const count = (tally: Tally, channelId: string, txHash: string) => {
    const key = `${channelId}:${txHash.toLowerCase()}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  };
  return {
    /** From this second on, by Unix time, the wallet must ring in the channel. */
    watch(wallet: string, channelId: string, sinceSeconds: number): void {
      watches.push({ wallet: wallet.toLowerCase(), channelId, sinceSeconds });
    },
    /** The venue has a new record. One of before the watch may be indexed after it. */
    expect(record: LedgerRecord): void {
      const wallet = record.wallet.toLowerCase();
      for (const watch of watches) {
        const isWanted = watch.wallet === wallet && record.item.time >= watch.sinceSeconds;
        if (isWanted) count(expected, watch.channelId, record.item.txHash);
      }
    },
    /** A channel shows a new message. */
    see(message: SeenMessage): void {
      for (const { description } of message.embeds) {
        for (const [, txHash = ''] of (description ?? '').matchAll(/\/tx\/(0x[0-9a-fA-F]+)/g)) {
          count(shown, message.channelId, txHash);
        }
      }
    },
    balance(): Balance {
      let [alerts, duplicates, lost] = [0, 0, 0];
      const differences: string[] = [];
      for (const key of new Set([...expected.keys(), ...shown.keys()])) {
        const [wanted, found] = [expected.get(key) ?? 0, shown.get(key) ?? 0];
        alerts += found;
        duplicates += Math.max(0, found - wanted);
        lost += Math.max(0, wanted - found);
        if (wanted !== found) differences.push(`${key}: ${wanted} in the venue, ${found} in the channel`);
      }
      return { alerts, duplicates, lost, differences };
    },
  };
}

/** What `createAccount` makes. */
export type Account = ReturnType<typeof createAccount>;
/** The form of TX_URL by which alerts are told apart in the account. */
export const ACCOUNT_TX_URL = 'https://explorer.example/tx/{txHash}';
