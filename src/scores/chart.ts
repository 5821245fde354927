import { intervalChart } from '../charts/interval-chart.ts';
import { chartLanguage, drawable } from '../charts/text.ts';
import { shortAddress } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { RANKED_SHOWN } from './embed.ts';
import type { Ranking } from './ranking.ts';

/** Seen by people of every kind of colour vision, on the dark panel of the charts. */
const RANKED_COLOUR = '#4da3ff';
const CLOSED_COLOUR = '#ffb454';
const NAME_MAX = 17;

/**
 * The returns of the ranked wallets that the answer shows, with bars of one standard error: overdue markets counted as lost,
 * and a ring where the closed ones alone differ. Null if none is ranked, or if they cannot be drawn.
 */
export function scoresPicture({ ranked }: Ranking, reader: Language): string | null {
  const language = chartLanguage(reader);
  const { chart } = language.texts.scores;
  return intervalChart({
    language,
    title: chart.title,
    dots: { name: chart.ranked, colour: RANKED_COLOUR },
    rings: { name: chart.closed, colour: CLOSED_COLOUR },
    beyond: chart.beyond,
    rows: ranked.slice(0, RANKED_SHOWN).map(({ wallet, label, standing }, index) => ({
      name: `${index + 1}. ${drawable(label ?? '', NAME_MAX, shortAddress(wallet))}`,
      share: standing.withOverdue.perDollar,
      error: standing.withOverdue.error ?? 0,
      other: standing.overdue > 0 ? standing.score.perDollar : null,
    })),
  });
}
