import { setImmediate as turn } from 'node:timers/promises';
import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { Market } from '../../src/portfolio/market.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { put } from '../embeds/put.ts';
import { Run, settle, World } from '../embeds/world.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { WALLET_A } from '../support/wallets.ts';

export const CHANNEL = '100000000000000001';
export const ROLE = '100000000000000009';
export const NOW_MS = 1_800_000_000_000;

export interface Fill {
  readonly usdc?: number;
  readonly action?: string;
  readonly market?: number;
  /** How long ago it happened and was seen. */
  readonly ageMs?: number;
}

export function fillAlert(
  id: string,
  { usdc = 1, action = 'Buy', market = 0, ageMs = 0 }: Fill = {},
): Alert {
  const seenAtMs = NOW_MS - ageMs;
  const names = {
    action,
    marketId: `${market}`,
    conditionId: `0x${market}`,
    time: seenAtMs / 1000,
  };
  const item = { ...sampleTrade(), ...names, transferNetAmount: action === 'Buy' ? usdc : -usdc };
  return { id, wallet: WALLET_A, channelId: CHANNEL, event: { kind: 'activity', item }, seenAtMs };
}

export function deposit(id: string, amount = 250): Alert {
  return {
    ...fillAlert(id),
    event: { kind: 'transfer', item: { ...sampleTransfer(), amount, time: NOW_MS / 1000 } },
  };
}

/** Each of the wallets has bought ten shares for five USDC, the last of them at that time. */
export function consensusOf(
  wallets: readonly WalletAddress[],
  market: Market,
  toSeconds: number,
): WalletEvent {
  const stakes = wallets.map((wallet) => ({
    wallet,
    side: 'Yes',
    shares: '10',
    usdc: '5',
    netUsdc: '5',
    sold: '0',
  }));
  const rest = {
    opposing: [],
    hedged: 0,
    isEscalation: false,
    fromSeconds: toSeconds - 60,
    toSeconds,
  };
  return {
    kind: 'consensus',
    consensus: { market, outcome: 'o', side: 'Yes', stakes, ...rest },
  };
}

export async function turns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await turn();
}

/** Finds these one after the other; after each of them so much time passes. */
export function eachAfter<Find>(
  found: (one: Find) => Promise<unknown>,
  wait: (ms: number) => Promise<void>,
) {
  return async (pauseMs: number, ...finds: readonly Find[]): Promise<void> => {
    for (const one of finds) {
      await found(one);
      await wait(pauseMs);
    }
  };
}

/** A channel with one wallet, and a bot that can be killed. */
export function openChannel(
  settings: Partial<WatchSettings> = {},
  stepsToLive = Number.POSITIVE_INFINITY,
) {
  const world = new World();
  const wish = (changed: Partial<WatchSettings>) =>
    void world.settings.set(`${CHANNEL}:${WALLET_A}`, { ...DEFAULT_SETTINGS, ...changed });
  wish(settings);
  let run = new Run(world, stepsToLive);
  /** A look at the wallet finds these at once; a name alone is a small purchase. */
  const found = (...alerts: readonly (Alert | string)[]) => {
    const seenAtMs = world.nowMs;
    const events = alerts.map((alert) => (typeof alert === 'string' ? fillAlert(alert) : alert));
    return put(
      run.outbox,
      WALLET_A,
      {},
      events.map(({ id, event }) => ({ id, event, seenAtMs, channels: [CHANNEL] })),
    );
  };
  const wait = (ms?: number) => settle(world, ms);
  return {
    world,
    wish,
    get run() {
      return run;
    },
    found,
    wait,
    foundEach: eachAfter(found, wait),
    restart(downMs = 0): Run {
      run.isAlive = false;
      world.sleepers = [];
      world.nowMs += downMs;
      run = new Run(world);
      return run;
    },
    shown: () => world.posted.map(({ alerts }) => alerts.join(' ')),
    /** Keys of what is kept of channels. */
    queues: () => [...world.disk.keys()].filter((key) => key.startsWith('queue:')),
  };
}
