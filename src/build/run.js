import { pathToFileURL } from 'node:url';
import { buildFault, nodeFault, programFile } from './state.js';
import { loadBundle } from './tools.js';

/** Level of the last line of the bot's log (pino's `fatal`). */
const LEVEL_FATAL = 60;
/** The configuration is wrong (EX_CONFIG of sysexits.h): starting again does not help. */
const EXIT_CONFIG = 78;

/**
 * `node src/build/run.js PROGRAM …`: runs a program of dist/ in this process. If it is missing or of
 * other sources, it is built first where the tools are installed, but not in production. It needs
 * nothing but Node.
 */
const [program = ''] = process.argv.slice(2);
// Older ones fail at the first thing that they do not know.
const fault = nodeFault() ?? (await builtFault(program));
if (fault !== null) {
  sayFault(fault);
  process.exit(EXIT_CONFIG);
}
const file = programFile(program);
// The program finds its own arguments where they always are.
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);

/**
 * Builds dist/ if it is missing or of other sources, and the tools are installed.
 *
 * @param {string} program such as "main"
 * @returns {Promise<string | null>} what is wrong and what to type; null if nothing is
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
