import type { WalletAddress } from '../address.ts';
import type { LedgerRecord } from '../ledger.ts';
import { type ActivityItem, activityItemSchema } from '../records.ts';
import type { Side } from './listing.ts';
import type { Market } from './markets.ts';
import type { Random } from './random.ts';

/**
 * A block is produced every two seconds, counted from the start below, so that block height and
 * time agree.
 */
const BLOCK_SECONDS = 2;
const FIRST_BLOCK_SECONDS = 1_590_000_000;
/** Price difference between consecutive fills of a taker's order, in cents. */
const SLIP_CENTS = 0.1;

/** The trader, market, side and time of a trade or redemption. */
export interface Position {
  readonly trader: WalletAddress;
  readonly market: Market;
  readonly side: Side;
  readonly atSeconds: number;
}

/** Returns the fills of one order in one transaction; their mean price is the market's price. */
export function tradeRecords(
  random: Random,
  position: Position,
  { action, quantity }: { readonly action: 'Buy' | 'Sell'; readonly quantity: number },
): LedgerRecord[] {
  const base = identityOf(random, position);
  const quoteCents = position.market.priceCents(position.side, position.atSeconds);
  const isMaker = random.chance(0.25);
  const takerSlipCents = action === 'Buy' ? SLIP_CENTS : -SLIP_CENTS;
  const slipCents = isMaker ? 0 : takerSlipCents;
  return splitOrder(random, { quantity, quoteCents, slipCents }).map(({ shares, priceCents }) => {
    const probability = priceCents / 100;
    const gross = round(probability * shares, 6);
    const fee = isMaker ? 0 : round(0.02 * Math.min(probability, 1 - probability) * shares, 6);
    return record(position, {
      ...base,
      action,
      recordType: 'SUMMARY',
      // The contract specifies 0 for a Buy and no code for a Sell; 2 is our choice.
      actionType: action === 'Buy' ? 0 : 2,
      price: priceCents,
      quantity: shares,
      fee,
      grossValue: gross,
      transferNetAmount: action === 'Buy' ? round(gross + fee, 6) : round(fee - gross, 6),
      liquidityRole: isMaker ? 'MAKER' : 'TAKER',
    });
  });
}

/** Returns the redemption of shares of a settled market. */
export function redemptionRecord(
  random: Random,
  position: Position,
  quantity: number,
): LedgerRecord {
  const endCents = position.market.endCents(position.side);
  const grossValue = round((quantity * endCents) / 100, 6);
  return record(position, {
    ...identityOf(random, position),
    action: 'Redeem',
    recordType: 'REDEEMS',
    actionType: 1,
    price: endCents,
    quantity,
    fee: 0,
    grossValue,
    transferNetAmount: 0 - grossValue,
    liquidityRole: null,
  });
}

/** Returns the fields of an item that identify trader, market and time. */
function identityOf(random: Random, { trader, market, side, atSeconds }: Position) {
  const { tokenIds, ...listing } = market.listing;
  return {
    time: Math.floor(atSeconds),
    txHash: `0x${random.hex(64)}`,
    tokenId: tokenIds[side],
    ...listing,
    positionSide: side,
    outcomeIndex: side === 'Yes' ? 0 : 1,
    trader,
  };
}

function record({ trader, atSeconds }: Position, filled: ActivityItem): LedgerRecord {
  const block = Math.floor((atSeconds - FIRST_BLOCK_SECONDS) / BLOCK_SECONDS);
  // Parsed so that the fields have the ledger's order.
  return {
    kind: 'activity',
    wallet: trader,
    block: Math.max(0, block),
    item: activityItemSchema.parse(filled),
  };
}

function fillCount(random: Random): number {
  if (random.chance(0.6)) return 1;
  return random.chance(0.75) ? random.whole(2, 5) : random.whole(6, 14);
}

/**
 * Splits an order into one to fourteen fills; occasionally two of them are equal. Each costs
 * `slipCents` more than the one before it (less if negative), and their mean, weighted by shares,
 * is the quote.
 */
function splitOrder(
  random: Random,
  order: { readonly quantity: number; readonly quoteCents: number; readonly slipCents: number },
) {
  const count = fillCount(random);
  const parts: { readonly hundredths: number; readonly nth: number }[] = [];
  let left = Math.round(order.quantity * 100);
  for (let nth = 1; nth <= count && left > 0; nth += 1) {
    const share =
      nth === count ? left : Math.round((left * random.between(0.3, 1.7)) / (count - nth + 1));
    const hundredths = Math.min(left, Math.max(1, share));
    left -= hundredths;
    const isDoubled = count > 1 && hundredths % 2 === 0 && random.chance(0.12);
    parts.push(
      ...(isDoubled ? [hundredths / 2, hundredths / 2] : [hundredths]).map((half) => ({
        hundredths: half,
        nth,
      })),
    );
  }
  const sum = parts.reduce((total, { hundredths }) => total + hundredths, 0);
  const meanNth = parts.reduce((total, { hundredths, nth }) => total + hundredths * nth, 0) / sum;
  return parts.map(({ hundredths, nth }) => {
    const priceCents = round(order.quoteCents + order.slipCents * (nth - meanNth), 1);
    return { shares: hundredths / 100, priceCents: Math.min(99.9, Math.max(0.1, priceCents)) };
  });
}

/** Rounds to the given number of decimals. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
