/** The direct message, used instead of a channel's name. */
export const DIRECT_MESSAGE = 'esta DM';

/** Returns a channel, or the direct message, after "em". */
export function em(channel: string): string {
  return channel === DIRECT_MESSAGE ? `n${DIRECT_MESSAGE}` : `em ${channel}`;
}

/** Returns a channel, or the direct message, after "de". */
export function de(channel: string): string {
  return channel === DIRECT_MESSAGE ? `d${DIRECT_MESSAGE}` : `de ${channel}`;
}
