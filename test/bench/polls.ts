import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { openStore } from '../../src/store/store.ts';
import { type Watch, watchKey } from '../../src/watches/watch.ts';
import { nowSeconds, trade, transfer, txHash } from '../e2e/fixture.ts';
import { usageOf } from './cluster/process-usage.ts';
import { fill, launch, openWorld, walletOf } from './cluster/world.ts';

const WALLETS = 100;
const PAGE = 100;
const LIMIT_A_MINUTE = 13_000;
const BUDGET_SHARE = 0.9;
const MS_PER_MINUTE = 60_000;
const WARM_UP_MS = 15_000;
/** More than any trade of the bench is worth: what a page has newly is stored, and no message goes out. */
const LEAST_USDC = 1e9;

/** How this bench is called. */
export const USAGE = `npm run bench -- polls [--runs N] [--seconds SECONDS] [--changed SHARE] [--new SHARE]
  CPU of a whole bot for each poll, beside that of a bare undici request whose page is parsed, at the same rate: pages of 100 records, half of them
  transfers. SHARE of the pages have the same records in other bytes, or a new one, for which an alert is stored and, too small for the watch, not sent.
  Needs Linux. Default 5 runs of 20 seconds, none changed and none new`;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '20' },
      changed: { type: 'string', default: '0' },
      new: { type: 'string', default: '0' },
    },
  });
  const world = await openWorld('polls', { servers: 10, wallets: WALLETS, limit: LIMIT_A_MINUTE, seed: 1 });
  const shares = { changed: Number(values.changed), new: Number(values.new) };
  const venue = await startPages(shares, world.random);
  const storeUrl = `sqlite://${join(world.directory, 'bot.sqlite')}`;
  await fill(storeUrl, world.watches);
  await narrow(storeUrl);
  const bot = launch(world, {
    STORE_URL: storeUrl,
    VENUE_BASE_URL: `${venue.url}/bot`,
    POLL_MIN_SECONDS: '0.1',
    BUDGET_SHARE: String(BUDGET_SHARE),
  });
  const bare = fork(fileURLToPath(new URL('./polls-bare.ts', import.meta.url)), {
    execArgv: ['--max-semi-space-size=4', '--import', 'tsx'],
  });
  bare.send({ url: `${venue.url}/bare`, everyMs: MS_PER_MINUTE / (LIMIT_A_MINUTE * BUDGET_SHARE), wallets: WALLETS });
  await delay(WARM_UP_MS);
  const ratios: number[] = [];
  for (let round = 0; round < Number(values.runs); round += 1) {
    const before = [usageOf(bot.process.pid), usageOf(bare.pid), { ...venue.answered }] as const;
    await delay(Number(values.seconds) * 1_000);
    const msEach = (cpuSeconds: number, beforeSeconds: number, who: 'bot' | 'bare') =>
      (1_000 * (cpuSeconds - beforeSeconds)) / (venue.answered[who] - before[2][who]);
    const botMs = msEach(usageOf(bot.process.pid).cpuSeconds, before[0].cpuSeconds, 'bot');
    const bareMs = msEach(usageOf(bare.pid).cpuSeconds, before[1].cpuSeconds, 'bare');
    ratios.push(botMs / bareMs);
    print({
      pollsASecond: Math.round((venue.answered.bot - before[2].bot) / Number(values.seconds)),
      botMs: round3(botMs),
      bareMs: round3(bareMs),
      ratio: round3(botMs / bareMs),
    });
  }
  print({
    ...shares,
    medianRatio: round3(ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? 0),
  });
  await end(bare);
  await bot.stop();
  await venue.close();
  await world.close();
}

const print = (result: object) => process.stdout.write(`${JSON.stringify(result)}\n`);
const round3 = (value: number) => Number(value.toPrecision(3));

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Watches that have nothing to announce. */
async function narrow(storeUrl: string): Promise<void> {
  const store = await openStore(storeUrl);
  for await (const [key, document] of store.entries()) {
    if (!key.startsWith('watch:')) continue;
    const watch = document as Watch;
    await store.set(watchKey(watch), { ...watch, settings: { ...watch.settings, minUsdc: LEAST_USDC } });
  }
  await store.close();
}

/** A venue that only has first pages, ready to be sent, so that it takes little of the machine. */
async function startPages(shares: Readonly<Record<'changed' | 'new', number>>, random: () => number) {
  const pages = new Map<string, { items: (ActivityItem | TransferItem)[]; body: Buffer }>();
  let number = 0;
  const bodyOf = (items: readonly unknown[]) => {
    number += 1;
    const envelope = { success: true, code: '0', message: `answer ${number}`, data: { items, nextCursor: null } };
    return Buffer.from(JSON.stringify(envelope));
  };
  for (let index = 0; index < WALLETS; index += 1) {
    const wallet = walletOf(index);
    const seconds = (age: number) => nowSeconds() - 60 * (age + 1);
    const activity = Array.from({ length: PAGE }, (_, age) =>
      trade({ trader: wallet, time: seconds(age), txHash: txHash() }),
    );
    const transfers = Array.from({ length: PAGE }, (_, age) => transfer({ time: seconds(age), txHash: txHash() }));
    pages.set(`${wallet}/activity`, { items: activity, body: bodyOf(activity) });
    pages.set(`${wallet}/deposits-withdrawals`, { items: transfers, body: bodyOf(transfers) });
  }
  const answered = { bot: 0, bare: 0 };
  const server = createServer((incoming, outgoing) => {
    const [, who, , , wallet, name] = (incoming.url ?? '').split(/[/?]/);
    const page = pages.get(`${wallet}/${name}`);
    if (page === undefined || (who !== 'bot' && who !== 'bare')) return void outgoing.writeHead(404).end();
    const [newest] = page.items;
    const isNew = who === 'bot' && random() < shares.new;
    if (isNew && newest !== undefined) {
      page.items = [{ ...newest, txHash: txHash(), time: nowSeconds() }, ...page.items.slice(0, -1)];
    }
    if (isNew || (who === 'bot' && random() < shares.changed)) page.body = bodyOf(page.items);
    answered[who] += 1;
    const resetSeconds = Math.ceil((Date.now() + 1) / MS_PER_MINUTE) * 60;
    const left =
      LIMIT_A_MINUTE - Math.round((LIMIT_A_MINUTE * BUDGET_SHARE * (Date.now() % MS_PER_MINUTE)) / MS_PER_MINUTE);
    outgoing.writeHead(200, {
      'content-type': 'application/json',
      'content-length': page.body.length,
      'x-ratelimit-limit': String(LIMIT_A_MINUTE),
      'x-ratelimit-remaining': String(left),
      'x-ratelimit-reset': String(resetSeconds),
    });
    outgoing.end(page.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answered,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
