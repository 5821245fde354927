import * as z from 'zod';
import {
  type Alert,
  type AlertGroup,
  apartFromList,
  type NonEmptyAlerts,
  purchaseKey,
  totalUsdc,
  usdcOf,
  walletOf,
} from '../../alerts/alert.ts';
import { eventSchema } from '../../alerts/kinds/kinds.ts';
import { resultsOf } from '../../alerts/kinds/result.ts';
import { walletSchema } from '../../domain/address.ts';
import { decimalText, Exact, toDecimalText } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { alsoHereSchema } from '../../portfolio/positions/held-markets.ts';
import { elapsed } from './cooldowns.ts';
import { decideMentions, type NoiseContext, noiseSchema } from './mentions.ts';
import { isAfterTurn, turnSchema, withTurns } from './turns.ts';

/**
 * Fills seen within this time of their purchase's message are the rest of it: they are added to the
 * message.
 */
export const JOIN_WINDOW_MS = 120_000;
/** A message is changed no more often than this, and not sooner after it was sent. */
export const EDIT_SPACING_MS = 5_000;
/** A message that is older than this is not changed any more: nobody would see it. */
export const EDITABLE_MS = 300_000;
/** Purchases that are kept of a channel. Each write of the channel's queue writes them all. */
const PURCHASES_LIMIT = 1_000;
/**
 * Messages that may grow, and alerts of one and of all of these: at a message a second, two minutes
 * of the busiest channel are 120. At 0.9 kB an alert each write of its queue is up to 270 kB longer
 * for them.
 */
const GROWING_LIMIT = 120;
const GROWING_FILLS_LIMIT = 50;
const FILLS_LIMIT = 300;

/** Fields that are stored of an alert group besides its alerts. */
export const groupSchema = z.object({
  kind: z.enum(['alert', 'late']),
  wallet: walletSchema,
  /** Sum that earlier messages show of the purchase, USDC; left out where there are none. */
  earlierUsdc: decimalText.optional(),
  alsoHere: alsoHereSchema.optional(),
  isInBurst: z.boolean().optional(),
  isRow: z.boolean().optional(),
  earlierByKey: z.record(z.string(), decimalText).optional(),
});

/**
 * A message that may grow, with what it takes to render it anew. Times are the venue's, epoch
 * milliseconds.
 */
export const growingMessageSchema = z.object({
  id: z.string(),
  /** All that it shows, in its order; the alerts of a group oldest first. */
  groups: z.array(
    groupSchema.extend({
      alerts: z
        .array(z.object({ id: z.string(), event: eventSchema, seenAtMs: z.number() }))
        .min(1),
    }),
  ),
  sentAtMs: z.number(),
  /** Time at which it was sent or changed last. */
  changedAtMs: z.number(),
  /**
   * Time of its last change by Discord's clock, epoch milliseconds; 0 if it never was changed, null
   * if that is not known.
   */
  editedAtMs: z.number().nullable(),
  /** Noise as it was sent: an edit makes none, and shows the same mentions. */
  noise: noiseSchema,
});
export type GrowingMessage = z.infer<typeof growingMessageSchema>;

/**
 * A purchase (or sale) that messages have shown, of which there may be more. Times are the venue's,
 * epoch ms.
 */
export const announcedPurchaseSchema = z.object({
  /** Key that its fills share, see `purchaseKey`. */
  key: z.string(),
  /** Sum that its messages show together, USDC. */
  usdc: decimalText,
  /** Time at which the first of them was sent. */
  sentAtMs: z.number(),
  /** Time at which the newest of its fills was seen. */
  seenAtMs: z.number(),
  /** The newest of its messages, which may grow as long as it is kept; null if it never could. */
  messageId: z.string().nullable(),
  turn: turnSchema.optional(),
});
export type AnnouncedPurchase = z.infer<typeof announcedPurchaseSchema>;

/** Purchases and messages that a channel has been shown lately, oldest first. */
export interface Announced {
  readonly announced: AnnouncedPurchase[];
  readonly growing: GrowingMessage[];
}

/** Fills that are to be added to a message. */
export interface Joining {
  readonly messageId: string;
  readonly alerts: readonly Alert[];
}

export interface JoinContext extends Announced, Omit<NoiseContext, 'announced'> {
  /** True if messages of the channel are edited. */
  readonly takesEdits: boolean;
}

/**
 * Finds the purchase that an alert goes on with: one of whose messages was sent less than two
 * minutes before the alert was seen, or whose newest fill was, as long as the purchase has not made
 * all the noise that it could. None where a trade the other way has been announced that was before
 * it: the last word must be the last trade's. `isRest`: it was seen so soon that neither minimum
 * nor cooldown hold it, for the purchase has passed both; `sinceMs`: when the message was sent by
 * which that counts, by the venue's clock.
 */
export function continuing(context: Pick<JoinContext, 'announced' | 'growing' | 'settingsOf'>) {
  const { announced, growing, settingsOf } = context;
  const byKey = new Map(announced.map((purchase) => [purchase.key, purchase]));
  const messageSentMs = sentTimes(growing);
  return (alert: Alert) => {
    if (byKey.size === 0) return undefined;
    const settings = settingsOf(alert.wallet);
    const purchase = byKey.get(purchaseKey(alert) ?? '');
    if (purchase === undefined || settings?.style !== 'grouped' || isAfterTurn(alert, purchase)) {
      return undefined;
    }
    const { sentAtMs, seenAtMs, usdc } = purchase;
    const isSoonAfter = (timeMs: number) => alert.seenAtMs <= timeMs + JOIN_WINDOW_MS;
    const sinceMs = Math.max(sentAtMs, messageSentMs(purchase));
    const isRest = isSoonAfter(sinceMs);
    // Once all noise is made that it can make its pieces are like any other.
    const loudUsdc = settings.mention?.minUsdc ?? settings.silentBelowUsdc;
    const goesOn = isRest || (isSoonAfter(seenAtMs) && new Exact(usdc).lt(loudUsdc));
    return goesOn ? { purchase, isRest, sinceMs } : undefined;
  };
}

/** Time at which the message was sent that a purchase may grow in; 0 if there is none. */
function sentTimes(growing: readonly GrowingMessage[]): (purchase: AnnouncedPurchase) => number {
  const byId = new Map(growing.map(({ id, sentAtMs }) => [id, sentAtMs]));
  return ({ messageId }) => byId.get(messageId ?? '') ?? 0;
}

/**
 * Adds the message with these groups to what has been announced, once it is sent.
 *
 * @param sent `messageId` null: it cannot grow
 */
export function withSent(
  { announced, growing }: Announced,
  groups: readonly AlertGroup[],
  {
    messageId,
    sentAtMs,
    noise,
  }: Pick<GrowingMessage, 'sentAtMs' | 'noise'> & { readonly messageId: string | null },
): Announced {
  let purchases = announced;
  const purchasesOf = (group: AlertGroup): AlertGroup[] =>
    group.kind === 'alert' ? [group] : apartFromList(group);
  for (const group of groups.flatMap(purchasesOf)) {
    const { alerts, earlierUsdc } = group;
    const key = purchaseKey(alerts[0]);
    if (key === null) continue;
    const before = purchases.find((purchase) => purchase.key === key);
    const isRest =
      earlierUsdc !== undefined &&
      before !== undefined &&
      alerts[0].seenAtMs <= before.sentAtMs + JOIN_WINDOW_MS;
    const purchase: AnnouncedPurchase = {
      key,
      usdc: toDecimalText(totalUsdc(group) ?? new Exact(0)),
      // A purchase that goes on and on must not stay beyond minimum and cooldown.
      sentAtMs: isRest ? before.sentAtMs : sentAtMs,
      seenAtMs: newestMs(alerts),
      // Alerts that come late together say what they came to, and a sale that has closed a position
      // says what came of that: such a message does not grow.
      messageId: groups.includes(group) && resultsOf(alerts).length === 0 ? messageId : null,
    };
    const others = purchases.filter((other) => other.key !== key);
    purchases = [...withTurns(others, alerts), purchase];
  }
  const message = {
    groups: groups.map(storedGroup),
    sentAtMs,
    changedAtMs: sentAtMs,
    editedAtMs: 0,
    noise,
  };
  return {
    announced: purchases,
    growing: messageId === null ? growing : [...growing, { id: messageId, ...message }],
  };
}

function storedGroup(group: AlertGroup): GrowingMessage['groups'][number] {
  const { alerts, ...rest } = group;
  const kept = alerts.map(({ id, event, seenAtMs }) => ({ id, event, seenAtMs }));
  return { ...rest, wallet: walletOf(group), alerts: kept };
}

/**
 * Gives what a message shows as groups of the channel, with further fills each in the group of its
 * purchase.
 */
export function groupsWith(
  channelId: string,
  { groups }: GrowingMessage,
  added: readonly Alert[],
): AlertGroup[] {
  const addedByKey = groupBy(added, purchaseKey);
  return groups
    .toReversed()
    .flatMap(({ kind, wallet, alerts, ...shown }): AlertGroup[] => {
      const [first, ...rest] = alerts.map((alert): Alert => ({ ...alert, wallet, channelId }));
      if (first === undefined) return [];
      const key = kind === 'alert' ? purchaseKey(first) : null;
      const own = (key === null ? undefined : addedByKey.get(key)) ?? [];
      // Only the last one is remembered of a purchase whose fills were announced one by one.
      addedByKey.delete(key);
      return [{ kind, alerts: [first, ...rest, ...own], ...shown }];
    })
    .toReversed();
}

/**
 * Adds further fills that a message shows to what has been announced.
 *
 * @param changed when, by the venue's clock, and by Discord's
 */
export function withFills(
  { announced, growing }: Announced,
  message: GrowingMessage,
  added: readonly Alert[],
  changed: Pick<GrowingMessage, 'changedAtMs' | 'editedAtMs'>,
): Announced {
  const addedByKey = groupBy(added, purchaseKey);
  const groups = groupsWith('', message, added).map(storedGroup);
  return {
    announced: withTurns(announced, added).map((purchase) => {
      const own = addedByKey.get(purchase.key);
      if (own === undefined) return purchase;
      const usdc = toDecimalText(new Exact(purchase.usdc).plus(usdcOf(own) ?? 0));
      return { ...purchase, usdc, seenAtMs: Math.max(purchase.seenAtMs, newestMs(own)) };
    }),
    growing: growing.map((other) =>
      other.id === message.id ? { ...message, groups, ...changed } : other,
    ),
  };
}

/**
 * Purchases of which there may be more, and messages that may still be changed, the newest as far
 * as there is room.
 *
 * @param context kept in any case: the message of `edit`, which is under way, and what `waiting`
 *   alerts may go on with
 * @returns `nextDueMs`: when the first of them need not be kept any more, by the venue's clock;
 *   Infinity: never by time
 */
export function stillNeeded(
  { announced, growing }: Announced,
  context: {
    readonly nowMs: number;
    readonly edit: { readonly messageId: string } | null;
    readonly waiting: readonly Alert[];
  },
): Announced & { readonly nextDueMs: number } {
  const { nowMs, edit, waiting } = context;
  const messageSentMs = sentTimes(growing);
  /** Time of the last news of a purchase. */
  const newsMs = (purchase: AnnouncedPurchase) =>
    Math.max(purchase.sentAtMs, purchase.seenAtMs, messageSentMs(purchase));
  const young = new Set(
    announced.filter((purchase) => elapsed(newsMs(purchase), nowMs) <= EDITABLE_MS),
  );
  const keysWaiting = young.size < announced.length ? new Set(waiting.map(purchaseKey)) : new Set();
  const isEdited = (messageId: string | null) =>
    messageId !== null && messageId === edit?.messageId;
  const kept = announced
    .filter(
      (purchase) =>
        young.has(purchase) || keysWaiting.has(purchase.key) || isEdited(purchase.messageId),
    )
    .slice(-PURCHASES_LIMIT);
  const newest = new Set(kept.map(({ messageId }) => messageId));
  let [messages, fills] = [0, 0];
  const isKept = (message: GrowingMessage): boolean => {
    if (isEdited(message.id)) return true;
    const own = fillsIn(message);
    const isFull =
      own > GROWING_FILLS_LIMIT || messages === GROWING_LIMIT || fills + own > FILLS_LIMIT;
    if (isFull || !newest.has(message.id) || !isEditable(message, nowMs)) return false;
    messages += 1;
    fills += own;
    return true;
  };
  const dueMs = kept
    .filter((purchase) => young.has(purchase))
    .map((purchase) => newsMs(purchase) + EDITABLE_MS + 1);
  return {
    announced: kept,
    growing: growing.toReversed().filter(isKept).reverse(),
    nextDueMs: Math.min(...dueMs),
  };
}

const fillsIn = ({ groups }: GrowingMessage) => groups.flatMap(({ alerts }) => alerts).length;

/**
 * True if a message is young enough to be changed.
 *
 * @param nowMs the venue's clock
 */
export function isEditable({ sentAtMs }: Pick<GrowingMessage, 'sentAtMs'>, nowMs: number): boolean {
  return elapsed(sentAtMs, nowMs) <= EDITABLE_MS;
}

/**
 * Separates the fills that join a purchase whose message is there from what is announced by a
 * message of its own: also what brings the purchase to an amount at which it is to be heard, or to
 * mention somebody, where the message has not.
 *
 * @param overtaken keys of purchases of which a message of its own is to show later fills: what
 *   waits goes with them
 * @returns `keys` of the purchases whose messages fills join, now or soon; `nextDueMs`: when an
 *   edit that fills wait for is allowed, by the venue's clock; Infinity if none do
 */
export function splitJoining(
  waiting: readonly Alert[],
  context: JoinContext,
  goesOnWith: ReturnType<typeof continuing>,
  overtaken: ReadonlySet<string>,
) {
  const { announced, growing, nowMs } = context;
  const byId = new Map(growing.map((message) => [message.id, message]));
  const fillsByPurchase = groupBy(waiting, (alert) => {
    const purchase = goesOnWith(alert)?.purchase;
    const message = byId.get(purchase?.messageId ?? '');
    if (message === undefined || alert.seenAtMs > message.sentAtMs + JOIN_WINDOW_MS) return null;
    return isEditable(message, nowMs) ? purchase : null;
  });
  const keys = new Set<string>();
  const added = new Map<GrowingMessage, Alert[]>();
  for (const purchase of announced) {
    const message = byId.get(purchase.messageId ?? '');
    const alerts = fillsByPurchase.get(purchase);
    if (message === undefined || alerts === undefined || overtaken.has(purchase.key)) continue;
    const joined = added.get(message) ?? [];
    const isFull = fillsIn(message) + joined.length + alerts.length > GROWING_FILLS_LIMIT;
    if (isFull) continue;
    // The message must have made all the noise that the fills would make with all that was before
    // of their purchase.
    const { noise } = decideMentions(
      [{ kind: 'alert', alerts, earlierUsdc: purchase.usdc }],
      context,
    );
    const isHeard = noise.isSilent || !message.noise.isSilent;
    if (!isHeard || !noise.roleIds.every((roleId) => message.noise.roleIds.includes(roleId))) {
      continue;
    }
    keys.add(purchase.key);
    added.set(message, [...joined, ...alerts]);
  }
  const joins = new Set([...added.values()].flat());
  const isTooSoon = ({ changedAtMs }: GrowingMessage) =>
    elapsed(changedAtMs, nowMs) < EDIT_SPACING_MS;
  const waitingMs = [...added.keys()]
    .filter(isTooSoon)
    .map(({ changedAtMs }) => changedAtMs + EDIT_SPACING_MS);
  return {
    joining: [...added].flatMap(([message, alerts]) =>
      isTooSoon(message) ? [] : [{ messageId: message.id, alerts }],
    ),
    keys,
    others: waiting.filter((alert) => !joins.has(alert)),
    nextDueMs: Math.min(...waitingMs),
  };
}

function newestMs(alerts: Readonly<NonEmptyAlerts>): number {
  return Math.max(...alerts.map(({ seenAtMs }) => seenAtMs));
}
