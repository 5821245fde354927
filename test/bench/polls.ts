import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { listenLocally } from '../support/listen.ts';
import { seededRandom } from '../support/random.ts';
import { nowSeconds, trade, transfer, txHash } from '../support/records.ts';
import { walletOf } from '../support/wallets.ts';
import { launch, openWorld, storeWatches } from '../support/world.ts';
import { usageOf } from './cluster/process-usage.ts';
import { DEFAULTS } from './defaults.ts';
import { print, quantiles } from './figures.ts';
import { readOptions } from './usage.ts';

const WALLETS = 100;
const PAGE = 100;
const LIMIT_A_MINUTE = 13_000;
const BUDGET_SHARE = 0.9;
const MS_PER_MINUTE = 60_000;
const WARM_UP_MS = 15_000;
/**
 * More than any trade of the bench is worth, so that new records are stored but no message is sent.
 */
const LEAST_USDC = 1e9;

export const USAGE = `npm run bench -- polls [--runs N] [--seconds SECONDS] [--changed SHARE] [--new SHARE]
  CPU of a whole bot for each poll, beside that of a bare undici request whose page is parsed, at the same rate: pages of 100 records, half of them
  transfers. SHARE of the pages have the same records in other bytes, or a new one, for which an alert is stored and, too small for the watch, not sent.
  Needs Linux`;

export async function run(args: string[]): Promise<void> {
  const { runs, seconds, ...shares } = readOptions(args, DEFAULTS.polls);
  const world = await openWorld('polls', { servers: 10, wallets: WALLETS });
  const venue = await startPages(shares);
  await storeWatches(world, { minUsdc: LEAST_USDC });
  const bot = launch(world, {
    VENUE_BASE_URL: `${venue.url}/bot`,
    WALLETBELL_TEST_POLL_MIN_SECONDS: '0.1',
    BUDGET_SHARE: String(BUDGET_SHARE),
  });
  const bare = fork(fileURLToPath(new URL('./polls-bare.ts', import.meta.url)), {
    execArgv: ['--max-semi-space-size=4', '--import', 'tsx'],
  });
  bare.send({
    url: `${venue.url}/bare`,
    everyMs: MS_PER_MINUTE / (LIMIT_A_MINUTE * BUDGET_SHARE),
    wallets: WALLETS,
  });
  await delay(WARM_UP_MS);
  const ratios: number[] = [];
  const moment = () =>
    [usageOf(bot.process.pid), usageOf(bare.pid), { ...venue.answered }] as const;
  for (let round = 0; round < runs; round += 1) {
    const [botBefore, bareBefore, before] = moment();
    await delay(seconds * 1_000);
    const [botAfter, bareAfter, after] = moment();
    const botMs = (1_000 * (botAfter.cpuSeconds - botBefore.cpuSeconds)) / (after.bot - before.bot);
    const bareMs =
      (1_000 * (bareAfter.cpuSeconds - bareBefore.cpuSeconds)) / (after.bare - before.bare);
    ratios.push(botMs / bareMs);
    print({
      pollsASecond: Math.round((after.bot - before.bot) / seconds),
      botMs,
      bareMs,
      ratio: botMs / bareMs,
    });
  }
  print({ ...shares, medianRatio: quantiles(ratios)(0.5) });
  const ended = once(bare, 'exit');
  bare.kill();
  await ended;
  await bot.stop();
  await venue.close();
  await world.close();
}

/** Starts a venue that has only prepared first pages, so that it uses little of the machine. */
async function startPages(shares: Readonly<Record<'changed' | 'new', number>>) {
  const random = seededRandom(1);
  const pages = new Map<string, { items: (ActivityItem | TransferItem)[]; body: Buffer }>();
  let number = 0;
  const bodyOf = (items: readonly unknown[]) => {
    number += 1;
    const envelope = {
      success: true,
      code: '0',
      message: `answer ${number}`,
      data: { items, nextCursor: null },
    };
    return Buffer.from(JSON.stringify(envelope));
  };
  for (let index = 0; index < WALLETS; index += 1) {
    const wallet = walletOf(index);
    const seconds = (age: number) => nowSeconds() - 60 * (age + 1);
    const activity = Array.from({ length: PAGE }, (_, age) =>
      trade({ trader: wallet, time: seconds(age) }),
    );
    const transfers = Array.from({ length: PAGE }, (_, age) => transfer({ time: seconds(age) }));
    pages.set(`${wallet}/activity`, { items: activity, body: bodyOf(activity) });
    pages.set(`${wallet}/deposits-withdrawals`, { items: transfers, body: bodyOf(transfers) });
  }
  const answered = { bot: 0, bare: 0 };
  const server = createServer((incoming, outgoing) => {
    const [, who, , , wallet, name] = (incoming.url ?? '').split(/[/?]/);
    const page = pages.get(`${wallet}/${name}`);
    if (page === undefined || (who !== 'bot' && who !== 'bare'))
      return void outgoing.writeHead(404).end();
    const [newest] = page.items;
    const isNew = who === 'bot' && random() < shares.new;
    if (isNew && newest !== undefined) {
      page.items = [
        { ...newest, txHash: txHash(), time: nowSeconds() },
        ...page.items.slice(0, -1),
      ];
    }
    if (isNew || (who === 'bot' && random() < shares.changed)) page.body = bodyOf(page.items);
    answered[who] += 1;
    const resetSeconds = Math.ceil((Date.now() + 1) / MS_PER_MINUTE) * 60;
    const left =
      LIMIT_A_MINUTE -
      Math.round((LIMIT_A_MINUTE * BUDGET_SHARE * (Date.now() % MS_PER_MINUTE)) / MS_PER_MINUTE);
    outgoing.writeHead(200, {
      'content-type': 'application/json',
      'content-length': page.body.length,
      'x-ratelimit-limit': String(LIMIT_A_MINUTE),
      'x-ratelimit-remaining': String(left),
      'x-ratelimit-reset': String(resetSeconds),
    });
    outgoing.end(page.body);
  });
  return { ...(await listenLocally(server)), answered };
}
