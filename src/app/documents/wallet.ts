import { resetWallet } from '../../alerts/build.ts';
import {
  looseDocumentSchema,
  readWalletDocument,
  WALLET_PREFIX,
  type WalletDocument,
} from '../../alerts/wallet-document.ts';
import { walletSchema } from '../../domain/address.ts';
import type { Place } from '../../store/collection.ts';
import type { Watch } from '../../watches/watch.ts';

/** What a document says of itself. */
export interface Description extends Place {
  /** The watch that it is. */
  readonly watch?: Watch;
  /** What of it cannot be read, and the document without that; missing if all of it can. */
  readonly damage?: { readonly parts: readonly string[]; readonly sound: unknown };
}

/** A wallet's document. Null if it is none. */
export function readWallet(key: string, stored: unknown): Description | null {
  const read = readWalletDocument(stored);
  if (read === null || !walletSchema.safeParse(key.slice(WALLET_PREFIX.length)).success) return null;
  const { document: sound, unreadableAlerts, faults } = read;
  const parts = [...(unreadableAlerts.length > 0 ? [`alerts: ${unreadableAlerts.length}`] : []), ...faults.keys()];
  return parts.length === 0 ? {} : { damage: { parts, sound } };
}

/** A wallet's document without what is of some channels; what cannot be read stays. The document itself if it has nothing of them. */
export function withoutChannels(stored: unknown, channels: ReadonlySet<string>): unknown {
  const read = readWalletDocument(stored);
  if (read === null) return stored;
  const { poll, outbox } = read.document;
  const { alertedPositions = [], announced = [] } = poll.knowledge ?? {};
  const isLeft = ({ channelId }: { readonly channelId: string }) => !channels.has(channelId);
  const isUntouched =
    outbox.every((alert) => !alert.channels.some((channelId) => channels.has(channelId))) &&
    [...alertedPositions, ...announced].every(isLeft);
  if (isUntouched) return stored;
  const left = outbox
    .map((alert) => ({ ...alert, channels: alert.channels.filter((channelId) => !channels.has(channelId)) }))
    .filter((alert) => alert.channels.length > 0);
  const knowledge = poll.knowledge && {
    ...poll.knowledge,
    alertedPositions: alertedPositions.filter(isLeft),
    announced: announced.filter(isLeft),
  };
  const loose = looseDocumentSchema.parse(stored);
  return {
    ...loose,
    poll: { ...loose.poll, ...(knowledge && { knowledge }) },
    outbox: [...left, ...read.unreadableAlerts],
  };
}

/**
 * What stands for the document of a watched wallet that cannot be read. Without one everything since the watches began would be
 * announced again; with this one it begins anew, and its channels are told of the gap.
 *
 * @param watches of the wallet, at least one
 */
export function walletAnew([first, ...others]: readonly [Watch, ...Watch[]], nowMs: number): WalletDocument {
  const { state, alerts } = resetWallet(first.wallet, [first, ...others], nowMs);
  return { version: 1, poll: state, outbox: alerts.filter(({ channels }) => channels.length > 0) };
}
