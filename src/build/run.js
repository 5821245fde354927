import { pathToFileURL } from 'node:url';
import { buildFault, nodeFault, programFile } from './state.js';
import { loadBundle } from './tools.js';

/** Level of the last line in the bot's log (pino's `fatal`). */
const LEVEL_FATAL = 60;
/** Exit code for a wrong configuration (EX_CONFIG in sysexits.h): a restart would not help. */
const EXIT_CONFIG = 78;

/**
 * `node src/build/run.js PROGRAM …`: runs a program of dist/ in this process. If dist/ is missing
 * or outdated, it is built first, provided that the tools are installed and this is not production.
 * It requires only Node.
 */
const [program = ''] = process.argv.slice(2);
// Older versions fail at the first feature that they don't support.
const fault = nodeFault() ?? (await builtFault(program));
if (fault !== null) {
  sayFault(fault);
  process.exit(EXIT_CONFIG);
}
const file = programFile(program);
// The program finds its own arguments in their usual place.
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);

/**
 * Builds dist/ if it is missing or outdated, and the tools are installed.
 *
 * @param {string} program such as "main"
 * @returns {Promise<string | null>} what is wrong and what to type; null if nothing is wrong
 */
async function builtFault(program) {
  const stale = buildFault(program);
  if (stale === null || process.env['NODE_ENV'] === 'production') return stale;
  const bundle = await loadBundle();
  if (bundle === null) return stale;
  process.stderr.write('walletbell: building dist/, because the sources have changed.\n');
  try {
    await bundle.build();
  } catch (error) {
    return `dist/ cannot be built: ${error instanceof Error ? error.message : String(error)}`;
  }
  return buildFault(program);
}

/**
 * Prints why the program is not started. For the bot this is a line of its log, except on a
 * terminal.
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
