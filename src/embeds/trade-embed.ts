import type { APIEmbed } from 'discord.js';
import type { NonEmptyAlerts } from '../alerts/group.ts';
import { fillsOf, type GroupSums, resultsOf, sumUp } from '../alerts/group.ts';
import { type ActionKind, actionKind } from '../domain/kinds.ts';
import type { ActivityItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { positionLine, sizeText } from './context-lines.ts';
import {
  delay,
  EMBED_COLOURS,
  footer,
  lines,
  marketTitle,
  present,
  type RenderContext,
  smallPrint,
  timestamp,
  walletLink,
} from './embed-parts.ts';
import { newestOf } from './headline.ts';
import { imageUrl } from './links.ts';
import { resultCost, resultGain, resultNotes } from './news-embed.ts';
import { shortRecord } from './record-lines.ts';

/** Characters of a description (4,096) for the wallet's URL: the text beside it takes fewer than 1,500 code points. */
const URL_ROOM = 2_500;
/** What the delay in the footer is counted from, by the catalogue's names. */
const EVENTS = { buy: 'trade', sell: 'trade', redeem: 'redemption', other: 'event' } as const;

/**
 * The embed of a trade or redemption, or of fills that belong together (one wallet, market and action): what it
 * does to the position, or what came of one that it closes, and in small print the wallet, shares, fills, role, size and the wallet's record in the channel. Name,
 * amount and price stand above it, see `messageContent`. The reference is that of the first alert; texts and limits as in `renderAlert`.
 */
export function renderTrade(alerts: Readonly<NonEmptyAlerts>, context: RenderContext): APIEmbed {
  const [first] = alerts;
  const { language, links, sentAtMs, record } = context;
  const { texts, format } = language;
  const items = fillsOf(alerts);
  const sums = sumUp(items);
  const newest = newestOf(items);
  const kind = actionKind(newest.action);
  const image = imageUrl(newest.logo);
  const results = resultsOf(alerts);
  const position = results.length > 0 ? undefined : positionLine(alerts, language);
  // Beside a thumbnail a record would take a third of a phone.
  const said = record == null ? undefined : shortRecord(record.since, language);
  return {
    ...marketTitle(newest, first, context),
    description: lines(
      ...(position === undefined ? [] : [position.text]),
      ...results.map((result) =>
        present(resultGain(result, language), resultCost(result, sums.netUsdc.neg(), language)),
      ),
      ...smallPrint(
        walletLink(first.wallet, links, URL_ROOM),
        position?.saysShares === true ? undefined : format.shares(sums.shares.toNumber()),
        items.length > 1 ? fillCount(kind, sums, language) : undefined,
        roles(items, texts.alerts.roles),
        sizeText(alerts, language),
        ...results.flatMap((result) => resultNotes(result, language)),
      ),
      ...smallPrint(said),
    ),
    color: kind === 'other' ? EMBED_COLOURS.unknown : EMBED_COLOURS[kind],
    ...(said !== undefined || image === undefined ? {} : { thumbnail: { url: image } }),
    footer: footer(first, delay(sums.lastSeconds, sentAtMs, eventOf(kind, sums), language)),
    ...timestamp(sums.lastSeconds),
  };
}

/** `14 fills`. */
export function fillCount(kind: ActionKind, { fills }: GroupSums, { texts, format }: Language): string {
  return texts.alerts[kind === 'redeem' ? 'redemptions' : 'fills'](format.quantity(fills), fills);
}

function eventOf(kind: ActionKind, { fills }: GroupSums) {
  if (fills === 1) return EVENTS[kind];
  return kind === 'redeem' ? 'lastRedemption' : 'lastFill';
}

/** Undefined where a role is not known. */
function roles(items: readonly ActivityItem[], texts: Language['texts']['alerts']['roles']): string | undefined {
  const found = new Set(items.map(({ liquidityRole }) => liquidityRole));
  const [isMaker, isTaker] = [found.has('MAKER'), found.has('TAKER')];
  if (isMaker && isTaker) return found.size === 2 ? texts.both : undefined;
  if (found.size > 1) return undefined;
  return isMaker ? texts.maker : isTaker ? texts.taker : undefined;
}
