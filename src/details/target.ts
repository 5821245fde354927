import * as z from 'zod';
import type { Alert, AlertGroup, NonEmptyAlerts } from '../alerts/alert.ts';
import { fillsOf } from '../alerts/kinds/activity.ts';
import { lateRows } from '../alerts/row-order.ts';
import { parseAddress, type WalletAddress } from '../domain/address.ts';
import { ACTIONS, type ActivityItem } from '../domain/records.ts';
import { MESSAGE_LIMITS } from '../embeds/text/limits.ts';

/** First part of a Details button's custom id, which names the component that answers. */
export const DETAILS = 'details';
/**
 * Maximum alerts of a message with details: Discord accepts 25 options in a menu, and Mute uses one
 * for each of five wallets.
 */
export const OFFERED_LIMIT = 20;

const ACTION_CODES: Readonly<Record<string, string>> = { Buy: 'b', Sell: 's', Redeem: 'r' };
/** Times have up to 11 digits, as in the venue's records. */
const ID =
  /^details:([\w-]{27}):([a-z0-9]{1,16})(?::([\w-]+):([bsr])(0|[1-9]\d{0,8}):(0|[1-9a-z][0-9a-z]{0,7}):(0|[1-9a-z][0-9a-z]{0,7}))?$/;
const LATEST_SECONDS = 99_999_999_999;

/**
 * Identifies the records of an alert about fills: their market, action, outcome (except for
 * redemptions), and the times of the first and the last.
 */
export const fillsTargetSchema = z.object({
  marketId: z.string(),
  /** In the venue's spelling. */
  action: z.string(),
  /** −1 if the venue gave none. */
  outcomeIndex: z.number(),
  /** Unix seconds, both inclusive. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type FillsTarget = z.infer<typeof fillsTargetSchema>;

/** Content of a Details button's custom id. */
export interface DetailsId {
  readonly wallet: WalletAddress;
  /**
   * The reference of the alert; for several fills, that of the first. With wallet and channel it
   * identifies the alert.
   */
  readonly reference: string;
  /** Null if it did not fit; only the stored record has it then. */
  readonly target: FillsTarget | null;
}

/**
 * Returns a message's groups of trades and redemptions that have details, with results; late ones
 * in the order of their rows.
 */
export function groupsWithDetails(
  groups: readonly AlertGroup[],
): readonly Readonly<NonEmptyAlerts>[] {
  const offered: Readonly<NonEmptyAlerts>[] = [];
  for (const { kind, alerts } of groups) {
    const together = kind === 'late' ? lateRows(alerts).map((row) => row.alerts) : [alerts];
    for (const own of together) if (fillsOf(own).length > 0) offered.push(own);
  }
  return offered.slice(0, OFFERED_LIMIT);
}

/**
 * Returns the records of grouped fills.
 *
 * @param alerts a group of trades or redemptions
 */
export function targetOf(alerts: readonly Alert[]): FillsTarget | null {
  const items = fillsOf(alerts);
  const [item] = items;
  if (item === undefined) return null;
  const { marketId, action, outcomeIndex } = item;
  const times = items.map(({ time }) => time);
  return {
    marketId,
    action,
    outcomeIndex,
    fromSeconds: Math.min(...times),
    toSeconds: Math.max(...times),
  };
}

/** True if a record belongs to a target; its wallet is not compared. */
export function isInTarget(item: ActivityItem, target: FillsTarget): boolean {
  return (
    item.marketId === target.marketId &&
    item.action === target.action &&
    // Redemptions of a market are one alert, whatever their outcome.
    (item.action === 'Redeem' || item.outcomeIndex === target.outcomeIndex) &&
    item.time >= target.fromSeconds &&
    item.time <= target.toSeconds
  );
}

/**
 * Returns the custom id of a Details button, at most 100 characters:
 * `details:WALLET:REFERENCE:MARKET:OUTCOME:FROM:TO`, with the wallet in base64url, the outcome as a
 * letter for the action and its index, and the times in base 36. If that would be too long, or if a
 * part cannot be encoded, it ends after the reference.
 */
export function detailsId({ wallet, reference, target }: DetailsId): string {
  const walletCode = Buffer.from(wallet.slice(2), 'hex').toString('base64url');
  const short = `${DETAILS}:${walletCode}:${reference}`;
  if (target === null) return short;
  const { marketId, action, outcomeIndex, fromSeconds, toSeconds } = target;
  const times = `${fromSeconds.toString(36)}:${toSeconds.toString(36)}`;
  const long = `${short}:${marketId}:${ACTION_CODES[action]}${outcomeIndex}:${times}`;
  if (long.length <= MESSAGE_LIMITS.customId && ID.test(long)) return long;
  return short;
}

/**
 * Parses an id written by `detailsId`.
 *
 * @returns null for anything else, because ids come from outside
 */
export function parseDetailsId(id: string): DetailsId | null {
  if (id.length > MESSAGE_LIMITS.customId) return null;
  const parts = ID.exec(id);
  if (parts === null) return null;
  const [, code = '', reference = '', marketId, actionCode, outcome, from = '', to = ''] = parts;
  const bytes = Buffer.from(code, 'base64url');
  const parsed = parseAddress(`0x${bytes.toString('hex')}`);
  // The last character has unused bits; only one way to write an address is accepted.
  if (!parsed.ok || bytes.toString('base64url') !== code) return null;
  const wallet = parsed.address;
  if (marketId === undefined) return { wallet, reference, target: null };
  const action = ACTIONS.find((name) => ACTION_CODES[name] === actionCode);
  const fromSeconds = Number.parseInt(from, 36);
  const toSeconds = Number.parseInt(to, 36);
  if (action === undefined || fromSeconds > toSeconds || toSeconds > LATEST_SECONDS) return null;
  return {
    wallet,
    reference,
    target: {
      marketId,
      action,
      outcomeIndex: Number(outcome),
      fromSeconds,
      toSeconds,
    },
  };
}
