import { signedPercent } from '../embeds/context-lines.ts';
import { present } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient } from '../lib/exact.ts';
import type { Score } from '../portfolio/results/score.ts';
import { moment, roundedCents, roundedUsdc, sharesText, signedUsdcText } from './figures.ts';
import type { PositionNow } from './position-now.ts';
import type { PositionAtAlert } from './records.ts';

/** What is known beside the venue's records, and as of when: the alert, or now. */
export type Knowledge = { readonly score: Score | null } & (
  | {
      readonly when: 'atAlert';
      readonly position: PositionAtAlert | null;
      /** Epoch ms by the venue's clock: when the bot saw the first record of the alert. */
      readonly seenAtMs: number;
    }
  | { readonly when: 'asOfNow'; readonly position: PositionNow | null }
);

/** What is known of the position, a line each. */
export function positionLines(knowledge: Knowledge, language: Language): readonly string[] {
  const { position } = language.texts.details;
  if (knowledge.when === 'atAlert') {
    return knowledge.position === null ? [position.unknownThen] : linesThen(knowledge.position, language);
  }
  return knowledge.position === null ? [position.unknownNow] : linesNow(knowledge.position, language);
}

function linesThen(known: PositionAtAlert, language: Language): readonly string[] {
  const { texts, exact, format } = language;
  const { position } = texts.details;
  const [before, after] = [known.sharesBefore, known.sharesAfter].map((shares) => sharesText(shares, language));
  const { realized, costOfSold, unknownShares, oppositeShares, size } = known;
  const gain = realized === null ? null : new Exact(realized);
  const percent =
    gain !== null && new Exact(costOfSold).gt(0) ? signedPercent(quotient(gain, costOfSold), format) : undefined;
  return [
    present(
      position.change(before ?? '', after ?? ''),
      known.entryCents === null ? undefined : position.entry(roundedCents(known.entryCents, language)),
    ),
    ...(gain === null ? [] : [position.realized(signedUsdcText(gain, language), percent)]),
    ...(isZero(unknownShares) ? [] : [position.unseen(sharesText(unknownShares, language))]),
    ...(isZero(oppositeShares) ? [] : [position.otherSide(sharesText(oppositeShares, language))]),
    ...(known.isFirstInMarket ? [position.firstInMarket] : []),
    ...(size === null
      ? []
      : [position.size(exact.usdc(size.usdc), format.quantity(size.trades), roundedUsdc(size.p95, language))]),
    historyLine(known, language),
  ];
}

function linesNow(known: PositionNow, language: Language): readonly string[] {
  const { position } = language.texts.details;
  const shares = sharesText(known.shares, language);
  return [
    present(
      position.holds(known.isWhole ? shares : position.atLeast(shares)),
      known.entryCents === null ? undefined : position.entry(roundedCents(known.entryCents, language)),
      isZero(known.cost) ? undefined : position.cost(roundedUsdc(known.cost, language)),
    ),
    historyLine(known, language),
  ];
}

function historyLine(
  { isWhole, sinceSeconds }: { readonly isWhole: boolean; readonly sinceSeconds: number },
  { texts }: Language,
): string {
  const { whole, since } = texts.details.position;
  return isWhole ? whole : since(moment(sinceSeconds));
}

/** How the wallet's alerts in the channel have done, a line each. */
export function recordLines(score: Score | null, language: Language): readonly string[] {
  const { texts, format } = language;
  const { record } = texts.details;
  if (score === null) return [record.none];
  const { markets, winRate, winRateLow, winRateHigh, perDollar, perDollarError, isSmall, abandoned } = score;
  const won = format.quantity(Math.round(winRate * markets));
  const [share, low, high] = [winRate, winRateLow, winRateHigh].map((rate) => format.percent(rate * 100));
  const error = perDollarError === null ? undefined : format.percent(perDollarError * 100);
  const waiting = [
    ...(score.oldestOpenSeconds === null
      ? []
      : [record.open(format.quantity(score.open), `<t:${score.oldestOpenSeconds}:d>`)]),
    ...(abandoned === 0 ? [] : [record.abandoned(format.quantity(abandoned))]),
  ];
  return [
    ...(markets === 0
      ? [record.noneClosed]
      : [
          record.closed(won, format.quantity(markets), markets, share ?? '', low ?? '', high ?? ''),
          present(
            record.perDollar(signedPercent(new Exact(perDollar), format), error),
            isSmall ? record.smallSample : undefined,
          ),
        ]),
    ...(waiting.length === 0 ? [] : [present(...waiting)]),
  ];
}

function isZero(figure: string): boolean {
  return new Exact(figure).isZero();
}
