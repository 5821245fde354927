import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { BotProcess } from '../../../src/demo/bot-process.ts';
import { STREAM } from '../../../src/feed/nats/stream.ts';
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts';
import { type DatabaseServer, PASSWORD } from '../../support/servers.ts';
import { launch, storeWatches, type World } from '../../support/world.ts';

const SHARDS = 6;
const BOTS: readonly (readonly number[])[] = [
  [0, 1],
  [2, 3],
  [4, 5],
];
const NANOS_PER_SECOND = 1_000_000_000;
const STOPPED_MS = 60_000;
const CUT_MS = 20_000;
const RESTART_MS = 5_000;

/** A fault that is caused and then repaired. */
export interface Fault {
  readonly name: string;
  run(): Promise<void>;
}

/** A process with its own connections to NATS and to its store. */
interface Part {
  process: BotProcess;
  readonly nats: CuttableProxy;
  readonly store: CuttableProxy;
  /** Restarts it after it has ended. */
  start(): void;
}

export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/**
 * Starts a feed, its standby and three bots, each with a proxy in front of NATS and of PostgreSQL.
 */
export async function startProcesses(world: World, nats: DatabaseServer, postgres: DatabaseServer) {
  const natsUrl = await nats.newStore();
  const startPart = async (
    environment: Record<string, string>,
    storeUrl: string,
  ): Promise<Part> => {
    const [toNats, toStore] = await Promise.all([
      startCuttableProxy(Number(new URL(natsUrl).port)),
      startCuttableProxy(Number(new URL(storeUrl).port)),
    ]);
    const start = () =>
      launch(world, {
        ...environment,
        STANDBY: 'true',
        NATS_URL: natsUrl.replace(/:\d+$/, `:${toNats.port}`),
        STORE_URL: storeUrl.replace(/:\d+\//, `:${toStore.port}/`),
      });
    const part: Part = {
      process: start(),
      nats: toNats,
      store: toStore,
      start() {
        part.process = start();
      },
    };
    return part;
  };
  const feedStore = await postgres.newStore();
  const feed = await startPart({ ROLE: 'feed' }, feedStore);
  await delay(3_000);
  const standby = await startPart({ ROLE: 'feed' }, feedStore);
  const shardOf = (guildId: string) => Number((BigInt(guildId) >> 22n) % BigInt(SHARDS));
  const bots: Part[] = [];
  for (const shards of BOTS) {
    const store = await postgres.newStore();
    const watches = world.watches.filter(({ guildId }) => shards.includes(shardOf(guildId)));
    await storeWatches({ storeUrl: store, watches });
    bots.push(await startPart({ ROLE: 'bot', SHARDS: `${shards.join(',')}/${SHARDS}` }, store));
  }
  await delay(8_000);
  const parts = { feed, standby, bots, nats, postgres, natsUrl };
  const all = () => [parts.feed, parts.standby, ...bots];
  return {
    parts,
    async stop() {
      await Promise.all(all().map((part) => part.process.stop()));
      await Promise.all(all().flatMap((part) => [part.nats.close(), part.store.close()]));
    },
  };
}

/**
 * Returns all faults, in order. Processes that a fault ends are restarted, as a supervisor would
 * do.
 */
export function faultsOf({ parts }: Processes): readonly Fault[] {
  const { bots, nats, postgres } = parts;
  const bot = (index: number): Part => bots[index] ?? parts.feed;
  const hasEnded = ({ process: { process } }: Part) =>
    process.exitCode !== null || process.signalCode !== null;

  const revive = () => {
    if (hasEnded(parts.feed)) Object.assign(parts, { feed: parts.standby, standby: parts.feed });
    for (const part of [parts.feed, parts.standby, ...bots]) if (hasEnded(part)) part.start();
  };
  const killed = (name: string, which: () => Part): Fault => ({
    name: `${name} killed`,
    run: () => which().process.kill(),
  });
  const stopped = (name: string, which: () => Part): Fault => ({
    name: `${name} stopped for a minute`,
    async run() {
      const { process } = which().process;
      process.kill('SIGSTOP');
      await delay(STOPPED_MS);
      process.kill('SIGCONT');
    },
  });
  const cut = (name: string, to: 'nats' | 'store', which: () => Part): Fault => ({
    name: `connection of ${name} to ${to === 'nats' ? 'NATS' : 'PostgreSQL'} cut for 20 s`,
    async run() {
      const proxy = which()[to];
      proxy.cut();
      await delay(CUT_MS);
      proxy.mend();
      // A process that has lost its store in the meantime notices it and ends.
      await delay(RESTART_MS);
    },
  });
  const restarted = (name: string, server: DatabaseServer): Fault => ({
    name: `${name} killed`,
    async run() {
      await server.kill();
      await delay(RESTART_MS);
      await server.start();
      await delay(RESTART_MS);
    },
  });
  const withStream = async (
    work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<unknown>,
  ) => {
    const connection = await connect({
      servers: new URL(parts.natsUrl).host,
      user: 'bell',
      pass: PASSWORD,
    });
    await work(await jetstreamManager(connection));
    await connection.close();
  };
  const faults: readonly Fault[] = [
    killed('bot 0', () => bot(0)),
    killed('feed', () => parts.feed),
    stopped('bot 1', () => bot(1)),
    restarted('nats-server', nats),
    cut('bot 0', 'store', () => bot(0)),
    stopped('feed', () => parts.feed),
    cut('bot 2', 'nats', () => bot(2)),
    restarted('PostgreSQL', postgres),
    cut('feed', 'nats', () => parts.feed),
    { name: 'stream deleted', run: () => withStream((manager) => manager.streams.delete(STREAM)) },
    cut('feed', 'store', () => parts.feed),
    {
      name: 'bot 1 away for longer than the stream keeps',
      async run() {
        await withStream((manager) =>
          manager.streams.update(STREAM, {
            max_age: 20 * NANOS_PER_SECOND,
            duplicate_window: 20 * NANOS_PER_SECOND,
          }),
        );
        await bot(1).process.kill();
        await delay(STOPPED_MS);
      },
    },
    killed('standby', () => parts.standby),
    stopped('standby', () => parts.standby),
  ];
  return faults.map(({ name, run }) => ({
    name,
    async run() {
      await run();
      revive();
    },
  }));
}
