import * as z from 'zod';
import { shortAddress } from '../../domain/address.ts';
import {
  EMBED_COLOURS,
  fitUrls,
  present,
  type RenderContext,
  sideName,
  smallPrint,
  walletName,
} from '../../embeds/embed-parts.ts';
import { maskedLink } from '../../embeds/text/escape.ts';
import type { Language } from '../../language/language.ts';
import { Exact, quotient, sum } from '../../lib/exact.ts';
import {
  type ConsensusNews,
  consensusNewsSchema,
  leftOf,
  purchaseSeenSchema,
} from '../../portfolio/consensus.ts';
import { type AlertKind, countOf } from './kind.ts';

const MINUTE_SECONDS = 60;
const NAME_MAX = 60;
/** Number of wallets listed on each side. */
const NAMED = 5;
/**
 * Maximum length of all URLs together, in characters. A description has 4,096, and its other text
 * has fewer than 2,700 code points.
 */
const URL_MAX = 1_300;

type Stakes = ConsensusNews['stakes'];

const schema = z.object({
  kind: z.literal('consensus'),
  consensus: consensusNewsSchema,
  /**
   * Purchase from which a delayed channel later determines a consensus. Left out in other channels,
   * and once the delayed time has come.
   */
  seen: purchaseSeenSchema.exactOptional(),
});
export type ConsensusEvent = z.infer<typeof schema>;

/**
 * Several wallets of a channel bought the same outcome: who bought how much at what price, and who
 * bought another outcome.
 */
export const consensusKind: AlertKind<ConsensusEvent> = {
  schema,
  isOfSeveral: true,
  seconds: ({ consensus, seen }) =>
    seen === undefined
      ? [consensus.fromSeconds, consensus.toSeconds]
      : [seen.atSeconds, seen.atSeconds],
  endpoint: () => 'activity',
  /** Says how many wallets bought what, and how much of it they still hold. */
  headline({ event: { consensus } }, language) {
    const { stakes, opposing, side, isEscalation, market } = consensus;
    const { took, nowTook, disagree, against } = language.texts.news.consensus;
    const { format } = language;
    const count = format.quantity(stakes.length);
    const name = sideName(side, language);
    const isAgreed = opposing.length === 0;
    const bought = weight(stakes, language, '**');
    const agree = isEscalation ? nowTook : took;
    if (isAgreed) {
      const sentence = present(agree(count, name), bought);
      return { emoji: '🤝', says: () => sentence, market };
    }
    const others = format.quantity(opposing.length);
    const otherSide = oneSide(opposing, language);
    const boughtThere = weight(opposing, language, '**');
    const sentence = present(
      disagree(count, name, others, otherSide),
      against(bought, boughtThere),
    );
    return { emoji: '⚖️', says: () => sentence, market };
  },
  embed({ event: { consensus } }, context) {
    const { stakes, opposing, hedged, side } = consensus;
    const { language, links, late } = context;
    const { format } = language;
    const texts = language.texts.news.consensus;
    const { of } = language.texts.alerts.headline;
    const shown = [...stakes.slice(0, NAMED), ...opposing.slice(0, NAMED)];
    const urls = fitUrls(URL_MAX, ...shown.map(({ wallet }) => links.wallet(wallet)));
    const agreed = names(stakes, urls, context);
    const otherSide = oneSide(opposing, language) ?? `**${texts.otherOutcomes}**`;
    const lines: string[] = [];
    if (opposing.length === 0) {
      lines.push(agreed);
    } else {
      const urlsOfOthers = urls.slice(Math.min(NAMED, stakes.length));
      const others = names(opposing, urlsOfOthers, context);
      lines.push(of(sideName(side, language), agreed));
      lines.push(of(otherSide, others));
    }
    if (hedged > 0) {
      const sentence = texts.hedged(format.quantity(hedged), hedged);
      lines.push(...smallPrint(sentence));
    }
    lines.push(...smallPrint(pace(consensus, context), late));
    return { description: lines.join('\n'), color: EMBED_COLOURS.consensus };
  },
  looks: ({ consensus }) => [{ market: consensus.market }],
  sumText: countOf('agreements'),
};

/**
 * `hailstorm first, within 4 min`: who bought first, and how long it took until all had bought,
 * rounded up to minutes. Undefined if they bought in the same second.
 */
function pace(
  { stakes, opposing, first, fromSeconds, toSeconds }: ConsensusNews,
  { labelOf, language }: RenderContext,
): string | undefined {
  const tookSeconds = toSeconds - fromSeconds;
  if (tookSeconds <= 0) return undefined;
  const { within, firstWithin } = language.texts.news.consensus;
  const duration = language.format.duration(
    Math.ceil(tookSeconds / MINUTE_SECONDS) * MINUTE_SECONDS,
  );
  // With two sides, it would not be clear which one was first.
  const isOneSided = opposing.length === 0 && stakes.some(({ wallet }) => wallet === first);
  if (first === undefined || !isOneSided) return within(duration);
  return firstWithin(walletName(first, labelOf(first)), duration);
}

/**
 * Returns the stakes of one side, the largest by name: `Whale $294 at 45¢ · Shark $146 at 43.8¢,
 * half sold · … and 3 more`.
 */
function names(
  stakes: Stakes,
  urls: readonly (string | undefined)[],
  { labelOf, language }: RenderContext,
): string {
  const left = stakes.length - NAMED;
  const { more } = language.texts.news.consensus;
  const named = stakes.slice(0, NAMED).map((stake, index) => {
    const address = shortAddress(stake.wallet);
    const label = labelOf(stake.wallet) ?? address;
    const name = maskedLink(label, urls[index], NAME_MAX, address);
    return stakeText(name, stake, language);
  });
  if (left > 0) named.push(more(language.format.quantity(left), left));
  return present(...named);
}

/**
 * Returns the text for what is left of a stake, and how much of it was sold.
 * @param name escaped
 */
function stakeText(name: string, stake: Stakes[number], language: Language): string {
  const { allSold, halfSold, partSold, soldUnknown } = language.texts.news.consensus;
  const { shares, sold } = stake;
  if (sold === shares) {
    const bought = weight([{ ...stake, sold: '0' }], language);
    return `${name} ${allSold(bought)}`;
  }
  const sentence = `${name} ${weight([stake], language)}`;
  if (sold === null) return `${sentence}${soldUnknown}`;
  const part = quotient(sold, shares).times(100);
  const percent = part.toDecimalPlaces(1, Exact.ROUND_DOWN).toNumber();
  if (percent === 0) return sentence;
  if (percent === 50) return `${sentence}${halfSold}`;
  return `${sentence}${partSold(language.format.percent(percent))}`;
}

/**
 * Returns the cost of what is left of stakes, including fees, and its average price without fees:
 * `$474 at 44.1¢`.
 * @param mark placed around the amount
 */
function weight(stakes: Stakes, { texts, format }: Language, mark = ''): string {
  const left = stakes.map(leftOf);
  const paid = sum(left.map(({ netUsdc }) => netUsdc));
  const usdc = sum(left.map((one) => one.usdc));
  const shares = sum(left.map((one) => one.shares));
  const amount = `${mark}${format.roundUsdc(paid.toNumber())}${mark}`;
  const { priced } = texts.news.consensus;
  if (shares.isZero()) return priced(amount, undefined);
  const cents = quotient(usdc, shares).times(100).toNumber();
  return priced(amount, format.cents(cents));
}

/** Returns the outcome that they all bought, as in `sideName`; undefined if they bought several. */
function oneSide(stakes: Stakes, language: Language): string | undefined {
  const [side, ...others] = new Set(stakes.map((stake) => stake.side));
  if (side === undefined || others.length > 0) return undefined;
  return sideName(side, language);
}
