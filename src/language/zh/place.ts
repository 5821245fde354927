/** The direct message, used instead of a channel's name. */
export const DIRECT_MESSAGE = '此私信';

/**
 * Returns a channel for the start of a sentence, with a space after it; the direct message needs
 * none.
 */
export function first(channel: string): string {
  return channel === DIRECT_MESSAGE ? channel : `${channel} `;
}

/** Returns a channel for use within a sentence, between spaces; the direct message needs none. */
export function within(channel: string): string {
  return channel === DIRECT_MESSAGE ? channel : ` ${channel} `;
}
