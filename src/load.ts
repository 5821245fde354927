import type { Logger } from 'pino';
import { LANE_PREFIX, type LaneStore } from './alert/lane.ts';
import { type Outbox, WALLET_PREFIX } from './alert/outbox.ts';
import { PAGER_PREFIX, type PagerStore } from './bot/pager.ts';
import { storedLearning } from './poll/poller.ts';
import type { Learned, Schedule } from './poll/schedule.ts';
import type { Store } from './store/store.ts';
import type { WalletAddress } from './venue/address.ts';
import { ENDPOINT_NAMES } from './venue/schema.ts';
import type { Registry } from './watch/registry.ts';
import { WATCH_PREFIX } from './watch/watch.ts';

export interface LoadDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly lanes: LaneStore;
  readonly pagers: PagerStore;
  readonly schedule: Schedule;
  readonly log: Logger;
}

const QUARANTINE_PREFIX = 'quarantine:';

/**
 * Reads the whole store once, at the start, and gives each part its documents. A document that cannot be read is put
 * aside under another key and named in the log; the rest goes on.
 */
export async function loadStore(deps: LoadDeps): Promise<void> {
  const { store, registry, log } = deps;
  const polls = new Map<string, Readonly<Record<string, unknown>>>();
  const unreadable: (readonly [string, unknown])[] = [];
  const outlived: string[] = [];
  const take = (key: string, document: unknown): boolean => {
    if (key.startsWith(WATCH_PREFIX)) return registry.load(key, document);
    if (key.startsWith(LANE_PREFIX)) return deps.lanes.load(key, document);
    if (key.startsWith(PAGER_PREFIX)) {
      if (!deps.pagers.isAlive(document)) outlived.push(key);
      return true;
    }
    if (!key.startsWith(WALLET_PREFIX)) return true;
    const poll = deps.outbox.load(key, document);
    if (poll !== null) polls.set(key.slice(WALLET_PREFIX.length), poll);
    return poll !== null;
  };
  for await (const [key, document] of store.entries()) {
    if (!take(key, document)) unreadable.push([key, document]);
  }
  for (const [key, document] of unreadable) {
    log.error({ event: 'store.quarantined', key, movedTo: QUARANTINE_PREFIX + key });
    await store.set(QUARANTINE_PREFIX + key, document);
    await store.delete(key);
  }
  for (const wallet of polls.keys()) {
    if (registry.ofWallet(wallet as WalletAddress).length === 0) outlived.push(WALLET_PREFIX + wallet);
  }
  for (const key of outlived) await store.delete(key);
  for (const wallet of registry.wallets()) {
    const poll = polls.get(wallet) ?? {};
    for (const name of ENDPOINT_NAMES) addToSchedule(deps.schedule, wallet, name, storedLearning(poll, name));
  }
  log.info({ event: 'store.loaded', watches: registry.size, wallets: polls.size, quarantined: unreadable.length });
}

function addToSchedule(
  schedule: Schedule,
  wallet: WalletAddress,
  name: (typeof ENDPOINT_NAMES)[number],
  learned: Learned | undefined,
): void {
  if (learned === undefined) schedule.add({ wallet, name });
  else schedule.add({ wallet, name }, learned);
}
