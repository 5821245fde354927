import { activity } from './activity.ts';
import { details } from './details.ts';
import { flows } from './flows.ts';
import { follow } from './follow.ts';
import { lookUpWallets } from './look-up-wallets.ts';
import { market } from './market.ts';
import { watch } from './watch.ts';

/** The commands that people type. */
export const SLASH_COMMANDS = [watch, activity, flows, market];
/** The commands under Apps on a message. */
export const MESSAGE_COMMANDS = [lookUpWallets];
/** Components that answer buttons and menus under alerts, without belonging to a command. */
export const COMPONENTS = [details, follow];
