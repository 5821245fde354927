import { amendAccount } from './accounts/amend-account.ts';
import { type Entry, isInEntry } from './consensus.ts';
import { entryKeys } from './market.ts';
import { foldPositions, type Portfolio } from './portfolio.ts';
import { amendPosition, moved } from './positions/position.ts';
import { type AmendedFill, amendFirstPurchase, replaceFill } from './record/first-purchase.ts';
import { recordFill } from './record/record.ts';
import { type Amendment, amendAlerted } from './results/amend-alerted.ts';
import { amendLargest, amendSizes } from './trades/trades.ts';
import { addToVolume } from './trades/volume.ts';
import { volumeEntries } from './update.ts';
import type { WalletKnowledge } from './wallet-knowledge.ts';

/**
 * Returns the knowledge with a record replaced by the venue's current version. Anything that cannot
 * be computed exactly is given up: positions in its market are then unknown, and purchases alerted
 * there have no result.
 * @param nowSeconds the venue's clock, in Unix seconds
 * @param boundaries times at which channels began to watch the wallet, in Unix seconds
 */
export function amendKnowledge(
  knowledge: WalletKnowledge,
  amendment: Amendment,
  nowSeconds: number,
  boundaries: readonly number[],
): WalletKnowledge {
  const { before, after, alertIds } = amendment;
  const { unread, questions, record } = knowledge;
  const fills = { before: recordFill(before), after: recordFill(after) };
  const portfolio = amendPortfolio(knowledge.portfolio, amendment, fills, nowSeconds, boundaries);
  return {
    ...knowledge,
    portfolio,
    entries: knowledge.entries.map((entry) => amendEntry(entry, amendment)),
    alertedPositions: amendAlerted(knowledge.alertedPositions, amendment),
    record: {
      ...record,
      markets: record.markets.map((first) => amendFirstPurchase(first, fills)),
    },
    unread: unread && { ...unread, fills: replaceFill(unread.fills, fills) ?? unread.fills },
    questions: questions.map((question) => ({
      ...question,
      live: question.live.map((live) =>
        alertIds.has(live.alertId) && live.item.quantity === before.quantity
          ? { ...live, item: after }
          : live,
      ),
    })),
  };
}

function amendPortfolio(
  portfolio: Portfolio,
  { before, after }: Amendment,
  fills: AmendedFill,
  nowSeconds: number,
  boundaries: readonly number[],
): Portfolio {
  const { market, outcome } = entryKeys(before);
  const isOwn = (position: { readonly market: string }) => position.market === market;
  const own = portfolio.positions.find((position) => position.outcome === outcome);
  const amended = own && amendPosition(own, before, after);
  const account = portfolio.accounts.markets.find(isOwn);
  const amendedAccount = account && amendAccount(account, fills);
  // If only the account of a market is kept, the account must be exact.
  const isExact = own === undefined ? amendedAccount?.isWhole === true : amended !== null;
  const isLost = !isExact && (portfolio.positions.some(isOwn) || account?.isWhole === true);
  const positions = portfolio.positions.map((position) =>
    position === own && amended ? amended : position,
  );
  const markets = portfolio.accounts.markets.map((each) =>
    each === account && amendedAccount !== undefined ? amendedAccount : each,
  );
  const differences = [
    ...volumeEntries([before]).map((entry) => negated(entry)),
    ...volumeEntries([after]),
  ];
  const updated: Portfolio = {
    ...portfolio,
    positions,
    accounts: { ...portfolio.accounts, markets },
    sizes: amendSizes(portfolio.sizes, before, after),
    volume: addToVolume(portfolio.volume, differences, nowSeconds, boundaries),
    largest: amendLargest(portfolio.largest, before, after),
  };
  return foldPositions(updated, new Set(isLost ? [market] : []), nowSeconds);
}

/** Negates amounts and counts, to subtract them from the volume. */
function negated({ timeSeconds, sums }: ReturnType<typeof volumeEntries>[number]) {
  const off = Object.entries(sums).map(([name, amount]) => [name, -Number(amount)]);
  return { timeSeconds, sums: Object.fromEntries(off) };
}

/**
 * Returns an amended entry for finding a consensus. If the number of shares has changed, it is
 * unknown how many were sold.
 */
function amendEntry(entry: Entry, { before, after }: Amendment): Entry {
  const { outcome } = entryKeys(before);
  if (entry.outcome !== outcome) return entry;
  const isOfOtherShares = before.quantity !== after.quantity;
  if (before.action !== 'Buy') return isOfOtherShares ? { ...entry, sold: null } : entry;
  if (!isInEntry(entry, before)) return entry;
  return {
    ...entry,
    shares: moved(entry.shares, before.quantity, after.quantity),
    usdc: moved(entry.usdc, Math.abs(before.grossValue), Math.abs(after.grossValue)),
    netUsdc: moved(entry.netUsdc, before.transferNetAmount, after.transferNetAmount),
    sold: isOfOtherShares && entry.sold !== '0' ? null : entry.sold,
  };
}
