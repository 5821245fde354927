/** The direct message, used instead of a channel's name. */
export const DIRECT_MESSAGE = 'この DM';

/**
 * Returns a channel for use within a sentence, with a space before it; the direct message needs
 * none.
 */
export function within(channel: string): string {
  return channel === DIRECT_MESSAGE ? channel : ` ${channel}`;
}
