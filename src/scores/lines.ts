import { SEPARATOR, walletName } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import type { ReturnPerDollar } from '../portfolio/results/score.ts';
import type { ScoredWallet } from './ranking.ts';

const MINUS = '−';

/** `**1.** Whale · **+6.3%** ± 5%`: a ranked wallet, overdue markets counted as lost. @param rank from 1 on */
export function rankLine({ wallet, label, standing }: ScoredWallet, rank: number, language: Language): string {
  return `**${rank}.** ${walletName(wallet, label)}${SEPARATOR}${returnText(standing.withOverdue, language)}`;
}

/** A wallet that is not ranked, in one line: its closed markets, and its return if there are some. */
export function unrankedLine(scored: ScoredWallet, language: Language): string {
  const { wallet, label, standing } = scored;
  const { markets } = standing.score;
  const isCounted = markets + standing.overdue > 0;
  return [
    `• ${walletName(wallet, label)}`,
    ...(isCounted ? [returnText(standing.withOverdue, language)] : []),
    ...countWords(scored, language),
  ].join(SEPARATOR);
}

/** What a return rests on: closed markets and how many won, those alone if overdue ones are counted, what is open. */
export function countWords({ standing }: ScoredWallet, language: Language): string[] {
  const { score, won, overdue, givenUp } = standing;
  const { markets, open, perDollar, perDollarError: error, oldestOpenSeconds } = score;
  const { format } = language;
  const texts = language.texts.scores;
  const counted = (count: number) => [format.quantity(count), count] as const;
  const openWords =
    oldestOpenSeconds === null
      ? texts.open(...counted(open))
      : texts.openOldest(...counted(open), `<t:${Math.floor(oldestOpenSeconds)}:d>`);
  return [
    markets === 0 ? texts.noneClosed : texts.won(format.quantity(won), ...counted(markets)),
    ...(overdue > 0 && markets > 0 ? [texts.closedAlone(plainReturn({ perDollar, error }, language))] : []),
    ...(open > 0 ? [openWords] : []),
    ...(overdue > 0 ? [texts.overdue(...counted(overdue))] : []),
    ...(givenUp > 0 ? [texts.givenUp(...counted(givenUp))] : []),
  ];
}

/** `**+6.3%** ± 5%` */
function returnText(figure: ReturnPerDollar, language: Language): string {
  return `**${percent(figure.perDollar, language, true)}**${errorText(figure, language)}`;
}

function plainReturn(figure: ReturnPerDollar, language: Language): string {
  return percent(figure.perDollar, language, true) + errorText(figure, language);
}

function errorText({ error }: ReturnPerDollar, language: Language): string {
  return error === null ? '' : ` ± ${percent(error, language, false)}`;
}

/** A share as the language writes percentages, to a tenth: 0.0631 is `+6.3%`, or `+6,3 %` in German. */
function percent(share: number, { tag }: Language, hasSign: boolean): string {
  const signDisplay = hasSign ? 'exceptZero' : 'auto';
  return new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1, signDisplay })
    .format(share)
    .replace('-', MINUS);
}
