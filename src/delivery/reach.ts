/**
 * State of a channel by the gateway's cache: whether it can be written. Asked at each look, never
 * stored.
 */
export interface Reach {
  /**
   * `open` and `closed`: messages can be written there, or not. `missing`: its server is available
   * and has no such channel, or no such thread that is awake. `unknown`: nothing is known.
   */
  readonly kind: 'open' | 'closed' | 'missing' | 'unknown';
  /**
   * Names what is missing there: of an open channel what alerts go without, or ''. Null where
   * nothing is known.
   */
  readonly lacks: string | null;
}

/**
 * A message that is not sent, because the gateway's cache says by then that its channel cannot be
 * written.
 */
export class ChannelClosed extends Error {
  constructor(channelId: string, lacks: string | null) {
    super(`The channel ${channelId} cannot be written: it lacks ${lacks}.`);
    this.name = 'ChannelClosed';
  }
}
