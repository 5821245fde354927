/** The direct message, in the place of a channel's name, as the subject of a sentence. */
export const DIRECT_MESSAGE = 'diese DM';

/** A channel, or the direct message, after "in". */
export function dative(channel: string): string {
  return channel === DIRECT_MESSAGE ? 'dieser DM' : channel;
}
