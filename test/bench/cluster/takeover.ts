import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BotProcess } from '../../../src/sandbox/bot-process.ts';
import { trade, txHash } from '../../e2e/fixture.ts';
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts';
import { type DatabaseServer, startPostgres, startRedis } from '../../support/servers.ts';
import { fill, launch, openWorld, type World, walletOf } from './world.ts';

/** A takeover that is not there by then does not come. */
const LIMIT_MS = 60_000;
/** How long a process is stopped, or its connection silent: far longer than any lease. */
const STOPPED_MS = 15_000;

/** How this bench is called. */
export const USAGE = `npm run bench -- takeover [--runs N] [--stores sqlite,postgres,redis]
  a bot and its standby on each store: from the moment at which the bot is killed, asked to stop, stopped (SIGSTOP) or cut off from its store, and a wallet
  trades, until the alert is in its channel, by whichever of the two; median and worst of the runs. Default 5 runs, all stores that are installed`;

const STORES: Readonly<Record<string, () => Promise<DatabaseServer | null>>> = {
  sqlite: async () => null,
  postgres: startPostgres,
  redis: () => startRedis(),
};

type Way = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'connection cut' | 'connection stalled';

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { runs: { type: 'string', default: '5' }, stores: { type: 'string', default: 'sqlite,postgres,redis' } },
  });
  for (const name of values.stores.split(',')) {
    const server = (await STORES[name]?.()) ?? null;
    const ways: readonly Way[] =
      server === null
        ? ['SIGKILL', 'SIGTERM', 'SIGSTOP']
        : ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'connection cut', 'connection stalled'];
    for (const way of ways) {
      const pair = await startPair(name, server);
      const seconds: number[] = [];
      let byTheOther = 0;
      for (let index = 0; index < Number(values.runs); index += 1) {
        const result = await pair.takeOver(way);
        seconds.push(result.seconds);
        byTheOther += Number(result.isTakenOver);
      }
      await pair.stop();
      seconds.sort((a, b) => a - b);
      const round = (value = 0) => Math.round(value * 100) / 100;
      const result = {
        store: name,
        way,
        runs: seconds.length,
        takenOver: byTheOther,
        medianSeconds: round(seconds[Math.floor(seconds.length / 2)]),
        worstSeconds: round(seconds.at(-1)),
      };
      process.stdout.write(`${JSON.stringify(result)}\n`);
    }
    await server?.stop();
  }
}

/** A process, and its own way to the store. */
interface Half {
  readonly process: BotProcess;
  readonly proxy: CuttableProxy | null;
  /** Resolves when it has the store. */
  readonly active: Promise<void>;
}

async function startPair(name: string, server: DatabaseServer | null) {
  const world = await openWorld(`takeover-${name}`, { servers: 1, wallets: 1, limit: 6_000, seed: 1 });
  const storeUrl = (await server?.newStore()) ?? `sqlite://${join(world.directory, 'bot.sqlite')}`;
  await fill(storeUrl, world.watches);
  let active = await startHalf(world, storeUrl);
  await active.active;
  let market = 0;
  /** @returns how long it takes until its alert is there, s */
  const trades = async (): Promise<number> => {
    market += 1;
    const title = `Market no ${market}.`;
    const names = { marketId: `${market}`, conditionId: `0x${market}`, tokenId: `${market}`, marketTitle: title };
    const item = trade({ trader: walletOf(0), txHash: txHash(), ...names });
    const signal = AbortSignal.timeout(LIMIT_MS);
    const arrived = new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error(`${title} has not been announced.`)));
      world.discord.events.on('message', (message) => {
        if (JSON.stringify([message.content, message.embeds]).includes(title)) resolve();
      });
    });
    const beganMs = performance.now();
    await world.ledger.addActivity(walletOf(0), market, item);
    await arrived;
    return (performance.now() - beganMs) / 1000;
  };
  await trades();
  return {
    async takeOver(way: Way): Promise<{ readonly seconds: number; readonly isTakenOver: boolean }> {
      const standby = await startHalf(world, storeUrl);
      let isTakenOver = false;
      void standby.active.then(() => {
        isTakenOver = true;
      });
      const { process, proxy } = active;
      const ended = once(process.process, 'close');
      const arrived = trades();
      if (way === 'connection cut') proxy?.cut();
      else if (way === 'connection stalled') proxy?.stall();
      else process.process.kill(way);
      if (way === 'SIGSTOP') setTimeout(() => process.process.kill('SIGCONT'), STOPPED_MS);
      if (way === 'connection stalled') setTimeout(() => proxy?.mend(), STOPPED_MS);
      const seconds = await arrived;
      const result = { seconds, isTakenOver };
      if (!isTakenOver) {
        // The store stays with a process that is only stopped: it goes on itself, and the other one is not needed.
        await standby.process.stop();
        await standby.proxy?.close();
        return result;
      }
      proxy?.mend();
      await ended;
      await proxy?.close();
      active = standby;
      await trades();
      return result;
    },
    async stop() {
      await active.process.stop();
      await active.proxy?.close();
      await world.close();
    },
  };
}

/** Starts a process, and waits until it has the store or waits for it. */
async function startHalf(world: World, storeUrl: string): Promise<Half> {
  const isServer = !storeUrl.startsWith('sqlite:');
  const proxy = isServer ? await startCuttableProxy(Number(new URL(storeUrl).port)) : null;
  const url = proxy === null ? storeUrl : storeUrl.replace(/:\d+\//, `:${proxy.port}/`);
  const seen = new EventTarget();
  const said = (event: string) => once(seen, event).then(() => {});
  const active = said('store.loaded');
  const ready = Promise.race([active, said('standby.waiting')]);
  const half = {
    proxy,
    active,
    process: launch(world, { STORE_URL: url, STANDBY: 'true', LOG_LEVEL: 'info' }, ({ event }) =>
      seen.dispatchEvent(new Event(String(event))),
    ),
  };
  await ready;
  return half;
}
