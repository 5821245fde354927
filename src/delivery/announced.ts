import * as z from 'zod';
import type { Alert } from '../alerts/alert.ts';
import type { AlertGroup } from '../alerts/alert-group.ts';
import { groupKey, type NonEmptyAlerts } from '../alerts/group.ts';
import { eventSchema } from '../alerts/outbox.ts';
import { type WalletAddress, walletSchema } from '../feed/interface.ts';
import { groupBy } from '../lib/group-by.ts';
import type { WatchSettings } from '../watches/watch-settings.ts';
import { type Cooldowns, elapsed } from './cooldowns.ts';
import { decideMentions } from './mentions.ts';

/** Fills that are seen within this time of their purchase's message are added to it. */
export const JOIN_WINDOW_MS = 120_000;
/** A message is changed no more often than this, and not sooner after it was sent. */
export const EDIT_SPACING_MS = 5_000;
/** A message that is older than this is not changed any more: nobody would see it. */
export const EDITABLE_MS = 300_000;
/** Purchases that are kept of a channel, and fills of one and of all of them: each write of the channel's queue writes them all. */
const PURCHASES_LIMIT = 20;
const PURCHASE_FILLS_LIMIT = 50;
const FILLS_LIMIT = 100;

/** A message that shows one purchase alone, with what it takes to render it anew. Times are the venue's, epoch milliseconds. */
export const announcedPurchaseSchema = z.object({
  messageId: z.string(),
  wallet: walletSchema,
  /** All fills that the message shows, oldest first. */
  fills: z.array(z.object({ id: z.string(), event: eventSchema, seenAtMs: z.number() })).min(1),
  /** When it was sent. */
  sentAtMs: z.number(),
  /** When it was sent or changed last. */
  changedAtMs: z.number(),
  /** As it was sent: an edit makes no noise, and shows the same mentions. */
  noise: z.object({ roleIds: z.array(z.string()), isSilent: z.boolean() }),
});
export type AnnouncedPurchase = z.infer<typeof announcedPurchaseSchema>;

/** Fills that are to be added to a message. */
export interface Joining {
  readonly messageId: string;
  readonly alerts: Readonly<NonEmptyAlerts>;
}

export interface JoinContext {
  /** The venue's clock, epoch milliseconds. */
  readonly nowMs: number;
  /** How the channel wants alerts of the wallet; undefined if it does not want them at all, or not now. */
  readonly settingsOf: (wallet: WalletAddress) => WatchSettings | undefined;
  readonly cooldowns: Cooldowns;
  readonly announced: readonly AnnouncedPurchase[];
}

/**
 * The purchases that may still grow in their messages, once a message with these groups has been sent: it is added if it
 * shows one purchase alone, and what it goes on with does not grow in an older one any more.
 */
export function withSent(
  announced: readonly AnnouncedPurchase[],
  groups: readonly AlertGroup[],
  sent: Pick<AnnouncedPurchase, 'messageId' | 'sentAtMs' | 'noise'>,
): AnnouncedPurchase[] {
  const keys = new Set(groups.flatMap(({ alerts }) => alerts.map(groupKey)));
  return [...announced.filter((purchase) => !keys.has(purchaseKey(purchase))), ...purchaseOf(groups, sent)];
}

function purchaseOf(
  [group, ...others]: readonly AlertGroup[],
  sent: Pick<AnnouncedPurchase, 'messageId' | 'sentAtMs' | 'noise'>,
): AnnouncedPurchase[] {
  // One line among several is not looked at again when it changes.
  if (group === undefined || others.length > 0 || group.kind !== 'alert') return [];
  if (group.alerts[0].event.kind !== 'activity') return [];
  return [{ ...sent, wallet: group.alerts[0].wallet, fills: storedFills(group.alerts), changedAtMs: sent.sentAtMs }];
}

/** The purchase with further fills, or with the time of a change that brought none. */
export function withFills(
  purchase: AnnouncedPurchase,
  alerts: readonly Alert[],
  changedAtMs: number,
): AnnouncedPurchase {
  return { ...purchase, fills: [...purchase.fills, ...storedFills(alerts)], changedAtMs };
}

/** The fills of a purchase as alerts of the channel. */
export function fillAlerts(channelId: string, { wallet, fills }: AnnouncedPurchase): Alert[] {
  return fills.map((fill) => ({ ...fill, wallet, channelId }));
}

/**
 * Those that may still be changed, the newest of them as far as there is room.
 *
 * @param nowMs the venue's clock
 * @param edit the one under way: its message is kept in any case, or it would not be known what became of it
 */
export function stillEditable(
  announced: readonly AnnouncedPurchase[],
  nowMs: number,
  edit: { readonly messageId: string } | null,
): AnnouncedPurchase[] {
  let purchases = 0;
  let fills = 0;
  const isKept = (purchase: AnnouncedPurchase): boolean => {
    if (purchase.messageId === edit?.messageId) return true;
    if (!isEditable(purchase, nowMs)) return false;
    const own = purchase.fills.length;
    if (own > PURCHASE_FILLS_LIMIT || purchases === PURCHASES_LIMIT || fills + own > FILLS_LIMIT) return false;
    purchases += 1;
    fills += own;
    return true;
  };
  return announced.toReversed().filter(isKept).reverse();
}

/** Whether a message is young enough to be changed. @param nowMs the venue's clock */
export function isEditable({ sentAtMs }: Pick<AnnouncedPurchase, 'sentAtMs'>, nowMs: number): boolean {
  return elapsed(sentAtMs, nowMs) <= EDITABLE_MS;
}

/** When the first of them need not be kept any more, by the venue's clock; null if there are none. */
export function endOfEdits(announced: readonly AnnouncedPurchase[]): number | null {
  return announced.length === 0 ? null : Math.min(...announced.map(({ sentAtMs }) => sentAtMs + EDITABLE_MS + 1));
}

/**
 * Separates the fills that join a purchase whose message is there from what is announced by a message of its own. Minimum and
 * cooldown do not hold them: the purchase has passed both, and no further message is made. What would be heard, or mention
 * somebody, where the message has not, is announced on its own.
 *
 * @returns `nextDueMs`: when a message may be changed again that fills wait for, by the venue's clock; null if none do
 */
export function splitJoining(
  waiting: readonly Alert[],
  context: JoinContext,
): { readonly joining: readonly Joining[]; readonly others: readonly Alert[]; readonly nextDueMs: number | null } {
  const byKey = new Map(context.announced.map((purchase) => [purchaseKey(purchase), purchase]));
  const fillsByMessage = groupBy(waiting, (alert) => purchaseFor(alert, byKey, context)?.messageId ?? null);
  const joining: Joining[] = [];
  const waits = new Set<Alert>();
  const dueMs: number[] = [];
  for (const purchase of context.announced) {
    const alerts = fillsByMessage.get(purchase.messageId);
    if (alerts === undefined || !takes(purchase, alerts, context)) continue;
    for (const alert of alerts) waits.add(alert);
    const nextMs = purchase.changedAtMs + EDIT_SPACING_MS;
    if (elapsed(purchase.changedAtMs, context.nowMs) < EDIT_SPACING_MS) dueMs.push(nextMs);
    else joining.push({ messageId: purchase.messageId, alerts });
  }
  return {
    joining,
    others: waiting.filter((alert) => !waits.has(alert)),
    nextDueMs: dueMs.length > 0 ? Math.min(...dueMs) : null,
  };
}

/** The message that an alert may join by itself. */
function purchaseFor(
  alert: Alert,
  purchases: ReadonlyMap<string, AnnouncedPurchase>,
  { nowMs, settingsOf }: JoinContext,
): AnnouncedPurchase | undefined {
  const { wallet, event, seenAtMs } = alert;
  if (event.kind !== 'activity' || purchases.size === 0 || settingsOf(wallet)?.style !== 'grouped') return undefined;
  const purchase = purchases.get(groupKey(alert));
  if (purchase === undefined || seenAtMs > purchase.sentAtMs + JOIN_WINDOW_MS) return undefined;
  return isEditable(purchase, nowMs) ? purchase : undefined;
}

/** Whether the message can show them all, and has made all the noise that they would make. */
function takes(
  { fills, noise }: AnnouncedPurchase,
  alerts: Readonly<NonEmptyAlerts>,
  { nowMs, settingsOf, cooldowns }: JoinContext,
): boolean {
  if (fills.length + alerts.length > PURCHASE_FILLS_LIMIT) return false;
  const { noise: own } = decideMentions([{ kind: 'alert', alerts }], { nowMs, settingsOf, cooldowns });
  return (own.isSilent || !noise.isSilent) && own.roleIds.every((roleId) => noise.roleIds.includes(roleId));
}

/** What its fills have in common, see `groupKey`. */
export function purchaseKey(purchase: AnnouncedPurchase): string {
  const [first] = fillAlerts('', purchase);
  return first === undefined ? '' : groupKey(first);
}

function storedFills(alerts: readonly Alert[]): AnnouncedPurchase['fills'] {
  return alerts.map(({ id, event, seenAtMs }) => ({ id, event, seenAtMs }));
}
