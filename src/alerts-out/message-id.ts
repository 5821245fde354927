import { hash } from 'node:crypto';
import type { WalletAddress } from '../domain/address.ts';

/** The parts of an alert that identify a message. Its id is unique within its wallet. */
interface Named {
  readonly wallet: WalletAddress;
  readonly id: string;
  readonly ownerId: string;
  /** Channel of a result or a consensus; left out for alerts with one message per owner. */
  readonly channelId?: string | undefined;
}

/**
 * Returns the permanent id of a message, by which a receiver recognizes duplicates. It contains no
 * dot, because a dot would end it in the signed text.
 */
export function messageId({ wallet, id, ownerId, channelId }: Named): string {
  const name = JSON.stringify([ownerId, channelId ?? null, wallet, id]);
  return `msg_${hash('sha256', name, 'base64url').slice(0, 32)}`;
}
