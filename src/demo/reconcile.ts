import type { Events, SeenMessage } from '@walletbell/local-discord/discord/events';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { LRUCache } from 'lru-cache';
import { SEPARATOR } from '../embeds/embed-parts.ts';
import { gapsIn, recordsIn, type ShownGap, type ShownRecords } from './alert-parser.ts';

/** Number of records, the sum of their shares in hundredths, and its maximum error. */
interface Amount {
  readonly count: number;
  readonly hundredths: number;
  readonly within: number;
  /** Number of messages among them that do not state their shares; the sum is then unknown. */
  readonly unsaid: number;
}

/** Amounts by channel and subject of the records. */
type Tally = Map<string, Amount>;

export interface Balance {
  /**
   * Number of records shown in channels: each fill, redemption, deposit and withdrawal, once per
   * channel.
   */
  readonly alerts: number;
  /** Number of records shown more often than the venue has them. */
  readonly duplicates: number;
  /** Number of the venue's records that are in no alert. */
  readonly lost: number;
  /** The part of `lost` in periods for which a notice says that something may be missing. */
  readonly announced: number;
  /** Descriptions of all differences, with the names of channels and wallets. */
  readonly differences: readonly string[];
}

/** Names for ids, for people. */
export interface AccountNames {
  readonly channel: (channelId: string) => string;
  /** @param wallet in lower case */
  readonly wallet: (wallet: string) => string;
}

const IDS: AccountNames = { channel: (channelId) => channelId, wallet: (wallet) => wallet };

/**
 * Reconciles the records that must be alerted with the records that were alerted. Transfers are
 * identified by their transaction; trades and redemptions, of which one alert may show many, by
 * wallet, market, action and (except for redemptions) outcome, with their number and the sum of
 * their shares. It reads the words of the messages, so that a fault in the bot's own identification
 * of records cannot hide itself.
 */
export function createAccount(names: AccountNames = IDS) {
  let watches: AccountWatch[] = [];
  const expected: Tally = new Map();
  /**
   * Records that may be shown but need not be, because the bot and the account may not see a watch
   * begin or end at the same instant.
   */
  const allowed: Tally = new Map();
  const shown: Tally = new Map();
  /** The newest record for each key. */
  const records = new Map<string, LedgerRecord>();
  /** Records shown in the latest messages, by message id, because messages may be edited. */
  const messages = new LRUCache<
    string,
    readonly { readonly key: string; readonly amount: Amount }[]
  >({
    max: MESSAGES_REMEMBERED,
  });
  /** Times of the records for each key, in Unix seconds. */
  const times = new Map<string, number[]>();
  /** Gaps announced in channels. */
  const gaps: (ShownGap & { readonly channelId: string })[] = [];
  let recent: { readonly record: LedgerRecord; readonly enteredAtMs: number }[] = [];
  /** Records that delayed channels need not show yet, in the venue's order. */
  let later: readonly Later[] = [];
  /** Records of delayed channels that may be shown by now, but need not be yet. */
  const owed = new Set<Later>();
  /** Keys that a delayed channel has shown too early. */
  const early = new Set<string>();
  /** Wall-clock time after which nothing more becomes due, in epoch ms; null if there is no end. */
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

  /**
   * Times of the bot's last page, and of its first page after a period without any, in epoch ms of
   * the wall clock.
   */
  let [servedMs, servedSinceMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

  /**
   * Returns the time from which a delayed channel must show a record. Its delay counts from when
   * the bot reads the record, which the bot may have been unable to do.
   */
  const owedMs = ({ enteredMs, dueMs }: Later): number =>
    servedSinceMs <= enteredMs ? dueMs : dueMs + (servedSinceMs - enteredMs) + READ_MS;

  /**
   * Moves due records of delayed channels to the expected ones; records due after the end need not
   * be shown.
   */
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

  /** Returns the number of a key's records in a gap for which its channel has a notice. */
  const inGaps = (key: string): number => {
    const record = records.get(key);
    if (record === undefined) return 0;
    const wallet = record.wallet.toLowerCase();
    const isNamed = (text: string) =>
      text.toLowerCase().includes(wallet) || text.includes(names.wallet(wallet));
    const kind = record.kind === 'transfer' ? 'transfer' : 'fills';
    const own = gaps.filter(
      (gap) => key.startsWith(`${gap.channelId}:`) && gap.kind === kind && gap.names.some(isNamed),
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
     * Expects the channel to get alerts of the wallet from this second on, in Unix time.
     *
     * @param delayMs delay after the venue has a record, before which it must not be shown
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
    /** Records that the bot has received a page of the venue. */
    served(): void {
      const nowMs = Date.now();
      if (nowMs - servedMs > UNSERVED_MS) servedSinceMs = nowMs;
      servedMs = nowMs;
    },
    /** Stops expecting records that become due later. */
    end(): void {
      endsMs ??= Date.now();
    },
    /**
     * Like `watch`, for a watch that began within the last seconds; events in these seconds may be
     * alerted or not.
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
    /** Stops requiring alerts of the wallet in the channel, including waiting ones. */
    watchEnded(wallet: string, channelId: string): void {
      watches = watches.filter(
        (watch) => watch.wallet !== wallet.toLowerCase() || watch.channelId !== channelId,
      );
      excuse(isOf(wallet, channelId));
    },
    /**
     * Allows but no longer requires alerts of the wallet in the channel, because the watch's
     * settings now select them.
     */
    watchChanged(wallet: string, channelId: string): void {
      watches = watches.map((watch) =>
        watch.wallet === wallet.toLowerCase() && watch.channelId === channelId
          ? { ...watch, sinceSeconds: Number.POSITIVE_INFINITY, delayMs: 0 }
          : watch,
      );
      excuse(isOf(wallet, channelId));
    },
    /** Like `watchChanged`, for settings of the channel and all of its watches. */
    channelChanged(channelId: string): void {
      watches = watches.map((watch) =>
        watch.channelId === channelId
          ? { ...watch, sinceSeconds: Number.POSITIVE_INFINITY, delayMs: 0 }
          : watch,
      );
      excuse((key) => key.startsWith(`${channelId}:`));
    },
    /** Stops expecting anything in a deleted channel. */
    channelGone(channelId: string): void {
      watches = watches.filter((watch) => watch.channelId !== channelId);
      excuse((key) => key.startsWith(`${channelId}:`));
    },
    /**
     * Records that the venue has a new record. A record from before the watch may be indexed after
     * it.
     */
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
    /** Reads a new or edited message in a channel; its present content counts. */
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
        const reported = Math.min(missing, inGaps(key));
        announced += reported;
        // The number is right but the records are wrong: one is shown twice instead of another.
        // Shown figures are rounded.
        const isMixedUp =
          found.count === wanted.count &&
          extra.count === 0 &&
          found.unsaid === 0 &&
          Math.abs(found.hundredths - wanted.hundredths) > found.count + found.within;
        if (isMixedUp) [duplicates, lost] = [duplicates + 1, lost + 1];
        // It is due by now, so it no longer counts as one too many.
        if (early.has(key) && found.count <= most) {
          duplicates += 1;
          differences.push(`${nameOf(key, records.get(key), names)}: it came early`);
        }
        if (found.count < wanted.count || found.count > most || isMixedUp) {
          const what = nameOf(key, records.get(key), names);
          differences.push(
            `${what}: the venue has ${describe(wanted)}, the channel shows ${describe(found)}${mayBeMissing(reported)}`,
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
  /** Not after `sinceSeconds`; records between the two may be alerted. */
  readonly mayFromSeconds: number;
  /** Delay of the channel in ms; 0 if it is not delayed. */
  readonly delayMs: number;
}

interface Later {
  readonly key: string;
  readonly amount: Amount;
  /** Wall-clock time at which the venue had it, in epoch ms. */
  readonly enteredMs: number;
  /** Wall-clock time in epoch ms before which showing it is too early. */
  readonly dueMs: number;
}

/** Time without a page after which the bot counts as unable to read the venue, in ms. */
const UNSERVED_MS = 10_000;
/** Time in which it has read the missed records, in ms. */
const READ_MS = 30_000;
/** Maximum error of clocks, in ms. */
const EARLY_MS = 1_000;

const MESSAGES_REMEMBERED = 10_000;
const NOTHING: Amount = { count: 0, hundredths: 0, within: 0, unsaid: 0 };
/** Maximum time between a command and its line in the bot's log, in seconds. */
const BEGIN_SECONDS = 5;
const RECENT_MS = 30_000;

/** Returns the content that an alert must show for a record. */
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

/** Describes a key, with names as far as they are known. */
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

/** @param count records covered by the channel's notices of gaps */
function mayBeMissing(count: number): string {
  return count === 0 ? '' : `, and says that ${count} may be missing`;
}

function describe({ count, hundredths }: Amount): string {
  return hundredths === 0 ? String(count) : `${count} (${hundredths / 100} shares)`;
}

/** The account created by `createAccount`. */
export type Account = ReturnType<typeof createAccount>;

/** Passes all messages except answers to people to the account, when they are sent and edited. */
export function followMessages(account: Pick<Account, 'see'>, events: Events): void {
  const see = (message: SeenMessage) => {
    if (message.interactionId === null && message.author.bot) account.see(message);
  };
  events.on('message', see).on('edit', see);
}
