import type { APIEmbed } from 'discord.js';
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
import { type DigestText, digestEmbed } from './embed.ts';
import { periodBetween, walletFigures } from './stats.ts';
import type { Zone } from './zone.ts';

const PICTURE = 'digest.png';
const HOUR_MS = 3_600_000;

/** A digest as it is sent, and how it looks without its picture. */
export interface DigestMessage {
  readonly embed: APIEmbed;
  readonly plain: APIEmbed;
  readonly picture: {
    readonly name: string;
    readonly description: string;
    readonly png: Buffer;
    /** Says that it is missing. @param error with which it was refused; null: the permission is missing */
    readonly leftOut: (error: unknown) => string;
  } | null;
}

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
  return async (
    { channelId, schedule }: Digest,
    { fromMs, startedAtMs }: UnderWay,
    zone: Zone,
    reference: string,
  ): Promise<DigestMessage> => {
    const language = languageOf(channelId);
    const composedMs = nowMs();
    // What is older is kept by the day, or not at all.
    const period = periodBetween(Math.max(fromMs, composedMs - HOURS_KEPT_SECONDS * 1000 + HOUR_MS), startedAtMs);
    const everRanked = rankedIn(channelId);
    const seen = await Promise.all(
      registry
        .ofChannel(channelId)
        .filter((watch) => !isLeaving(watch))
        .map(async (watch) => {
          const { wallet, label } = watch;
          const knowledge = await knowledgeOf(wallet);
          return {
            watch,
            wallet,
            label: label ?? undefined,
            isBehind: !isRead(wallet, period.toSeconds * 1000),
            knowledge,
            record:
              knowledge === undefined ? null : roomRecordOf(knowledge.record, watch, composedMs / 1000, everRanked),
          };
        }),
    );
    const text: DigestText = {
      schedule,
      period,
      wallets: seen.map(({ knowledge, watch, ...wallet }) =>
        walletFigures(knowledge, wallet, period, composedMs / 1000, watch),
      ),
      everRanked,
      reference,
      links,
      picture: null,
      language,
    };
    const plain = digestEmbed(text);
    const svg = digestPicture({
      schedule,
      period,
      wallets: seen.map(({ wallet, label, knowledge, watch }) => ({
        wallet,
        label,
        volume: (knowledge?.portfolio.volume ?? []).filter(({ startSeconds }) => startSeconds >= seenSinceOf(watch)),
      })),
      zone,
      language,
    });
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
      plain,
      picture: {
        name: PICTURE,
        description: barsOf(period) === 'hour' ? altPerHour : altPerDay,
        png,
        leftOut: (error) => filesLeftOut('picture', error)(language),
      },
    };
  };
}
export type ComposeDigest = ReturnType<typeof createDigestComposer>;
