/** What rings in a channel: embeds, lines and buttons of alerts. */
export const alerts = {};
export type AlertWords = typeof alerts;
