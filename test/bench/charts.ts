import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChartRenderer } from '../../src/charts/render.ts';
import { digestPicture } from '../../src/digests/compose.ts';
import type { Schedule } from '../../src/digests/schedule.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { flowsChart, tradesChart } from '../../src/lookups/list-charts.ts';
import type { Volume } from '../../src/portfolio/trades/volume.ts';
import { seededRandom } from '../support/random.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { DEFAULTS } from './defaults.ts';
import { print, quantiles } from './figures.ts';
import { readOptions } from './usage.ts';

const END = Date.UTC(2026, 10, 21, 9, 30) / 1000;
const HOUR = 3_600;
const CHARTS = 500;

/** Returns a week of a trader whose habits never change. */
function exampleTrades(): ActivityItem[] {
  const random = seededRandom(5);
  return Array.from({ length: 300 }, (_, index): ActivityItem => {
    const action = ['Buy', 'Buy', 'Sell', 'Redeem'][Math.floor(random() * 4)] ?? 'Buy';
    return {
      ...sampleTrade(),
      time: END - Math.floor(7 * 24 * HOUR * (index / 300) ** 1.4 + random() * 2 * HOUR),
      action,
      grossValue: Math.round(20_000 * random() ** 4) / 100 + 5,
    };
  });
}

function exampleTransfers(): TransferItem[] {
  const random = seededRandom(7);
  return Array.from({ length: 40 }, (_, index) => ({
    ...sampleTransfer(),
    type: random() < 0.55 ? 'deposit' : 'withdrawal',
    amount: Math.round(random() ** 2 * 1_500_000) / 100,
    time: END - Math.floor((index * 61 + random() * 40) * HOUR),
  }));
}

/** Returns a day of five traders with different habits. */
function exampleDigest(): string {
  const random = seededRandom(11);
  const period = { fromSeconds: END - 1_800 - 24 * HOUR, toSeconds: END - 1_800 };
  const wallets = ['Whale', 'Rain maker', 'Night owl', 'Fourth', 'Fifth'].map((label, place) => ({
    wallet: `0x${String(place).repeat(40)}` as WalletAddress,
    label,
    volume: Array.from({ length: 24 }, (_, hour): Volume[number] => ({
      startSeconds: period.fromSeconds + hour * HOUR,
      lengthSeconds: HOUR,
      sums: { bought: String(Math.round((30_000 / (place + 1)) * random() ** 3)) },
    })),
  }));
  const schedule: Schedule = {
    every: 'day',
    atMinutes: 600,
    weekday: 'Monday',
    timeZone: 'Europe/Berlin',
  };
  return digestPicture({ schedule, period, wallets, language: ENGLISH })?.svg ?? '';
}

/**
 * Draws charts one after another, and prints the time and size of each. With `--pictures` it writes
 * one of each.
 */
export async function run(args: string[]): Promise<void> {
  const { pictures: folder } = readOptions(args, DEFAULTS.charts);
  const renderer = createChartRenderer();
  const svgs = {
    'chart-activity': tradesChart(exampleTrades(), 'Whale', END, ENGLISH)?.svg ?? '',
    'chart-flows': flowsChart(exampleTransfers(), 'Whale', END, ENGLISH)?.svg ?? '',
    digest: exampleDigest(),
  };
  const spentMs: number[] = [];
  let bytes = 0;
  for (let index = 0; index < CHARTS; index += 1) {
    const began = performance.now();
    const png = await renderer.png(Object.values(svgs)[index % 3] ?? '');
    spentMs.push(performance.now() - began);
    bytes += png.length;
  }
  const at = quantiles(spentMs);
  print({ charts: CHARTS, medianMs: at(0.5), p95Ms: at(0.95), bytes: Math.round(bytes / CHARTS) });
  if (folder === '') return;
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of Object.entries(svgs))
    writeFileSync(join(folder, `${name}.png`), await renderer.png(svg));
}
