/**
 * State of a channel in the gateway's cache: whether messages can be posted there. Checked at each
 * step, never stored.
 */
export interface Reach {
  /**
   * `open` and `closed`: messages can or cannot be posted. `missing`: the server is available but
   * has no such channel, or no such active thread. `unknown`: nothing is known.
   */
  readonly kind: 'open' | 'closed' | 'missing' | 'unknown';
  /**
   * Names the missing permissions. For an open channel, those that alerts do without, or ''. Null
   * if nothing is known.
   */
  readonly lacks: string | null;
}

/**
 * A message that was not sent because the gateway's cache shows by now that its channel cannot be
 * posted to.
 */
export class ChannelClosed extends Error {
  constructor(channelId: string, lacks: string | null) {
    super(`The channel ${channelId} cannot be written: it lacks ${lacks}.`);
    this.name = 'ChannelClosed';
  }
}
