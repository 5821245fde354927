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

/** A wallet's document without what is of some channels; what cannot be read stays. */
export function withoutChannels(stored: unknown, channels: ReadonlySet<string>): unknown {
  const read = readWalletDocument(stored);
  if (read === null) return stored;
  const { knowledge } = read.document.poll;
  const isLeft = ({ channelId }: { readonly channelId: string }) => !channels.has(channelId);
  const left = read.document.outbox
    .map((alert) => ({ ...alert, channels: alert.channels.filter((channelId) => !channels.has(channelId)) }))
    .filter((alert) => alert.channels.length > 0);
  const loose = looseDocumentSchema.parse(stored);
  const { alertedPositions, announced } = knowledge ?? { alertedPositions: [], announced: [] };
  const ofChannels = { alertedPositions: alertedPositions.filter(isLeft), announced: announced.filter(isLeft) };
  return {
    ...loose,
    poll: { ...loose.poll, ...(knowledge && { knowledge: { ...knowledge, ...ofChannels } }) },
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
