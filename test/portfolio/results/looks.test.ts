import { expect, it } from 'vitest';
import {
  type AlertedPositions,
  addPositions,
  addPurchase,
  addSale,
  alertedIn,
  countDelivered,
  giveUp,
  noteSoldSeen,
  settlePositions,
} from '../../../src/portfolio/results/alerted-positions.ts';
import type { TradeContext } from '../../../src/portfolio/trade-context.ts';
import { inMarket, sale, trade } from '../../support/records.ts';

/** Twice the positions may cost twice the looks; their square would be four times. */
const TWICE = 2.2;
const NOW = 1_790_000_000;
const CLOSED: TradeContext = {
  sharesBefore: '1',
  sharesAfter: '0',
  isClosed: true,
  entryCents: 63.5,
  realized: '0',
  costOfSold: '0',
  oppositeShares: '0',
  isFirstInMarket: false,
};

const channelOf = (index: number) => String(300_000_000_000_000_000n + BigInt(index));

/** Positions of a wallet that as many channels watch, each in as many markets, counting looks. */
function openIn(channelCount: number, marketCount: number) {
  const channels = Array.from({ length: channelCount }, (_, index) => channelOf(index));
  const bought = Array.from({ length: marketCount }, (_, market) =>
    addPurchase([], { alertId: `a${market}`, item: trade(inMarket(market)), channels }),
  ).flat();
  let looks = 0;
  const counting = (positions: AlertedPositions): AlertedPositions =>
    positions.map(
      (position) =>
        new Proxy(position, {
          get(target, name) {
            looks += 1;
            return Reflect.get(target, name) as unknown;
          },
        }),
    );
  return {
    channels,
    /** All waiting for delivery. */
    bought,
    /** All delivered. */
    delivered: countDelivered(bought, () => true, { messageId: '1' }).alertedPositions,
    counting,
    looks: () => looks,
  };
}
type Open = ReturnType<typeof openIn>;

const closedBeforeSent = (positions: AlertedPositions): AlertedPositions =>
  positions.map((position) => ({
    ...position,
    soldSeconds: NOW,
    soldSeenSeconds: NOW,
    outcomes: position.outcomes.map((outcome) => ({ ...outcome, shares: '0' })),
  }));

const isMeant = (channelId: string) => channelId === channelOf(0);
const MESSAGE = { messageId: '2' };

const works: Record<string, (open: Open) => void> = {
  'one delivery where nothing was sold before it was posted': ({
    delivered,
    channels,
    counting,
  }) => {
    const item = trade(inMarket(0));
    const waiting = addPurchase(delivered, { alertId: 'new', item, channels });
    countDelivered(counting(waiting), isMeant, MESSAGE);
  },
  'one delivery where a delayed channel has sold one position before it was posted': (open) => {
    const { delivered, channels, counting } = open;
    const item = trade(inMarket(1));
    const waiting = addPurchase(delivered, { alertId: 'new', item, channels });
    const sold = closedBeforeSent(delivered.slice(0, 1));
    countDelivered(counting([...sold, ...waiting]), isMeant, MESSAGE, () => true);
  },
  'deliveries that join all positions of all channels with those that were sold before they were posted':
    (open) => {
      const { delivered, bought, counting } = open;
      const all = [...closedBeforeSent(delivered), ...bought.toReversed()];
      const { alertedPositions } = countDelivered(
        counting(all),
        () => true,
        MESSAGE,
        () => true,
      );
      expect(alertedPositions).toHaveLength(bought.length);
    },
  'deliveries that never will be': ({ delivered, bought, counting }) => {
    countDelivered(
      counting([...bought, ...closedBeforeSent(delivered), ...delivered]),
      isMeant,
      null,
    );
  },
  'a purchase in every channel': ({ delivered, channels, counting }) => {
    addPurchase(counting(delivered), { alertId: 'new', item: trade(inMarket(999)), channels });
  },
  'purchases that are given to all channels anew': ({ delivered, bought, counting }) => {
    const added = addPositions(counting(delivered), bought.toReversed());
    expect(added).toHaveLength(delivered.length);
  },
  'a sale': ({ delivered, counting }) => {
    const { results } = addSale(counting(delivered), sale(inMarket(0)), CLOSED);
    expect(results.length).toBeGreaterThan(0);
  },
  'settlements of all markets': ({ delivered, counting }) => {
    const settlements = delivered.map(
      ({ key }) =>
        [key, { market: key, payouts: new Map([['another', 1]]), atSeconds: NOW * 2 }] as const,
    );
    const { results } = settlePositions(counting(delivered), new Map(settlements));
    expect(results).toHaveLength(delivered.length);
  },
  'what was seen to be sold': ({ bought, counting }) => {
    noteSoldSeen(counting(bought), counting(closedBeforeSent(bought)), () => true, NOW);
  },
  'what channels were alerted to, asked of each': ({ delivered, channels, counting }) => {
    const outcomes = delivered.flatMap((position) => position.outcomes.map((one) => one.outcome));
    const isAlerted = alertedIn(counting(delivered), new Set(outcomes));
    expect(outcomes.every((outcome) => channels.every((one) => isAlerted(one, outcome)))).toBe(
      true,
    );
  },
  'positions that are given up': ({ delivered, counting }) => {
    giveUp(counting(delivered));
  },
};

it.each(Object.keys(works))(
  'looks twice as often at the positions of twice the channels or markets, not four times: %s',
  (name) => {
    const looksOf = (channels: number, markets: number) => {
      const open = openIn(channels, markets);
      works[name]?.(open);
      return open.looks();
    };
    expect(looksOf(100, 5) / looksOf(50, 5)).toBeLessThan(TWICE);
    expect(looksOf(5, 100) / looksOf(5, 50)).toBeLessThan(TWICE);
  },
);
