import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settledLines, settledMarkets, verdictLines } from '../../src/digests/news-lines.ts';
import { settledIn } from '../../src/digests/settled.ts';
import { verdictChangeIn, type WalletFigures, walletFigures } from '../../src/digests/stats.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import type { Settlement } from '../../src/domain/settlement.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH, type Language, languageFor } from '../../src/language/language.ts';
import { entryKeys, shortHash } from '../../src/portfolio/market.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import type { KeptVerdict } from '../../src/portfolio/record/verdict.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { channelRecord } from '../scores/samples.ts';
import { buy, inMarket, sampleTrade, sell, trade } from '../support/records.ts';
import { walletOf } from '../support/wallets.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const FROM = Math.ceil(1_790_000_000 / DAY) * DAY;
const PERIOD = { fromSeconds: FROM, toSeconds: FROM + DAY };
const LINKS = createLinks({ MARKET_URL: 'https://venue.example/{marketId}' });

/** Lines of a digest for the markets that were settled. */
const linesOf = (wallets: readonly WalletFigures[], language: Language) =>
  settledLines(settledMarkets(wallets), ({ marketTitle }) => marketTitle, LINKS, language);

const keyOf = (market: string) => shortHash(`0x${market.padStart(64, '0')}`);
const outcomeOf = (market: string, side: string) =>
  entryKeys({ ...sampleTrade(), tokenId: `${market}${side}` }).outcome;

/** A purchase, sale or redemption in a market, so many hours after the period began. */
function recordIn(
  make: typeof buy,
  market: string,
  side: string,
  hours: number,
  changes: Partial<ActivityItem> = {},
): ActivityItem {
  return make(10, 50, {
    ...inMarket(market),
    marketTitle: `Market ${market}`,
    tokenId: `${market}${side}`,
    positionSide: side,
    time: FROM + hours * HOUR,
    ...changes,
  });
}
const redeemed = (market: string, side: string, hours: number) =>
  trade({ ...recordIn(sell, market, side, hours), action: 'Redeem', actionType: 1, price: 100 });

/** How a market ended, so many hours after the period began. */
const ended = (market: string, hours: number, payouts: Readonly<Record<string, number>>) => ({
  market: keyOf(market),
  payouts: new Map(
    Object.entries(payouts).map(([side, payout]) => [outcomeOf(market, side), payout]),
  ),
  atSeconds: FROM + hours * HOUR,
});

const portfolioOf = (items: readonly ActivityItem[]) =>
  addActivity(newPortfolio(0, true), items, PERIOD.toSeconds).portfolio;

async function settledOf(items: readonly ActivityItem[], ...settlements: readonly Settlement[]) {
  const asked: string[] = [];
  const found = await settledIn(portfolioOf(items), PERIOD, async (markets) => {
    asked.push(...markets);
    return settlements.filter(({ market }) => markets.includes(market));
  });
  return { asked, found: found.map(({ key, sides }) => [key, sides]) };
}

const YES = { side: 'Yes', payout: 1 };
const NO = { side: 'No', payout: 0 };

describe('the settled markets of a wallet', () => {
  it('are those of winners and losers alike, held or redeemed, that ended in the period', async () => {
    const bought = ['1', '2', '3', '4', '5', '6', '8'].map((market) =>
      recordIn(buy, market, 'Yes', -90),
    );
    const items = [
      ...bought,
      recordIn(buy, '1', 'No', -80),
      redeemed('1', 'Yes', 3),
      redeemed('8', 'Yes', 3),
      // Left days before its market ended.
      recordIn(sell, '4', 'Yes', -70),
      recordIn(buy, '7', 'No', 20),
    ].sort((a, b) => a.time - b.time);
    const { asked, found } = await settledOf(
      items,
      ended('1', 3, { Yes: 1 }),
      ended('2', -1, { Yes: 1 }),
      ended('3', 24, { Yes: 1 }),
      ended('4', 5, { Yes: 1 }),
      ended('5', 5, {}),
      ended('6', 5, { Yes: 0.5 }),
      ended('7', 23, { Yes: 1 }),
      ended('8', 4, { Yes: 1 }),
    );
    expect(new Map(found as never)).toEqual(
      new Map([
        [keyOf('1'), [YES, NO]],
        [keyOf('6'), [{ side: 'Yes', payout: 0.5 }]],
        [keyOf('7'), [NO]],
        [keyOf('8'), [YES]],
      ]),
    );
    expect(asked).not.toContain(keyOf('4'));
  });

  it('are found whatever the wallet did with its shares, unless it had left the market before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            market: fc.integer({ min: 1, max: 40 }),
            hours: fc.integer({ min: -99, max: 23 }),
            isNo: fc.boolean(),
            isSold: fc.boolean(),
          }),
          { minLength: 1, maxLength: 60 },
        ),
        fc.integer({ min: -5, max: 28 }),
        async (drawn, endHours) => {
          const items = drawn
            .map(({ market, hours, isNo, isSold }, index) =>
              recordIn(isSold ? sell : buy, `${market}`, isNo ? 'No' : 'Yes', hours, {
                time: FROM + hours * HOUR + index,
              }),
            )
            .sort((a, b) => a.time - b.time);
          const markets = [...new Set(drawn.map(({ market }) => `${market}`))];
          const { found } = await settledOf(
            items,
            ...markets.map((market) => ended(market, endHours, { Yes: 1 })),
          );
          const keys = new Set(found.map(([key]) => key));
          const isIn = endHours >= 0 && endHours < 24;
          for (const market of markets) {
            const own = items.filter(({ marketId }) => marketId === market);
            const heldOf = (side: string) =>
              own
                .filter(({ positionSide }) => positionSide === side)
                .reduce(
                  (held, { action, quantity }) =>
                    Math.max(0, held + (action === 'Buy' ? quantity : -quantity)),
                  0,
                );
            const isBought = own.some(({ action }) => action === 'Buy');
            const isHeld = isBought && heldOf('Yes') + heldOf('No') > 0;
            if (!isIn || !isBought) expect(keys.has(keyOf(market))).toBe(false);
            else if (isHeld) expect(keys.has(keyOf(market))).toBe(true);
          }
        },
      ),
    );
  });
});

describe('the news of a digest', () => {
  const figuresOf = (
    index: number,
    label: string,
    news: Pick<Partial<WalletFigures>, 'settled' | 'verdictChange' | 'record'>,
  ): WalletFigures =>
    walletFigures(
      newKnowledge(newPortfolio(0, true)),
      {
        ...{ wallet: walletOf(index), label, isBehind: false, record: channelRecord(16) },
        ...{ settled: [], verdictChange: null, ...news },
      },
      PERIOD,
      { sinceSeconds: 0 },
    );
  const market = (name: string) => ({
    marketTitle: `Market ${name}`,
    marketId: name,
    marketSlug: '',
    eventSlug: '',
  });

  it('names how markets ended and who traded each side, those of most wallets first', () => {
    const rain = { key: 'rain', market: null };
    const others = Array.from({ length: 7 }, (_, index) => ({
      key: `m${index}`,
      market: index < 6 ? market(`${index}`) : null,
      sides: [YES],
    }));
    const wallets = [
      figuresOf(1, 'Whale', { settled: [...others, { ...rain, sides: [NO, YES] }] }),
      figuresOf(2, 'Shark', { settled: [{ ...rain, market: market('Rain'), sides: [NO] }] }),
    ];
    expect(linesOf(wallets, ENGLISH).join('\n').split('\n')).toEqual([
      '**8 markets settled**',
      '• [Market Rain](https://venue.example/Rain) · **Yes** won · Whale / **No** lost · Whale, Shark',
      ...['0', '1', '2', '3'].map(
        (name) => `• [Market ${name}](https://venue.example/${name}) · **Yes** won · Whale`,
      ),
      '… and 3 more',
    ]);
    const half = [{ key: 'half', market: market('Half'), sides: [{ side: 'Yes', payout: 0.5 }] }];
    const [title, row] = linesOf([figuresOf(1, 'Whale', { settled: half })], languageFor('de'));
    expect(title).toBe('**1 Markt abgerechnet**');
    expect(row).toContain('**Yes** hat 50\u00a0¢ gezahlt · Whale');
    expect(linesOf([figuresOf(1, 'Whale', {})], ENGLISH)).toEqual([]);
  });

  it('names once whose verdict changed, what it is now, and why', () => {
    const luck = { ...channelRecord(8), verdict: 'moreCompared' as const };
    const wallets = [
      figuresOf(1, 'Whale', { verdictChange: 'began' }),
      figuresOf(2, 'Shark', { verdictChange: 'ended', record: luck }),
      figuresOf(3, 'Minnow', {}),
    ];
    expect(verdictLines(wallets, ENGLISH).join('\n').split('\n')).toEqual([
      '**Whale** · new: **Better than luck** · **+16¢** a share, luck alone explains up to +12.4¢',
      '**Shark** · no longer better than luck: **Could be luck** · **+8¢** a share, luck alone explains up to +12.4¢ · more wallets are compared now',
    ]);
    expect(verdictLines([figuresOf(3, 'Minnow', {})], ENGLISH)).toEqual([]);
  });

  it('has a change of a verdict in the digest of its hour, and in no other', () => {
    const kept = (changedSeconds: number, state: KeptVerdict['state'] = 'better') => ({
      ...{ state, among: 1, changedSeconds },
    });
    expect(verdictChangeIn(PERIOD, undefined)).toBeNull();
    expect(verdictChangeIn(PERIOD, kept(FROM - 1))).toBeNull();
    expect(verdictChangeIn(PERIOD, kept(FROM))).toBe('began');
    expect(verdictChangeIn(PERIOD, kept(FROM, 'moreCompared'))).toBe('ended');
    expect(verdictChangeIn(PERIOD, kept(FROM + DAY - 1, 'ended'))).toBe('ended');
    expect(verdictChangeIn(PERIOD, kept(FROM + DAY, 'ended'))).toBeNull();
  });
});
