import { type Alert, turningKey } from '../../alerts/alert.ts';
import { Exact } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import {
  type AnnouncedPurchase,
  type continuing,
  JOIN_WINDOW_MS,
  type JoinContext,
  type splitJoining,
} from './announced.ts';
import { elapsed } from './cooldowns.ts';
import { decideMentions } from './mentions.ts';

/**
 * Separates the fills that a channel without edits collects: the rest of purchases already posted
 * there, which is posted once, after the time in which more may arrive. Fills that raise a purchase
 * to an amount that makes a sound or mentions a role are sent at once. So are purchases before a
 * waiting sale, and sales before a waiting purchase, so that both appear in order.
 * @returns as `splitJoining`; nothing is added to existing messages
 */
export function splitGathered(
  waiting: readonly Alert[],
  context: JoinContext,
  continuedPurchase: ReturnType<typeof continuing>,
  overtaken: ReadonlySet<string>,
): ReturnType<typeof splitJoining> {
  const { nowMs } = context;
  const turned = new Set(waiting.map(turningKey));
  const restByPurchase = groupBy(waiting, (alert) => {
    const found = continuedPurchase(alert);
    return found?.belongsToSentPurchase === true && elapsed(found.sinceMs, nowMs) < JOIN_WINDOW_MS
      ? found.purchase
      : null;
  });
  const keys = new Set<string>();
  const gathered = new Set<Alert>();
  let nextDueMs = Number.POSITIVE_INFINITY;
  for (const [purchase, alerts] of restByPurchase) {
    if (purchase === null || overtaken.has(purchase.key) || turned.has(purchase.key)) continue;
    if (becomesAudible(purchase, alerts, context)) continue;
    keys.add(purchase.key);
    for (const alert of alerts) {
      gathered.add(alert);
      nextDueMs = Math.min(
        nextDueMs,
        (continuedPurchase(alert)?.sinceMs ?? nowMs) + JOIN_WINDOW_MS,
      );
    }
  }
  return { joining: [], keys, others: waiting.filter((alert) => !gathered.has(alert)), nextDueMs };
}

/** True if fills, added to their purchase so far, make noise that the purchase has not made. */
function becomesAudible(
  { usdc }: AnnouncedPurchase,
  alerts: readonly Alert[],
  context: JoinContext,
): boolean {
  const [first, ...others] = alerts;
  if (first === undefined) return false;
  const { noise } = decideMentions(
    [{ kind: 'alert', alerts: [first, ...others], earlierUsdc: usdc }],
    context,
  );
  const audibleFromUsdc = context.settingsOf(first.wallet)?.silentBelowUsdc ?? 0;
  return noise.roleIds.length > 0 || (!noise.isSilent && new Exact(usdc).lt(audibleFromUsdc));
}
