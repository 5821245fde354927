import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { trade } from '../support/records.ts';
import { walletOf } from '../support/wallets.ts';
import { addPages, endOf, launch, openWorld, storeWatches } from '../support/world.ts';
import { usageOf } from './cluster/process-usage.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

const BYTES_PER_MB = 2 ** 20;

/**
 * Runs the shipped bot with this many watches, polled every second, and one trade per second.
 * Prints the time from its start to the gateway, and its final and peak memory (resident set size).
 */
export async function run(args: string[]): Promise<void> {
  const { wallets, seconds, limit, flags } = readOptions(args, DEFAULTS.memory);
  const world = await openWorld('memory', { servers: 1, wallets, limit });
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
    [],
    flags === '' ? {} : { nodeFlags: flags.split(' ') },
  );
  const ended = endOf(bot);
  await Promise.race([once(world.discord.events, 'gateway'), ended]);
  const gatewaySeconds = (performance.now() - startMs) / 1000;
  const rssMb: number[] = [];
  let held: Awaited<ReturnType<typeof heldBytes>> | undefined;
  for (let second = 0; second < seconds; second += 1) {
    const trader = walletOf(second % wallets);
    await world.ledger.addActivity(trader, second + 2, trade({ trader }));
    await delay(1_000);
    held = await heldBytes(metricsUrl);
    rssMb.push(held.resident / BYTES_PER_MB);
  }
  const { peakMb, cpuSeconds } = usageOf(bot.process.pid);
  print({
    node: process.version,
    wallets,
    flags,
    gatewaySeconds,
    rssMb: rssMb.at(-1),
    maxRssMb: Math.max(...rssMb),
    peakMb,
    heapMb: (held?.heap ?? 0) / BYTES_PER_MB,
    heapUsedMb: (held?.heapUsed ?? 0) / BYTES_PER_MB,
    externalMb: (held?.external ?? 0) / BYTES_PER_MB,
    cpuSeconds,
  });
  await bot.stop();
  await world.close();
}

/** Reads the memory of the process in bytes: resident memory, V8's heap, and external memory. */
async function heldBytes(metricsUrl: string) {
  const text = await (await fetch(metricsUrl)).text();
  const gauge = (name: string) =>
    z.coerce.number().parse(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    resident: gauge('process_resident_memory_bytes'),
    heap: gauge('nodejs_heap_size_total_bytes'),
    heapUsed: gauge('nodejs_heap_size_used_bytes'),
    external: gauge('nodejs_external_memory_bytes'),
  };
}
