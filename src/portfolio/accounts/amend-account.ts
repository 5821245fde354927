import { Exact, toDecimalText } from '../../lib/exact.ts';
import { amendHolding } from '../positions/position.ts';
import { type AmendedFill, type RecordFill, replaceFill } from '../record/first-purchase.ts';
import { type Account, fillOfRecord, holdingOf, leftOf, notWhole, type Sums } from './account.ts';

/**
 * Returns the account with a record replaced by the venue's current version. The totals paid and
 * returned are always correct; if the remaining shares cannot be computed exactly, the account no
 * longer determines what is held.
 */
export function amendAccount(account: Account, amended: AmendedFill): Account {
  const recent = replaceFill(account.recent, amended);
  if (recent !== null) return { ...account, recent };
  const { before, after } = amended;
  const { old } = account;
  if (old === null || before === undefined) return notWhole(account);
  const sums = amendSums(old, before, after);
  const left = amendLeft(old, before, after);
  if (left === null) return notWhole({ ...account, old: sums });
  return { ...account, old: { ...sums, left } };
}

/** Returns the totals paid and returned after a folded record was changed. */
function amendSums(old: Sums, before: RecordFill, after: RecordFill | undefined): Sums {
  const more = new Exact(after?.netUsdc ?? 0).minus(before.netUsdc);
  if (before.action === 'Buy') return { ...old, paid: toDecimalText(more.plus(old.paid)) };
  return { ...old, back: toDecimalText(new Exact(old.back).minus(more)) };
}

/**
 * Returns the remaining shares if they are exact, because nothing was sold of them or only the
 * amount returned has changed; otherwise null.
 */
function amendLeft(
  { left }: Sums,
  before: RecordFill,
  after: RecordFill | undefined,
): Sums['left'] | null {
  if (before.action !== 'Buy') return before.shares === after?.shares ? left : null;
  const index = left.findIndex(([outcome]) => outcome === before.outcome);
  const own = left[index];
  if (own === undefined || after === undefined) return null;
  const holding = amendHolding(holdingOf(own), fillOfRecord(before), fillOfRecord(after));
  return holding && left.with(index, leftOf(own[0], own[1], holding));
}
