import { createRandom } from '@walletbell/venue-server/simulator/random';
import type { ChartRenderer } from '../../../src/charts/render.ts';
import type { MessageBody } from '../../../src/delivery/sender.ts';
import type { Language } from '../../../src/language/language.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import { luckCentsOf } from '../../../src/portfolio/record/verdict.ts';
import { scoresPicture } from '../../../src/scores/chart.ts';
import { scoresEmbed } from '../../../src/scores/embed.ts';
import { rankWallets } from '../../../src/scores/ranking.ts';
import { standing } from '../../scores/samples.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { AT_SECONDS } from './messages.ts';

const DAY = 86_400;
const WALLETS = [
  ...['copperline', 'quickdraw', 'Night owl', 'Rain maker'],
  ...['lamplighter', 'hailstorm', 'metronome', 'tidewatcher'],
] as const;
const PICTURE = 'scores.png';

/**
 * Returns the bot's answer with the scores of eight ranked wallets, the first one better than luck.
 */
export async function scoresOf(
  channel: string,
  language: Language,
  { seed, charts }: { readonly seed: string; readonly charts: ChartRenderer },
): Promise<MessageBody> {
  const ranking = rankWallets(WALLETS.map((label, place) => scoreOf(label, place, seed)));
  const chart = scoresPicture(ranking, language);
  if (chart === null) throw new Error('The scores have no picture.');
  return {
    embeds: [scoresEmbed(channel, ranking, PICTURE, language)],
    components: [buttonRow(button('watch:scores:1', 'CSV'))],
    picture: {
      name: PICTURE,
      description: chart.alt,
      attachment: await charts.png(chart.svg),
    },
  };
}

function scoreOf(label: string, place: number, seed: string) {
  const random = createRandom(`${seed} ${label}`);
  const isBetter = place === 0;
  const markets = random.whole(100, 400);
  const priceCents = random.whole(30, 60);
  const errorCents = random.whole(25, 40) / 10;
  const edgeCents = isBetter ? 15.7 : random.whole(-45, 45) / 10;
  const since = standing(edgeCents, {
    markets,
    errorCents,
    priceCents,
    bought: markets,
    won: Math.round((markets * (priceCents + edgeCents)) / 100),
    days: 60,
    withoutEnd: random.whole(0, 9),
    matureToSeconds: AT_SECONDS - random.whole(5, 9) * DAY,
  });
  const verdict = isBetter ? ('better' as const) : ('none' as const);
  const record = { since, verdict, luckCents: luckCentsOf(since, WALLETS.length) };
  return { wallet: walletOfDigit('12345678'[place] ?? '9'), label, record };
}
