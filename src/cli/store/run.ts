import { parseArgs } from 'node:util';
import { EXIT_CONFIG } from '../../app/config.ts';
import { secretsOf } from '../../app/secrets.ts';
import { readShards } from '../../discord/gateway/shards.ts';
import { type CommandLineEnd, EXIT_USAGE, optionFault } from '../../lib/command-line.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import { storeFault } from '../../store/address.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import { type CopyRequest, copyStore } from './copy.ts';
import { QUARANTINE_USAGE, runQuarantine, type StoreTool } from './quarantine.ts';

const COPY_USAGE = `Use: npm run store -- copy FROM TO [--shards 0,1 --of 4] [--retire] [--skip-damaged]
Copies all documents of a store into an empty one, and compares what it wrote. No bot may have either store open.

  FROM, TO         addresses as in STORE_URL, or env:NAME for one in a variable or .env, such as env:STORE_URL
  --shards LIST    what the bot on TO is to serve: shards, with numbers from 0 on and commas. It deletes the rest at its start
  --of COUNT       how many shards there are
  --retire         marks FROM as moved, so that no bot starts on it (with --shards: none with these shards)
  --skip-damaged   leaves documents in FROM that cannot be read, and those of other programs
  --help           this text`;
const SHARDS_ACCEPTED = 'Accepted: numbers from 0 on with commas, such as 0,1.';

/** Does what stands behind `npm run store --`. @returns the exit code */
export async function run(args: readonly string[], tool: StoreTool): Promise<number> {
  const [verb, ...words] = args;
  if (verb === 'quarantine') return runQuarantine(words, tool);
  const request = readArguments(args, tool.environment);
  if ('exitCode' in request) {
    (request.exitCode === 0 ? tool.print : tool.complain)(request.text);
    return request.exitCode;
  }
  const redact = createRedactor([request.from, request.to].flatMap((url) => secretsOf({ STORE_URL: url })));
  const complain = (text: string) => tool.complain(redact(text));
  try {
    tool.print(redact(await copyStore(tool, request, complain)));
    return 0;
  } catch (error) {
    complain(error instanceof StoreError ? error.message : String(error instanceof Error ? error.stack : error));
    return error instanceof StoreUnfit ? EXIT_CONFIG : 1;
  }
}

/** Reads the words behind the program's name. @param environment where `env:NAME` looks */
function readArguments(args: readonly string[], environment: StoreTool['environment']): CopyRequest | CommandLineEnd {
  const wrong = (...reasons: readonly string[]) => ({
    exitCode: EXIT_USAGE,
    text: [...reasons, COPY_USAGE].join('\n'),
  });
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return wrong(`${optionFault(error)}.`);
  }
  const { values, positionals } = parsed;
  if (values.help) return { exitCode: 0, text: `${COPY_USAGE}\n\n${QUARANTINE_USAGE}` };
  const [verb, ...words] = positionals;
  if (verb !== 'copy') return wrong(verb === undefined ? 'A word is missing.' : `"${verb}" is not taken here.`);
  if (words.length < 2) return wrong('FROM or TO is missing.');
  // An address may hold a password, so it is not repeated.
  if (words.length > 2) return wrong('There is a word too many.');
  const [from = '', to = ''] = words.map((word) => {
    const [, name] = /^env:(.*)$/s.exec(word) ?? [];
    return (name === undefined ? word : (environment[name] ?? '')).trim();
  });
  const names = { ids: '--shards', count: '--of', accepted: SHARDS_ACCEPTED };
  const read =
    values.shards !== undefined
      ? readShards(values.shards, values.of, names)
      : values.of === undefined
        ? { shards: null }
        : { faults: [`--of is for --shards, which is missing. ${SHARDS_ACCEPTED}`] };
  const faults = [
    ...Object.entries({ FROM: from, TO: to }).flatMap(([name, url]) => {
      const fault = url === '' ? 'names a variable that is not set.' : storeFault(url);
      return fault === null ? [] : [`${name} ${fault}`];
    }),
    ...('faults' in read ? read.faults : []),
    ...(from === to && from !== '' ? ['FROM and TO are the same store.'] : []),
  ];
  if (faults.length > 0 || 'faults' in read) return wrong(...faults);
  return { from, to, shards: read.shards, isRetiring: values.retire, skipsDamaged: values['skip-damaged'] };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      shards: { type: 'string' },
      of: { type: 'string' },
      retire: { type: 'boolean', default: false },
      'skip-damaged': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
}
