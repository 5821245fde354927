import { readStoreUrl } from '../../app/config.ts';
import { secretsOf } from '../../app/secrets.ts';
import { readShards } from '../../discord/gateway/shards.ts';
import { type CommandLineEnd, failed, readWords, wrongUse } from '../../lib/command-line.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import { storeFault } from '../../store/address.ts';
import { copyStore } from './copy.ts';
import { dumpStore, loadStore } from './dump.ts';
import type { StoreTool } from './fill.ts';
import { QUARANTINE_USAGE, runQuarantine } from './quarantine.ts';
import { listServers } from './servers.ts';

const FILES_USAGE = `Use: npm run store -- dump FILE | load FILE | servers
For the store that STORE_URL names.

  dump FILE        writes all documents into a new file of JSON lines: \
beside a running bot on SQLite and PostgreSQL
  load FILE        writes what was dumped into an empty store that no bot has open
  servers          a line a server: watches, wallets, channels, alerts that wait, blocked channels \
(also while the bot runs)`;
const USAGE = `Use: npm run store -- copy FROM TO [--shards 0,1 --of 4] [--retire] [--skip-damaged]
Copies all documents of a store into an empty one, and compares what it wrote. \
No bot may have either store open.

  FROM, TO         addresses as in STORE_URL, or env:NAME for one in a variable or .env, \
such as env:STORE_URL
  --shards LIST    what the bot on TO is to serve: shards, with numbers from 0 on and commas. \
It deletes the rest at its start
  --of COUNT       how many shards there are
  --retire         marks FROM as moved, so that no bot starts on it \
(with --shards: none with these shards)
  --skip-damaged   leaves documents in FROM that cannot be read, and those of other programs
  --help           this text

${FILES_USAGE}

${QUARANTINE_USAGE}`;

/** Runs `npm run store --`. */
export async function run(args: readonly string[], tool: StoreTool): Promise<CommandLineEnd> {
  const { environment } = tool;
  const urls = [
    environment['STORE_URL'] ?? '',
    ...args.map((word) => addressOf(word, environment)),
  ];
  const redact = createRedactor(urls.flatMap((url) => secretsOf({ STORE_URL: url })));
  const warn = (text: string) => tool.warn(redact(text));
  const { exitCode, text } = await doVerb(args, { ...tool, warn }).catch(failed);
  return { exitCode, text: redact(text) };
}

async function doVerb(args: readonly string[], tool: StoreTool): Promise<CommandLineEnd> {
  const [verb] = args;
  if (verb === 'quarantine') return runQuarantine(args.slice(1), tool.environment);
  if (verb !== 'servers' && verb !== 'dump' && verb !== 'load') return copy(args, tool);
  const read = readWords(args, FILES_USAGE, { least: verb === 'servers' ? 1 : 2 });
  if ('exitCode' in read) return read;
  const [, file = ''] = read.texts;
  const url = readStoreUrl(tool.environment);
  if (verb === 'servers') return { exitCode: 0, text: await listServers(url) };
  if (verb === 'dump') return { exitCode: 0, text: await dumpStore(url, file, tool.progress) };
  return { exitCode: 0, text: await loadStore(tool, file, url) };
}

/**
 * Returns the address for a word: the word itself, or for `env:` with a variable's name, its value;
 * empty if it is not set.
 */
function addressOf(word: string, environment: StoreTool['environment']): string {
  const [, name] = /^env:(.*)$/s.exec(word) ?? [];
  return (name === undefined ? word : (environment[name] ?? '')).trim();
}

async function copy(args: readonly string[], tool: StoreTool): Promise<CommandLineEnd> {
  const read = readWords(args, USAGE, {
    least: 3,
    options: {
      shards: { type: 'string' },
      of: { type: 'string' },
      retire: { type: 'boolean', default: false },
      'skip-damaged': { type: 'boolean', default: false },
    },
  });
  if ('exitCode' in read) return read;
  const { values } = read;
  const [verb, ...words] = read.texts;
  if (verb !== 'copy') return wrongUse(`"${verb}" is not taken here.`, USAGE);
  const [from = '', to = ''] = words.map((word) => addressOf(word, tool.environment));
  const accepted = 'Accepted: numbers from 0 on with commas, such as 0,1.';
  const names = { ids: '--shards', count: '--of', accepted };
  const isWhole = values.shards === undefined && values.of === undefined;
  const wanted = isWhole ? { sharding: null } : readShards(values.shards ?? '', values.of, names);
  const faults: string[] = [];
  for (const [name, url] of Object.entries({ FROM: from, TO: to })) {
    const fault = url === '' ? 'names a variable that is not set.' : storeFault(url);
    if (fault !== null) faults.push(`${name} ${fault}`);
  }
  if ('faults' in wanted) faults.push(...wanted.faults);
  if (faults.length > 0 || 'faults' in wanted) return wrongUse(faults.join('\n'), USAGE);
  const { retire: isRetiring, 'skip-damaged': skipsDamaged } = values;
  const request = { from, to, shards: wanted.sharding, isRetiring, skipsDamaged };
  return { exitCode: 0, text: await copyStore(tool, request) };
}
