import { createRandom, type Random } from '@walletbell/venue-server/simulator/random';
import type { ChartRenderer } from '../../../src/charts/render.ts';
import type { MessageBody } from '../../../src/delivery/sender.ts';
import { digestPicture } from '../../../src/digests/compose.ts';
import { digestEmbed } from '../../../src/digests/embed.ts';
import type { Schedule } from '../../../src/digests/schedule.ts';
import type { WalletFigures } from '../../../src/digests/stats.ts';
import type { Language } from '../../../src/language/language.ts';
import { Exact } from '../../../src/lib/exact.ts';
import type { Volume } from '../../../src/portfolio/trades/volume.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { AT_SECONDS, links } from './messages.ts';

const HOUR = 3_600;
const SCHEDULE: Schedule = {
  every: 'day',
  atMinutes: 600,
  weekday: 'Monday',
  timeZone: 'Europe/Berlin',
};
const LABELS = [
  ...['Whale', 'Night owl', 'Rain maker', 'copperline'],
  ...['quickdraw', 'lamplighter', 'hailstorm', 'metronome'],
];
/** Number of settled markets in a digest that has room for them. */
const SETTLED = 4;
const IDS = { marketId: '901', marketSlug: 'rain-on-sunday', eventSlug: 'weather' };
const PICTURE = 'digest.png';

/**
 * Returns the bot's digest of a day of wallets that traded in markets with these titles. With eight
 * wallets some markets were settled.
 */
export async function digestOf(
  titles: readonly string[],
  language: Language,
  {
    seed,
    charts,
    wallets,
  }: { readonly seed: string; readonly charts: ChartRenderer; readonly wallets: 3 | 8 },
): Promise<MessageBody> {
  const random = createRandom(seed);
  const toSeconds = Math.floor(AT_SECONDS / HOUR) * HOUR;
  const period = { fromSeconds: toSeconds - 24 * HOUR, toSeconds };
  const text = {
    schedule: SCHEDULE,
    period,
    wallets: LABELS.slice(0, wallets).map((label, place) => ({
      ...figuresOf(label, place, titles, random),
      settled: wallets < LABELS.length ? [] : settledOf(place, titles),
    })),
    reference: random.hex(8),
    links,
    language,
  };
  const chart = digestPicture({
    schedule: SCHEDULE,
    period,
    wallets: text.wallets.map(({ wallet, label }) => ({
      wallet,
      label,
      volume: Array.from({ length: 24 }, (_, hour): Volume[number] => ({
        startSeconds: period.fromSeconds + hour * HOUR,
        lengthSeconds: HOUR,
        sums: { bought: String(Math.round(30_000 * random.next() ** 3)) },
      })),
    })),
    language,
  });
  if (chart === null) throw new Error('The digest has no picture.');
  const picture = {
    name: PICTURE,
    description: chart.alt,
    attachment: await charts.png(chart.svg),
  };
  return { embeds: [digestEmbed({ ...text, picture: PICTURE })], picture };
}

/** Returns one of the settled markets, in which two wallets traded, one on each side. */
function settledOf(place: number, titles: readonly string[]): WalletFigures['settled'] {
  const key = place % SETTLED;
  const market = { marketTitle: titles[key] ?? '', ...IDS };
  const isWinner = place < SETTLED;
  const side = isWinner ? { side: 'Yes', payout: 1 } : { side: 'No', payout: 0 };
  return [{ key: `m${key}`, market, sides: [side] }];
}

function figuresOf(
  label: string,
  place: number,
  titles: readonly string[],
  random: Random,
): WalletFigures {
  const usdc = (most: number) => new Exact(random.whole(100, most * 100)).div(100);
  return {
    wallet: walletOfDigit('abcdef12'[place] ?? '3'),
    label,
    trades: random.whole(3, 400),
    redemptions: random.whole(0, 9),
    transfers: 2,
    bought: usdc(90_000),
    sold: usdc(40_000),
    redeemed: usdc(9_000),
    deposited: usdc(5_000),
    withdrawn: usdc(5_000),
    largest: {
      timeSeconds: AT_SECONDS - random.whole(1, 20) * HOUR,
      usdc: random.whole(1_000, 2_000_000) / 100,
      action: random.pick(['Buy', 'Sell'] as const),
      side: 'Yes',
      priceCents: random.whole(20, 980) / 10,
      marketTitle: titles[place % titles.length] ?? '',
      ...IDS,
    },
    record: null,
    watchedSinceSeconds: null,
    tradesGap: null,
    transfersGap: null,
    tradesSinceSeconds: null,
    transfersSinceSeconds: null,
    isBehind: false,
    settled: [],
    verdictChange: null,
  };
}
