/** The direct message, in the place of a channel's name. */
export const DIRECT_MESSAGE = '此私信';

/** A channel at the start of a sentence, with a space after it; the direct message needs none. */
export function first(channel: string): string {
  return channel === DIRECT_MESSAGE ? channel : `${channel} `;
}

/** A channel within a sentence, between spaces; the direct message needs none. */
export function within(channel: string): string {
  return channel === DIRECT_MESSAGE ? channel : ` ${channel} `;
}
