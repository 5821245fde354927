import type { Logger } from 'pino';
import type { ActivityItem, Budget, LookUps, VenuePage, WalletAddress } from '../feed/interface.ts';
import type { Registry } from '../watches/registry.ts';
import type { AlertBuilder } from './build.ts';
import type { Outbox } from './outbox.ts';

/** Pages that are read of one wallet at the most: a thousand records. */
const PAGES_LIMIT = 10;
const PAGE_RECORDS = 100;
/** Of a window of the rate limit. */
const SHARE = 1 / 50;
/** With fewer requests a window than this, all are for people and polls. */
const LEAST_REQUESTS = 10;
/** How often it is seen whether there is something to read, or whether nobody waits any more. */
const LOOK_EVERY_MS = 1_000;
/** A wallet that cannot be read now is tried again so much later. */
const RETRY_MS = 60_000;
/** Where the length of a window is not known yet. */
const USUAL_WINDOW_MS = 60_000;

export interface ReadBackDeps {
  readonly lookUps: Pick<LookUps, 'activity'>;
  readonly budget: Pick<Budget, 'snapshot'>;
  readonly registry: Pick<Registry, 'ofWallet'>;
  readonly alertBuilder: Pick<AlertBuilder, 'unread' | 'withReadBack' | 'cacheWallet' | 'evictWallet'>;
  readonly outbox: Pick<Outbox, 'commit'>;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Reads back what wallets did before they were watched, one after the other, for their records: ten pages at most, a fiftieth of the
 * rate limit, and nothing while people wait for the venue. What was read of a wallet is one write; until then nothing is kept.
 *
 * @returns resolves when `signal` is aborted; never rejects
 */
export async function readBackWallets(deps: ReadBackDeps): Promise<void> {
  const { alertBuilder, registry, budget, sleep, log, signal } = deps;

  /** Milliseconds until the next request may be sent; null while none may. */
  const pauseMs = (): number | null => {
    const { allowance, windowMs, waiting, blockedUntilMs, pause } = budget.snapshot();
    const isBusy = waiting.person > 0 || blockedUntilMs !== null || pause !== null;
    if (allowance === null || allowance < LEAST_REQUESTS || isBusy) return null;
    return (windowMs ?? USUAL_WINDOW_MS) / (allowance * SHARE);
  };

  /** Waits until a page may be read. @returns whose people pay for it: the first server that watches; undefined if none does */
  const awaitTurn = async (wallet: WalletAddress): Promise<string | undefined> => {
    let isDue = false;
    while (!isDue) {
      const delayMs = pauseMs();
      await sleep(delayMs ?? LOOK_EVERY_MS, signal);
      if (signal.aborted || registry.ofWallet(wallet).length === 0) return undefined;
      isDue = delayMs !== null && pauseMs() !== null;
    }
    return registry.ofWallet(wallet)[0]?.ownerId;
  };

  /** @returns oldest first; null if nobody watches the wallet any more */
  const readPages = async (wallet: WalletAddress, beforeSeconds: number): Promise<ActivityItem[] | null> => {
    const newestFirst: ActivityItem[] = [];
    let paging: { readonly cursor?: string } | null = {};
    for (let page = 0; page < PAGES_LIMIT && paging !== null; page += 1) {
      const guildId = await awaitTurn(wallet);
      if (guildId === undefined) return null;
      const filters = { toTimestampSeconds: beforeSeconds - 1, limit: PAGE_RECORDS, ...paging };
      const found: VenuePage<ActivityItem> = await deps.lookUps.activity(wallet, filters, {
        priority: 'person',
        guildId,
        signal,
      });
      newestFirst.push(...found.items.filter(({ time }) => time < beforeSeconds));
      paging = found.nextCursor === null ? null : { cursor: found.nextCursor };
    }
    return newestFirst.toReversed();
  };

  while (!signal.aborted) {
    const next = alertBuilder.unread();
    if (next === undefined) {
      await sleep(LOOK_EVERY_MS, signal);
      continue;
    }
    const { wallet, beforeSeconds } = next;
    try {
      const history = await readPages(wallet, beforeSeconds);
      if (history === null) {
        alertBuilder.evictWallet(wallet);
        continue;
      }
      const poll = await deps.outbox.commit(wallet, (stored) => alertBuilder.withReadBack(wallet, stored, history));
      alertBuilder.cacheWallet(wallet, poll);
      log.info({ event: 'wallet.read_back', wallet, records: history.length });
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ event: 'wallet.not_read_back', wallet, err: error });
      await sleep(RETRY_MS, signal);
    }
  }
}
