import { createMarkets } from '@walletbell/venue-server/simulator/markets';
import { createRandom, type Random } from '@walletbell/venue-server/simulator/random';
import type { Alert, AlertGroup, WalletEvent } from '../../../src/alerts/alert.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import type { Language } from '../../../src/language/language.ts';
import { renderMessage } from '../../../src/messages/message.ts';
import type { ConsensusNews } from '../../../src/portfolio/consensus.ts';
import type { TradeContext } from '../../../src/portfolio/trade-context.ts';
import { hostileLinks } from '../../embeds/hostile-items.ts';
import { sampleTrade, sampleTransfer } from '../../support/records.ts';
import { WALLET, walletOfDigit } from '../../support/wallets.ts';

/** Time of the events in messages, in Unix seconds. */
export const AT_SECONDS = 1_790_000_000;
export const links = { ...hostileLinks, own: () => undefined };
const LABELS = ['Whale', 'quickdraw', 'Night owl', 'Rain maker'];
const DAY = 86_400;

/** Returns market titles from the venue's simulator; 3 % are long or odd. */
export function titles(count: number, seed: string): readonly string[] {
  const open = createMarkets(seed, Math.max(200, count)).open(AT_SECONDS);
  return createRandom(seed)
    .shuffled(open.map(({ listing }) => listing.marketTitle))
    .slice(0, count);
}

/** A kind of message: the events in a market with this title. */
export interface Kind {
  events(market: Market): readonly WalletEvent[];
  readonly isCompact?: boolean;
  /** Whether each event is a separate alert, instead of all being one. */
  readonly isApart?: boolean;
  /** Whether the message was delayed by an outage. */
  readonly isLate?: boolean;
  /** Holdings of the channel's other wallets. */
  readonly alsoHere?: AlertGroup['alsoHere'];
}

export interface Market {
  readonly title: string;
  /** Titles of other markets, for messages about several. */
  readonly others: readonly string[];
  readonly random: Random;
  /** Time of the events, in Unix seconds. */
  readonly atSeconds: number;
}

/**
 * Returns a purchase in the market, with random figures by default.
 *
 * @param mostTenths largest quantity, in tenths of a share
 */
export function randomPurchase(
  { title, random, atSeconds }: Market,
  changes: Partial<ActivityItem> = {},
  mostTenths = 500_000,
): ActivityItem {
  const price = random.whole(20, 980) / 10;
  const quantity = random.whole(50, mostTenths) / 10;
  const grossValue = Math.round(price * quantity) / 100;
  const fee = Math.round(grossValue) / 100;
  return {
    ...sampleTrade(),
    time: atSeconds,
    trader: WALLET,
    marketTitle: title,
    price,
    quantity,
    grossValue,
    fee,
    transferNetAmount: grossValue + fee,
    txHash: `0x${random.hex(64)}`,
    ...changes,
  };
}

/** Returns the trade's size with all information that an alert can show. */
const sizeOf = ({ random }: Market) => ({
  usdc: random.whole(1_000, 40_000),
  median: 240.5,
  p95: 900.5,
  trades: 200,
});

/** Returns the trade's context with all information that an alert can show. */
export function context({ random }: Market, changes: Partial<TradeContext> = {}): TradeContext {
  return {
    sharesBefore: '1000',
    sharesAfter: '4321.5',
    isClosed: false,
    entryCents: random.whole(20, 980) / 10,
    realized: null,
    costOfSold: '0',
    oppositeShares: '0',
    isFirstInMarket: false,
    ...changes,
  };
}

/**
 * Returns one purchase in this many fills, each of which adds to the position after the previous
 * one.
 */
function purchase(market: Market, count: number): WalletEvent[] {
  let held = 1_000;
  return Array.from({ length: count }, (_, n) => {
    const item = randomPurchase(market, { time: market.atSeconds - 2 * (count - 1 - n) });
    const sharesBefore = `${held}`;
    held = Math.round(10 * (held + item.quantity)) / 10;
    return {
      kind: 'activity',
      item,
      context: context(market, { sharesBefore, sharesAfter: `${held}` }),
      size: sizeOf(market),
    };
  });
}
const sell = (market: Market): WalletEvent => {
  const item = randomPurchase(market, {
    action: 'Sell',
    transferNetAmount: -market.random.whole(10_000, 900_000) / 100,
  });
  const closed = { sharesBefore: `${item.quantity}`, sharesAfter: '0', isClosed: true };
  return {
    kind: 'activity',
    item,
    context: context(market, { realized: '-24.8', costOfSold: '440.63', ...closed }),
    size: sizeOf(market),
  };
};
const redeem = (market: Market): WalletEvent => ({
  kind: 'activity',
  item: randomPurchase(market, {
    action: 'Redeem',
    price: 100,
    fee: 0,
    liquidityRole: null,
    transferNetAmount: -1_234.5,
  }),
  context: context(market, {
    realized: '96.75',
    costOfSold: '146.88',
    sharesAfter: '0',
    isClosed: true,
  }),
});
const move = ({ random, atSeconds }: Market): WalletEvent => {
  const isIn = random.chance(0.5);
  return {
    kind: 'transfer',
    item: {
      ...sampleTransfer(),
      type: isIn ? 'deposit' : 'withdrawal',
      time: atSeconds,
      amount: random.whole(1_000, 9_000_000) / 100,
      txHash: `0x${random.hex(64)}`,
      address: isIn ? `0x${'0'.repeat(40)}` : '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    },
  };
};
const placeOf = (marketTitle: string) => ({
  marketTitle,
  marketId: '901',
  marketSlug: 'rain-on-sunday',
  eventSlug: 'weather',
});
const stake = (digit: string, side: string, usdc: string) => ({
  wallet: walletOfDigit(digit),
  side,
  shares: '4000',
  usdc,
  netUsdc: usdc,
  sold: '0',
});
const consensus = (
  { title, atSeconds }: Market,
  changes: Partial<ConsensusNews> = {},
): WalletEvent => ({
  kind: 'consensus',
  consensus: {
    market: placeOf(title),
    outcome: 'o',
    side: 'Yes',
    stakes: [stake('a', 'Yes', '2345.6'), stake('b', 'Yes', '1234.5'), stake('c', 'Yes', '310')],
    opposing: [],
    hedged: 0,
    isEscalation: false,
    first: walletOfDigit('b'),
    fromSeconds: atSeconds - 7_200,
    toSeconds: atSeconds,
    ...changes,
  },
});
const result = ({ title, random, atSeconds }: Market): WalletEvent => ({
  kind: 'result',
  result: {
    market: placeOf(title),
    key: 'k',
    messageId: null,
    paid: '2000.5',
    received: String(random.whole(0, 4_000)),
    fees: '1.2',
    settled: [],
    openedSeconds: atSeconds - 2 * DAY,
    closedSeconds: atSeconds,
  },
});
/** Returns a sale of the whole alerted position, and its result. */
function closing(market: Market): WalletEvent[] {
  const sale = sell(market);
  const outcome = result(market);
  if (sale.kind !== 'activity' || outcome.kind !== 'result') return [];
  const received = String(-sale.item.transferNetAmount);
  return [sale, { ...outcome, result: { ...outcome.result, received, fees: '0' } }];
}
const gap = ({ random, atSeconds }: Market): WalletEvent => ({
  kind: 'gap',
  gap: {
    cause: random.pick(['overflow', 'unclear', 'damage', 'backlog', 'watch'] as const),
    endpoint: 'activity',
    fromSeconds: atSeconds - 600,
    toSeconds: atSeconds,
  },
});

const alsoHere: AlertGroup['alsoHere'] = {
  wallets: [
    {
      wallet: walletOfDigit('a'),
      held: [{ side: 'Yes', shares: '3100', entryCents: 55, cost: '1705' }],
    },
    { wallet: walletOfDigit('b'), held: [] },
  ],
  more: 0,
};

/** Returns the market and others as separate markets with distinct ids. */
function severalMarkets(market: Market, count: number): readonly (Market & { id: string })[] {
  const named = [market.title, ...market.others];
  return Array.from({ length: count }, (_, place) => {
    const title = named[place % named.length] ?? market.title;
    return { ...market, title, id: `${place}` };
  });
}

/**
 * Returns ten minutes of one wallet: purchases in six markets, a sale in some of them, and two
 * transfers.
 */
function tenMinutes(market: Market): WalletEvent[] {
  const traded = severalMarkets(market, 6).flatMap((own, place): WalletEvent[] => {
    const bought = Array.from({ length: 1 + (place % 3) }, () => purchase(own, 1)).flat();
    return [...bought, ...(place % 2 === 0 ? [sell(own)] : [])].map((event) =>
      inMarket(event, own.id),
    );
  });
  return [...traded, move(market), move(market)].map((event, place) =>
    aged(event, 600 - Math.min(590, 30 * place)),
  );
}

function inMarket(event: WalletEvent, id: string): WalletEvent {
  if (event.kind !== 'activity') return event;
  const item = { ...event.item, marketId: id, conditionId: `0x${id}`, tokenId: `token-${id}` };
  return { ...event, item };
}

/** Returns the event, moved this many seconds back. */
function aged(event: WalletEvent, seconds: number): WalletEvent {
  if (event.kind !== 'activity' && event.kind !== 'transfer') return event;
  const time = event.item.time - seconds;
  return { ...event, item: { ...event.item, time } } as WalletEvent;
}

/** Kinds of messages in a busy channel, with all possible lines. */
export const KINDS = {
  trade: {
    events: (market) => (market.random.chance(0.5) ? purchase(market, 1) : [sell(market)]),
    alsoHere,
  },
  fills: { events: (market) => purchase(market, 14), alsoHere },
  result: { events: (market) => [result(market)] },
  closing: { events: closing },
  redeem: { events: (market) => [redeem(market), result(market)] },
  transfer: { events: (market) => [move(market)] },
  compact: {
    events: (market) => (market.random.chance(0.5) ? purchase(market, 1) : [sell(market)]),
    isCompact: true,
  },
  rows: {
    events: (market) => {
      const [second = market.title, third = market.title] = market.others;
      const other = (title: string) => ({ ...market, title });
      const [first, last] = [purchase(market, 1), purchase(other(third), 1)];
      return [...first, sell(other(second)), redeem(other(third)), move(market), ...last];
    },
    isCompact: true,
    isApart: true,
  },
  twenty: {
    events: (market) =>
      severalMarkets(market, 20).flatMap((own, place) =>
        (place % 4 === 0 ? [sell(own)] : purchase(own, 1)).map((event) => inMarket(event, own.id)),
      ),
    isApart: true,
  },
  outage: { events: tenMinutes, isLate: true },
  consensus: { events: (market) => [consensus(market)] },
  gap: { events: (market) => [gap(market)] },
} as const satisfies Readonly<Record<string, Kind>>;

/** Returns the bot's message about the events, `ageSeconds` after them. */
export function messageOf(kind: Kind, market: Market, language: Language, ageSeconds = 8) {
  const alerts = kind.events(market).map(
    (event): Alert => ({
      id: market.random.hex(8),
      wallet: WALLET,
      channelId: '1',
      event,
      seenAtMs: market.atSeconds * 1000,
    }),
  );
  const [first, ...rest] = alerts;
  if (first === undefined) throw new Error('There is nothing to send.');
  const groups: AlertGroup[] = kind.isApart
    ? alerts.map((alert) => ({ kind: 'alert', alerts: [alert] }))
    : [{ kind: kind.isLate ? 'late' : 'alert', alerts: [first, ...rest], alsoHere: kind.alsoHere }];
  const known = [WALLET, ...'abcdef'].map((digit) =>
    digit === WALLET ? WALLET : walletOfDigit(digit),
  );
  return renderMessage(groups, {
    links,
    language,
    sentAtMs: (market.atSeconds + ageSeconds) * 1000,
    labelOf: (wallet) => LABELS[known.indexOf(wallet)],
    isBetterThanLuck: () => true,
    isCompact: kind.isCompact ?? false,
  }).body;
}

export function marketOf(
  title: string,
  others: readonly string[],
  { seed, atSeconds = AT_SECONDS }: { readonly seed: string; readonly atSeconds?: number },
): Market {
  return { title, others, random: createRandom(seed), atSeconds };
}
