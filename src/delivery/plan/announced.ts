import * as z from 'zod';
import type { Alert } from '../../alerts/alert.ts';
import { type AlertGroup, totalUsdc, walletOf } from '../../alerts/alert-group.ts';
import { groupAlerts, type NonEmptyAlerts, purchaseKey, usdcOf } from '../../alerts/group.ts';
import { eventSchema } from '../../alerts/kinds/kinds.ts';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { decimalText, Exact, stored } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { WatchSettings } from '../../watches/watch-settings.ts';
import { type Cooldowns, elapsed } from './cooldowns.ts';
import { decideMentions, isAllNoiseMade } from './mentions.ts';

/** Fills that are seen within this time of their purchase's message are the rest of it: they are added to the message. */
export const JOIN_WINDOW_MS = 120_000;
/** A message is changed no more often than this, and not sooner after it was sent. */
export const EDIT_SPACING_MS = 5_000;
/** A message that is older than this is not changed any more: nobody would see it. */
export const EDITABLE_MS = 300_000;
/** Purchases that are kept of a channel. Each write of the channel's queue writes them all. */
const PURCHASES_LIMIT = 1_000;
/** Those of them whose messages may grow, and fills of one and of all of these. */
const GROWING_LIMIT = 20;
const GROWING_FILLS_LIMIT = 50;
const FILLS_LIMIT = 100;

/** A message that shows one purchase alone, with what it takes to render it anew. Times are the venue's, epoch milliseconds. */
const growingMessageSchema = z.object({
  id: z.string(),
  wallet: walletSchema,
  /** All fills that it shows, oldest first. */
  fills: z.array(z.object({ id: z.string(), event: eventSchema, seenAtMs: z.number() })).min(1),
  /** What messages before it show of the purchase, USDC; left out where there are none. */
  earlierUsdc: decimalText.optional(),
  /** When it was sent. */
  sentAtMs: z.number(),
  /** When it was sent or changed last. */
  changedAtMs: z.number(),
  /** As it was sent: an edit makes no noise, and shows the same mentions. */
  noise: z.object({ roleIds: z.array(z.string()), isSilent: z.boolean() }),
});
export type GrowingMessage = z.infer<typeof growingMessageSchema>;

/** A purchase (or sale) that messages have shown, of which there may be more. Times are the venue's, epoch milliseconds. */
export const announcedPurchaseSchema = z.object({
  /** What its fills have in common, see `purchaseKey`. */
  key: z.string(),
  /** What its messages show of it together, USDC. */
  usdc: decimalText,
  /** When the first of them was sent. */
  sentAtMs: z.number(),
  /** When the newest of its fills was seen. */
  seenAtMs: z.number(),
  /** The newest of its messages, as long as it may grow. */
  message: growingMessageSchema.nullable(),
});
export type AnnouncedPurchase = z.infer<typeof announcedPurchaseSchema>;
/** One whose message may grow. */
export type GrowingPurchase = AnnouncedPurchase & { readonly message: GrowingMessage };

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

/** The purchase that an alert goes on with. */
export interface Continued {
  readonly purchase: AnnouncedPurchase;
  /** It was seen so soon that neither minimum nor cooldown hold it: the purchase has passed both. */
  readonly isRest: boolean;
}

/**
 * Finds the purchase that an alert goes on with: one of whose messages was sent less than two minutes before the alert was
 * seen, or whose newest fill was, as long as the purchase has not made all the noise that it could.
 */
export function continuing({
  announced,
  settingsOf,
}: Pick<JoinContext, 'announced' | 'settingsOf'>): (alert: Alert) => Continued | undefined {
  const byKey = new Map(announced.map((purchase) => [purchase.key, purchase]));
  return (alert) => {
    if (byKey.size === 0) return undefined;
    const settings = settingsOf(alert.wallet);
    const purchase = byKey.get(purchaseKey(alert) ?? '');
    if (purchase === undefined || settings?.style !== 'grouped') return undefined;
    const { sentAtMs, seenAtMs, message, usdc } = purchase;
    const isSoonAfter = (timeMs: number) => alert.seenAtMs <= timeMs + JOIN_WINDOW_MS;
    const isRest = isSoonAfter(Math.max(sentAtMs, message?.sentAtMs ?? 0));
    return isRest || (isSoonAfter(seenAtMs) && !isAllNoiseMade(usdc, settings)) ? { purchase, isRest } : undefined;
  };
}

/** The purchases of which there may be more, once a message with these groups has been sent. @param sent `messageId` null: it cannot grow */
export function withSent(
  announced: readonly AnnouncedPurchase[],
  groups: readonly AlertGroup[],
  sent: { readonly messageId: string | null } & Pick<GrowingMessage, 'sentAtMs' | 'noise'>,
): AnnouncedPurchase[] {
  const byKey = new Map(announced.map((purchase) => [purchase.key, purchase]));
  const shown = groups.flatMap((group) => (group.kind === 'alert' ? [group] : purchasesAmong(group)));
  for (const group of shown) {
    const { alerts, earlierUsdc } = group;
    const key = purchaseKey(alerts[0]);
    if (key === null) continue;
    const before = byKey.get(key);
    const isRest =
      earlierUsdc !== undefined && before !== undefined && alerts[0].seenAtMs <= before.sentAtMs + JOIN_WINDOW_MS;
    byKey.delete(key);
    byKey.set(key, {
      key,
      usdc: stored(totalUsdc(group) ?? new Exact(0)),
      // What comes on and on must not stay beyond minimum and cooldown.
      sentAtMs: isRest ? before.sentAtMs : sent.sentAtMs,
      seenAtMs: newestMs(alerts),
      // One line among several is not looked at again when it changes.
      message: groups.length > 1 || group !== groups[0] ? null : messageOf(group, sent),
    });
  }
  return [...byKey.values()];
}

function purchasesAmong({ alerts }: AlertGroup): AlertGroup[] {
  return groupAlerts(alerts).map((own) => ({ kind: 'alert', alerts: own }));
}

function messageOf(
  group: AlertGroup,
  { messageId, sentAtMs, noise }: Parameters<typeof withSent>[2],
): GrowingMessage | null {
  if (messageId === null) return null;
  const { alerts, earlierUsdc } = group;
  const fills = storedFills(alerts);
  return { id: messageId, wallet: walletOf(group), fills, earlierUsdc, sentAtMs, changedAtMs: sentAtMs, noise };
}

/** The purchase once its message shows further fills as well. @param changedAtMs when it was changed, by the venue's clock */
export function withFills(
  purchase: GrowingPurchase,
  alerts: Readonly<NonEmptyAlerts>,
  changedAtMs: number,
): AnnouncedPurchase {
  const { message, usdc, seenAtMs } = purchase;
  return {
    ...purchase,
    usdc: stored(new Exact(usdc).plus(usdcOf(alerts) ?? 0)),
    seenAtMs: Math.max(seenAtMs, newestMs(alerts)),
    message: { ...message, fills: [...message.fills, ...storedFills(alerts)], changedAtMs },
  };
}

/** The fills that a message shows as alerts of the channel. */
export function fillAlerts(channelId: string, { wallet, fills }: GrowingMessage): Alert[] {
  return fills.map((fill) => ({ ...fill, wallet, channelId }));
}

/** The purchase whose message it is, if that may still grow. */
export function growingIn(announced: readonly AnnouncedPurchase[], messageId: string): GrowingPurchase | undefined {
  return announced.find((purchase): purchase is GrowingPurchase => purchase.message?.id === messageId);
}

/** With a message that does not grow any more. */
export function withoutMessage(announced: readonly AnnouncedPurchase[], messageId: string): AnnouncedPurchase[] {
  return announced.map((purchase) => (purchase.message?.id === messageId ? { ...purchase, message: null } : purchase));
}

export interface KeepContext {
  /** The venue's clock. */
  readonly nowMs: number;
  /** The edit under way: its message is kept in any case, or it would not be known what became of it. */
  readonly edit: { readonly messageId: string } | null;
  /** Alerts that wait for the channel: what they may go on with is kept in any case. */
  readonly waiting: readonly Alert[];
}

/**
 * Those of which there may still be more, with the messages that may still be changed, the newest of them as far as there is
 * room.
 *
 * @returns `nextDueMs`: when the first of them need not be kept any more, by the venue's clock; null if time alone does not change that
 */
export function stillNeeded(
  announced: readonly AnnouncedPurchase[],
  { nowMs, edit, waiting }: KeepContext,
): { readonly announced: readonly AnnouncedPurchase[]; readonly nextDueMs: number | null } {
  const young = announced.filter((purchase) => elapsed(newsMs(purchase), nowMs) <= EDITABLE_MS);
  const keysWaiting = young.length < announced.length ? new Set(waiting.map(purchaseKey)) : new Set();
  const isEdited = ({ message }: AnnouncedPurchase) => message !== null && message.id === edit?.messageId;
  const kept = announced
    .filter((purchase) => young.includes(purchase) || keysWaiting.has(purchase.key) || isEdited(purchase))
    .slice(-PURCHASES_LIMIT);
  let messages = 0;
  let fills = 0;
  const isGrowing = (purchase: AnnouncedPurchase): boolean => {
    const { message } = purchase;
    if (message === null || isEdited(purchase)) return true;
    const own = message.fills.length;
    const isFull = own > GROWING_FILLS_LIMIT || messages === GROWING_LIMIT || fills + own > FILLS_LIMIT;
    if (isFull || !isEditable(message, nowMs)) return false;
    messages += 1;
    fills += own;
    return true;
  };
  const dueMs = kept
    .filter((purchase) => young.includes(purchase))
    .map((purchase) => newsMs(purchase) + EDITABLE_MS + 1);
  return {
    announced: kept
      .toReversed()
      .map((purchase) => (isGrowing(purchase) ? purchase : { ...purchase, message: null }))
      .reverse(),
    nextDueMs: dueMs.length > 0 ? Math.min(...dueMs) : null,
  };
}

/** When there was last something new of a purchase. */
function newsMs({ sentAtMs, seenAtMs, message }: AnnouncedPurchase): number {
  return Math.max(sentAtMs, seenAtMs, message?.sentAtMs ?? 0);
}

/** Whether a message is young enough to be changed. @param nowMs the venue's clock */
export function isEditable({ sentAtMs }: Pick<GrowingMessage, 'sentAtMs'>, nowMs: number): boolean {
  return elapsed(sentAtMs, nowMs) <= EDITABLE_MS;
}

/**
 * Separates the fills that join a purchase whose message is there from what is announced by a message of its own: also what
 * brings the purchase to an amount at which it is to be heard, or to mention somebody, where the message has not.
 *
 * @param overtaken keys of purchases of which a message of its own is to show later fills: what waits goes with them
 * @returns `keys`: of the purchases whose messages fills join, now or soon; `nextDueMs`: when a message may be changed again that fills wait for, by the venue's clock; null if none do
 */
export function splitJoining(
  waiting: readonly Alert[],
  context: JoinContext,
  goesOnWith: ReturnType<typeof continuing>,
  overtaken: ReadonlySet<string>,
): {
  readonly joining: readonly Joining[];
  readonly keys: ReadonlySet<string>;
  readonly others: readonly Alert[];
  readonly nextDueMs: number | null;
} {
  const fillsByMessage = groupBy(waiting, (alert) => messageFor(alert, goesOnWith(alert), context)?.id ?? null);
  const joining: Joining[] = [];
  const keys = new Set<string>();
  const waits = new Set<Alert>();
  const dueMs: number[] = [];
  for (const purchase of context.announced) {
    const { key, message, usdc } = purchase;
    if (overtaken.has(key)) continue;
    const alerts = message === null ? undefined : fillsByMessage.get(message.id);
    if (message === null || alerts === undefined || !takes(message, { alerts, usdc }, context)) continue;
    keys.add(key);
    for (const alert of alerts) waits.add(alert);
    if (elapsed(message.changedAtMs, context.nowMs) < EDIT_SPACING_MS)
      dueMs.push(message.changedAtMs + EDIT_SPACING_MS);
    else joining.push({ messageId: message.id, alerts });
  }
  return {
    joining,
    keys,
    others: waiting.filter((alert) => !waits.has(alert)),
    nextDueMs: dueMs.length > 0 ? Math.min(...dueMs) : null,
  };
}

/** The message that an alert may join by itself. */
function messageFor(
  alert: Alert,
  continued: Continued | undefined,
  { nowMs }: JoinContext,
): GrowingMessage | undefined {
  const message = continued?.purchase.message ?? undefined;
  if (message === undefined || alert.seenAtMs > message.sentAtMs + JOIN_WINDOW_MS) return undefined;
  return isEditable(message, nowMs) ? message : undefined;
}

/** Whether the message can show them all, and has made all the noise that they would make with all that was before. */
function takes(
  { fills, noise }: GrowingMessage,
  { alerts, usdc }: { readonly alerts: Readonly<NonEmptyAlerts>; readonly usdc: string },
  { nowMs, settingsOf, cooldowns }: JoinContext,
): boolean {
  if (fills.length + alerts.length > GROWING_FILLS_LIMIT) return false;
  const groups = [{ kind: 'alert', alerts, earlierUsdc: usdc }] as const;
  const { noise: own } = decideMentions(groups, { nowMs, settingsOf, cooldowns });
  return (own.isSilent || !noise.isSilent) && own.roleIds.every((roleId) => noise.roleIds.includes(roleId));
}

function newestMs(alerts: Readonly<NonEmptyAlerts>): number {
  return Math.max(...alerts.map(({ seenAtMs }) => seenAtMs));
}

function storedFills(alerts: readonly Alert[]): GrowingMessage['fills'] {
  return alerts.map(({ id, event, seenAtMs }) => ({ id, event, seenAtMs }));
}
