import { createHash } from 'node:crypto';
import type { KeptMarket } from './kept.ts';
import type { ActivityRow, Market } from './source-rows.ts';

/** A record of the activity endpoint, with the fields of the venue's interface. */
export interface ShownActivity {
  /** Time of the record, in Unix seconds. */
  readonly time: number;
  readonly action: string;
  readonly recordType: string;
  readonly actionType: number;
  /** Price in cents per share. */
  readonly price: number;
  readonly quantity: number;
  /** USDC, like all amounts. */
  readonly fee: number;
  readonly grossValue: number;
  readonly transferNetAmount: number;
  readonly txHash: string;
  readonly tokenId: string;
  readonly marketId: string;
  readonly marketSlug: string;
  readonly eventSlug: string;
  readonly conditionId: string;
  readonly marketTitle: string;
  readonly positionSide: string;
  /** Null if the source could not label the row, and the market does not identify it. */
  readonly outcomeIndex: number | null;
  readonly logo: string;
  readonly trader: string;
  readonly liquidityRole: null;
}

export interface Mapped<Record> {
  readonly record: Record;
  /** Whether later knowledge about the market cannot change the record. */
  readonly isComplete: boolean;
}

/** Known facts of a row's market when the row is shown. */
export type MarketFacts = Pick<KeptMarket, 'payouts'> & { readonly market: Market | null };

type Kind = Pick<ShownActivity, 'action' | 'recordType' | 'actionType'>;
type Label = Pick<ShownActivity, 'tokenId' | 'positionSide' | 'outcomeIndex'>;
type Figures = Pick<
  ShownActivity,
  'price' | 'quantity' | 'fee' | 'grossValue' | 'transferNetAmount'
>;

/** Actions that the bot shows without evaluating them, by the source's type. */
const OTHER_ACTIONS: Readonly<Record<string, string>> = {
  SPLIT: 'Split',
  MERGE: 'Merge',
  CONVERSION: 'Conversion',
  MIGRATION: 'Migration',
};
/** Whether the amount left the wallet (1) or returned (-1), by type; unknown for others. */
const FLOW_SIGNS: Readonly<Record<string, number>> = { SPLIT: 1, MERGE: -1 };
const NO_OUTCOME = { tokenId: '', positionSide: '', outcomeIndex: null };
const REDEEM = { action: 'Redeem', recordType: 'REDEEMS', actionType: 1 };
/** Types requested for the activity endpoint. */
export const ACTIVITY_TYPES = ['TRADE', 'REDEEM', ...Object.keys(OTHER_ACTIONS)];
/** Types requested for the endpoint for deposits and withdrawals. */
export const TRANSFER_TYPES = ['DEPOSIT', 'WITHDRAWAL'];
/**
 * Maximum share of the gross value that is plausible as a fee; a larger amount means something
 * else.
 */
const FEE_SHARE_MAX = 0.05;
/** Code of an action that has none in the interface. */
const NO_ACTION_TYPE = -1;
/** Maximum error of size × price per share, because a price has up to ten digits. */
const PRICE_ERROR = 1e-9;
/** Maximum difference of two figures for the same payout. */
const SAME_PAYOUT = 1e-4;

/**
 * Whether the activity endpoint lists a row. Excluded are redemptions that paid nothing, and rows
 * that are not trades, redemptions or other actions that the bot shows (rewards, rebates, tips).
 */
export function isActivity({ type, usdc_size: usdc }: ActivityRow): boolean {
  return ACTIVITY_TYPES.includes(type) && (type !== 'REDEEM' || usdc > 0);
}

/** Whether the endpoint for deposits and withdrawals lists a row. */
export function isTransfer({ type }: ActivityRow): boolean {
  return TRANSFER_TYPES.includes(type);
}

/**
 * Converts a row to a record of the activity endpoint.
 *
 * @param txHash the row's hash, or its stand-in (`placeHash`)
 * @param trader the requested wallet
 */
export function activityRecord(
  row: ActivityRow,
  { market, payouts }: MarketFacts,
  { txHash, trader }: { readonly txHash: string; readonly trader: string },
): Mapped<ShownActivity> {
  const outcome = outcomeOf(row, market);
  const usdc = sixDecimals(row.usdc_size);
  if (row.type === 'TRADE') {
    // A combo has no market, so only its own labels are available.
    const isLabeled = row.token_id !== '' && row.outcome !== '';
    const isComplete = row.is_combo ? isLabeled : outcome.isComplete;
    return {
      record: recordOf(row, market, txHash, trader, tradeKind(row), outcome, tradeFigures(row)),
      isComplete,
    };
  }
  if (row.type === 'REDEEM') {
    const paid = redeemed(row, market, payouts, outcome.outcomeIndex);
    const figures = {
      // Its size may be in dollars, so without the market's payouts the number of shares is
      // unknown.
      price: paid === null ? 0 : sixDecimals(paid.payout * 100),
      quantity: paid === null ? 0 : sixDecimals(paid.shares),
      fee: 0,
      grossValue: usdc,
      transferNetAmount: -usdc,
    };
    const label = labelOf(market, paid?.index ?? null) ?? NO_OUTCOME;
    // Without payouts, this is based on the row only; the market's payouts may differ later.
    const isComplete = paid !== null && payouts !== null;
    return { record: recordOf(row, market, txHash, trader, REDEEM, label, figures), isComplete };
  }
  const kind = {
    action: OTHER_ACTIONS[row.type] ?? row.type,
    recordType: row.type,
    actionType: NO_ACTION_TYPE,
  };
  const record = recordOf(row, market, txHash, trader, kind, NO_OUTCOME, {
    price: 0,
    quantity: sixDecimals(row.size),
    fee: 0,
    grossValue: usdc,
    transferNetAmount: (FLOW_SIGNS[row.type] ?? 0) * usdc,
  });
  if (row.type !== 'CONVERSION') return { record, isComplete: true };
  // It names one market but affects all markets of its event, so only the event is passed on.
  return { record: { ...record, conditionId: '', marketId: '', marketSlug: '' }, isComplete: true };
}

/**
 * Builds a record as one literal, because building one by spreading several objects takes V8 20 µs.
 */
function recordOf(
  row: ActivityRow,
  market: Market | null,
  txHash: string,
  trader: string,
  { action, recordType, actionType }: Kind,
  { tokenId, positionSide, outcomeIndex }: Label,
  { price, quantity, fee, grossValue, transferNetAmount }: Figures,
): ShownActivity {
  return {
    time: row.timestamp,
    action,
    recordType,
    actionType,
    price,
    quantity,
    fee,
    grossValue,
    transferNetAmount,
    txHash,
    tokenId,
    // Market of the row, by the row or by the known market.
    marketId: market?.id ?? '',
    marketSlug: row.slug || (market?.slug ?? ''),
    eventSlug: row.event_slug || (market?.eventSlug ?? ''),
    conditionId: row.condition_id,
    marketTitle: row.title || (market?.title ?? ''),
    positionSide,
    outcomeIndex,
    logo: row.icon,
    trader,
    liquidityRole: null,
  };
}

/** Converts a row to a record of the endpoint for deposits and withdrawals. */
export function transferRecord(row: ActivityRow, txHash: string) {
  return {
    txHash,
    type: row.type === 'DEPOSIT' ? 'deposit' : 'withdrawal',
    amount: sixDecimals(row.usdc_size > 0 ? row.usdc_size : row.size),
    time: row.timestamp,
    // The source names no counterparty. The zero address would mean that it came over a bridge.
    address: '',
  };
}

/** Whether a row has a transaction hash. Rebates have a hash of zeros, deposits an empty one. */
export function hasTransaction({ transaction_hash: hash }: ActivityRow): boolean {
  return hash !== '' && !/^0x0*$/.test(hash);
}

/**
 * Returns a stand-in for the hash of a row that has none.
 *
 * @param place position among equal rows, from 0
 */
export function placeHash(row: ActivityRow, place: number): string {
  const { type, timestamp, size, usdc_size: usdc } = row;
  const text = JSON.stringify([type, timestamp, size, usdc, place]);
  return `none-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}

/**
 * Returns a text that distinguishes a row from others, independent of which labels are filled in.
 */
export function rowKey(row: ActivityRow): string {
  const { type, timestamp, transaction_hash: hash, side, size, usdc_size: usdc, price } = row;
  return JSON.stringify([type, timestamp, hash, side, size, usdc, price]);
}

/**
 * Returns the action of a trade. Combos have their own actions, which the bot shows without
 * evaluating them.
 */
function tradeKind({ side, is_combo: isCombo }: ActivityRow) {
  const isSell = side === 'SELL';
  if (isCombo) {
    const action = isSell ? 'ComboSell' : 'ComboBuy';
    return { action, recordType: 'COMBO', actionType: NO_ACTION_TYPE };
  }
  const kind = isSell ? { action: 'Sell', actionType: 2 } : { action: 'Buy', actionType: 0 };
  return { ...kind, recordType: 'SUMMARY' };
}

/** Returns gross value, fee and net amount of a trade in USDC, and its price in cents. */
function tradeFigures(row: ActivityRow) {
  const isBuy = row.side !== 'SELL';
  const net = sixDecimals(row.usdc_size);
  const gross = sixDecimals(row.size * row.price);
  const fee = sixDecimals(isBuy ? net - gross : gross - net);
  const isFee = fee > 1e-6 + row.size * PRICE_ERROR && fee <= gross * FEE_SHARE_MAX;
  return {
    price: Math.min(100, sixDecimals(row.price * 100)),
    quantity: sixDecimals(row.size),
    fee: isFee ? fee : 0,
    grossValue: isFee ? gross : net,
    transferNetAmount: isBuy ? net : -net,
  };
}

/**
 * Returns the outcome and number of shares of a redemption; null if neither the row nor its market
 * shows them.
 */
function redeemed(
  row: ActivityRow,
  market: Market | null,
  payouts: readonly number[] | null,
  rowIndex: number | null,
) {
  if (market === null) return null;
  const usdc = row.usdc_size;
  const isOwnFigure = row.token_id !== '' && row.size > usdc;
  if (isOwnFigure) {
    const payout = usdc / row.size;
    if (rowIndex === null) return null;
    const known = payouts?.[rowIndex] ?? payout;
    return Math.abs(known - payout) <= SAME_PAYOUT
      ? { index: rowIndex, payout, shares: row.size }
      : null;
  }
  if (payouts === null) return null;
  const winners = payouts.flatMap((payout, index) => (payout > 0 ? [index] : []));
  const named = row.token_id === '' ? null : rowIndex;
  const index = named ?? (winners.length === 1 ? winners[0] : undefined);
  const payout = index === undefined ? 0 : (payouts[index] ?? 0);
  if (index === undefined || payout <= 0) return null;
  return { index, payout, shares: usdc / payout };
}

/**
 * Returns the outcome of a row by its market's own list, or by the row itself if the market is
 * unknown.
 */
function outcomeOf(row: ActivityRow, market: Market | null) {
  const index = market === null ? null : indexIn(market, row);
  const label = labelOf(market, index);
  if (label !== null) return { ...label, isComplete: true };
  return {
    tokenId: row.token_id,
    positionSide: row.outcome,
    outcomeIndex: row.outcome_index,
    isComplete: false,
  };
}

/**
 * Returns the index of a row's outcome; null if neither its token nor its label belongs to the
 * market.
 */
function indexIn({ tokens, otherTokens, outcomes }: Market, row: ActivityRow): number | null {
  if (row.token_id !== '') {
    const place = tokens.indexOf(row.token_id);
    if (place !== -1) return place;
    const further = otherTokens.indexOf(row.token_id);
    if (further !== -1) return further % Math.max(1, outcomes.length);
  }
  const index = outcomes.indexOf(row.outcome);
  return row.outcome === '' || index === -1 ? null : index;
}

/**
 * Returns token, side and index of an outcome in its market's own lists; null if they are
 * incomplete.
 */
function labelOf(market: Market | null, index: number | null) {
  if (index === null) return null;
  const tokenId = market?.tokens[index];
  const positionSide = market?.outcomes[index];
  if (tokenId === undefined || positionSide === undefined) return null;
  return { tokenId, positionSide, outcomeIndex: index };
}

function sixDecimals(value: number): number {
  const rounded = Math.round(value * 1e6) / 1e6;
  // Above this, a double has no six decimals to round.
  return Math.abs(value) < 1e9 && Number.isFinite(rounded) ? rounded : value;
}
