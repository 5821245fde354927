import { intervalChart } from '../charts/interval-chart.ts';
import { chartLanguage, drawable } from '../charts/text.ts';
import { shortAddress } from '../domain/address.ts';
import type { Language } from '../language/language.ts';
import { RANKED_SHOWN } from './embed.ts';
import type { Ranking } from './ranking.ts';

const NAME_MAX = 17;

/**
 * What a share of the ranked wallets' first purchases came to, with bars of one standard error, for the wallets that the
 * answer shows. Null if none is ranked, or if they cannot be drawn.
 */
export function scoresPicture({ ranked }: Ranking, reader: Language): string | null {
  const language = chartLanguage(reader);
  const { chart } = language.texts.scores;
  // Two lines: one has no room for all of it in letters that a phone shows.
  const [title = '', note = ''] = chart.title.split(/ (?=±)/);
  return intervalChart({
    language,
    title,
    note,
    beyond: chart.beyond,
    rows: ranked.slice(0, RANKED_SHOWN).map(({ wallet, label, record: { since } }, index) => ({
      name: `${index + 1}. ${drawable(label ?? '', NAME_MAX, shortAddress(wallet))}`,
      cents: since.edgeCents ?? 0,
      errorCents: since.errorCents ?? 0,
    })),
  });
}
