import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { trade } from '../support/records.ts';
import { walletOf } from '../support/wallets.ts';
import { addPages, launch, openWorld, storeWatches } from '../support/world.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

const BYTES_PER_MB = 2 ** 20;

/**
 * The bot as it is shipped, with so many watches, polled each second, and a trade of one of them
 * each second. Prints how long it takes from its start to the gateway, and its memory (resident set
 * size) in the end and at most.
 */
export async function run(args: string[]): Promise<void> {
  const { wallets, seconds } = readOptions(args, { wallets: 20, seconds: 60 });
  const world = await openWorld('memory', { servers: 1, wallets });
  await addPages(world);
  await storeWatches(world);
  const startMs = performance.now();
  let metricsUrl = '';
  const bot = launch(
    world,
    { HTTP_PORT: '0', LOG_LEVEL: 'info', NODE_ENV: 'production' },
    ({ event, url }) => {
      if (event === 'http.listening') metricsUrl = `${url}/metrics`;
    },
  );
  const ended = once(bot.process, 'close').then(([code]) => {
    throw new Error(`The bot ended by itself (exit code ${code}).`);
  });
  ended.catch(() => {});
  await Promise.race([once(world.discord.events, 'gateway'), ended]);
  const gatewaySeconds = (performance.now() - startMs) / 1000;
  const rssMb: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const trader = walletOf(second % wallets);
    await world.ledger.addActivity(trader, second + 2, trade({ trader }));
    await delay(1_000);
    rssMb.push((await residentBytes(metricsUrl)) / BYTES_PER_MB);
  }
  print({
    node: process.version,
    wallets,
    gatewaySeconds,
    rssMb: rssMb.at(-1),
    maxRssMb: Math.max(...rssMb),
  });
  await bot.stop();
  await world.close();
}

async function residentBytes(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return z.coerce.number().parse(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}
