import { mostInWindow, tryRefusedChannels } from '../support/refused-channels.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { refuseEverything, takePermission, timeOut } from './refusals/whole-bot.ts';
import { readOptions, UsageError } from './usage.ts';

const KINDS = ['ration', 'time-out', 'permission', 'outage'];

export const USAGE = `npm run bench -- refusals [--only ${KINDS.join('|')}] [--channels N] [--minutes MINUTES] [--of N] [--outage MINUTES]
  how often Discord refuses the bot
  ration: the worker alone, on a simulated clock: many blocked channels with something to send, where something changes in all of
  them each minute
  time-out, permission, outage: a whole bot in real time in a server with so many channels (--of): it is timed out,
  and a hundred things are changed; the right to write is taken and given back ten times around trades; everything is refused with
  403, then 10003, for five minutes`;

/**
 * Prints the number of Discord's rejections; for the worker alone also the most in any ten minutes.
 */
export async function run(args: string[]): Promise<void> {
  const { only, of, outage, ...options } = readOptions(args, DEFAULTS.refusals);
  if (only !== '' && !KINDS.includes(only))
    throw new UsageError(`Expected --only to be ${KINDS.join(', ')}, got "${only}"`);
  const isRun = (kind: string) => only === '' || only === kind;
  if (isRun('ration')) await rationTries(options);
  if (isRun('time-out')) {
    const { figures } = await timeOut({ channels: of });
    print({ what: 'timed out', ...figures });
  }
  if (isRun('permission'))
    print({ what: 'permission taken', ...(await takePermission({ channels: of })) });
  if (isRun('outage'))
    print({ what: 'everything refused', ...(await refuseEverything(of, outage)) });
}

async function rationTries(options: { readonly channels: number; readonly minutes: number }) {
  const { refusedMs, tried } = await tryRefusedChannels(options);
  print({
    what: 'ration',
    ...options,
    refused: refusedMs.length,
    mostInTenMinutes: mostInWindow(refusedMs),
    channelsTried: tried,
  });
}
