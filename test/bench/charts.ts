import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createChartRenderer } from '../../src/charts/render.ts';
import { digestPicture } from '../../src/digests/compose.ts';
import { createZone, type Schedule } from '../../src/digests/schedule.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { flowsChart, tradesChart } from '../../src/lookups/list-charts.ts';
import type { Volume } from '../../src/portfolio/trades/volume.ts';
import { seededRandom } from '../support/random.ts';

const END = Date.UTC(2026, 10, 21, 9, 30) / 1000;
const HOUR = 3_600;

/** A week of a trader who never changes. */
function exampleTrades(): ActivityItem[] {
  const random = seededRandom(5);
  return Array.from({ length: 300 }, (_, index): ActivityItem => {
    const action = ['Buy', 'Buy', 'Sell', 'Redeem'][Math.floor(random() * 4)] ?? 'Buy';
    return {
      time: END - Math.floor(7 * 24 * HOUR * (index / 300) ** 1.4 + random() * 2 * HOUR),
      action,
      recordType: 'SUMMARY',
      actionType: 0,
      price: 63.5,
      quantity: 100,
      fee: 0.1,
      grossValue: Math.round(20_000 * random() ** 4) / 100 + 5,
      transferNetAmount: 10,
      txHash: `0x${'1'.repeat(64)}`,
      tokenId: '1',
      marketId: '1',
      marketSlug: 'rain',
      eventSlug: 'weather',
      conditionId: '0x1',
      marketTitle: 'Will it rain?',
      positionSide: 'Yes',
      outcomeIndex: 0,
      logo: '',
      trader: '',
      liquidityRole: null,
    };
  });
}

function exampleTransfers(): TransferItem[] {
  const random = seededRandom(7);
  return Array.from({ length: 40 }, (_, index) => ({
    txHash: `0x${'1'.repeat(64)}`,
    type: random() < 0.55 ? 'deposit' : 'withdrawal',
    amount: Math.round(random() ** 2 * 1_500_000) / 100,
    time: END - Math.floor((index * 61 + random() * 40) * HOUR),
    address: `0x${'0'.repeat(40)}`,
  }));
}

/** A day of five traders of different habits. */
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
  const schedule: Schedule = { every: 'day', atMinutes: 600, weekday: 'Monday', timeZone: 'Europe/Berlin' };
  return digestPicture({ schedule, period, wallets, zone: createZone(schedule.timeZone), language: ENGLISH }) ?? '';
}

/** Draws charts one after the other: time for each, and what the process takes. With `--pictures` writes one of each. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { charts: { type: 'string', default: '500' }, pictures: { type: 'string' } },
  });
  const charts = Number(values.charts);
  const renderer = createChartRenderer();
  const pictures = [
    tradesChart(exampleTrades(), 'Whale', ENGLISH),
    flowsChart(exampleTransfers(), 'Whale', END, ENGLISH),
  ];
  const svgs = [...pictures.map((chart) => chart?.svg ?? ''), exampleDigest()];
  const spentMs: number[] = [];
  let rssMax = 0;
  for (let index = 0; index < charts; index += 1) {
    const began = performance.now();
    await renderer.png(svgs[index % svgs.length] ?? '');
    spentMs.push(performance.now() - began);
    rssMax = Math.max(rssMax, process.memoryUsage.rss());
  }
  spentMs.sort((a, b) => a - b);
  const at = (share: number) => Number((spentMs[Math.floor(share * (charts - 1))] ?? 0).toFixed(1));
  const rssMb = { most: Math.round(rssMax / 1e6), end: Math.round(process.memoryUsage.rss() / 1e6) };
  console.log(JSON.stringify({ charts, medianMs: at(0.5), p95Ms: at(0.95), rssMb }));
  if (values.pictures === undefined) return;
  mkdirSync(values.pictures, { recursive: true });
  for (const [index, name] of ['chart-activity.png', 'chart-flows.png', 'digest.png'].entries()) {
    writeFileSync(join(values.pictures, name), await renderer.png(svgs[index] ?? ''));
  }
}
