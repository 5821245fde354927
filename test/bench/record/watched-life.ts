import type { WalletAddress } from '../../../src/domain/address.ts';
import { outcomeHash, shortHash } from '../../../src/domain/market-keys.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import {
  type Redemption,
  redemptionOf,
  type Settlement,
  settle,
} from '../../../src/domain/settlement.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import { newPortfolio } from '../../../src/portfolio/portfolio.ts';
import { matureTo } from '../../../src/portfolio/record/record.ts';
import {
  addActivityPage,
  knowledgeSchema,
  newKnowledge,
  type WalletKnowledge,
  withSettlements,
} from '../../../src/portfolio/wallet-knowledge.ts';
import { detectedPage } from '../../support/detected-page.ts';
import type { Random } from '../schedule-random.ts';
import { DAY, HOUR, type Life } from './styles.ts';

const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;
/** Others redeem within this time after a market's end. */
const OTHERS_WITHIN_SECONDS = 24 * HOUR;
/** Watching begins with the wallet's life. */
const BOUNDARIES: readonly number[] = [0];

/** A bot's knowledge of a wallet on a day. */
export interface Look {
  readonly day: number;
  readonly nowSeconds: number;
  /** The knowledge after storing and reading it again. */
  readonly knowledge: WalletKnowledge;
  /** Known outcomes of markets, by the bot's short hash. */
  readonly settlements: ReadonlyMap<string, Settlement>;
  /** Whether the record's D ever decreased since the last look. */
  readonly wentBack: boolean;
}

/**
 * Polls a wallet once a day, and reports the outcomes of its markets. The wallet's own redemptions
 * settle markets after an hour; redemptions of others settle some markets.
 *
 * @param others share of the markets that others settle, 0 to 1, drawn for each market whoever won
 * @param lookDays days on which the knowledge is returned, ascending
 */
export function* watchLife(
  { items, ends }: Life,
  others: number,
  random: Random,
  lookDays: readonly number[],
): Generator<Look> {
  const byDay = groupBy(items.toReversed(), ({ time }) => Math.floor(time / DAY));
  const pending = redemptionsOf({ items, ends }, others, random);
  const settlements = new Map<string, Settlement>();
  let knowledge = newKnowledge(newPortfolio(0, true));
  let untilSeconds: number | null = null;
  let wentBack = false;
  for (let day = 1; day <= (lookDays.at(-1) ?? 0); day += 1) {
    const nowSeconds = day * DAY;
    knowledge = poll(knowledge, byDay.get(day - 1) ?? [], nowSeconds);
    const settled = settledBy(pending, nowSeconds);
    for (const settlement of settled) settlements.set(settlement.market, settlement);
    knowledge = withSettlements(knowledge, settled, BOUNDARIES)?.knowledge ?? knowledge;
    const { markets, matureToSeconds } = knowledge.record;
    const nowUntil = matureTo(markets, matureToSeconds, nowSeconds);
    wentBack ||= untilSeconds !== null && (nowUntil === null || nowUntil < untilSeconds);
    untilSeconds = nowUntil;
    if (!lookDays.includes(day)) continue;
    knowledge = knowledgeSchema.parse(JSON.parse(JSON.stringify(knowledge)));
    yield { day, nowSeconds, knowledge, settlements, wentBack };
    wentBack = false;
  }
}

function poll(
  before: WalletKnowledge,
  fresh: readonly ActivityItem[],
  nowSeconds: number,
): WalletKnowledge {
  if (fresh.length === 0) return before;
  const page = detectedPage(fresh, { boundaries: BOUNDARIES, nowSeconds });
  return addActivityPage(before, page).knowledge;
}

/**
 * Returns all redemptions in the wallet's markets, its own and those of others, by market; markets
 * without redemptions are missing.
 */
function redemptionsOf(
  { items, ends }: Life,
  others: number,
  random: Random,
): Map<string, readonly Redemption[]> {
  const all = new Map<string, readonly Redemption[]>();
  for (const [conditionId, own] of groupBy(items, (item) => item.conditionId)) {
    const [item] = own;
    const end = ends.get(conditionId);
    const isByOthers = random() < others;
    const afterSeconds = random() * OTHERS_WITHIN_SECONDS;
    const redemptions = own.flatMap((each) => redemptionOf(each, WALLET) ?? []);
    if (isByOthers && end !== undefined) {
      const outcome = outcomeHash({
        ...item,
        tokenId: `${item.marketId}${end.winner === 'Yes' ? '0' : '1'}`,
      });
      const market = shortHash(conditionId);
      const atSeconds = Math.ceil(end.atSeconds + afterSeconds);
      for (const name of ['one', 'other'])
        redemptions.push({
          market,
          outcome,
          txHash: `0x${name}`,
          wallet: `0x${name}`,
          atSeconds,
          payout: 1,
        });
    }
    if (redemptions.length > 0) all.set(conditionId, redemptions);
  }
  return all;
}

/** Returns the markets that are settled by now, and removes them from `pending`. */
function settledBy(pending: Map<string, readonly Redemption[]>, nowSeconds: number): Settlement[] {
  const settled: Settlement[] = [];
  for (const [conditionId, redemptions] of pending) {
    const listed = redemptions.filter(({ atSeconds }) => atSeconds <= nowSeconds);
    const settlement = listed.length === 0 ? null : settle(listed, nowSeconds);
    if (settlement === null) continue;
    settled.push(settlement);
    pending.delete(conditionId);
  }
  return settled;
}
