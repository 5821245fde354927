import { createHash } from 'node:crypto';
import { parseAddress, type WalletAddress, ZERO_ADDRESS } from '../../venue/address.ts';
import { type ActivityItem, activityItemSchema } from '../../venue/schema.ts';
import type { LedgerRecord } from '../ledger.ts';
import type { Market, Markets, Side } from './markets.ts';
import { createRandom, type Random } from './random.ts';

/** `fast` acts every few seconds, `brisk` every minute or two, `steady` a few times an hour, `slow` a few times a day. */
export type Pace = 'fast' | 'brisk' | 'steady' | 'slow';

export interface SimulatedTrader {
  readonly handle: string;
  readonly address: WalletAddress;
  readonly pace: Pace;
}

export type Deed = 'buy' | 'sell' | 'redeem' | 'deposit' | 'withdraw';
export const DEEDS = ['deposit', 'buy', 'sell', 'redeem', 'withdraw'] as const satisfies readonly Deed[];

/** A trader at play. */
export interface Player extends SimulatedTrader {
  /** Seconds to wait before the next deed. */
  pause(): number;
  /** Does the deed, of its own choice unless one is given, and returns the records of it: one transaction. */
  act(atSeconds: number, given?: Deed): LedgerRecord[];
}

interface Style {
  /** Between two bursts. */
  readonly restSeconds: number;
  /** Between two deeds of a burst. */
  readonly stepSeconds: number;
  readonly deedsPerBurst: number;
  readonly stakeUsdc: number;
}

const STYLES: Readonly<Record<Pace, Style>> = {
  fast: { restSeconds: 25, stepSeconds: 2, deedsPerBurst: 3, stakeUsdc: 40 },
  brisk: { restSeconds: 240, stepSeconds: 6, deedsPerBurst: 3, stakeUsdc: 150 },
  steady: { restSeconds: 2_400, stepSeconds: 20, deedsPerBurst: 2, stakeUsdc: 600 },
  slow: { restSeconds: 30_000, stepSeconds: 60, deedsPerBurst: 2, stakeUsdc: 9_000 },
};

/** Blocks come every two seconds, counted from here, so that block height and time agree. */
const BLOCK_SECONDS = 2;
const FIRST_BLOCK_SECONDS = 1_590_000_000;

interface Holding {
  readonly market: Market;
  readonly side: Side;
  quantity: number;
}

/** The address of a simulated trader depends on the handle alone, so that examples can name it. */
export function simulatedAddress(handle: string): WalletAddress {
  const digits = createHash('sha256').update(`simulated trader ${handle}`).digest('hex').slice(0, 40);
  const parsed = parseAddress(`0x${digits}`);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.address;
}

/** A trader with money and holdings of its own, who is the same for the same seed. */
export function createPlayer(deps: {
  readonly handle: string;
  readonly pace: Pace;
  readonly markets: Markets;
  readonly seed: string;
}): Player {
  const { handle, pace, markets } = deps;
  const style = STYLES[pace];
  const address = simulatedAddress(handle);
  const random = createRandom(`${deps.seed} trader ${handle}`);
  const ownAccount = `0x${random.hex(40)}`;
  let holdings: Holding[] = [];
  let cashUsdc = style.stakeUsdc * 10;
  let deedsLeft = 0;
  let focus = random.pick(markets.open);

  function stake(): number {
    return style.stakeUsdc * Math.exp(0.8 * random.normal());
  }

  function choose(): Deed {
    holdings = holdings.filter(({ market, side, quantity }) => quantity > 0 && (market.winner ?? side) === side);
    if (cashUsdc < style.stakeUsdc) return 'deposit';
    if (holdings.some(({ market }) => market.winner !== undefined) && random.chance(0.5)) return 'redeem';
    const draw = random.next();
    if (draw < 0.03) return 'deposit';
    if (draw < 0.06) return 'withdraw';
    if (draw < 0.1) return 'redeem';
    return draw < 0.42 && holdings.length > 0 ? 'sell' : 'buy';
  }

  /** A holding to sell or redeem; if there is none, one from before the ledger's time. */
  function held(fits: (holding: Holding) => boolean): Holding {
    const fitting = holdings.filter(fits);
    if (fitting.length > 0) return random.pick(fitting);
    const holding: Holding = {
      market: random.pick(markets.open),
      side: random.chance(0.5) ? 'Yes' : 'No',
      quantity: round(stake() * random.between(1, 3), 2),
    };
    holdings.push(holding);
    return holding;
  }

  function item(atSeconds: number, txHash: string, market: Market, side: Side): Omit<ActivityItem, TradeField> {
    const { tokenIds, ...listing } = market.listing;
    return {
      time: Math.floor(atSeconds),
      txHash,
      tokenId: tokenIds[side],
      ...listing,
      positionSide: side,
      outcomeIndex: side === 'Yes' ? 0 : 1,
      trader: address,
    };
  }

  function record(atSeconds: number, filled: ActivityItem): LedgerRecord {
    const block = Math.floor((atSeconds - FIRST_BLOCK_SECONDS) / BLOCK_SECONDS);
    // Parsed for the order of the fields, which is then that of the ledger.
    return { kind: 'activity', wallet: address, block: Math.max(0, block), item: activityItemSchema.parse(filled) };
  }

  /** One order: the fills of one transaction. */
  function trade(
    atSeconds: number,
    market: Market,
    side: Side,
    action: 'Buy' | 'Sell',
    quantity: number,
  ): LedgerRecord[] {
    const base = item(atSeconds, `0x${random.hex(64)}`, market, side);
    const quoteCents = market.priceCents(side, atSeconds);
    const isMaker = random.chance(0.25);
    const slipCents = isMaker ? 0 : action === 'Buy' ? 0.1 : -0.1;
    return splitOrder(random, { quantity, quoteCents, slipCents }).map(({ shares, priceCents }) => {
      const probability = priceCents / 100;
      const gross = round(probability * shares, 6);
      const fee = isMaker ? 0 : round(0.02 * Math.min(probability, 1 - probability) * shares, 6);
      const net = action === 'Buy' ? round(gross + fee, 6) : round(fee - gross, 6);
      cashUsdc -= net;
      return record(atSeconds, {
        ...base,
        action,
        recordType: 'SUMMARY',
        // The contract gives 0 for a Buy and leaves the Sell's code open; 2 is ours.
        actionType: action === 'Buy' ? 0 : 2,
        price: priceCents,
        quantity: shares,
        fee,
        grossValue: gross,
        transferNetAmount: net,
        liquidityRole: isMaker ? 'MAKER' : 'TAKER',
      });
    });
  }

  function buy(atSeconds: number): LedgerRecord[] {
    if (focus.winner !== undefined || random.chance(0.4)) focus = random.pick(markets.open);
    const known = holdings.find(({ market }) => market === focus);
    const side = known?.side ?? (random.chance(0.6) ? 'Yes' : 'No');
    const price = focus.priceCents(side, atSeconds);
    const quantity = Math.max(1, round((stake() / price) * 100, random.chance(0.5) ? 0 : 2));
    const records = trade(atSeconds, focus, side, 'Buy', quantity);
    const bought = records.reduce((sum, { item: filled }) => sum + ('quantity' in filled ? filled.quantity : 0), 0);
    if (known === undefined) holdings.push({ market: focus, side, quantity: round(bought, 2) });
    else known.quantity = round(known.quantity + bought, 2);
    return records;
  }

  function sell(atSeconds: number): LedgerRecord[] {
    const holding = held(({ market, quantity }) => market.winner === undefined && quantity > 0);
    const wanted = random.chance(0.4) ? holding.quantity : round(holding.quantity * random.between(0.2, 0.8), 2);
    const records = trade(atSeconds, holding.market, holding.side, 'Sell', Math.max(0.01, wanted));
    const sold = records.reduce((sum, { item: filled }) => sum + ('quantity' in filled ? filled.quantity : 0), 0);
    holding.quantity = Math.max(0, round(holding.quantity - sold, 2));
    return records;
  }

  function redeem(atSeconds: number): LedgerRecord[] {
    const won = holdings.find(({ market, side, quantity }) => quantity > 0 && market.winner === side);
    const holding = won ?? held(({ market, quantity }) => market.winner === undefined && quantity > 0);
    if (holding.market.winner === undefined) markets.resolve(holding.market, holding.side);
    const { quantity } = holding;
    holding.quantity = 0;
    cashUsdc += quantity;
    return [
      record(atSeconds, {
        ...item(atSeconds, `0x${random.hex(64)}`, holding.market, holding.side),
        action: 'Redeem',
        recordType: 'REDEEMS',
        actionType: 1,
        price: 100,
        quantity,
        fee: 0,
        grossValue: quantity,
        transferNetAmount: -quantity,
        liquidityRole: null,
      }),
    ];
  }

  function transfer(atSeconds: number, type: 'deposit' | 'withdrawal'): LedgerRecord[] {
    const wished = type === 'deposit' ? stake() * 8 : Math.min(cashUsdc, stake() * 5);
    const amount = Math.max(1, round(wished, random.chance(0.5) ? 0 : 6));
    cashUsdc += type === 'deposit' ? amount : -amount;
    const isBridged = type === 'deposit' && random.chance(0.6);
    return [
      {
        kind: 'transfer',
        wallet: address,
        item: {
          txHash: `0x${random.hex(64)}`,
          type,
          amount,
          time: Math.floor(atSeconds),
          address: isBridged ? ZERO_ADDRESS : ownAccount,
        },
      },
    ];
  }

  return {
    handle,
    address,
    pace,
    pause() {
      if (deedsLeft > 0) {
        deedsLeft -= 1;
        // Some deeds of a burst fall into the same second.
        return random.chance(0.25) ? 0 : random.exponential(style.stepSeconds);
      }
      deedsLeft = Math.floor(random.exponential(style.deedsPerBurst));
      return random.exponential(style.restSeconds);
    },
    act(atSeconds, given) {
      const deed = given ?? choose();
      if (deed === 'buy') return buy(atSeconds);
      if (deed === 'sell') return sell(atSeconds);
      if (deed === 'redeem') return redeem(atSeconds);
      return transfer(atSeconds, deed === 'deposit' ? 'deposit' : 'withdrawal');
    },
  };
}

type TradeField =
  | 'action'
  | 'recordType'
  | 'actionType'
  | 'price'
  | 'quantity'
  | 'fee'
  | 'grossValue'
  | 'transferNetAmount'
  | 'liquidityRole';

interface Fill {
  readonly shares: number;
  readonly priceCents: number;
}

/**
 * The fills of one order, one to fourteen; now and then two of them are equal.
 *
 * @param order `slipCents`: how much a fill's price moves for each one before it, at most
 */
function splitOrder(
  random: Random,
  order: { readonly quantity: number; readonly quoteCents: number; readonly slipCents: number },
): Fill[] {
  const { quantity, quoteCents, slipCents } = order;
  const count = random.chance(0.6) ? 1 : random.chance(0.75) ? random.whole(2, 5) : random.whole(6, 14);
  const fills: Fill[] = [];
  let left = quantity;
  for (let nth = 1; nth <= count && left > 0; nth += 1) {
    const share = nth === count ? left : round((left * random.between(0.3, 1.7)) / (count - nth + 1), 2);
    const shares = Math.min(left, Math.max(0.01, share));
    const slip = slipCents === 0 ? 0 : slipCents * random.whole(0, nth);
    const priceCents = Math.min(99.9, Math.max(0.1, round(quoteCents + slip, 1)));
    const half = count > 1 && random.chance(0.06) ? round(shares / 2, 2) : 0;
    const parts = half > 0 ? [half, half] : [shares];
    fills.push(...parts.map((part) => ({ shares: part, priceCents })));
    left = round(left - parts.reduce((sum, part) => sum + part, 0), 2);
  }
  return fills;
}

function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
