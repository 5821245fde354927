import { describe, expect, it } from 'vitest';
import { readCard } from '../../commands/lists/card.ts';
import type { CommandContext } from '../../commands/shared/context.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { type Settlement, settle } from '../../src/domain/settlement.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { marketEmbed } from '../../src/lookups/market-message.ts';
import { type AccountsQuestion, cameBackOf, openOf } from '../../src/portfolio/came-back.ts';
import { entryKeys, shortHash } from '../../src/portfolio/market.ts';
import { newPortfolio, positionsIn } from '../../src/portfolio/portfolio.ts';
import {
  addPurchase,
  addSale,
  countDelivered,
  type ResultNews,
} from '../../src/portfolio/results/alerted-positions.ts';
import {
  addActivityPage,
  knowledgeSchema,
  newKnowledge,
  type WalletKnowledge,
  withSettlements,
} from '../../src/portfolio/wallet-knowledge.ts';
import { scannedPages } from '../lookups/scanned-pages.ts';
import { channelRecord } from '../scores/samples.ts';
import { detectedPage } from '../support/detected-page.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';
import { type DrawnFill, fillOf } from './fills.ts';

const START = 1_790_000_400;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const CHANNEL = '100000000000000002';
const MARKET = shortHash('0x1');
const links = createLinks({});

const outcomeOf = (outcome: string) =>
  entryKeys(fillOf({ outcome, action: 'Buy', quantity: 1, cents: 50 }, START, 0)).outcome;
const YES = outcomeOf('11');
const settledAt = (atSeconds: number, payouts: readonly (readonly [string, number])[]) =>
  ({ market: MARKET, payouts: new Map(payouts), atSeconds }) satisfies Settlement;

/** A fill of another market. */
const elsewhere = (outcome: string, action: string): DrawnFill => ({
  ...{ outcome, action, quantity: 1, cents: 50 },
});

/** A wallet whose document is stored and read again with each record. */
function createLife(digit: string, isWhole = true) {
  const wallet = walletOfDigit(digit);
  let knowledge = newKnowledge(newPortfolio(0, isWhole));
  let nowSeconds = START;
  let settlements: ReadonlyMap<string, Settlement> = new Map();
  let count = 0;
  // Of the market alone.
  const results: ResultNews[] = [];
  const store = (next: WalletKnowledge) => {
    knowledge = knowledgeSchema.parse(JSON.parse(JSON.stringify(next)));
  };
  const noteResults = (closed: ReturnType<typeof countDelivered>['results']) =>
    results.push(...closed.map(({ result }) => result).filter(({ key }) => key === MARKET));
  const follow = ({
    alertedPositions,
    results: closed,
  }: ReturnType<typeof countDelivered>): WalletKnowledge => {
    noteResults(closed);
    return { ...knowledge, alertedPositions };
  };
  const question = (): AccountsQuestion => ({
    accounts: knowledge.portfolio.accounts,
    record: knowledge.record,
    fromSeconds: 0,
    nowSeconds,
    settlementOf: (market) => settlements.get(market),
  });
  const itemAt = (afterSeconds: number, fill: DrawnFill): ActivityItem => {
    count += 1;
    return fillOf(fill, START + afterSeconds, Number(`${digit}${count}`));
  };
  const read = (items: readonly ActivityItem[]) => {
    nowSeconds = Math.max(nowSeconds, ...items.map(({ time }) => time));
    const page = detectedPage(items, { boundaries: [0], nowSeconds });
    const added = addActivityPage(knowledge, page);
    store(added.knowledge);
    return added.meanings;
  };
  const life = {
    wallet,
    results,
    /** Does something at a time after START, and has an alert of it delivered where it is known. */
    trade(afterSeconds: number, fill: DrawnFill) {
      const item = itemAt(afterSeconds, fill);
      const [{ context = null } = {}] = read([item]);
      if (context === null) return;
      const { alertedPositions } = knowledge;
      const alerted = { alertId: `${count}`, item, channels: [CHANNEL] };
      const isMeant = (_channel: string, alertId: string) => alertId === alerted.alertId;
      if (item.action !== 'Buy') store(follow(addSale(alertedPositions, item, context)));
      else
        store(
          follow(
            countDelivered(addPurchase(alertedPositions, alerted), isMeant, { messageId: null }),
          ),
        );
    },
    /** Is told how markets ended, and writes that as the bot does. */
    settle(settlement: Settlement) {
      settlements = new Map([[settlement.market, settlement]]);
      const settled = withSettlements(knowledge, [settlement], [0]);
      if (settled === null) return;
      noteResults(settled.results);
      store(settled.knowledge);
    },
    /** Trades once elsewhere and closes that, so that markets that are over fold. */
    pass(untilSeconds: number) {
      life.trade(untilSeconds, elsewhere('9991', 'Buy'));
      life.trade(untilSeconds + 1, elsewhere('9991', 'Sell'));
    },
    /** Buys in so many other markets that one without a later record folds. */
    crowdOut(atSeconds: number) {
      read(
        Array.from({ length: 101 }, (_, nth) =>
          itemAt(atSeconds + nth, elsewhere(`${nth + 500}1`, 'Buy')),
        ),
      );
    },
    positions: () => positionsIn(knowledge.portfolio, { marketId: '', key: MARKET }),
    isFolded: () => knowledge.portfolio.positions.every(({ market }) => market !== MARKET),
    open: () => openOf(question()),
    cameBack: () => cameBackOf(question()).cameBack,
    settlement: () => settlements.get(MARKET),
    /** The fields of the wallet's card, by name. */
    async card() {
      const context = {
        watchesForAll: () => [watchOf({ wallet, sinceSeconds: 0 })],
        labelOf: () => null,
        knowledge: async () => knowledge,
        recordFor: () => channelRecord(1),
        accountsFor: question,
        feed: { lastSeconds: () => nowSeconds },
        links,
        venueNowSeconds: () => nowSeconds,
        language: ENGLISH,
      } as unknown as CommandContext;
      const scan = scannedPages(wallet, [], { newestSeconds: 0, oldestSeconds: 0 });
      const card = await readCard(context, { wallet, typed: '', asOfSeconds: nowSeconds }, scan);
      const fields = card?.(6_000).fields ?? [];
      return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    },
  };
  // Fifty markets that are over long before: of them a date and a sum follow.
  for (const [hours, action] of [
    [0, 'Buy'],
    [1, 'Sell'],
  ] as const)
    read(
      Array.from({ length: 50 }, (_, nth) => {
        const fill = { outcome: `${nth + 100}1`, action, quantity: 100, cents: 50 };
        return itemAt((nth + hours) * HOUR - 60 * DAY, fill);
      }),
    );
  return life;
}
type Life = ReturnType<typeof createLife>;

/** What `/market` says of wallets in the market. */
function marketOf(lives: readonly Life[]): string {
  const known = lives.flatMap(({ wallet, positions }) => {
    const own = positions();
    return own === null ? [] : [{ watch: { wallet, label: nameOf(wallet) }, positions: own }];
  });
  const others = lives.filter(({ positions }) => positions() === null);
  const unknown = new Map([
    ['why', others.map(({ wallet }) => ({ wallet, label: nameOf(wallet) }))],
  ]);
  const settlement = lives[0]?.settlement();
  const book = {
    market: null,
    marketId: '1',
    known,
    unknown: others.length === 0 ? new Map() : unknown,
    settlement: settlement?.payouts.size === 0 ? undefined : settlement,
    paused: 0,
  };
  return marketEmbed(book, links, ENGLISH).description ?? '';
}
const nameOf = (wallet: WalletAddress) => `W${wallet.at(-1)}`;
const rowOf = (said: string, life: Life) =>
  said.split('\n').find((line) => line.startsWith(`• **${nameOf(life.wallet)}`)) ?? '';

const yes = (action: string, quantity: number, cents: number): DrawnFill => ({
  outcome: '11',
  action,
  quantity,
  cents,
});

describe('the end of a market', () => {
  it('is the same on the card, in /market and in results: three winners, a loser, and one of whom nothing is known', async () => {
    const winners = ['1', '2', '3'].map((digit) => createLife(digit));
    const loser = createLife('4');
    const stranger = createLife('5', false);
    const all = [...winners, loser, stranger];
    const costs = [400, 500, 600];
    for (const [nth, winner] of winners.entries())
      winner.trade(0, yes('Buy', 1_000, 40 + 10 * nth));
    loser.trade(0, { ...yes('Buy', 1_000, 50), outcome: '12' });

    const before = marketOf(all);
    for (const winner of winners) expect(rowOf(before, winner)).toContain('Yes at');
    expect(rowOf(before, loser)).toContain('**$500** No at 50¢');
    expect(before).toContain('Not known: W5');
    expect(winners.map((winner) => winner.open().paidUsdc)).toEqual(costs.map(String));
    expect(Object.keys(await loser.card()).join()).toMatch(/Open · .*\$500/);
    expect(all.flatMap(({ results }) => results)).toEqual([]);

    const settlement = settledAt(START + 2 * HOUR, [[YES, 1]]);
    const expectEnded = async () => {
      const said = marketOf(all);
      for (const [nth, winner] of winners.entries()) {
        const gain = 1_000 - (costs[nth] ?? 0);
        expect(rowOf(said, winner)).toContain(`+\u2060$${gain}.00`);
        expect(winner.results).toMatchObject([{ paid: `${costs[nth]}`, received: '1000' }]);
        expect(winner.open()).toMatchObject({ markets: 0, paidUsdc: '0' });
      }
      expect(rowOf(said, loser)).toContain('−\u2060$500.00');
      expect(loser.results).toMatchObject([{ paid: '500', received: '0' }]);
      expect(Object.keys(await loser.card()).join()).not.toContain('Open');
      expect(said).toContain('Not known: W5');
      expect(said).not.toContain('Nothing held');
    };
    for (const life of all) life.settle(settlement);
    await expectEnded();
    // Two hours later the winners redeem; what is over folds.
    for (const winner of winners) winner.trade(4 * HOUR, yes('Redeem', 1_000, 100));
    await expectEnded();
    for (const life of all) life.pass(7 * HOUR);
    expect(winners.map((winner) => winner.isFolded())).toEqual([true, true, true]);
    await expectEnded();

    // Once the market is old enough it stands in the sum, each at what it came to.
    for (const life of all) life.pass(60 * DAY);
    await expectEnded();
    const sums = [...winners, loser].map((life) => {
      const { paidUsdc, backUsdc } = life.cameBack() ?? {};
      return Number(backUsdc) - Number(paidUsdc);
    });
    expect(sums).toEqual([600, 500, 400, -500]);
  });

  it('stays what it came to when the wallet redeems days after, and the market has long been folded', async () => {
    const late = createLife('1');
    late.trade(0, yes('Buy', 1_000, 40));
    late.settle(settledAt(START + 2 * HOUR, [[YES, 1]]));
    late.pass(60 * DAY);
    late.crowdOut(60 * DAY + 60);
    expect(late.isFolded()).toBe(true);
    const [said, sum, results] = [marketOf([late]), late.cameBack(), [...late.results]];
    expect(said).toContain('+\u2060$600.00');
    late.trade(60 * DAY + 200, yes('Redeem', 1_000, 100));
    late.pass(60 * DAY + 4 * HOUR);
    expect(late.isFolded()).toBe(true);
    expect(marketOf([late])).toContain('+\u2060$600.00');
    expect(marketOf([late])).not.toContain('Not known');
    expect(late.cameBack()).toEqual({ ...sum, untilSeconds: late.cameBack()?.untilSeconds });
    expect(late.results).toEqual(results);
    expect(late.open().held.has(MARKET)).toBe(false);
  });

  it.each(['Sell', 'Redeem'])(
    'is no other for dust that is left, folded and then gone by %s',
    (action) => {
      const dusty = createLife('1');
      dusty.trade(0, yes('Buy', 100, 40));
      dusty.trade(60, yes('Sell', 99.995, 60));
      expect(dusty.results).toHaveLength(1);
      dusty.pass(60 * DAY);
      expect(dusty.isFolded()).toBe(true);
      const before = marketOf([dusty]);
      const back = Number(dusty.cameBack()?.backUsdc);
      expect(before).toContain('W1** out');
      dusty.trade(60 * DAY + 60, yes(action, 0.005, 100));
      dusty.pass(60 * DAY + 4 * HOUR);
      expect(marketOf([dusty])).toMatch(/W1\*\* out .*\+\u2060\$20\.00/);
      expect(Number(dusty.cameBack()?.backUsdc)).toBeCloseTo(back, 1);
      expect(dusty.results).toHaveLength(1);
      expect(dusty.open().held.has(MARKET)).toBe(false);
    },
  );

  it('is not known any more where it is contradicted on the sixth day, also of a folded market', () => {
    const winner = createLife('1');
    winner.trade(0, yes('Buy', 1_000, 40));
    const settlement = settledAt(START + 2 * HOUR, [[YES, 1]]);
    winner.settle(settlement);
    winner.crowdOut(6 * DAY - 200);
    expect(winner.isFolded()).toBe(true);
    winner.pass(6 * DAY);
    expect(winner.cameBack()).toMatchObject({ backUsdc: '3500', withoutEnd: { markets: 0 } });
    winner.settle({ ...settlement, payouts: new Map() });
    expect(winner.cameBack()).toMatchObject({
      backUsdc: '2500',
      withoutEnd: { markets: 1, paidUsdc: '400' },
    });
    const said = marketOf([winner]);
    expect(said).toContain('**$400** Yes at 40¢');
    expect(said).not.toMatch(/\+\u2060\$600|Not known/);
    // Its result was one of what was known then: no other follows.
    expect(winner.results).toHaveLength(1);
    // What it redeems of it after all counts when it comes.
    winner.trade(6 * DAY + 60, yes('Redeem', 1_000, 50));
    expect(winner.cameBack()).toMatchObject({ backUsdc: '3000', withoutEnd: { markets: 0 } });
    expect(marketOf([winner])).toContain('+\u2060$100.00');
  });

  it('says nothing of the other side where one wallet alone has redeemed a half', () => {
    const [redeemer, holder, other] = ['1', '2', '3'].map((digit) => createLife(digit)) as [
      Life,
      Life,
      Life,
    ];
    redeemer.trade(0, yes('Buy', 1_000, 40));
    holder.trade(0, yes('Buy', 1_000, 40));
    other.trade(0, { ...yes('Buy', 1_000, 40), outcome: '12' });
    redeemer.trade(DAY, yes('Redeem', 1_000, 50));
    // A fraction that one wallet has got settles nothing.
    const redemption = {
      market: MARKET,
      outcome: YES,
      txHash: '0x1',
      wallet: redeemer.wallet,
      atSeconds: START + DAY,
      payout: 0.5,
    };
    expect(settle([redemption], START + 6 * DAY)).toBeNull();
    const all = [redeemer, holder, other];
    for (const life of all) life.pass(60 * DAY);
    expect(redeemer.results).toMatchObject([{ paid: '400', received: '500' }]);
    expect([...holder.results, ...other.results]).toEqual([]);
    const said = marketOf(all);
    expect(rowOf(said, redeemer)).toMatch(/out .*\+\u2060\$100\.00/);
    for (const life of [holder, other]) {
      expect(rowOf(said, life)).toContain('**$400**');
      expect(life.cameBack()?.withoutEnd).toEqual({ markets: 1, paidUsdc: '400' });
    }
    // A second wallet: of this side it is known now, of the other one still not.
    const again = { ...redemption, txHash: '0x2', wallet: holder.wallet };
    const half = settle([redemption, again], START + 60 * DAY);
    expect(half?.payouts).toEqual(new Map([[YES, 0.5]]));
    if (half !== null) for (const life of all) life.settle(half);
    expect(holder.results).toMatchObject([{ paid: '400', received: '500' }]);
    expect(holder.cameBack()?.withoutEnd.markets).toBe(0);
    expect(other.results).toEqual([]);
    expect(other.cameBack()?.withoutEnd).toEqual({ markets: 1, paidUsdc: '400' });
    expect(redeemer.results).toHaveLength(1);
  });
});
