import type { Ledger } from '@walletbell/venue-server/ledger';
import { pino } from 'pino';
import { createAlerts } from '../alerts/alerts.ts';
import { createIntake } from '../alerts/intake.ts';
import { postedKind } from '../alerts/wallets/posted-documents.ts';
import { createMachine } from '../lib/machine.ts';
import { openStore } from '../store/store.ts';
import { channelSettingsKind, defaultChannelSettings } from '../watches/channel-settings.ts';
import { createRegistry } from '../watches/registry.ts';
import type { Watch } from '../watches/watch.ts';
import { DEFAULT_SETTINGS } from '../watches/watch-settings.ts';

export interface PastOptions {
  /** Store of the bot, which is not running yet. */
  readonly storeUrl: string;
  readonly ledger: Ledger;
  readonly watches: readonly Pick<
    Watch,
    'ownerId' | 'channelId' | 'wallet' | 'label' | 'addedBy'
  >[];
  /** Delayed channels, with their delay in ms. */
  readonly delays?: Readonly<Record<string, number>>;
  /** Time at which the watches began, in Unix seconds. */
  readonly beganSeconds: number;
  readonly nowSeconds: () => number;
  /** Aborts the work. */
  readonly signal: AbortSignal;
  /** Called with the number of wallets whose past is stored, and the total. */
  readonly onWallets?: (done: number, total: number) => void;
}

/**
 * Fills the bot's store with watches that began long ago and were muted until now: the bot's own
 * intake reads everything that the ledger has about their wallets, as if the venue's first page
 * contained all of it. Nothing of it is posted, or left to be read.
 *
 * @returns time from which events are posted, in Unix seconds
 * @throws once `signal` is aborted; the store is closed in any case
 */
export async function rememberPast(options: PastOptions): Promise<number> {
  const { ledger, watches, beganSeconds, nowSeconds, signal } = options;
  signal.throwIfAborted();
  const log = pino({ level: 'silent' });
  const store = await openStore(options.storeUrl);
  try {
    const machine = createMachine(log);
    const registry = createRegistry(machine, store);
    const { alertBuilder, outbox } = createAlerts(machine, {
      store,
      posted: postedKind.open(store),
      registry,
      channelSettings: { get: () => undefined },
      // The bot judges all wallets when it starts.
      verdicts: { of: () => 'none', judge() {} },
      isGone: () => false,
      venueNowSeconds: nowSeconds,
    });
    const intake = createIntake(machine, { registry, alertBuilder, outbox });
    // The current second also belongs to the past, because the ledger may already have records of
    // it.
    const sinceSeconds = Math.floor(nowSeconds()) + 1;
    for (const [channelId, ms] of Object.entries(options.delays ?? {})) {
      const ownerId = watches.find((watch) => watch.channelId === channelId)?.ownerId;
      if (ownerId === undefined) continue;
      const delay = { ms, fromMs: beganSeconds * 1000 };
      const settings = { ...defaultChannelSettings(ownerId, channelId), delay };
      await store.set(channelSettingsKind.prefix + channelId, settings);
    }
    for (const watch of watches) {
      const muted = { beganSeconds, sinceSeconds, knownIdentities: [], pause: null };
      await registry.add({ settings: DEFAULT_SETTINGS, ...watch, ...muted });
    }
    const wallets = [...registry.wallets()];
    for (const [index, wallet] of wallets.entries()) {
      signal.throwIfAborted();
      const page = {
        wallet,
        pollId: nowSeconds() * 1000,
        hasMore: false,
        unreadable: [],
        fromSeconds: null,
        venueSeconds: nowSeconds(),
        earliestSeconds: nowSeconds(),
        latestSeconds: nowSeconds(),
      };
      await intake.takePage({
        ...page,
        endpoint: 'activity',
        items: await ledger.allActivity(wallet),
      });
      await intake.takePage({
        ...page,
        endpoint: 'deposits-withdrawals',
        items: await ledger.allTransfers(wallet),
      });
      options.onWallets?.(index + 1, wallets.length);
    }
    return sinceSeconds;
  } finally {
    await store.close();
  }
}
