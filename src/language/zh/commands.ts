import type { CommandWords } from '../en/commands.ts';

export const commands: CommandWords = {};
