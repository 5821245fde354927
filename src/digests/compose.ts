import type { Logger } from 'pino';
import { type TimeTick, timeTicks } from '../charts/axes.ts';
import { barChart, type Chart, chartLanguage, drawable } from '../charts/chart.ts';
import { type ChartRenderer, pictureOf } from '../charts/render.ts';
import { filesLeftOut, withNote } from '../discord/attachments.ts';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import type { Links } from '../embeds/links.ts';
import type { Feed } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { Exact, sum } from '../lib/exact.ts';
import type { Machine } from '../lib/machine.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../lib/time.ts';
import { createZone, type Zone } from '../lib/time-zones.ts';
import { newPortfolio } from '../portfolio/portfolio.ts';
import type { ChannelRecord } from '../portfolio/record/channel-record.ts';
import { HOURS_KEPT_SECONDS, type Volume } from '../portfolio/trades/volume.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import type { Registry } from '../watches/registry.ts';
import type { Verdicts } from '../watches/verdicts.ts';
import { isLeaving, seenSinceOf, type Watch } from '../watches/watch.ts';
import type { Digest, UnderWay } from './documents.ts';
import { type DigestText, digestEmbed } from './embed.ts';
import { firstInstantAt } from './schedule.ts';
import { settledIn } from './settled.ts';
import {
  type DigestWallet,
  type Period,
  periodBetween,
  verdictChangeIn,
  type WalletFigures,
  walletFigures,
} from './stats.ts';

/** Two days, one of them an hour longer. */
const HOURLY_UP_TO_SECONDS = 49 * HOUR_SECONDS;
/** Distinguishable with every kind of color vision, on the dark panel of the charts. */
const COLOURS = ['#4da3ff', '#ffb454', '#37c871'] as const;
const OTHERS_COLOUR = '#9aa3b2';
/** Together the names fill the line of the legend. */
const NAME_MAX = 12;
const PICTURE = 'digest.png';

export function createDigestComposer(
  { nowMs, log }: Machine,
  parts: {
    readonly registry: Pick<Registry, 'ofChannel'>;
    readonly verdicts: Pick<Verdicts, 'keptOf'>;
    readonly feed: Pick<Feed, 'settlements'>;
    /** Returns everything known about a wallet; undefined if nothing. */
    readonly knowledgeOf: (wallet: WalletAddress) => Promise<WalletKnowledge | undefined>;
    /** Returns the wallet's track record as the watch's channel may see it now. */
    readonly recordFor: (known: WalletKnowledge, watch: Watch) => ChannelRecord;
    /** Whether a wallet has been read since a time on the venue's clock, in epoch ms. */
    readonly isRead: (wallet: WalletAddress, sinceMs: number) => boolean;
    readonly charts: ChartRenderer;
    readonly links: Links;
    readonly languageOf: (channelId: string) => Language;
  },
) {
  const { registry, verdicts, knowledgeOf, recordFor, isRead, feed, charts, links, languageOf } =
    parts;

  /** Reads everything that a digest shows about a wallet. */
  const readWallet = async (watch: Watch, period: Period, settlementsOf: SettlementsOf) => {
    const { wallet } = watch;
    const sinceSeconds = seenSinceOf(watch);
    const knowledge = await knowledgeOf(wallet);
    const fromSeconds = Math.max(period.fromSeconds, sinceSeconds);
    const settled = await settledIn(
      knowledge?.portfolio ?? newPortfolio(0, false),
      { ...period, fromSeconds },
      settlementsOf,
    );
    const digestWallet: DigestWallet = {
      wallet,
      label: watch.label ?? undefined,
      isBehind: !isRead(wallet, period.toSeconds * 1000),
      record: knowledge === undefined ? null : recordFor(knowledge, watch),
      settled,
      verdictChange: verdictChangeIn(period, verdicts.keptOf(watch)),
    };
    const volume = knowledge?.portfolio.volume ?? [];
    return {
      ...walletFigures(knowledge, digestWallet, period, watch),
      volume: volume.filter(({ startSeconds }) => startSeconds >= sinceSeconds),
    };
  };
  type DigestedWallet = Awaited<ReturnType<typeof readWallet>>;

  return async (
    { channelId, schedule }: Digest,
    { fromMs, startedAtMs, toMs = startedAtMs }: UnderWay,
    reference: string,
  ) => {
    const language = languageOf(channelId);
    const composedMs = nowMs();
    // Older volume is kept by the day, or not at all.
    const keptSinceMs = composedMs - (HOURS_KEPT_SECONDS - HOUR_SECONDS) * 1000;
    const period = periodBetween(Math.max(fromMs, keptSinceMs), toMs);
    const settlementsOf = askWhileAnswered(feed, log);
    const wallets: DigestedWallet[] = [];
    for (const watch of registry.ofChannel(channelId).filter((watch) => !isLeaving(watch))) {
      wallets.push(await readWallet(watch, period, settlementsOf));
    }
    const text = {
      schedule,
      period,
      wallets,
      reference,
      links,
      picture: null,
      language,
    };
    const plain = digestEmbed(text);
    const drawn = await pictureOf({ charts, log }, { channel: channelId }, () =>
      digestPicture(text),
    );
    if (drawn === null) return { body: { embeds: [plain] }, withoutPicture: null };
    return {
      body: {
        embeds: [digestEmbed({ ...text, picture: PICTURE })],
        picture: { name: PICTURE, ...drawn },
      },
      /**
       * Returns the message without its picture.
       *
       * @param error the refusal; null if the permission is missing
       */
      withoutPicture: (error: unknown) => ({
        embeds: [withNote(plain, filesLeftOut('picture', error)(language))],
      }),
    };
  };
}
export type ComposeDigest = ReturnType<typeof createDigestComposer>;
export type DigestMessage = Awaited<ReturnType<ComposeDigest>>;

type SettlementsOf = Feed['settlements'];

/**
 * Returns a function that reads settlements until the feed once fails to answer; after that it
 * returns none, so that the digest does not wait for every wallet.
 */
function askWhileAnswered(feed: Pick<Feed, 'settlements'>, log: Logger): SettlementsOf {
  let isAnswered = true;
  return async (markets) => {
    if (!isAnswered) return [];
    try {
      return await feed.settlements(markets);
    } catch (error) {
      isAnswered = false;
      log.warn({ event: 'markets.not_settled', err: error });
      return [];
    }
  };
}

export interface PictureData extends Pick<DigestText, 'schedule' | 'period' | 'language'> {
  readonly wallets: readonly (Pick<WalletFigures, 'wallet' | 'label'> & {
    readonly volume: Volume;
  })[];
}

/**
 * Draws bars of traded volume, one per hour up to two days, then one per day, with a color for each
 * of the three busiest wallets. Days begin at the same wall-clock time, so a day is an hour shorter
 * or longer if the clocks change; the last one may be cut. Null if nothing was traded.
 */
export function digestPicture({ schedule, period, wallets, ...data }: PictureData): Chart | null {
  const language = chartLanguage(data.language);
  const texts = language.texts.digest.chart;
  const zone = createZone(schedule.timeZone);
  const { fromSeconds, toSeconds } = period;
  const isHourly = toSeconds - fromSeconds <= HOURLY_UP_TO_SECONDS;
  const hours = Array.from(
    { length: (toSeconds - fromSeconds) / HOUR_SECONDS },
    (_, hour) => hour * HOUR_SECONDS,
  );
  const starts = isHourly ? hours.map((seconds) => fromSeconds + seconds) : daysOf(period, zone);
  const { altPerHour, altPerDay } = data.language.texts.digest.chart;
  const traded = [];
  for (const { wallet, label, volume } of wallets) {
    const buckets = bucketSums(volume, period, starts);
    const total = sum(buckets.values());
    if (total.gt(0)) traded.push({ wallet, label, buckets, total });
  }
  traded.sort((a, b) => b.total.comparedTo(a.total) || (a.wallet < b.wallet ? -1 : 1));
  const others = traded.slice(COLOURS.length);
  const rows = traded.slice(0, COLOURS.length).map(({ wallet, label, buckets }, index) => ({
    name: drawable(label ?? '', NAME_MAX, shortAddress(wallet)),
    colour: COLOURS[index] ?? OTHERS_COLOUR,
    all: [buckets],
  }));
  if (others.length > 0) {
    rows.push({
      name: texts.others,
      colour: OTHERS_COLOUR,
      all: others.map(({ buckets }) => buckets),
    });
  }
  const bars = starts.map((start, index) => {
    const values = rows.map(({ all }) => {
      const total = sum(all.map((buckets) => buckets.get(start) ?? 0));
      return total.toNumber();
    });
    return { fromSeconds: start, toSeconds: starts[index + 1] ?? toSeconds, values };
  });
  const zoneName = drawable(schedule.timeZone, 40, 'UTC');
  return barChart({
    language,
    alt: isHourly ? altPerHour : altPerDay,
    title: isHourly ? texts.volumePerHour(zoneName) : texts.volumePerDay(zoneName),
    note: '',
    series: rows.map(({ name, colour }) => ({ name, colour, direction: 'up' })),
    bars,
    fromSeconds,
    toSeconds,
    time: zonedTicks(period, zone, language),
  });
}

/**
 * Returns the starts of the period and of each of its days, at the same wall-clock time, rounded
 * down to a full hour of UTC. Unix seconds.
 */
function daysOf({ fromSeconds, toSeconds }: Period, zone: Zone): number[] {
  const wallMs = fromSeconds * 1000 + zone.offsetMs(fromSeconds * 1000);
  const starts = [fromSeconds];
  for (let day = 1; ; day += 1) {
    const hour = Math.floor(
      firstInstantAt(zone, wallMs + day * DAY_SECONDS * 1000) / 1000 / HOUR_SECONDS,
    );
    if (hour * HOUR_SECONDS >= toSeconds) return starts;
    starts.push(hour * HOUR_SECONDS);
  }
}

/**
 * Returns round times of the zone's wall clock in a period, each at its first occurrence. A time
 * that the clocks skip has no tick.
 */
function zonedTicks(
  { fromSeconds, toSeconds }: Period,
  zone: Zone,
  language: Language,
): TimeTick[] {
  const wallOf = (seconds: number) => seconds + zone.offsetMs(seconds * 1000) / 1000;
  const ticks: TimeTick[] = [];
  const byWallClock = timeTicks(wallOf(fromSeconds), wallOf(toSeconds), language);
  for (const { seconds: wall, label } of byWallClock) {
    const seconds = firstInstantAt(zone, wall * 1000) / 1000;
    const isInPeriod = seconds >= fromSeconds && seconds <= toSeconds;
    if (isInPeriod && wallOf(seconds) === wall) ticks.push({ seconds, label });
  }
  return ticks;
}

/** @param starts of the buckets, ascending */
function bucketSums(
  volume: Volume,
  { fromSeconds, toSeconds }: Period,
  starts: readonly number[],
): Map<number, Exact> {
  const buckets = new Map<number, Exact>();
  for (const { startSeconds, sums } of volume) {
    if (startSeconds < fromSeconds || startSeconds >= toSeconds) continue;
    const start = starts.findLast((candidate) => candidate <= startSeconds) ?? fromSeconds;
    buckets.set(
      start,
      (buckets.get(start) ?? new Exact(0)).plus(sums.bought ?? 0).plus(sums.sold ?? 0),
    );
  }
  return buckets;
}
