import { hash } from 'node:crypto';
import type { WalletAddress } from '../domain/address.ts';

/** An alert, as far as it names a message: its id is unique within its wallet. */
interface Named {
  readonly wallet: WalletAddress;
  readonly id: string;
  readonly ownerId: string;
  /** Channel that a result or a consensus is of; left out of what is one message an owner. */
  readonly channelId?: string | undefined;
}

/**
 * Returns the id of a message, the same for ever: by it a receiver knows a repeated one. It has no
 * dot, which would end it in what is signed.
 */
export function messageId({ wallet, id, ownerId, channelId }: Named): string {
  const name = JSON.stringify([ownerId, channelId ?? null, wallet, id]);
  return `msg_${hash('sha256', name, 'base64url').slice(0, 32)}`;
}
