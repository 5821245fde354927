import { parseArgs } from 'node:util';
import { optionFault } from './faults.ts';

export const USAGE = `Serves the trader activity and transfers interface from a ledger of your own.

npm run venue -- [--port 8787] [--host 127.0.0.1] [--db FILE] [--keys FILE.json] [--import FILE.jsonl]... [--simulate]

  --port N         port to listen on; 0 picks a free one (default 8787)
  --host ADDRESS   address to listen on (default 127.0.0.1: this machine only)
  --db FILE        SQLite file of the ledger, made if it is not there; without it the ledger lives in memory
  --keys FILE      JSON array of {"key","label","limit","windowSeconds","endpoints"}; read again on SIGHUP;
                   without it there is one key, demo, with 600 requests per 60 s and both endpoints
  --import FILE    JSONL file to load first; may be repeated; loading a file again changes nothing
  --simulate       lets simulated traders play in the ledger
  --help           this text

The first line on stdout is {"listening":"http://ADDRESS:PORT"}; everything else goes to stderr. LOG_LEVEL sets how much.
`;

/**
 * Parses the command line of `npm run venue`.
 *
 * @throws Error that names the argument and what is accepted
 */
export function readCommandLine(args: readonly string[]) {
  const { import: imports, ...values } = parse(args);
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new Error(`--port must be a number from 0 to 65535, got "${values.port}".`);
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw new Error(`--${name} must not be empty.`);
  }
  return { ...values, port, imports };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8787' },
        host: { type: 'string', default: '127.0.0.1' },
        db: { type: 'string', default: ':memory:' },
        keys: { type: 'string' },
        import: { type: 'string', multiple: true, default: [] },
        simulate: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    throw new Error(`${optionFault(cause)}. See --help for what is accepted.`, { cause });
  }
}
