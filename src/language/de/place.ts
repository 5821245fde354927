/** The direct message, used instead of a channel's name as the subject of a sentence. */
export const DIRECT_MESSAGE = 'diese DM';

/** Returns a channel, or the direct message, in the form after "in". */
export function dative(channel: string): string {
  return channel === DIRECT_MESSAGE ? 'dieser DM' : channel;
}
