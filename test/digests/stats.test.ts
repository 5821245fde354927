import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestPicture } from '../../src/digests/compose.ts';
import { digestEmbed } from '../../src/digests/embed.ts';
import { dueTime, firstInstantAt, type Schedule } from '../../src/digests/schedule.ts';
import { periodBetween, type WalletFigures, walletFigures } from '../../src/digests/stats.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { createZone } from '../../src/lib/time-zones.ts';
import { newPortfolio, type Portfolio, portfolioSchema } from '../../src/portfolio/portfolio.ts';
import type { Volume } from '../../src/portfolio/trades/volume.ts';
import { addActivity, addTransfers } from '../../src/portfolio/update.ts';
import {
  addActivityPage,
  addTransfersPage,
  newKnowledge,
} from '../../src/portfolio/wallet-knowledge.ts';
import { boxesOf } from '../charts/boxes.ts';
import { add, fraction, isClose } from '../portfolio/oracle.ts';
import { detectedPage } from '../support/detected-page.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A, walletOf } from '../support/wallets.ts';

const HOUR = 3_600;
const DAY = 86_400;
/** Over the change of the clocks in Berlin, and a week before that in New York. */
const START = Date.UTC(2026, 9, 12) / 1000;
const DAYS = 26;

const figure = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((units) => units / 100);
const trades = fc.array(
  fc.record({
    atSeconds: fc.integer({ min: START, max: START + DAYS * DAY }),
    action: fc.constantFrom('Buy' as const, 'Buy' as const, 'Sell' as const, 'Redeem' as const),
    outcome: fc.constantFrom('11', '12'),
    quantity: figure(500),
    priceCents: fc.integer({ min: 1, max: 99 }),
    fills: fc.integer({ min: 1, max: 2 }),
    /** How long after its time a record is indexed, in histories in which some are late. */
    lateSeconds: fc.constantFrom<number>(0, 0, 0, 1_800),
  }),
  { minLength: 1, maxLength: 80 },
);
const transfers = fc.array(
  fc.record({
    atSeconds: fc.integer({ min: START, max: START + DAYS * DAY }),
    type: fc.constantFrom('deposit', 'withdrawal'),
    amount: figure(10_000),
  }),
  { maxLength: 20 },
);
const schedules = fc.record({
  every: fc.constantFrom('day' as const, 'week' as const),
  atMinutes: fc.integer({ min: 0, max: 1_439 }),
  weekday: fc.constantFrom('Monday' as const, 'Sunday' as const),
  timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
});

function itemsOf(
  drawn: readonly (typeof trades extends fc.Arbitrary<infer Value> ? Value : never)[number][],
) {
  return drawn.flatMap(
    ({ atSeconds, action, outcome, quantity, priceCents, fills, lateSeconds }, index) =>
      Array.from({ length: action === 'Redeem' ? 1 : fills }, () => {
        const gross = Math.round(quantity * priceCents) / 100;
        const item: ActivityItem = {
          ...sampleTrade(),
          time: atSeconds,
          action,
          tokenId: outcome,
          txHash: `0x${index}`,
          marketTitle: `Market ${index}`,
          price: priceCents,
          quantity,
          fee: 0.01,
          grossValue: gross,
          transferNetAmount:
            action === 'Buy'
              ? Math.round(gross * 100 + 1) / 100
              : -Math.round(gross * 100 - 1) / 100,
        };
        return { item, seenSeconds: atSeconds + lateSeconds };
      }),
  );
}

const FIRST_DAY = { fromSeconds: START, toSeconds: START + DAY };

/** What a digest says of a wallet with this portfolio; its watch is from long before. */
function figuresOf(
  portfolio: Portfolio,
  {
    period = FIRST_DAY,
    sinceSeconds = 0,
    wallet = WALLET_A,
    label = 'whale' as string | undefined,
  } = {},
) {
  const news = { settled: [], verdictChange: null };
  const digestWallet = { wallet, label, isBehind: false, record: null, ...news };
  return walletFigures(newKnowledge(portfolio), digestWallet, period, { sinceSeconds });
}

const sumOf = (values: readonly number[]) =>
  values.reduce((sum, value) => add(sum, fraction(value)), fraction(0));

describe('the figures of a digest', () => {
  it('are what exact sums over the period say, for any time of day, zone, lateness up to a week, and restarts in between', () => {
    fc.assert(
      fc.property(
        trades,
        transfers,
        schedules,
        fc.record({
          share: fc.double({ min: 0, max: 1, noNaN: true }),
          areSomeIndexedLate: fc.boolean(),
        }),
        fc.array(fc.integer({ min: START, max: START + DAYS * DAY }), {
          minLength: 1,
          maxLength: 3,
        }),
        (history, moved, schedule, late, boundaries) => {
          const drawn = history.map((trade) =>
            late.areSomeIndexedLate ? trade : { ...trade, lateSeconds: 0 },
          );
          const arrivals = itemsOf(drawn).toSorted((a, b) => a.seenSeconds - b.seenSeconds);
          const zone = createZone(schedule.timeZone);
          const nowMs = (START + DAYS * DAY + HOUR) * 1000;
          const dueMs = dueTime('last', schedule, zone, nowMs);
          const period = periodBetween(dueTime('last', schedule, zone, dueMs - 1), dueMs);
          const readAtSeconds = Math.min(nowMs / 1000, dueMs / 1000 + late.share * 7 * DAY);
          let portfolio = newPortfolio(0, true);
          const known = arrivals.filter(({ seenSeconds }) => seenSeconds <= readAtSeconds);
          const hours = new Set(known.map(({ seenSeconds }) => Math.floor(seenSeconds / HOUR)));
          for (const hour of hours) {
            const seen = known
              .filter(({ seenSeconds }) => Math.floor(seenSeconds / HOUR) === hour)
              .map(({ item }) => item);
            const items = seen.toSorted((a, b) => a.time - b.time);
            portfolio = portfolioSchema.parse(
              JSON.parse(
                JSON.stringify(
                  addActivity(portfolio, items, (hour + 1) * HOUR, { boundaries }).portfolio,
                ),
              ),
            );
          }
          const transferItems = moved.map(({ atSeconds, type, amount }): TransferItem => {
            return { ...sampleTransfer(), time: atSeconds, type, amount };
          });
          for (const item of transferItems.toSorted((a, b) => a.time - b.time)) {
            portfolio = addTransfers(portfolio, [item], 0, item.time, boundaries);
          }
          const [beganSeconds = START] = boundaries;
          const announced = figuresOf(portfolio, { period, sinceSeconds: beganSeconds });
          const isNew = beganSeconds > period.fromSeconds;
          expect(announced.watchedSinceSeconds).toBe(isNew ? beganSeconds : null);
          const fromSeconds = isNew ? beganSeconds : period.fromSeconds;

          const isMeant = ({ time }: { readonly time: number }) =>
            time >= fromSeconds && time < period.toSeconds;
          const items = known.map(({ item }) => item);
          const meant = items.filter(isMeant);
          const gross = (action: string) =>
            sumOf(
              meant.filter((item) => item.action === action).map(({ grossValue }) => grossValue),
            );
          const moves = (type: string) =>
            sumOf(
              transferItems.flatMap((item) =>
                isMeant(item) && item.type === type ? [item.amount] : [],
              ),
            );
          const redeemed = sumOf(
            meant.flatMap(({ action, transferNetAmount }) =>
              action === 'Redeem' ? [-transferNetAmount] : [],
            ),
          );
          for (const [said, expected] of [
            [announced.bought, gross('Buy')],
            [announced.sold, gross('Sell')],
            [announced.redeemed, redeemed],
            [announced.deposited, moves('deposit')],
            [announced.withdrawn, moves('withdrawal')],
          ] as const) {
            expect(isClose(fraction(said.toFixed()), expected)).toBe(true);
          }
          const redemptions = meant.filter(({ action }) => action === 'Redeem').length;
          const trades = new Set(
            meant.filter(({ action }) => action !== 'Redeem').map(({ txHash }) => txHash),
          ).size;
          expect([announced.trades, announced.redemptions]).toEqual([trades, redemptions]);
          const bySize = new Map<string, { time: number; usdc: number }>();
          for (const { txHash, action, time, transferNetAmount } of meant) {
            if (action === 'Redeem') continue;
            const usdc = (bySize.get(txHash)?.usdc ?? 0) + transferNetAmount;
            bySize.set(txHash, { time, usdc: Math.round(usdc * 100) / 100 });
          }
          const largest =
            Math.max(0, ...[...bySize.values()].map(({ usdc }) => Math.abs(usdc))) || undefined;
          // One of nothing is the largest where there is no other.
          const named = announced.largest?.usdc || undefined;
          // Of a time shorter than the schedule's it may be left out.
          expect(named).toBe(isNew && named === undefined ? undefined : largest);
        },
      ),
      randomRuns(80),
    );
  });

  it('keep few trades of one who never rests, and still all that may be shown', () => {
    let portfolio = newPortfolio(0, true);
    let most = 0;
    const sizes: { time: number; usdc: number }[] = [];
    for (let hour = 0; hour < 20 * 24; hour += 1) {
      const time = START + hour * HOUR + 60;
      const items = [0, 1].map((index): ActivityItem => {
        const usdc = ((hour * 7919 + index * 104_729) % 10_007) + 1;
        sizes.push({ time, usdc });
        return { ...sampleTrade(), time, txHash: `0x${hour}:${index}`, transferNetAmount: usdc };
      });
      portfolio = addActivity(portfolio, items, time).portfolio;
      most = Math.max(most, portfolio.largest.length);
      // Sent at once, or as late as the next one is due.
      for (const [days, lateHours] of [
        [1, (hour * 7) % 25],
        [7, (hour * 13) % 169],
      ] as const) {
        const toSeconds = START + (hour - lateHours) * HOUR;
        const period = { fromSeconds: toSeconds - days * DAY, toSeconds };
        if (period.fromSeconds < START || hour % 3 !== 0) continue;
        const announced = figuresOf(portfolio, { period });
        const meant = sizes.filter(
          (size) => size.time >= period.fromSeconds && size.time < toSeconds,
        );
        expect(announced.largest?.usdc).toBe(Math.max(...meant.map(({ usdc }) => usdc)));
      }
    }
    expect(most).toBeLessThan(45);
  });

  it('name no trade as the largest of a short time where a larger one is no longer kept', () => {
    const largest = (last: readonly (readonly [hour: number, usdc: number])[]) => {
      let portfolio = newPortfolio(0, true);
      for (const [hour, usdc] of [[0, 900], [5, 10], [9, 9], ...last] as const) {
        const time = START + hour * HOUR + 60;
        const item = { ...sampleTrade(), time, txHash: `0x${hour}`, transferNetAmount: usdc };
        portfolio = addActivity(portfolio, [item], time).portfolio;
      }
      const period = { fromSeconds: START + 5 * HOUR, toSeconds: START + 15 * HOUR };
      return figuresOf(portfolio, { period }).largest?.usdc;
    };
    expect(largest([])).toBe(10);
    // Sent late: neither is the largest of any day any more.
    expect(largest([[20, 800]])).toBeUndefined();
    expect(largest([[22, 800]])).toBe(10);
  });

  it('name no trade as the largest since a watch began where a larger one of its first hour is no longer kept', () => {
    const largest = (sinceMinutes: number) => {
      let portfolio = newPortfolio(0, true);
      for (const [minutes, usdc] of [
        [5, 1_000],
        [30, 500],
        [120, 100],
      ] as const) {
        const time = START + minutes * 60;
        const item = { ...sampleTrade(), time, txHash: `0x${minutes}`, transferNetAmount: usdc };
        portfolio = addActivity(portfolio, [item], time).portfolio;
      }
      const period = { fromSeconds: START - 18 * HOUR, toSeconds: START + 6 * HOUR };
      return figuresOf(portfolio, { period, sinceSeconds: START + sinceMinutes * 60 }).largest
        ?.usdc;
    };
    expect(largest(0)).toBe(1_000);
    expect(largest(10)).toBeUndefined();
    expect(largest(60)).toBe(100);
  });

  it('count trades and transfers each, and what there is none of not at all', () => {
    const item = { txHash: '0x1', amount: 5, address: WALLET_A, time: START + 60 };
    const transfers = (['deposit', 'withdrawal'] as const).map((type) => ({ ...item, type }));
    const { portfolio } = addActivity(newPortfolio(0, true), [], START + 120);
    const said = describeDigest([figuresOf(addTransfers(portfolio, transfers, 0, START + 120))]);
    expect(said).toMatch(/^\*\*2 transfers · net deposits \$0\.00\*\*\n-# 1 wallet$/m);
    expect(said).toMatch(/^\*\*whale\*\* · 2 transfers · net deposits \$0\.00$/m);
    expect(said).not.toMatch(/records?|trades? or/);
  });

  it('begin when the channel began to watch, in the middle of an hour, and say so, also of all wallets together', () => {
    const beganSeconds = START + 10 * HOUR + 300;
    const at = (seconds: number, usdc: number) => ({
      ...sampleTrade(),
      time: beganSeconds + seconds,
      txHash: `0x${seconds}`,
      grossValue: usdc,
    });
    const moved = { ...sampleTransfer(), type: 'deposit', amount: 700 };
    // A poll in the time that the command took did not know of the channel yet.
    const early = addActivity(
      newPortfolio(0, true),
      [at(-200, 3_000), at(-1, 1_000), at(2, 20)],
      beganSeconds + 3,
    );
    const boundaries = [beganSeconds];
    const traded = addActivity(early.portfolio, [at(600, 30)], beganSeconds + 600, {
      boundaries,
    }).portfolio;
    const transfers = [-60, 60].map((seconds) => ({ ...moved, time: beganSeconds + seconds }));
    const portfolio = addTransfers(traded, transfers, 0, beganSeconds + 600, boundaries);
    const said = describeDigest([figuresOf(portfolio, { sinceSeconds: beganSeconds })]);
    expect(said).toContain(
      '**2 trades, $50.00** volume\n-# 1 wallet · 1 transfer · net deposits +\u2060$700 · each since you added it\n',
    );
    expect(said).toContain(`-# whale · since you added it (<t:${beganSeconds}:f>)`);
    expect(said).toContain('**whale** · 2 trades, **$50.00**');
    expect(said).not.toMatch(/1,000|3,000/);
    const long = describeDigest([figuresOf(portfolio, { sinceSeconds: START })]);
    expect(long).toContain('-# 1 wallet · 2 transfers · net deposits +\u2060$1,400\n');
    expect(long).not.toContain('watch');
    const later = describeDigest([figuresOf(portfolio, { sinceSeconds: START + 2 * DAY })]);
    expect(later).toContain('Part of that time is unknown.');
  });

  it('count a gap in the period in which it lies, and lose nothing to it: neither trades nor transfers', () => {
    const known = newPortfolio(START - DAY, false);
    const items = [{ ...sampleTrade(), time: START + 60 }];
    const traded = addActivity(known, items, START + 120).portfolio;
    const moved = [{ ...sampleTransfer(), time: START + 60 }];
    const before = addTransfers(traded, moved, START - DAY, START + 120);
    const withGap = (seconds: number) => {
      const gap = { fromSeconds: seconds - 120, toSeconds: seconds };
      const page = detectedPage<never>([], { gap, gapEndSeconds: seconds, nowSeconds: seconds });
      const { knowledge } = addActivityPage(newKnowledge(before), page);
      return addTransfersPage(knowledge, page).portfolio;
    };
    const whole = figuresOf(before);
    // After the period, and before it: as if there had been none.
    expect(figuresOf(withGap(START + DAY + 840))).toEqual(whole);
    expect(figuresOf(withGap(START - 60))).toEqual(whole);
    expect(describeDigest([whole])).not.toContain('missing');
    for (const [seconds, untilSeconds] of [
      [START + HOUR, START + HOUR],
      // Over the end of the period.
      [START + DAY + 60, START + DAY],
    ] as const) {
      const figures = figuresOf(withGap(seconds));
      const gap = { fromSeconds: seconds - 120, toSeconds: untilSeconds };
      expect(figures).toEqual({ ...whole, tradesGap: gap, transfersGap: gap });
      const said = describeDigest([figures]);
      expect(said).toContain('1 trade');
      expect(said).toContain(
        `trades may be missing from <t:${seconds - 120}:f> to <t:${untilSeconds}:f>`,
      );
      expect(said).toContain('deposits and withdrawals may be missing from');
      expect(said).toContain('part of that time is unknown');
    }
  });

  it('say since when all is known where the history is cut', () => {
    const cut = START + 10 * HOUR;
    const sold = { ...sampleTrade(), time: cut + 60, action: 'Sell', transferNetAmount: -50 };
    const { portfolio } = addActivity(newPortfolio(cut, false), [sold], cut + 120);
    const said = describeDigest([figuresOf(portfolio)]);
    expect(said).toContain(`trades complete only since <t:${cut}:f>`);
    expect(said).toContain('-# 1 wallet · part of that time is unknown\n');
    expect(said).toContain('deposits and withdrawals unknown');
    expect(said).toContain('**whale** · 1 trade, **$52.20**\n');
    expect(said).not.toMatch(/realized/i);
  });
});

const schedule: Schedule = {
  every: 'day',
  atMinutes: 1_080,
  weekday: 'Monday',
  timeZone: 'America/Argentina/ComodRivadavia',
};
const links = createLinks({ MARKET_URL: 'https://venue.example/{marketSlug}' });

function describeDigest(wallets: readonly WalletFigures[]): string {
  const text = { schedule, period: FIRST_DAY, wallets, reference: 'abcdefgh', links };
  return digestEmbed({ ...text, picture: 'digest.png', language: ENGLISH }).description ?? '';
}

describe('the words of a digest', () => {
  it('name every busy wallet while there is room, and count the rest', () => {
    const { portfolio } = addActivity(
      newPortfolio(0, true),
      [{ ...sampleTrade(), time: START + 60 }],
      START + 120,
    );
    const one = (index: number) =>
      figuresOf(portfolio, { wallet: walletOf(index), label: `trader ${index}` });
    const few = describeDigest(Array.from({ length: 12 }, (_, index) => one(index)));
    for (let index = 0; index < 12; index += 1) expect(few).toContain(`**trader ${index}**`);
    expect(few).toContain('BUY **Yes $52.72** at 43.5¢ · [Rain on Sunday?]');
    const many = describeDigest(Array.from({ length: 200 }, (_, index) => one(index)));
    const named = many.match(/\*\*trader /g)?.length ?? 0;
    expect(many).toContain(
      `… and ${200 - named} more wallets: volume $${(52.2 * (200 - named)).toLocaleString('en-US', { maximumFractionDigits: 0 })}`,
    );
  });
});

describe('the picture of a digest', () => {
  it('draws the volume of every wallet in its period, and nothing if nothing was traded', () => {
    const wallets = Array.from({ length: 5 }, (_, index) => {
      const item = {
        ...sampleTrade(),
        time: START + index * HOUR + 60,
        grossValue: 100 * (index + 1),
      };
      const { portfolio } = addActivity(newPortfolio(0, true), [item], START + DAY);
      return { wallet: walletOf(index), label: `<${index}>`, volume: portfolio.volume };
    });
    const inZone = { ...schedule, timeZone: 'America/Sao_Paulo' };
    const svg =
      digestPicture({ schedule: inZone, period: FIRST_DAY, wallets, language: ENGLISH })?.svg ?? '';
    // Five bars, and four entries in the legend.
    expect(boxesOf(svg)).toHaveLength(5 + 4);
    expect(svg).not.toContain('<4>');
    expect(svg).toContain('others');
    const before = { fromSeconds: START - DAY, toSeconds: START };
    expect(digestPicture({ schedule, period: before, wallets, language: ENGLISH })).toBeNull();
  });

  /**
   * Where the bars of a picture begin and end by the zone's wall clock, read from the labels of its
   * axis.
   */
  const drawnBars = (fromIso: string, toIso: string, timeZone: string, atIso: string) => {
    const period = { fromSeconds: Date.parse(fromIso) / 1000, toSeconds: Date.parse(toIso) / 1000 };
    const atSeconds = Date.parse(atIso) / 1000;
    const volume: Volume = [
      { startSeconds: atSeconds, lengthSeconds: HOUR, sums: { bought: '100', trades: '1' } },
    ];
    const wallets = [{ wallet: WALLET_A, label: 'one', volume }];
    const svg =
      digestPicture({ schedule: { ...schedule, timeZone }, period, wallets, language: ENGLISH })
        ?.svg ?? '';
    const ticks = [
      ...svg.matchAll(
        /<line x1="([\d.]+)" y1="438.00" x2="[\d.]+" y2="446.00"[^>]*\/><text[^>]*>([^<]+)<\/text>/g,
      ),
    ].map(([, x, label]) => ({ x: Number(x), label }));
    return { ticks, bars: boxesOf(svg).slice(1) };
  };
  const xOf = (ticks: readonly { x: number; label: string | undefined }[], label: string) =>
    ticks.find((tick) => tick.label === label)?.x ?? Number.NaN;

  it.each([
    ['2026-10-19T16:00Z', '2026-10-26T17:00Z', ['22 Oct', '25 Oct']],
    ['2026-03-23T17:00Z', '2026-03-30T16:00Z', ['26 Mar', '29 Mar']],
    ['2026-10-21T16:00Z', '2026-10-28T17:00Z', ['22 Oct', '25 Oct', '28 Oct']],
  ])(
    'names days where the clock shows their midnight, over a week whose clocks change (%s)',
    (from, to, days) => {
      const { ticks, bars } = drawnBars(
        from,
        to,
        'Europe/Berlin',
        new Date(Date.parse(to) - 3_600_000).toISOString(),
      );
      const zone = createZone('Europe/Berlin');
      const shareOf = (atMs: number) =>
        (atMs - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
      const shares = days.map((day) =>
        shareOf(firstInstantAt(zone, Date.parse(`${day} 2026 00:00 UTC`))),
      );
      expect(ticks.map(({ label }) => label)).toEqual(days);
      const [firstX = 0, lastX = 0] = [ticks[0]?.x, ticks.at(-1)?.x];
      const [first = 0, last = 1] = [shares[0], shares.at(-1)];
      const width = (lastX - firstX) / (last - first);
      for (const [index, { x }] of ticks.entries()) {
        expect(x).toBeCloseTo(firstX + ((shares[index] ?? 0) - first) * width, 1);
      }
      // The bar of the last day has its middle twelve hours before the end.
      const centre = (bars[0]?.x ?? 0) + (bars[0]?.width ?? 0) / 2;
      expect(centre).toBeCloseTo(
        firstX + (shareOf(Date.parse(to) - 12 * 3_600_000) - first) * width,
        1,
      );
    },
  );

  it('draws the hour that comes twice twice, and none that is left out', () => {
    const autumn = ['2026-10-24T22:00Z', '2026-10-25T23:00Z', 'Europe/Berlin'] as const;
    const [first, again] = ['2026-10-25T00:00Z', '2026-10-25T01:00Z'].map((at) =>
      drawnBars(...autumn, at),
    );
    expect(again?.bars[0]?.x).toBeGreaterThan(first?.bars[0]?.x ?? 0);
    const three = drawnBars(...autumn, '2026-10-25T11:00Z');
    // At noon by the wall clock after the change, thirteen hours after midnight.
    expect(Math.abs((three.bars[0]?.x ?? 0) - xOf(three.ticks, '12:00'))).toBeLessThan(5);
    const spring = drawnBars(
      '2026-03-28T23:00Z',
      '2026-03-29T22:00Z',
      'Europe/Berlin',
      '2026-03-29T10:00Z',
    );
    expect(Math.abs((spring.bars[0]?.x ?? 0) - xOf(spring.ticks, '12:00'))).toBeLessThan(5);
  });

  it('has seven days for a week with a clock change, and cuts the last of a longer time', () => {
    const week = drawnBars(
      '2026-10-19T16:00Z',
      '2026-10-26T17:00Z',
      'Europe/Berlin',
      '2026-10-26T16:00Z',
    );
    expect(week.bars[0]?.width).toBe(40);
    const cut = drawnBars(
      '2026-11-16T17:00Z',
      '2026-11-19T18:00Z',
      'Europe/Berlin',
      '2026-11-19T17:00Z',
    );
    expect(cut.bars[0]?.width).toBeLessThan(10);
  });
});
