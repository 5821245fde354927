import type { ChartRenderer } from '../charts/render.ts';
import { filesLeftOut } from '../discord/attachments.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { Links } from '../embeds/links.ts';
import type { Language } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import { roomRecordOf } from '../portfolio/record/room-record.ts';
import { HOURS_KEPT_SECONDS } from '../portfolio/trades/volume.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import type { Registry } from '../watches/registry.ts';
import { isLeaving, seenSinceOf } from '../watches/watch.ts';
import { barsOf, digestPicture } from './chart.ts';
import type { Digest, UnderWay } from './documents.ts';
import { digestEmbed } from './embed.ts';
import { periodBetween, walletFigures } from './stats.ts';
import type { Zone } from './zone.ts';

const PICTURE = 'digest.png';
const HOUR_MS = 3_600_000;

/** Makes digests of what is known of a channel's wallets. */
export function createDigestComposer(
  { nowMs, log }: Machine,
  parts: {
    readonly registry: Pick<Registry, 'ofChannel'>;
    /** What has been seen of a wallet; undefined if nothing. */
    readonly knowledgeOf: (wallet: WalletAddress) => Promise<WalletKnowledge | undefined>;
    /** How many wallets a channel has ever ranked. */
    readonly rankedIn: (channelId: string) => number;
    /** Whether a wallet has been read since, by the venue's clock, epoch milliseconds. */
    readonly isRead: (wallet: WalletAddress, sinceMs: number) => boolean;
    readonly charts: ChartRenderer;
    readonly links: Links;
    /** What a channel reads. */
    readonly languageOf: (channelId: string) => Language;
  },
) {
  const { registry, knowledgeOf, rankedIn, isRead, charts, links, languageOf } = parts;
  return async ({ channelId, schedule }: Digest, { fromMs, startedAtMs }: UnderWay, zone: Zone, reference: string) => {
    const language = languageOf(channelId);
    const composedMs = nowMs();
    // What is older is kept by the day, or not at all.
    const period = periodBetween(Math.max(fromMs, composedMs - HOURS_KEPT_SECONDS * 1000 + HOUR_MS), startedAtMs);
    const everRanked = rankedIn(channelId);
    const wallets = await Promise.all(
      registry
        .ofChannel(channelId)
        .filter((watch) => !isLeaving(watch))
        .map(async (watch) => {
          const { wallet } = watch;
          const knowledge = await knowledgeOf(wallet);
          const nowSeconds = composedMs / 1000;
          const record = knowledge === undefined ? null : roomRecordOf(knowledge.record, watch, nowSeconds, everRanked);
          const isBehind = !isRead(wallet, period.toSeconds * 1000);
          const digestWallet = { wallet, label: watch.label ?? undefined, isBehind, record };
          const volume = knowledge?.portfolio.volume ?? [];
          return {
            ...walletFigures(knowledge, digestWallet, period, nowSeconds, watch),
            volume: volume.filter(({ startSeconds }) => startSeconds >= seenSinceOf(watch)),
          };
        }),
    );
    const text = { schedule, period, wallets, everRanked, reference, links, picture: null, language };
    const plain = digestEmbed(text);
    const svg = digestPicture({ schedule, period, wallets, zone, language });
    // A digest without its picture is better than none.
    const failed = (error: unknown) => {
      log.error({ event: 'chart.failed', channel: channelId, err: error });
      return null;
    };
    const png = svg === null ? null : await charts.png(svg).catch(failed);
    if (png === null) return { embed: plain, plain, picture: null };
    const { altPerHour, altPerDay } = language.texts.digest.chart;
    return {
      embed: digestEmbed({ ...text, picture: PICTURE }),
      /** How it looks without its picture. */
      plain,
      picture: {
        name: PICTURE,
        description: barsOf(period) === 'hour' ? altPerHour : altPerDay,
        png,
        /** Says that it is missing. @param error with which it was refused; null: the permission is missing */
        leftOut: (error: unknown) => filesLeftOut('picture', error)(language),
      },
    };
  };
}
export type ComposeDigest = ReturnType<typeof createDigestComposer>;
export type DigestMessage = Awaited<ReturnType<ComposeDigest>>;
