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
 * Time after a purchase's message during which further fills are seen as belonging to it and are
 * added to the message, in ms.
 */
export const JOIN_WINDOW_MS = 120_000;
/** Minimum interval between sending a message and editing it, and between two edits, in ms. */
export const EDIT_SPACING_MS = 5_000;
/** Age after which a message is no longer edited, in ms, because no one would notice. */
export const EDITABLE_MS = 300_000;
/**
 * Maximum number of purchases kept for a channel. Each write of the channel's queue includes them
 * all.
 */
const PURCHASES_LIMIT = 1_000;
/**
 * Maximum number of growing messages, and of alerts in one of them and in all. At a message per
 * second, the busiest channel has 120 in two minutes. At 0.9 kB per alert, they add up to 270 kB to
 * each write of its queue.
 */
const GROWING_LIMIT = 120;
const GROWING_FILLS_LIMIT = 50;
const FILLS_LIMIT = 300;

/** Stored fields of an alert group, in addition to its alerts. */
export const groupSchema = z.object({
  kind: z.enum(['alert', 'late']),
  wallet: walletSchema,
  /** USDC of the purchase that earlier messages show; left out if there are none. */
  earlierUsdc: decimalText.optional(),
  alsoHere: alsoHereSchema.optional(),
  isInBurst: z.boolean().optional(),
  isRow: z.boolean().optional(),
  earlierByKey: z.record(z.string(), decimalText).optional(),
});

/**
 * A message that may grow, with the data needed to render it again. Times are the venue's, in epoch
 * milliseconds.
 */
export const growingMessageSchema = z.object({
  id: z.string(),
  /** All groups it shows, in order; the alerts of a group are oldest first. */
  groups: z.array(
    groupSchema.extend({
      alerts: z
        .array(z.object({ id: z.string(), event: eventSchema, seenAtMs: z.number() }))
        .min(1),
    }),
  ),
  sentAtMs: z.number(),
  /** Time when it was sent or last changed. */
  changedAtMs: z.number(),
  /**
   * Time of its last edit by Discord's clock, in epoch milliseconds; 0 if it was never edited, null
   * if unknown.
   */
  editedAtMs: z.number().nullable(),
  /** Noise with which it was sent. An edit makes none, and shows the same mentions. */
  noise: noiseSchema,
});
export type GrowingMessage = z.infer<typeof growingMessageSchema>;

/** A posted purchase (or sale) that may still grow. Times are the venue's, in epoch ms. */
export const announcedPurchaseSchema = z.object({
  /** Key that its fills share, see `purchaseKey`. */
  key: z.string(),
  /** USDC that its messages show in total. */
  usdc: decimalText,
  /** Time when its first message was sent. */
  sentAtMs: z.number(),
  /** Time when its newest fill was seen. */
  seenAtMs: z.number(),
  /** The newest of its messages, which may grow while it is kept; null if it never could. */
  messageId: z.string().nullable(),
  turn: turnSchema.optional(),
});
export type AnnouncedPurchase = z.infer<typeof announcedPurchaseSchema>;

/** Purchases and messages recently posted in a channel, oldest first. */
export interface Announced {
  readonly announced: AnnouncedPurchase[];
  readonly growing: GrowingMessage[];
}

/** Fills to be added to a message. */
export interface Joining {
  readonly messageId: string;
  readonly alerts: readonly Alert[];
}

export interface JoinContext extends Announced, Omit<NoiseContext, 'announced'> {
  /** True if the channel's messages are edited. */
  readonly takesEdits: boolean;
}

/**
 * Returns a function that finds the purchase an alert continues. One of the purchase's messages was
 * sent less than two minutes before the alert was seen, or its newest fill was seen within that
 * time and the purchase has not yet made all the noise it could. There is none if an opposite trade
 * that happened before the alert's has been posted, because the last message must show the last
 * trade. `belongsToSentPurchase`: the alert was seen so soon that neither minimum nor cooldown
 * applies, because the purchase has passed both; `sinceMs`: when the message from which this is
 * counted was sent, by the venue's clock.
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
    const belongsToSentPurchase = isSoonAfter(sinceMs);
    // After a purchase has made all the noise it can, its fills are treated like any others.
    const loudUsdc = settings.mention?.minUsdc ?? settings.silentBelowUsdc;
    const goesOn = belongsToSentPurchase || (isSoonAfter(seenAtMs) && new Exact(usdc).lt(loudUsdc));
    return goesOn ? { purchase, belongsToSentPurchase, sinceMs } : undefined;
  };
}

/** Returns the time when the message in which a purchase may grow was sent; 0 if there is none. */
function sentTimes(growing: readonly GrowingMessage[]): (purchase: AnnouncedPurchase) => number {
  const byId = new Map(growing.map(({ id, sentAtMs }) => [id, sentAtMs]));
  return ({ messageId }) => byId.get(messageId ?? '') ?? 0;
}

/**
 * Adds the message with these groups to what has been posted, once it is sent.
 * @param sent `messageId` is null if the message cannot grow
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
  for (const group of groups.flatMap((one) => apartFromList(one))) {
    const { alerts, earlierUsdc } = group;
    const key = purchaseKey(alerts[0]);
    if (key === null) continue;
    const before = purchases.find((purchase) => purchase.key === key);
    const belongsToSentPurchase =
      earlierUsdc !== undefined &&
      before !== undefined &&
      alerts[0].seenAtMs <= before.sentAtMs + JOIN_WINDOW_MS;
    const purchase: AnnouncedPurchase = {
      key,
      usdc: toDecimalText(totalUsdc(group) ?? new Exact(0)),
      // A purchase that never ends must not stay exempt from minimum and cooldown forever.
      sentAtMs: belongsToSentPurchase ? before.sentAtMs : sentAtMs,
      seenAtMs: newestMs(alerts),
      // Late lists show totals, and a sale that closed a position shows its result. Such messages
      // do not grow.
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
 * Returns what a message shows as groups of the channel, with further fills added to the groups of
 * their purchases. The alerts of a purchase that grows are in the order in which they were found,
 * even if a fill that waited for an edit of its previous message is added to the next one: only in
 * that order do their positions add up.
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
      const present = alerts.map((alert): Alert => ({ ...alert, wallet, channelId }));
      const key = kind === 'alert' && present[0] ? purchaseKey(present[0]) : null;
      const own = (key === null ? undefined : addedByKey.get(key)) ?? [];
      // If fills of a purchase were posted one by one, only the last group is remembered.
      addedByKey.delete(key);
      // Other groups stay as they are: a result may be older than the sale that it follows.
      const all =
        own.length === 0
          ? present
          : [...present, ...own].toSorted((a, b) => a.seenAtMs - b.seenAtMs);
      const [first, ...rest] = all;
      return first === undefined ? [] : [{ kind, alerts: [first, ...rest], ...shown }];
    })
    .toReversed();
}

/**
 * Adds further fills that a message shows to what has been posted.
 * @param changed time of the edit by the venue's clock, and by Discord's
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
 * Returns the purchases that may still grow and the messages that may still be edited, the newest
 * that fit the limits.
 * @param context always kept: the message of the current `edit`, and the purchases that `waiting`
 *   alerts may continue
 * @returns `nextDueMs`: when the first of them no longer needs to be kept, by the venue's clock;
 *   Infinity: not because of time
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
  /** Returns the time of a purchase's latest message or fill. */
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
 * True if a message is young enough to be edited.
 * @param nowMs the venue's clock
 */
export function isEditable({ sentAtMs }: Pick<GrowingMessage, 'sentAtMs'>, nowMs: number): boolean {
  return elapsed(sentAtMs, nowMs) <= EDITABLE_MS;
}

/**
 * Separates fills that are added to the message of their purchase from alerts that get a message of
 * their own. Fills also get their own message if they raise the purchase to an amount that makes a
 * sound or mentions a role and the existing message did not.
 * @param overtaken keys of purchases whose later fills get a message of their own; their waiting
 *   fills go with it
 * @returns `keys` of the purchases whose messages get fills, now or soon; `nextDueMs`: when an edit
 *   that fills wait for is allowed, by the venue's clock; Infinity if none is waiting
 */
export function splitJoining(
  waiting: readonly Alert[],
  context: JoinContext,
  continuedPurchase: ReturnType<typeof continuing>,
  overtaken: ReadonlySet<string>,
) {
  const { announced, growing, nowMs } = context;
  const byId = new Map(growing.map((message) => [message.id, message]));
  const fillsByPurchase = groupBy(waiting, (alert) => {
    const purchase = continuedPurchase(alert)?.purchase;
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
    // The message must already have made all the noise that the fills and their purchase would make
    // together.
    const { noise } = decideMentions(
      [{ kind: 'alert', alerts, earlierUsdc: purchase.usdc }],
      context,
    );
    const isAudible = noise.isSilent || !message.noise.isSilent;
    if (!isAudible || !noise.roleIds.every((roleId) => message.noise.roleIds.includes(roleId))) {
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
