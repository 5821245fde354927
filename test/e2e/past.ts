import * as z from 'zod';
import { WALLET_PREFIX } from '../../src/alerts/wallets/wallet-document.ts';
import { newPortfolio, type Portfolio } from '../../src/portfolio/portfolio.ts';
import { EMPTY_RECORD, type WalletRecord } from '../../src/portfolio/record/record.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { openStore } from '../../src/store/store.ts';
import { WATCH_PREFIX } from '../../src/watches/watch.ts';
import { boughtFor, inMarket, nowSeconds, redeemedFor, trade } from '../support/records.ts';
import type { Fixture } from './fixture.ts';

const DAY = 86_400;

const documentSchema = z.looseObject({
  state: z.looseObject({ knowledge: z.looseObject({ portfolio: z.looseObject({}) }).optional() }),
});

/**
 * The first purchases of so many markets at 50¢, one a day from so many days ago on, half of them
 * won: each share of those came to so much. All of them closed within an hour.
 */
export function bought(markets: number, fromDaysAgo: number, wonUsdc: number): WalletRecord {
  const from = Math.floor(nowSeconds() / DAY - fromDaysAgo) * DAY;
  return {
    ...EMPTY_RECORD,
    markets: Array.from({ length: markets }, (_, index) => ({
      market: `m${index}`,
      event: `e${index}`,
      outcome: 'yes',
      txHash: `0x${index}`,
      atSeconds: from + index * DAY,
      closedSeconds: from + index * DAY + 3_600,
      shares: 10,
      left: 0,
      grossUsdc: 5,
      paidUsdc: 5,
      backUsdc: index % 2 === 0 ? 10 * wonUsdc : 0,
    })),
  };
}

/**
 * Accounts of a wallet that bought 10 shares at 50¢ in so many markets, one a day from so many days ago on, and
 * redeemed those of every second one.
 */
export function traded(markets: number, fromDaysAgo: number): Portfolio['accounts'] {
  const from = Math.floor(nowSeconds() / DAY - fromDaysAgo) * DAY;
  const items = Array.from({ length: markets }, (_, index) => {
    const time = from + index * DAY;
    const end = redeemedFor(10, 10, { ...inMarket(index + 1), time: time + 3_600 });
    const purchase = trade(boughtFor(10, 5, { ...inMarket(index + 1), time }));
    return index % 2 === 0 ? [purchase, trade(end)] : [purchase];
  });
  return addActivity(newPortfolio(0, false), items.flat(), nowSeconds()).portfolio.accounts;
}

interface Past {
  readonly record: WalletRecord;
  readonly accounts?: Portfolio['accounts'];
  readonly watchedDays: number;
}

/** Gives wallets a past, and has them watched for so many days, while no bot runs. */
export async function remember(
  fixture: Fixture,
  past: Readonly<Record<string, Past>>,
): Promise<void> {
  const store = await openStore(fixture.storeUrl);
  for (const [wallet, { record, accounts, watchedDays }] of Object.entries(past)) {
    const before = documentSchema.parse(
      (await store.get(WALLET_PREFIX + wallet)) ?? { state: {}, outbox: [] },
    );
    const anew = newKnowledge(newPortfolio(nowSeconds(), false));
    const known = before.state.knowledge ?? { ...anew, alertedPositions: {} };
    const portfolio = { ...known.portfolio, ...(accounts && { accounts }) };
    const knowledge = { ...known, portfolio, record };
    await store.set(WALLET_PREFIX + wallet, { ...before, state: { ...before.state, knowledge } });
    const watchKey = `${WATCH_PREFIX}${fixture.channelId}:${wallet}`;
    const watch = (await store.get(watchKey)) as object;
    await store.set(watchKey, { ...watch, beganSeconds: nowSeconds() - watchedDays * DAY });
  }
  await store.close();
}
