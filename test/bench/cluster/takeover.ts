import { once } from 'node:events';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { BotProcess } from '../../../src/demo/bot-process.ts';
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts';
import { inMarket, trade } from '../../support/records.ts';
import { type DatabaseServer, STORE_SERVERS } from '../../support/servers.ts';
import { walletOf } from '../../support/wallets.ts';
import { launch, openWorld, storeWatches, type World } from '../../support/world.ts';
import { DEFAULTS } from '../defaults.ts';
import { print, quantiles } from '../figures.ts';
import { readOptions } from '../usage.ts';

/** Time limit for a takeover. */
const LIMIT_MS = 60_000;
/** How long a process is stopped or its connection silent; far longer than any lease. */
const STOPPED_MS = 15_000;

export const USAGE = `npm run bench -- takeover [--runs N] [--stores sqlite,postgres,redis]
  a bot and its standby on each store: from the moment at which the bot is killed, asked to stop, stopped (SIGSTOP) or cut off from its store, and a wallet
  trades, until the alert is in its channel, by whichever of the two; median and worst of the runs.`;

const WAYS = ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'connection cut', 'connection stalled'] as const;
type Way = (typeof WAYS)[number];

export async function run(args: string[]): Promise<void> {
  const { runs, stores } = readOptions(args, DEFAULTS.takeover);
  for (const store of stores.split(',')) {
    const server = (await STORE_SERVERS[store]?.()) ?? null;
    for (const way of server === null ? WAYS.slice(0, 3) : WAYS) {
      const pair = await startPair(store, server);
      const results: Awaited<ReturnType<typeof pair.takeOver>>[] = [];
      for (let index = 0; index < runs; index += 1) results.push(await pair.takeOver(way));
      await pair.stop();
      const at = quantiles(results.map(({ seconds }) => seconds));
      const takenOver = results.filter(({ isTakenOver }) => isTakenOver).length;
      print({ store, way, runs, takenOver, medianSeconds: at(0.5), worstSeconds: at(1) });
    }
    await server?.stop();
  }
}

/** A process with its own connection to the store. */
interface Half {
  readonly process: BotProcess;
  readonly proxy: CuttableProxy | null;
  /** Resolves when it owns the store. */
  readonly active: Promise<void>;
}

async function startPair(name: string, server: DatabaseServer | null) {
  const world = await openWorld(`takeover-${name}`, { servers: 1, wallets: 1, limit: 6_000 });
  const storeUrl = (await server?.newStore()) ?? world.storeUrl;
  await storeWatches({ ...world, storeUrl });
  let active = await startHalf(world, storeUrl);
  await active.active;
  let market = 0;
  /** @returns time until the alert of the trade arrives, in seconds */
  const trades = async (): Promise<number> => {
    market += 1;
    const title = `Market no ${market}.`;
    const item = trade({ trader: walletOf(0), ...inMarket(market), marketTitle: title });
    const isShownIn = ({ content, embeds }: SeenMessage) =>
      JSON.stringify([content, embeds]).includes(title);
    const arrived = world.discord.waitForMessage(
      world.watches[0]?.channelId ?? '',
      isShownIn,
      LIMIT_MS,
    );
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
        // A process that is only stopped keeps the store and continues, so the other process is not
        // needed.
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

/** Starts a process, and waits until it owns the store or waits for it. */
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
