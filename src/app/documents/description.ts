import type { Watch } from '../../watches/watch.ts';

/** What a document says of itself. */
export interface Description {
  /** The server, or the person, that it is of; missing for one of a channel alone, of a wallet, or of all. */
  readonly ownerId?: string;
  /** The channel that it is of. */
  readonly channelId?: string;
  /** The watch that it is. */
  readonly watch?: Watch;
  /** What of it cannot be read, and the document without that; missing if all of it can. */
  readonly damage?: { readonly parts: readonly string[]; readonly sound: unknown };
}
