import type { APIEmbed } from 'discord.js';
import * as z from 'zod';
import { CLOSE_SECONDS, lateness, present, type RenderContext } from '../../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../../embeds/links.ts';
import { lineBeside, type NamedLine, unnamedLine } from '../../embeds/named-lines.ts';
import type { Language } from '../../language/language.ts';
import { activityKind } from './activity.ts';
import { amendedKind } from './amended.ts';
import { consensusKind } from './consensus.ts';
import { gapKind } from './gap.ts';
import {
  type AlertKind,
  GIVING_WAY,
  type GivenUp,
  type GroupOf,
  type Headline,
  type LineContext,
} from './kind.ts';
import { resultKind } from './result.ts';
import { transferKind } from './transfer.ts';

/**
 * Maximum length of a URL in a list line, in characters. A line with three links then stays well
 * below a description's 4,096.
 */
const LINE_URL_MAX = 500;

/**
 * All kinds of alerts. When alerts of several kinds are counted, those without amounts come last,
 * in this order.
 */
const KINDS = {
  activity: activityKind,
  transfer: transferKind,
  result: resultKind,
  consensus: consensusKind,
  amended: amendedKind,
  gap: gapKind,
};
export const KIND_NAMES = Object.keys(KINDS);

/** Event to announce about a wallet, before it is decided which channels want it. */
export type WalletEvent = EventOf<(typeof KINDS)[keyof typeof KINDS]>;
type EventOf<Kind> = Kind extends AlertKind<infer Event> ? Event : never;

type Schema = (typeof KINDS)[keyof typeof KINDS]['schema'];
export const eventSchema: z.ZodType<WalletEvent> = z.discriminatedUnion(
  'kind',
  Object.values(KINDS).map(({ schema }) => schema) as [Schema, ...Schema[]],
);

/** Event that receivers outside Discord get: all events except corrections of records. */
export type ReceiverEvent = Exclude<WalletEvent, { readonly kind: 'amended' }>;
const { amended: _, ...RECEIVER_KINDS } = KINDS;
export const receiverEventSchema: z.ZodType<ReceiverEvent> = z.discriminatedUnion(
  'kind',
  Object.values(RECEIVER_KINDS).map(({ schema }) => schema) as [
    ReceiverSchema,
    ...ReceiverSchema[],
  ],
);
type ReceiverSchema = (typeof RECEIVER_KINDS)[keyof typeof RECEIVER_KINDS]['schema'];

export function isForReceivers(event: WalletEvent): event is ReceiverEvent {
  return event.kind !== 'amended';
}

export function kindOf(event: WalletEvent): AlertKind<WalletEvent> {
  return KINDS[event.kind];
}

/**
 * Returns the headline of one alert, or of fills that belong together: `🟢 Whale BUY **Yes $786**
 * at 63.6¢`.
 */
export function headlineOf(group: GroupOf<WalletEvent>, language: Language): Headline {
  const [{ event }] = group.alerts;
  return kindOf(event).headline({ ...group, event }, language);
}

/**
 * Returns a group's list line, which takes two lines on a phone: the first line, further details,
 * the time if it is late, and the market in the remaining space. If the market needs more space,
 * the parts in `GIVING_WAY` are left out; if that is not enough, the line takes a third one.
 */
export function lineOf(group: GroupOf<WalletEvent>, given: LineContext): NamedLine {
  const context = { ...given, links: lineLinks(given.links) };
  const { language, links, sentAtMs, wallet, isAbove } = context;
  const [{ event }] = group.alerts;
  const kind = kindOf(event);
  const announced = { ...group, event };
  if (kind.line !== undefined) return unnamedLine(kind.line(announced, context));
  const { emoji, says, size, market } = kind.headline(announced, language, links);
  const timeSeconds = Math.max(
    ...group.alerts.map((alert) => kindOf(alert.event).seconds(alert.event)[1]),
  );
  const ageSeconds = sentAtMs / 1000 - timeSeconds;
  const late = lateness(timeSeconds, sentAtMs, language);
  const dated = late.firstLine && `<t:${timeSeconds}:${ageSeconds < CLOSE_SECONDS ? 't' : 'R'}>`;
  const rest = kind.rest?.(announced, context) ?? [];
  if (isAbove) return unnamedLine(present(wallet || undefined, ...rest, late.smallPrint));
  const shownWithout = (givenUp: GivenUp): string =>
    present(
      `${emoji} ${says(wallet && `**${wallet}**`, givenUp)}`,
      !givenUp.has('size') && size,
      ...rest,
      !givenUp.has('time') && dated,
    );
  const whole = shownWithout(new Set());
  if (market === undefined) return unnamedLine(whole);
  const shorter = GIVING_WAY.map((_, index) =>
    shownWithout(new Set(GIVING_WAY.slice(0, index + 1))),
  );
  const { marketWithoutTitle } = language.texts.alerts;
  return lineBeside(market, [whole, ...shorter], links.market(market), marketWithoutTitle);
}

/**
 * Returns a group's embed, shown below the message's text without repeating it. Every figure comes
 * from the item. The venue's texts and the server's label are escaped and cut, so that the result
 * stays within Discord's limits whatever they contain.
 */
export function embedOf(group: GroupOf<WalletEvent>, context: RenderContext): APIEmbed {
  const [{ event }] = group.alerts;
  return kindOf(event).embed({ ...group, event }, context);
}

/** Returns links that are short enough for a list line. */
export function lineLinks(links: Links): Links {
  return shortLinks(links, LINE_URL_MAX);
}
