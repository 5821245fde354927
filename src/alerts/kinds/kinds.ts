import type { APIEmbed } from 'discord.js';
import * as z from 'zod';
import type { RenderContext } from '../../embeds/embed-parts.ts';
import type { Language } from '../../language/language.ts';
import { activityKind } from './activity.ts';
import { consensusKind } from './consensus.ts';
import { gapKind } from './gap.ts';
import type { AlertKind, GroupOf, Headline, LineContext } from './kind.ts';
import { resultKind } from './result.ts';
import { transferKind } from './transfer.ts';

/** All kinds of alerts. Where alerts of several kinds are counted, those without amounts come last, in this order. */
const KINDS = {
  activity: activityKind,
  transfer: transferKind,
  result: resultKind,
  consensus: consensusKind,
  gap: gapKind,
};
export const KIND_NAMES = Object.keys(KINDS);

/** What there is to announce about a wallet, before anybody asks which channel wants it. */
export type WalletEvent = EventOf<(typeof KINDS)[keyof typeof KINDS]>;
type EventOf<Kind> = Kind extends AlertKind<infer Event> ? Event : never;

type Schema = (typeof KINDS)[keyof typeof KINDS]['schema'];
/** An event as it is stored. */
export const eventSchema: z.ZodType<WalletEvent> = z.discriminatedUnion(
  'kind',
  Object.values(KINDS).map(({ schema }) => schema) as [Schema, ...Schema[]],
);

/** What is particular to the kind of an event. */
export function kindOf(event: WalletEvent): AlertKind<WalletEvent> {
  return KINDS[event.kind];
}

/** What happened, of one alert or of fills that belong together: `🟢 Whale BUY **Yes $786** at 63.6¢`. */
export function headlineOf(group: GroupOf<WalletEvent>, language: Language): Headline {
  const [{ event }] = group.alerts;
  return kindOf(event).headline({ ...group, event }, language);
}

/** The same as one line of a list, with all that is said there. */
export function lineOf(group: GroupOf<WalletEvent>, context: LineContext): string {
  const [{ event }] = group.alerts;
  return kindOf(event).line({ ...group, event }, context);
}

/**
 * The same as an embed, below the message's text, which it does not repeat. Every figure comes from the item; the venue's
 * texts and the guild's label are escaped and cut, so that the result is within Discord's limits whatever they hold.
 */
export function embedOf(group: GroupOf<WalletEvent>, context: RenderContext): APIEmbed {
  const [{ event }] = group.alerts;
  return kindOf(event).embed({ ...group, event }, context);
}
