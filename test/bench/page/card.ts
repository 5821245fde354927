import type { APIEmbed } from 'discord.js';
import { walletCardEmbed } from '../../../commands/lists/card.ts';
import { EMBED_LIMITS } from '../../../src/embeds/text/limits.ts';
import type { Language } from '../../../src/language/language.ts';
import type { CameBack } from '../../../src/portfolio/came-back.ts';
import { newPortfolio } from '../../../src/portfolio/portfolio.ts';
import { addActivity, addTransfers } from '../../../src/portfolio/update.ts';
import { channelRecord, standing } from '../../scores/samples.ts';
import { sampleTrade, sampleTransfer } from '../../support/records.ts';
import { WALLET } from '../../support/wallets.ts';
import { AT_SECONDS, links } from './messages.ts';

const DAY = 86_400;
/** Number of purchases in the last month. */
const PURCHASES = 60;

/** 212 markets, 58 of them unresolved, so that the card has all possible lines. */
const CAME_BACK: CameBack = {
  untilSeconds: AT_SECONDS - 20 * DAY,
  markets: 212,
  paidUsdc: '48200',
  backUsdc: '52100',
  withoutEnd: { markets: 58, paidUsdc: '9300' },
  sign: '+',
  gainUsdc: '3900',
};

/**
 * Returns the card of a wallet with positions in markets with these titles, and with everything
 * else that a card can show.
 */
export function cardOf(titles: readonly string[], language: Language): APIEmbed {
  const markets = Array.from({ length: PURCHASES }, (_, n) => {
    const place = n % (2 * titles.length);
    const paid = 40 + 2.8 * n;
    return {
      ...sampleTrade(),
      ...{ trader: WALLET, txHash: `0x${n}`, time: AT_SECONDS - 29 * DAY + n * 11 * 3_600 },
      ...{
        marketTitle: titles[n % titles.length] ?? '',
        marketId: `${place}`,
        conditionId: `0x${place}`,
        tokenId: `${place}`,
      },
      ...{ quantity: 100 + 7 * n, price: 40, grossValue: paid, transferNetAmount: paid },
      liquidityRole: n % 3 === 0 ? 'MAKER' : 'TAKER',
    };
  });
  const closed = markets.filter(({ marketId }) => Number(marketId) >= titles.length);
  const sales = closed.map((bought, n) => ({
    ...bought,
    time: AT_SECONDS - DAY + n,
    action: 'Sell',
    txHash: `0x5${n}`,
    price: 55,
    transferNetAmount: -0.55 * bought.quantity,
  }));
  const traded = addActivity(newPortfolio(0, true), [...markets, ...sales], AT_SECONDS).portfolio;
  const portfolio = addTransfers(
    traded,
    [
      {
        ...sampleTransfer(),
        time: AT_SECONDS - 3 * DAY,
        type: 'deposit',
        amount: 5_000,
        txHash: '0xd1',
      },
      {
        ...sampleTransfer(),
        time: AT_SECONDS - 2 * DAY,
        type: 'withdrawal',
        amount: 700,
        txHash: '0xd2',
      },
    ],
    AT_SECONDS - 30 * DAY,
    AT_SECONDS,
  );
  const card = {
    label: 'Whale',
    wallet: WALLET,
    portfolio,
    coverage: null,
    record: { ...channelRecord(12), before: standing(4) },
    cameBack: CAME_BACK,
    open: {
      markets: portfolio.positions.length,
      paidUsdc: '5183',
      held: new Set(portfolio.positions.map(({ market }) => market)),
    },
    links,
    language,
    nowSeconds: AT_SECONDS,
    scannedFromSeconds: AT_SECONDS,
  };
  return walletCardEmbed(card, EMBED_LIMITS.totalPerMessage);
}
