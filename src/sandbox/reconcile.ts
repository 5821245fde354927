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
  let watches: AccountWatch[] = [];
  const expected: Tally = new Map();
  /** What may be shown and need not: the bot and the account need not see a watch begin or end in the same instant. */
  const allowed: Tally = new Map();
  const shown: Tally = new Map();
  const wallets = new Map<string, string>();
  let recent: { readonly record: LedgerRecord; readonly enteredAtMs: number }[] = [];
  const keyOf = (channelId: string, txHash: string) => `${channelId}:${txHash.toLowerCase()}`;
  const count = (tally: Tally, key: string) => tally.set(key, (tally.get(key) ?? 0) + 1);

  function excuse(isMeant: (key: string) => boolean): void {
    for (const [key, wanted] of expected) {
      const missing = wanted - (shown.get(key) ?? 0);
      if (missing <= 0 || !isMeant(key)) continue;
      expected.set(key, wanted - missing);
      allowed.set(key, (allowed.get(key) ?? 0) + missing);
    }
  }

  return {
    /** From this second on, by Unix time, the wallet must ring in the channel. */
    watch(wallet: string, channelId: string, sinceSeconds: number): void {
      watches.push({ wallet: wallet.toLowerCase(), channelId, sinceSeconds, mayFromSeconds: sinceSeconds });
    },
    /** As `watch`, for one that has begun within the last seconds: what happened in them may have rung or not. */
    watchBegun(wallet: string, channelId: string, nowSeconds: number): void {
      const begun = {
        wallet: wallet.toLowerCase(),
        channelId,
        sinceSeconds: Math.floor(nowSeconds) + 1,
        mayFromSeconds: Math.floor(nowSeconds) - BEGIN_SECONDS,
      };
      if (watches.some((watch) => watch.wallet === begun.wallet && watch.channelId === channelId)) return;
      watches.push(begun);
      for (const { record } of recent) {
        if (record.wallet.toLowerCase() !== begun.wallet || record.item.time < begun.mayFromSeconds) continue;
        count(allowed, keyOf(channelId, record.item.txHash));
      }
    },
    /** From now on the wallet need not ring in the channel, and neither must what still waits. */
    watchEnded(wallet: string, channelId: string): void {
      const ended = wallet.toLowerCase();
      watches = watches.filter((watch) => watch.wallet !== ended || watch.channelId !== channelId);
      excuse((key) => key.startsWith(`${channelId}:`) && wallets.get(key) === ended);
    },
    /** The channel is gone. */
    channelGone(channelId: string): void {
      watches = watches.filter((watch) => watch.channelId !== channelId);
      excuse((key) => key.startsWith(`${channelId}:`));
    },
    /** The venue has a new record. One of before the watch may be indexed after it. */
    expect(record: LedgerRecord): void {
      const wallet = record.wallet.toLowerCase();
      const nowMs = Date.now();
      recent = [...recent.filter(({ enteredAtMs }) => nowMs - enteredAtMs < RECENT_MS), { record, enteredAtMs: nowMs }];
      for (const watch of watches) {
        if (watch.wallet !== wallet || record.item.time < watch.mayFromSeconds) continue;
        const key = keyOf(watch.channelId, record.item.txHash);
        wallets.set(key, wallet);
        count(record.item.time >= watch.sinceSeconds ? expected : allowed, key);
      }
    },
    /** A channel shows a new message. */
    see(message: SeenMessage): void {
      for (const txHash of transactionsIn(message)) count(shown, keyOf(message.channelId, txHash));
    },
    balance(): Balance {
      let [alerts, duplicates, lost] = [0, 0, 0];
      const differences: string[] = [];
      for (const key of new Set([...expected.keys(), ...shown.keys()])) {
        const [wanted, found] = [expected.get(key) ?? 0, shown.get(key) ?? 0];
        const most = wanted + (allowed.get(key) ?? 0);
        alerts += found;
        duplicates += Math.max(0, found - most);
        lost += Math.max(0, wanted - found);
        if (found < wanted || found > most) {
          differences.push(`${key}: ${wanted} in the venue, ${found} in the channel`);
        }
      }
      return { alerts, duplicates, lost, differences };
    },
  };
}

interface AccountWatch {
  readonly wallet: string;
  readonly channelId: string;
  readonly sinceSeconds: number;
  /** Not after `sinceSeconds`: what is from between the two may ring. */
  readonly mayFromSeconds: number;
}

/** A command and its line in the bot's log are at most this far apart. */
const BEGIN_SECONDS = 5;
const RECENT_MS = 30_000;

/** The transactions that a message tells of, as its links name them. */
export function transactionsIn(message: SeenMessage): string[] {
  return message.embeds.flatMap(({ description }) =>
    [...(description ?? '').matchAll(/\/tx\/(0x[0-9a-fA-F]+)/g)].map(([, txHash = '']) => txHash),
  );
}

/** What `createAccount` makes. */
export type Account = ReturnType<typeof createAccount>;
/** The form of TX_URL by which alerts are told apart in the account. */
export const ACCOUNT_TX_URL = 'https://explorer.example/tx/{txHash}';
