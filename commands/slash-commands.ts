import { activity } from './activity.ts';
import { flows } from './flows.ts';
import { market } from './market.ts';
import { watch } from './watch.ts';

/** The commands that people type. */
export const SLASH_COMMANDS = [watch, activity, flows, market];
