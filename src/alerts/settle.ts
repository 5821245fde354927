import { HOUR_SECONDS } from '../domain/settlement.ts';
import type { Feed } from '../feed/interface.ts';
import type { Machine } from '../lib/machine.ts';
import { withSettlements } from '../portfolio/wallet-knowledge.ts';
import type { Registry } from '../watches/registry.ts';
import type { AlertBuilder } from './build.ts';
import type { Outbox } from './outbox.ts';

/** Seconds after the full hour from which a process asks: some time from the first of these to the second. */
const ASKS_AFTER_SECONDS = [60, 240] as const;
/** The clock is looked at this often: it may be set, and a machine may sleep. What could not be asked or stored is tried again then. */
const LOOK_EVERY_MS = 60_000;
/** Between two questions, so that a round of many holds nothing up. */
const PAUSE_MS = 10;

/**
 * Asks the feed once an hour how open markets ended. What follows for a wallet, entries of its record that close and answers to
 * alerts, is one write: a crash before it repeats the question an hour later.
 *
 * @returns resolves when `signal` is aborted; never rejects
 */
export async function settleMarkets(
  { random, sleep, log }: Pick<Machine, 'random' | 'sleep' | 'log'>,
  {
    feed,
    registry,
    alertBuilder,
    outbox,
    venueNowSeconds,
    signal,
  }: {
    readonly feed: Pick<Feed, 'settlements'>;
    readonly registry: Pick<Registry, 'ofWallet'>;
    readonly alertBuilder: Pick<AlertBuilder, 'openMarkets'>;
    readonly outbox: Pick<Outbox, 'learn'>;
    /** Venue clock, Unix seconds. */
    readonly venueNowSeconds: () => number;
    /** Ends it. */
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const [least, most] = ASKS_AFTER_SECONDS;
  const afterSeconds = least + random() * (most - least);
  const turnNow = () => Math.floor((venueNowSeconds() - afterSeconds) / HOUR_SECONDS);

  const askAll = async () => {
    for (const { markets, wallets } of alertBuilder.openMarkets()) {
      const found = await feed.settlements(markets);
      const settled = new Map(found.map((settlement) => [settlement.market, settlement]));
      for (const [wallet, own] of wallets) {
        const ofWallet = own.flatMap((market) => settled.get(market) ?? []);
        if (signal.aborted) return;
        if (ofWallet.length === 0 || registry.ofWallet(wallet).length === 0) continue;
        const isChanged = await outbox.learn(wallet, (known, boundaries) =>
          withSettlements(known, ofWallet, boundaries),
        );
        if (isChanged) log.info({ event: 'markets.settled', wallet, markets: ofWallet.length });
      }
      await sleep(PAUSE_MS, signal);
    }
  };

  let askedTurn = turnNow();
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, signal);
    const turn = turnNow();
    if (signal.aborted || turn === askedTurn) continue;
    try {
      await askAll();
      askedTurn = turn;
    } catch (error) {
      if (!signal.aborted) log.warn({ event: 'markets.not_settled', err: error });
    }
  }
}
