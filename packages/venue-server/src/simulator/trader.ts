import { createHash } from 'node:crypto';
import { readAddress, type WalletAddress, ZERO_ADDRESS } from '../address.ts';
import type { LedgerRecord } from '../ledger.ts';
import { type Exit, type Part, RHYTHMS } from './cast.ts';
import type { Side } from './listing.ts';
import { type Market, type Markets, VOID_SHARE } from './markets.ts';
import { createRandom } from './random.ts';
import { redemptionRecord, round, tradeRecords } from './records.ts';

export const DEEDS = ['deposit', 'buy', 'sell', 'redeem', 'withdraw'] as const;
export type Deed = (typeof DEEDS)[number];

/** Records that enter the ledger together. */
export type Transaction = readonly LedgerRecord[];

/** Share of lost holdings that are redeemed anyway, for nothing. */
const REDEEMED_LOSSES = 0.08;
/** Share of purchases in markets of a term that is not the trader's usual one. */
const STRAYS = 0.2;
/** Price move that makes a trader close a position, in cents. */
const EXIT_CENTS = 10;
/** How far the price must fall below the mean cost before a trader averages down, in cents. */
const FALLEN_CENTS = 5;
/** Most purchases until a holding can be redeemed. Each has at least an even chance of winning. */
const MOST_PURCHASES = 30;
const SIDES: readonly Side[] = ['Yes', 'No'];

interface Holding {
  readonly market: Market;
  readonly side: Side;
  readonly openedAtSeconds: number;
  /** Time from settlement to redemption; infinite for a loss that is never redeemed. */
  readonly reactionSeconds: number;
  /** When all of its purchases are in the ledger. */
  inLedgerAtSeconds: number;
  /** Number of shares, with two decimals. */
  quantity: number;
  /** Mean price paid per share. */
  costCents: number;
}

type Choice = Pick<Holding, 'market' | 'side'>;

const EXITS: Readonly<Record<Exit, (changeCents: number, heldSteps: number) => boolean>> = {
  soon: (_, heldSteps) => heldSteps > 15,
  risen: (changeCents) => changeCents >= EXIT_CENTS,
  fallen: (changeCents) => changeCents <= -EXIT_CENTS,
  moved: (changeCents) => Math.abs(changeCents) >= EXIT_CENTS,
};

/**
 * Returns the address of a simulated trader. It depends only on the handle, so that examples can
 * name it.
 */
export function simulatedAddress(handle: string): WalletAddress {
  const digits = createHash('sha256')
    .update(`simulated trader ${handle}`)
    .digest('hex')
    .slice(0, 40);
  const parsed = readAddress(`0x${digits}`);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.address;
}

/** Creates a trader with its own money and holdings; deterministic for a seed. */
export function createPlayer({ handle, pace, style }: Part, markets: Markets, seed: string) {
  const rhythm = RHYTHMS[pace];
  const address = simulatedAddress(handle);
  const random = createRandom(`${seed} trader ${handle}`);
  const ownAccount = `0x${random.hex(40)}`;
  /**
   * Markets that a trader with an edge has already considered, because a second look would give it
   * more than its edge.
   */
  const looked = new WeakSet<Market>();
  let holdings: Holding[] = [];
  let cashUsdc = rhythm.stakeUsdc * 10;
  let deedsLeft = 0;

  const stake = () =>
    rhythm.stakeUsdc * (style.hasEvenStakes === true ? 1 : Math.exp(0.8 * random.normal()));
  const heldOf = (choice: Choice) =>
    holdings.find(({ market, side }) => market === choice.market && side === choice.side);
  const isOpen = ({ market }: Choice, atSeconds: number) =>
    market.opensAtSeconds <= atSeconds && atSeconds < market.closesAtSeconds;
  const isSellable = (holding: Holding, atSeconds: number) =>
    holding.quantity > 0 && holding.inLedgerAtSeconds <= atSeconds && isOpen(holding, atSeconds);
  /**
   * Whether it holds shares that are not in the ledger yet. Neither these nor additional shares
   * could be sold now.
   */
  const isLate = (choice: Choice, atSeconds: number) =>
    (heldOf(choice)?.inLedgerAtSeconds ?? 0) > atSeconds;
  const isHeld = (market: Market) => holdings.some((holding) => holding.market === market);
  const isHedged = ({ market }: Holding) =>
    holdings.filter((holding) => holding.market === market).length > 1;
  const priceOf = ({ market, side }: Choice, atSeconds: number) =>
    market.priceCents(side, atSeconds);
  const fits = (choice: Choice, atSeconds: number) =>
    style.leastCents <= priceOf(choice, atSeconds) && priceOf(choice, atSeconds) <= style.mostCents;

  function redemptionSeconds({
    market,
    quantity,
    reactionSeconds,
    inLedgerAtSeconds,
  }: Holding): number {
    return quantity === 0
      ? Number.POSITIVE_INFINITY
      : Math.max(market.settlesAtSeconds + reactionSeconds, inLedgerAtSeconds);
  }

  function forgetWhatIsOver(atSeconds: number): void {
    holdings = holdings.filter(
      (holding) =>
        holding.quantity > 0 &&
        (holding.market.settlesAtSeconds > atSeconds ||
          redemptionSeconds(holding) < Number.POSITIVE_INFINITY),
    );
  }

  /**
   * Whether a trader with an edge buys. It always buys shares that will not lose, and just enough
   * of the losers for the mean result to be the price plus the edge. With price p and that sum q, p
   * ÷ (1 − P(loss) · (1 − share of losers bought)) = q.
   */
  function isWorthIt({ market, side }: Choice, atSeconds: number): boolean {
    if (style.edgeCents === 0) return true;
    if (looked.has(market)) return false;
    looked.add(market);
    const price = market.priceCents(side, atSeconds) / 100;
    const lossProbability = 1 - price - VOID_SHARE / 2;
    const refusedLosses = (1 - price / (price + style.edgeCents / 100)) / lossProbability;
    return market.endCents(side) > 0 || !random.chance(refusedLosses);
  }

  /** Returns a side of a market that it does not hold, at a price that fits its style. */
  function newChoice(atSeconds: number, hasAnyTerm: boolean): Choice | undefined {
    const open = random.shuffled(markets.open(atSeconds).filter((market) => !isHeld(market)));
    for (const market of open.filter(({ term }) => hasAnyTerm || term === rhythm.term)) {
      const choice = random
        .shuffled(SIDES)
        .map((side) => ({ market, side }))
        .find((one) => fits(one, atSeconds));
      if (choice !== undefined && isWorthIt(choice, atSeconds)) return choice;
    }
    return undefined;
  }

  /** Returns a holding that its style adds to. */
  function addition(atSeconds: number, isDue: (holding: Holding) => boolean): Choice | undefined {
    const due = holdings.filter(
      (holding) => isSellable(holding, atSeconds) && !isHedged(holding) && isDue(holding),
    );
    return due.length > 0 ? random.pick(due) : undefined;
  }

  function choiceOfStyle(atSeconds: number): Choice | undefined {
    const isFallen = (holding: Holding) =>
      priceOf(holding, atSeconds) <= holding.costCents - FALLEN_CENTS;
    const isAlike = (holding: Holding) => fits(holding, atSeconds);
    if (style.adds === 'fallen') {
      return addition(atSeconds, isFallen) ?? newChoice(atSeconds, random.chance(STRAYS));
    }
    const isAdding = random.chance(0.35);
    return (
      (isAdding ? addition(atSeconds, isAlike) : undefined) ??
      newChoice(atSeconds, random.chance(STRAYS)) ??
      addition(atSeconds, isAlike)
    );
  }

  /** Returns something that can be bought now, likely to win if `isLikely` is set. */
  function anyChoice(atSeconds: number, isLikely: boolean): Choice | undefined {
    const own = isLikely
      ? newChoice(atSeconds, true)
      : (choiceOfStyle(atSeconds) ?? newChoice(atSeconds, true));
    if (own !== undefined && (!isLikely || priceOf(own, atSeconds) >= 50)) return own;
    if (style.edgeCents > 0) return own ?? addition(atSeconds, () => true);
    const fitting = markets
      .open(atSeconds)
      .flatMap((market) => SIDES.map((side) => ({ market, side })))
      .filter(
        (choice) => !isLate(choice, atSeconds) && (!isLikely || priceOf(choice, atSeconds) >= 50),
      );
    return fitting.length > 0 ? random.pick(fitting) : undefined;
  }

  function buy(
    choice: Choice,
    atSeconds: number,
    indexedAtSeconds: number,
    shares?: number,
  ): Transaction {
    const wanted = (stake() / priceOf(choice, atSeconds)) * 100;
    const quantity = shares ?? Math.max(1, round(wanted, random.chance(0.5) ? 0 : 2));
    const records = tradeRecords(
      random,
      { trader: address, ...choice, atSeconds },
      { action: 'Buy', quantity },
    );
    const paidUsdc = -receive(records);
    const known = heldOf(choice);
    if (known !== undefined) {
      known.costCents =
        (known.costCents * known.quantity + paidUsdc * 100) / (known.quantity + quantity);
      known.quantity = round(known.quantity + quantity, 2);
      known.inLedgerAtSeconds = Math.max(known.inLedgerAtSeconds, indexedAtSeconds);
      return records;
    }
    const isRedeemed = choice.market.endCents(choice.side) > 0 || random.chance(REDEEMED_LOSSES);
    holdings.push({
      ...choice,
      openedAtSeconds: atSeconds,
      reactionSeconds: isRedeemed
        ? random.exponential(rhythm.reactionSeconds)
        : Number.POSITIVE_INFINITY,
      inLedgerAtSeconds: indexedAtSeconds,
      quantity,
      costCents: (paidUsdc * 100) / quantity,
    });
    return records;
  }

  function sell(holding: Holding, atSeconds: number): Transaction {
    const part = random.chance(0.6) ? 1 : random.between(0.2, 0.8);
    const quantity = Math.max(0.01, round(holding.quantity * part, 2));
    const { market, side } = holding;
    const records = tradeRecords(
      random,
      { trader: address, market, side, atSeconds },
      { action: 'Sell', quantity },
    );
    receive(records);
    holding.quantity = round(holding.quantity - quantity, 2);
    return records;
  }

  function redeem(holding: Holding, atSeconds: number): Transaction {
    const { market, side, quantity } = holding;
    const records = [
      redemptionRecord(random, { trader: address, market, side, atSeconds }, quantity),
    ];
    receive(records);
    holding.quantity = 0;
    return records;
  }

  /** Adds the net amount of the records to its cash, and returns that amount in USDC. */
  function receive(records: Transaction): number {
    const usdc = records.reduce(
      (sum, { item }) => sum - ('transferNetAmount' in item ? item.transferNetAmount : 0),
      0,
    );
    cashUsdc += usdc;
    return usdc;
  }

  function transfer(atSeconds: number, type: 'deposit' | 'withdrawal'): Transaction {
    const wished = type === 'deposit' ? stake() * 8 : Math.min(cashUsdc, stake() * 5);
    const amount = Math.max(1, round(wished, random.chance(0.5) ? 0 : 6));
    cashUsdc += type === 'deposit' ? amount : -amount;
    const isBridged = type === 'deposit' && random.chance(0.6);
    const [txHash, from] = [`0x${random.hex(64)}`, isBridged ? ZERO_ADDRESS : ownAccount];
    return [
      {
        kind: 'transfer',
        wallet: address,
        item: { txHash, type, amount, time: Math.floor(atSeconds), address: from },
      },
    ];
  }

  /** Closes a position if its style asks for it. */
  function exit(atSeconds: number, indexedAtSeconds: number): Transaction | undefined {
    const { exit: reason } = style;
    if (reason === undefined) return undefined;
    const holding = holdings.find((one) => {
      if (!isSellable(one, atSeconds) || isHedged(one)) return false;
      const heldSteps = (atSeconds - one.openedAtSeconds) / rhythm.stepSeconds;
      return EXITS[reason](priceOf(one, atSeconds) - one.costCents, heldSteps);
    });
    if (holding === undefined) return undefined;
    if (style.isHedger !== true) return sell(holding, atSeconds);
    const side = holding.side === 'Yes' ? 'No' : 'Yes';
    return buy({ market: holding.market, side }, atSeconds, indexedAtSeconds, holding.quantity);
  }

  function sellOnRequest(atSeconds: number): Transaction[] {
    const sellable = holdings.filter((holding) => isSellable(holding, atSeconds));
    if (sellable.length > 0) return [sell(random.pick(sellable), atSeconds)];
    const bought = buyOnRequest(atSeconds, false);
    const holding = holdings.find((one) => isSellable(one, atSeconds));
    return holding === undefined ? bought : [...bought, sell(holding, atSeconds)];
  }

  function buyOnRequest(atSeconds: number, isLikely: boolean): Transaction[] {
    const choice = anyChoice(atSeconds, isLikely);
    return choice === undefined ? [] : [buy(choice, atSeconds, atSeconds)];
  }

  /** Ends the markets of the most likely holdings, by price, until one has not lost. */
  function redeemOnRequest(atSeconds: number): Transaction[] {
    const done: Transaction[] = [];
    const isPaid = ({ market, side }: Holding) =>
      market.settlesAtSeconds <= atSeconds && market.endCents(side) > 0;
    for (let purchases = 0; purchases <= MOST_PURCHASES; purchases += 1) {
      const held = holdings.filter(
        ({ quantity, inLedgerAtSeconds }) => quantity > 0 && inLedgerAtSeconds <= atSeconds,
      );
      const unsettled = held
        .filter(({ market }) => market.settlesAtSeconds > atSeconds)
        .map((holding) => ({ holding, priceCents: priceOf(holding, atSeconds) }))
        .sort((left, right) => right.priceCents - left.priceCents);
      let holding = held.find(isPaid);
      for (const next of unsettled) {
        if (holding !== undefined) break;
        next.holding.market.end(atSeconds);
        holding = [next.holding].find(isPaid);
      }
      if (holding !== undefined) return [...done, redeem(holding, atSeconds)];
      done.push(...buyOnRequest(atSeconds, true));
    }
    return done;
  }

  return {
    /** `style` is a description. `edgeCents` is 0 for all traders but one (see `Style`). */
    trader: { handle, address, pace, style: style.words, edgeCents: style.edgeCents },
    /** Returns the seconds until the next turn. */
    pause(): number {
      if (deedsLeft > 0) {
        deedsLeft -= 1;
        // Some actions of a burst happen within the same second.
        return random.chance(0.25) ? 0 : random.exponential(rhythm.stepSeconds);
      }
      deedsLeft = Math.floor(random.exponential(rhythm.deedsPerBurst));
      return random.exponential(rhythm.restSeconds);
    },
    /**
     * Takes a turn: acts as its style asks, possibly not at all.
     *
     * @param indexedAtSeconds when the records will be in the ledger; shares are sold and redeemed
     *   only after that
     */
    play(atSeconds: number, indexedAtSeconds: number): Transaction {
      forgetWhatIsOver(atSeconds);
      if (cashUsdc < rhythm.stakeUsdc || random.chance(0.03)) return transfer(atSeconds, 'deposit');
      if (random.chance(0.03)) return transfer(atSeconds, 'withdrawal');
      const given = exit(atSeconds, indexedAtSeconds);
      if (given !== undefined) return given;
      const choice = choiceOfStyle(atSeconds);
      return choice === undefined ? [] : buy(choice, atSeconds, indexedAtSeconds);
    },
    /**
     * Performs the given action; its records enter the ledger at once. Any prerequisite comes
     * first, in a transaction of its own: a sale without a holding is preceded by a purchase. A
     * redemption ends markets until one is won.
     */
    act(deed: Deed, atSeconds: number): readonly Transaction[] {
      forgetWhatIsOver(atSeconds);
      if (deed === 'buy') return buyOnRequest(atSeconds, false);
      if (deed === 'sell') return sellOnRequest(atSeconds);
      if (deed === 'redeem') return redeemOnRequest(atSeconds);
      return [transfer(atSeconds, deed === 'deposit' ? 'deposit' : 'withdrawal')];
    },
    /** Returns the time of its next redemption; infinite if none is due. */
    redeemsAtSeconds: () => Math.min(...holdings.map(redemptionSeconds)),
    redeem(): Transaction {
      const [first] = holdings.toSorted(
        (left, right) => redemptionSeconds(left) - redemptionSeconds(right),
      );
      return first === undefined ? [] : redeem(first, redemptionSeconds(first));
    },
  };
}
export type Player = ReturnType<typeof createPlayer>;
