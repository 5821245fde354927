import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_STORE_URL, EXIT_CONFIG } from '../../app/config.ts';
import { unreadableReason } from '../../app/documents/kinds.ts';
import { secretsOf } from '../../app/secrets.ts';
import { type CommandLineEnd, EXIT_USAGE, optionFault } from '../../lib/command-line.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import { storeFault } from '../../store/address.ts';
import type { Inspection } from '../../store/backend.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import { QUARANTINE_PREFIX, quarantinedKey } from '../../store/quarantine.ts';
import { inspectStore, openStore, type Store } from '../../store/store.ts';
import { printable } from './report.ts';

export const QUARANTINE_USAGE = `Use: npm run store -- quarantine [list | show KEY | restore KEY [FILE] [--replace] | delete KEY]
What a start put aside in the store that STORE_URL names, because it could not be read. KEY is as in the list.

  list             the keys (also while the bot runs)
  show KEY         the document as it was found (also while the bot runs)
  restore KEY      puts it back, if it can be read now
  restore KEY FILE puts back what the file holds: the output of "show", mended
  --replace        also where there is another document in its place, which is put aside then
  delete KEY       deletes it for good`;

/** What `npm run store` is given. */
export interface QuarantineDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The person has to do something else first. */
class Refused extends Error {}

/** What was asked for. */
interface Asked {
  readonly verb: keyof typeof MOST_WORDS;
  readonly key: string;
  readonly file: string | undefined;
  readonly isReplacing: boolean;
}

/** How many words each takes, with itself. */
const MOST_WORDS = { list: 1, show: 2, restore: 3, delete: 2 } as const;

/** Does what stands behind `npm run store -- quarantine`. @returns the exit code */
export async function runQuarantine(args: readonly string[], deps: QuarantineDeps): Promise<number> {
  const asked = readAsked(args);
  if ('exitCode' in asked) {
    (asked.exitCode === 0 ? deps.print : deps.complain)(asked.text);
    return asked.exitCode;
  }
  const url = deps.environment['STORE_URL']?.trim() || DEFAULT_STORE_URL;
  const complain = (text: string) => deps.complain(createRedactor(secretsOf({ STORE_URL: url }))(text));
  const fault = storeFault(url);
  if (fault !== null) {
    complain(`STORE_URL ${fault}`);
    return EXIT_CONFIG;
  }
  try {
    deps.print(await answer(url, asked));
    return 0;
  } catch (error) {
    const isExpected = error instanceof StoreError || error instanceof Refused;
    complain(isExpected ? error.message : String(error instanceof Error ? error.stack : error));
    return error instanceof StoreUnfit ? EXIT_CONFIG : 1;
  }
}

function readAsked(args: readonly string[]): Asked | CommandLineEnd {
  const wrong = (reason: string) => ({ exitCode: EXIT_USAGE, text: `${reason}\n${QUARANTINE_USAGE}` });
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { replace: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
      allowPositionals: true,
    });
    if (values.help) return { exitCode: 0, text: QUARANTINE_USAGE };
    const [word = 'list', key = '', file] = positionals;
    const verb = (Object.keys(MOST_WORDS) as Asked['verb'][]).find((known) => known === word);
    if (verb === undefined) return wrong(`"${word}" is not taken here.`);
    if (positionals.length > MOST_WORDS[verb]) return wrong('There is a word too many.');
    if (verb !== 'list' && key === '') return wrong('KEY is missing.');
    return { verb, key: quarantinedKey(key) ?? key, file, isReplacing: values.replace };
  } catch (error) {
    return wrong(`${optionFault(error)}.`);
  }
}

function answer(url: string, asked: Asked): Promise<string> {
  const { verb, key } = asked;
  switch (verb) {
    case 'list':
      return looking(url, list);
    case 'show':
      return looking(url, async (store) => JSON.stringify(await found(store, key), null, 2));
    case 'restore':
      return changing(url, (store) => restore(store, asked));
    case 'delete':
      return changing(url, (store) => drop(store, key));
  }
}

/** Also while a bot has the store open. */
async function looking(url: string, work: (store: Inspection) => Promise<string>): Promise<string> {
  const store = await inspectStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Works on a store that no bot has open. */
async function changing(url: string, work: (store: Store) => Promise<string>): Promise<string> {
  // Whatever shards have moved away: what was put aside is of none.
  const store = await openStore(url, { shards: { ids: [], count: 1 } });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function list(store: Inspection): Promise<string> {
  const keys: string[] = [];
  for await (const [key] of store.entries()) keys.push(quarantinedKey(key) ?? '');
  const putAside = keys.filter((key) => key !== '').toSorted();
  return putAside.length === 0 ? 'Nothing has been put aside.' : putAside.map(printable).join('\n');
}

async function drop(store: Store, key: string): Promise<string> {
  await found(store, key);
  await store.delete(QUARANTINE_PREFIX + key);
  return `Deleted ${printable(key)}.`;
}

async function restore(store: Store, { key, file, isReplacing }: Asked): Promise<string> {
  const asFound = await found(store, key);
  const document = file === undefined ? asFound : readJson(file);
  const reason = unreadableReason(key, document);
  if (reason !== null) {
    throw new Refused(
      `${printable(key)} cannot be read: ${reason}\nMend it in a file (quarantine show KEY > FILE), then: quarantine restore KEY FILE`,
    );
  }
  const inPlace = await store.get(key);
  if (inPlace !== undefined) {
    if (!isReplacing) {
      throw new Refused(`There is another document under ${printable(key)}. With --replace it is put aside instead.`);
    }
    await store.set(`${QUARANTINE_PREFIX}${key}:replaced`, inPlace);
  }
  await store.set(key, document);
  await store.delete(QUARANTINE_PREFIX + key);
  return `Put ${printable(key)} back. The next start reads it.`;
}

async function found(store: Pick<Store, 'get'>, key: string): Promise<unknown> {
  const document = await store.get(QUARANTINE_PREFIX + key);
  if (document === undefined)
    throw new Refused(`Nothing has been put aside under ${printable(key)}. See quarantine list.`);
  return document;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Refused(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
}
