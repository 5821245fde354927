import type { Events, SeenMessage } from '@walletbell/local-discord/discord/events';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { LRUCache } from 'lru-cache';
import { SEPARATOR } from '../embeds/embed-parts.ts';
import { gapsIn, recordsIn, type ShownGap, type ShownRecords } from './alert-parser.ts';

/** Number of records, and the hundredths of a share that they come to, or so far from them. */
interface Amount {
  readonly count: number;
  readonly hundredths: number;
  readonly within: number;
  /** Messages among them that do not say their shares: then nothing is known of the sum. */
  readonly unsaid: number;
}

/** Per channel, and what the records are about. */
type Tally = Map<string, Amount>;

export interface Balance {
  /**
   * Records that the channels show: each fill, redemption, deposit and withdrawal, once a channel.
   */
  readonly alerts: number;
  /** Shown more often than the venue has records. */
  readonly duplicates: number;
  /** In the venue, and in no alert. */
  readonly lost: number;
  /** The part of `lost` that happened in a time of which a notice says that something may be missing. */
  readonly announced: number;
  /** Everything that does not agree, and how, in names. */
  readonly differences: readonly string[];
}

/** Names that people use for what is known here by its id. */
export interface AccountNames {
  readonly channel: (channelId: string) => string;
  /** @param wallet lower case */
  readonly wallet: (wallet: string) => string;
}

const IDS: AccountNames = { channel: (channelId) => channelId, wallet: (wallet) => wallet };

/**
 * Keeps account of what has to be alerted and what was: transfers by their transaction; trades and
 * redemptions, of which one alert may show many, by wallet, market, action and (but of redemptions)
 * outcome, with their number and the sum of their shares. It reads the words of the messages, so
 * that a fault in the bot's own way of distinguishing records cannot hide itself.
 */
export function createAccount(names: AccountNames = IDS) {
  let watches: AccountWatch[] = [];
  const expected: Tally = new Map();
  /**
   * Records that may be shown and need not: the bot and the account need not see a watch begin or
   * end in the same instant.
   */
  const allowed: Tally = new Map();
  const shown: Tally = new Map();
  /** The newest record that each is about. */
  const records = new Map<string, LedgerRecord>();
  /** Records that the latest messages show, by the messages' ids: these may be changed. */
  const messages = new LRUCache<
    string,
    readonly { readonly key: string; readonly amount: Amount }[]
  >({
    max: MESSAGES_REMEMBERED,
  });
  /** Times of the records that each key is about, Unix seconds. */
  const times = new Map<string, number[]>();
  /** Gaps that channels were told of. */
  const gaps: (ShownGap & { readonly channelId: string })[] = [];
  let recent: { readonly record: LedgerRecord; readonly enteredAtMs: number }[] = [];
  /** Records that channels which hear later need not show yet, in the venue's order. */
  let later: readonly Later[] = [];
  /** Records of delayed channels that may be shown by now, and need not be yet. */
  const owed = new Set<Later>();
  /** Keys that such a channel has shown before they were due. */
  const early = new Set<string>();
  /** Wall clock at which nothing more begins to be due, epoch ms; null: it goes on. */
  let endsMs: number | null = null;
  const amountIn = (tally: Tally, key: string) => tally.get(key) ?? NOTHING;
  const add = (tally: Tally, key: string, amount: Amount) => {
    const before = amountIn(tally, key);
    tally.set(key, {
      count: before.count + amount.count,
      hundredths: before.hundredths + amount.hundredths,
      within: before.within + amount.within,
      unsaid: before.unsaid + amount.unsaid,
    });
  };

  /** Times of the bot’s last page, and of its first one after it last got none; wall clock, epoch ms. */
  let [servedMs, servedSinceMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

  /**
   * Returns the time from which a delayed channel must show a record. Its delay counts from when the
   * bot reads the record, and the bot may have been unable to.
   */
  const owedMs = ({ enteredMs, dueMs }: Later): number =>
    servedSinceMs <= enteredMs ? dueMs : dueMs + (servedSinceMs - enteredMs) + READ_MS;

  /** Has channels that hear later show what is due by now; what will be later need not come. */
  const becomeDue = (nowMs: number): void => {
    for (const one of later.filter(({ dueMs }) => dueMs <= nowMs)) {
      add(allowed, one.key, one.amount);
      owed.add(one);
    }
    later = later.filter(({ dueMs }) => dueMs > nowMs);
    for (const one of owed) {
      const atMs = owedMs(one);
      if (atMs > nowMs) continue;
      owed.delete(one);
      if (endsMs !== null && atMs > endsMs) continue;
      add(allowed, one.key, opposite(one.amount));
      add(expected, one.key, one.amount);
    }
  };

  function excuse(isMeant: (key: string) => boolean): void {
    for (const { key, amount } of later) if (isMeant(key)) add(allowed, key, amount);
    later = later.filter(({ key }) => !isMeant(key));
    for (const one of owed) if (isMeant(one.key)) owed.delete(one);
    for (const [key, wanted] of expected) {
      const found = amountIn(shown, key);
      if (wanted.count <= found.count || !isMeant(key)) continue;
      const missing = {
        count: wanted.count - found.count,
        hundredths: wanted.hundredths - found.hundredths,
        within: found.within,
        unsaid: found.unsaid,
      };
      expected.set(key, found);
      add(allowed, key, missing);
    }
  }

  /** Number of a key's records that happened in a gap of which its channel has a notice. */
  const inGaps = (key: string): number => {
    const record = records.get(key);
    if (record === undefined) return 0;
    const wallet = record.wallet.toLowerCase();
    const isNamed = (text: string) =>
      text.toLowerCase().includes(wallet) || text.includes(names.wallet(wallet));
    const kind = record.kind === 'transfer' ? 'transfer' : 'fills';
    const own = gaps.filter(
      (gap) => key.startsWith(`${gap.channelId}:`) && gap.kind === kind && gap.said.some(isNamed),
    );
    const isIn = (seconds: number) =>
      own.some(({ fromSeconds, toSeconds }) => seconds >= fromSeconds && seconds <= toSeconds);
    return (times.get(key) ?? []).filter(isIn).length;
  };

  const isOf = (wallet: string, channelId: string) => (key: string) =>
    key.startsWith(`${channelId}:`) &&
    records.get(key)?.wallet.toLowerCase() === wallet.toLowerCase();

  return {
    /**
     * From this second on, by Unix time, the channel has to get alerts of the wallet.
     *
     * @param delayMs so much later than the venue had them, and not before
     */
    watch(wallet: string, channelId: string, sinceSeconds: number, delayMs = 0): void {
      watches.push({
        wallet: wallet.toLowerCase(),
        channelId,
        sinceSeconds,
        mayFromSeconds: sinceSeconds,
        delayMs,
      });
    },
    /** The bot has got a page of the venue. */
    served(): void {
      const nowMs = Date.now();
      if (nowMs - servedMs > UNSERVED_MS) servedSinceMs = nowMs;
      servedMs = nowMs;
    },
    /** Nothing that is due later is expected any more. */
    end(): void {
      endsMs ??= Date.now();
    },
    /**
     * As `watch`, for one that has begun within the last seconds: what happened in them may have
     * been alerted or not.
     */
    watchBegun(wallet: string, channelId: string, nowSeconds: number): void {
      const begun = {
        wallet: wallet.toLowerCase(),
        channelId,
        sinceSeconds: Math.floor(nowSeconds) + 1,
        mayFromSeconds: Math.floor(nowSeconds) - BEGIN_SECONDS,
        delayMs: 0,
      };
      if (watches.some((watch) => watch.wallet === begun.wallet && watch.channelId === channelId)) {
        return;
      }
      watches.push(begun);
      for (const { record } of recent) {
        if (
          record.wallet.toLowerCase() !== begun.wallet ||
          record.item.time < begun.mayFromSeconds
        ) {
          continue;
        }
        const key = keyOf(channelId, shownAs(record));
        records.set(key, record);
        add(allowed, key, amountOf(shownAs(record)));
      }
    },
    /**
     * From now on no alert of the wallet is demanded in the channel, not even of what still waits.
     */
    watchEnded(wallet: string, channelId: string): void {
      watches = watches.filter(
        (watch) => watch.wallet !== wallet.toLowerCase() || watch.channelId !== channelId,
      );
      excuse(isOf(wallet, channelId));
    },
    /**
     * From now on the watch's settings choose what is alerted: all of it may be, nothing has to be.
     */
    watchChanged(wallet: string, channelId: string): void {
      watches = watches.map((watch) =>
        watch.wallet === wallet.toLowerCase() && watch.channelId === channelId
          ? { ...watch, sinceSeconds: Number.POSITIVE_INFINITY, delayMs: 0 }
          : watch,
      );
      excuse(isOf(wallet, channelId));
    },
    /** As `watchChanged`, for settings of the channel and all of its watches. */
    channelChanged(channelId: string): void {
      watches = watches.map((watch) =>
        watch.channelId === channelId
          ? { ...watch, sinceSeconds: Number.POSITIVE_INFINITY, delayMs: 0 }
          : watch,
      );
      excuse((key) => key.startsWith(`${channelId}:`));
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
      recent = [
        ...recent.filter(({ enteredAtMs }) => nowMs - enteredAtMs < RECENT_MS),
        { record, enteredAtMs: nowMs },
      ];
      for (const watch of watches) {
        if (watch.wallet !== wallet || record.item.time < watch.mayFromSeconds) continue;
        const key = keyOf(watch.channelId, shownAs(record));
        const amount = amountOf(shownAs(record));
        records.set(key, record);
        const known = times.get(key) ?? [];
        known.push(record.item.time);
        times.set(key, known);
        if (watch.delayMs > 0) {
          const dueMs = nowMs + watch.delayMs - EARLY_MS;
          later = [...later, { key, amount, enteredMs: nowMs, dueMs }];
          continue;
        }
        add(record.item.time >= watch.sinceSeconds ? expected : allowed, key, amount);
      }
    },
    /** A channel shows a message, or shows it changed: what it shows now counts. */
    see(message: SeenMessage): void {
      becomeDue(Date.now());
      for (const { key, amount } of messages.get(message.id) ?? []) {
        add(shown, key, opposite(amount));
      }
      const shows = recordsIn(message).map((one) => ({
        key: keyOf(message.channelId, one),
        amount: amountOf(one),
      }));
      for (const { key, amount } of shows) {
        add(shown, key, amount);
        const most = amountIn(expected, key).count + amountIn(allowed, key).count;
        const isEarly = later.some((one) => one.key === key) && amountIn(shown, key).count > most;
        if (isEarly) early.add(key);
      }
      messages.set(message.id, shows);
      const { channelId } = message;
      gaps.push(...gapsIn(message).map((gap) => ({ ...gap, channelId })));
    },
    balance(): Balance {
      becomeDue(Date.now());
      let [alerts, duplicates, lost, announced] = [0, 0, 0, 0];
      const differences: string[] = [];
      for (const key of new Set([...expected.keys(), ...shown.keys()])) {
        const [wanted, found, extra] = [
          amountIn(expected, key),
          amountIn(shown, key),
          amountIn(allowed, key),
        ];
        const most = wanted.count + extra.count;
        alerts += found.count;
        duplicates += Math.max(0, found.count - most);
        const missing = Math.max(0, wanted.count - found.count);
        lost += missing;
        const isToldOf = Math.min(missing, inGaps(key));
        announced += isToldOf;
        // The right number of the wrong ones: one is shown twice in the place of another. Shown
        // figures are rounded.
        const isMixedUp =
          found.count === wanted.count &&
          extra.count === 0 &&
          found.unsaid === 0 &&
          Math.abs(found.hundredths - wanted.hundredths) > found.count + found.within;
        if (isMixedUp) [duplicates, lost] = [duplicates + 1, lost + 1];
        // By now it is due, and one too many no longer.
        if (early.has(key) && found.count <= most) {
          duplicates += 1;
          differences.push(`${nameOf(key, records.get(key), names)}: it came early`);
        }
        if (found.count < wanted.count || found.count > most || isMixedUp) {
          const what = nameOf(key, records.get(key), names);
          differences.push(
            `${what}: the venue has ${describe(wanted)}, the channel shows ${describe(found)}${toldOf(isToldOf)}`,
          );
        }
      }
      return { alerts, duplicates, lost, announced, differences };
    },
  };
}

interface AccountWatch {
  readonly wallet: string;
  readonly channelId: string;
  readonly sinceSeconds: number;
  /** Not after `sinceSeconds`: what is from between the two may be alerted. */
  readonly mayFromSeconds: number;
  /** Above 0: the channel hears later by so much. */
  readonly delayMs: number;
}

interface Later {
  readonly key: string;
  readonly amount: Amount;
  /** Wall clock when the venue had it, epoch ms. */
  readonly enteredMs: number;
  /** Wall clock, epoch ms: shown before it is shown too often. */
  readonly dueMs: number;
}

/** A bot that gets no page for so long, ms, cannot read what the venue has. */
const UNSERVED_MS = 10_000;
/** Time in which it has read what it missed, ms. */
const READ_MS = 30_000;
/** Clocks are known to less than this. */
const EARLY_MS = 1_000;

const MESSAGES_REMEMBERED = 10_000;
const NOTHING: Amount = { count: 0, hundredths: 0, within: 0, unsaid: 0 };
/** A command and its line in the bot's log are at most this far apart. */
const BEGIN_SECONDS = 5;
const RECENT_MS = 30_000;

/** Returns what an alert has to show of a record. */
function shownAs(record: LedgerRecord): ShownRecords {
  if (record.kind === 'transfer') {
    return { kind: 'transfer', txHash: record.item.txHash.toLowerCase() };
  }
  const { marketId, action, positionSide, quantity } = record.item;
  const wallet = record.wallet.toLowerCase();
  return {
    kind: 'fills',
    wallet,
    marketId,
    action,
    outcome: positionSide,
    count: 1,
    shares: quantity,
    sharesWithin: 0,
  };
}

function keyOf(channelId: string, what: ShownRecords): string {
  if (what.kind === 'transfer') return `${channelId}:${what.txHash}`;
  // Redemptions of a market are one alert, whatever their outcome.
  const outcome = what.action === 'Redeem' ? '' : what.outcome;
  return [channelId, what.wallet, what.marketId, what.action, outcome].join(':');
}

/** Says what a key is about, in names as far as they are known. */
function nameOf(key: string, record: LedgerRecord | undefined, names: AccountNames): string {
  const [channelId = '', ...rest] = key.split(':');
  if (record === undefined) return [names.channel(channelId), rest.join(':')].join(SEPARATOR);
  const { kind, item } = record;
  const what =
    kind === 'activity'
      ? [item.marketTitle, `${item.action} ${item.positionSide}`]
      : [`${item.type} of $${item.amount}`];
  return [names.channel(channelId), names.wallet(record.wallet.toLowerCase()), ...what].join(
    SEPARATOR,
  );
}

function amountOf(what: ShownRecords): Amount {
  if (what.kind === 'transfer') return { ...NOTHING, count: 1 };
  const { count, shares, sharesWithin } = what;
  if (shares === null) return { ...NOTHING, count, unsaid: 1 };
  return { count, hundredths: Math.round(shares * 100), within: sharesWithin * 100, unsaid: 0 };
}

function opposite({ count, hundredths, within, unsaid }: Amount): Amount {
  return { count: -count, hundredths: -hundredths, within: -within, unsaid: -unsaid };
}

/** @param count records that the channel's notices of gaps cover */
function toldOf(count: number): string {
  return count === 0 ? '' : `, and says that ${count} may be missing`;
}

function describe({ count, hundredths }: Amount): string {
  return hundredths === 0 ? String(count) : `${count} (${hundredths / 100} shares)`;
}

/** Account that `createAccount` makes. */
export type Account = ReturnType<typeof createAccount>;

/**
 * Has the account see all messages but answers to people, as they are sent and as they are changed.
 */
export function followMessages(account: Pick<Account, 'see'>, events: Events): void {
  const see = (message: SeenMessage) => {
    if (message.interactionId === null && message.author.bot) account.see(message);
  };
  events.on('message', see).on('edit', see);
}
