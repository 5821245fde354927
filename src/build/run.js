import { pathToFileURL } from 'node:url';
import { buildFault, nodeFault, programFile } from './state.js';

/** The configuration is wrong (EX_CONFIG of sysexits.h): starting again does not help. */
const EXIT_CONFIG = 78;

/**
 * `node src/build/run.js PROGRAM …`: runs a program of dist/ in this process, unless it is missing or of other sources.
 * It needs nothing but Node.
 */
const [program = ''] = process.argv.slice(2);
// Older ones fail at the first thing that they do not know.
const fault = nodeFault() ?? buildFault(program);
if (fault !== null) {
  process.stderr.write(`${fault}\n`);
  process.exit(EXIT_CONFIG);
}
const file = programFile(program);
// The program finds its own arguments where they always are.
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);
