import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { startBotHere } from '../support/bot-here.ts';

/** A program that runs the bot with round-robin polling; SIGTERM stops it. */
const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  ),
);
const { bot, started } = startBotHere(
  environment,
  (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  { scheduleFor: (pollMinSeconds) => createSchedule({ pollMinSeconds, isInTurn: true }) },
);
const stop = async () => process.exit((await bot.stop()) ?? 1);
process.once('SIGTERM', stop);
process.once('disconnect', stop);
await started;
