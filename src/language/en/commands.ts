/** What Discord shows of commands while they are typed. */
export const commands = {};
export type CommandWords = typeof commands;
