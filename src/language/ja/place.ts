/** The direct message, in the place of a channel's name. */
export const DIRECT_MESSAGE = 'この DM';

/** A channel within a sentence, with a space before it; the direct message needs none. */
export function within(channel: string): string {
  return channel === DIRECT_MESSAGE ? channel : ` ${channel}`;
}
