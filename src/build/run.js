import { pathToFileURL } from 'node:url';
import { buildFault, nodeFault, programFile } from './state.js';

/** Level of the last line of the bot's log (pino's `fatal`). */
const LEVEL_FATAL = 60;
/** The configuration is wrong (EX_CONFIG of sysexits.h): starting again does not help. */
const EXIT_CONFIG = 78;

/**
 * `node src/build/run.js PROGRAM …`: runs a program of dist/ in this process, unless it is missing
 * or of other sources. It needs nothing but Node.
 */
const [program = ''] = process.argv.slice(2);
// Older ones fail at the first thing that they do not know.
const fault = nodeFault() ?? buildFault(program);
if (fault !== null) {
  sayFault(fault);
  process.exit(EXIT_CONFIG);
}
const file = programFile(program);
// The program finds its own arguments where they always are.
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);

/**
 * Says why the program is not started: the bot's fault as a line of its log, unless somebody reads
 * it on a terminal.
 *
 * @param {string} fault
 */
function sayFault(fault) {
  const isLogged = program === 'main' && !process.stdout.isTTY;
  if (isLogged) {
    const line = {
      level: LEVEL_FATAL,
      time: Date.now(),
      event: 'start.failed',
      err: { type: 'Error', message: fault },
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  if (!isLogged || process.stderr.isTTY) process.stderr.write(`${fault}\n`);
}
