import * as z from 'zod';
import { actionKind, readActivityItemSchema } from '../../domain/records.ts';
import { EMBED_COLOURS, smallPrint, walletLink } from '../../embeds/embed-parts.ts';
import { outcomeNames } from '../../embeds/item-lines.ts';
import type { Language } from '../../language/language.ts';
import { type AlertKind, countOf } from './kind.ts';

const EMOJI = '✏️';
const WORD_MAX = 24;
/**
 * Maximum length of the wallet's URL, in characters. A description has 4,096, and its other text
 * has fewer than 200 code points.
 */
const URL_MAX = 3_800;

const schema = z.object({
  kind: z.literal('amended'),
  /** The trade or redemption as it is now. */
  item: readActivityItemSchema,
  /** Shares and the venue's `transferNetAmount`, as posted before. */
  before: z.object({ quantity: z.number(), transferNetAmount: z.number() }),
  /** Identities the record had until now. */
  identities: z.array(z.string()).readonly(),
  /** Time when the change was seen, in Unix seconds by the venue's clock. */
  atSeconds: z.number(),
});
export type AmendedEvent = Readonly<z.infer<typeof schema>>;

/** A trade or redemption that the venue has changed since its alert. */
export const amendedKind: AlertKind<AmendedEvent> = {
  schema,
  isNotice: true,
  isSilent: true,
  seconds: ({ atSeconds }) => [atSeconds, atSeconds],
  endpoint: () => 'activity',
  // A new channel may be given the record's alert as it waits for others. If it gets the alert with
  // the current figures, it gets no correction.
  isForNewcomer: (event, _watch, fromSeconds) =>
    event.item.time >= fromSeconds && isChangeShown(event),
  /** `✏️ The exchange changed a trade of Whale: **Yes $500** is now **$499.65**`. */
  headline({ event }, language) {
    const { amended } = language.texts.alerts;
    const isRedemption = actionKind(event.item.action) === 'redeem';
    const say = isRedemption ? amended.redemption : amended.trade;
    return {
      emoji: EMOJI,
      says: (wallet) => say(wallet, changeText(event, language)),
      market: event.item,
    };
  },
  embed({ alerts: [alert] }, { language, links }) {
    const { cause } = language.texts.alerts.amended;
    const small = smallPrint(cause, walletLink(alert.wallet, links, URL_MAX));
    return { description: small.join('\n'), color: EMBED_COLOURS.warning };
  },
  looks: ({ item }) => [{ market: item }],
  sumText: countOf('amended'),
};

/**
 * Whether what channels read about the record has changed: the cents of its amount, or its shares.
 */
export function isChangeShown({ item, before }: Pick<AmendedEvent, 'item' | 'before'>): boolean {
  return isAmountChanged({ item, before }) || item.quantity !== before.quantity;
}

function isAmountChanged({ item, before }: Pick<AmendedEvent, 'item' | 'before'>): boolean {
  const cents = (usdc: number) => Math.round(Math.abs(usdc) * 100);
  return cents(item.transferNetAmount) !== cents(before.transferNetAmount);
}

/** `**Yes $500** is now **$499.65**`; in shares if the amount is the same. */
function changeText(event: AmendedEvent, language: Language): string {
  const { item, before } = event;
  const { texts, format } = language;
  const { headline, amended } = texts.alerts;
  const outcome = outcomeNames([item], WORD_MAX, headline.unknownOutcome, language);
  if (!isAmountChanged(event)) {
    const [from, to] = [format.shareCount(before.quantity), format.shares(item.quantity)];
    return amended.change(outcome, from, to);
  }
  const amount = ({ transferNetAmount }: AmendedEvent['before']) =>
    format.settingUsdc(Math.abs(transferNetAmount));
  return amended.change(outcome, amount(before), amount(item));
}
