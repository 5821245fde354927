import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_STORE_URL, EXIT_CONFIG } from '../../app/config.ts';
import { unreadableReason } from '../../app/documents/kinds.ts';
import { secretsOf } from '../../app/secrets.ts';
import { type CommandLineEnd, EXIT_USAGE, optionFault } from '../../lib/command-line.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import type { Machine } from '../../lib/machine.ts';
import { storeFault } from '../../store/address.ts';
import type { Inspection } from '../../store/backend.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import { QUARANTINE_PREFIX, quarantinedKey } from '../../store/quarantine.ts';
import { inspectStore, openStore, type Store } from '../../store/store.ts';
import { printable } from './copy.ts';

export const QUARANTINE_USAGE = `Use: npm run store -- quarantine [list | show KEY | restore KEY [FILE] [--replace] | delete KEY]
What a start put aside in the store that STORE_URL names, because it could not be read. KEY is as in the list.

  list             the keys (also while the bot runs)
  show KEY         the document as it was found (also while the bot runs)
  restore KEY      puts it back, if it can be read now
  restore KEY FILE puts back what the file holds: the output of "show", mended
  --replace        also where there is another document in its place, which is put aside then
  delete KEY       deletes it for good`;

/** What `npm run store` is given. */
export interface StoreTool extends Pick<Machine, 'nowMs' | 'onFailpoint'> {
  /** Where STORE_URL is, and what `env:NAME` names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what was done, or the help. */
  readonly print: (text: string) => void;
  /** Takes faults and warnings. */
  readonly complain: (text: string) => void;
}

/** The person has to do something else first. */
class Refused extends Error {}

/** How many words each takes, with itself. */
const MOST_WORDS = { list: 1, show: 2, restore: 3, delete: 2 } as const;

/** Does what stands behind `npm run store -- quarantine`. @returns the exit code */
export async function runQuarantine(args: readonly string[], tool: StoreTool): Promise<number> {
  const asked = readAsked(args);
  if ('exitCode' in asked) {
    (asked.exitCode === 0 ? tool.print : tool.complain)(asked.text);
    return asked.exitCode;
  }
  const url = tool.environment['STORE_URL']?.trim() || DEFAULT_STORE_URL;
  const complain = (text: string) => tool.complain(createRedactor(secretsOf({ STORE_URL: url }))(text));
  const fault = storeFault(url);
  if (fault !== null) {
    complain(`STORE_URL ${fault}`);
    return EXIT_CONFIG;
  }
  try {
    tool.print(await answer(url, asked));
    return 0;
  } catch (error) {
    const isExpected = error instanceof StoreError || error instanceof Refused;
    complain(isExpected ? error.message : String(error instanceof Error ? error.stack : error));
    return error instanceof StoreUnfit ? EXIT_CONFIG : 1;
  }
}

type Asked = Exclude<ReturnType<typeof readAsked>, CommandLineEnd>;

function readAsked(args: readonly string[]) {
  const wrong = (reason: string): CommandLineEnd => ({ exitCode: EXIT_USAGE, text: `${reason}\n${QUARANTINE_USAGE}` });
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { replace: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
      allowPositionals: true,
    });
    if (values.help) return { exitCode: 0, text: QUARANTINE_USAGE };
    const [word = 'list', key = '', file] = positionals;
    const verb = (Object.keys(MOST_WORDS) as (keyof typeof MOST_WORDS)[]).find((known) => known === word);
    if (verb === undefined) return wrong(`"${word}" is not taken here.`);
    if (positionals.length > MOST_WORDS[verb]) return wrong('There is a word too many.');
    if (verb !== 'list' && key === '') return wrong('KEY is missing.');
    return { verb, key: quarantinedKey(key) ?? key, file, isReplacing: values.replace };
  } catch (error) {
    return wrong(`${optionFault(error)}.`);
  }
}

async function answer(url: string, asked: Asked): Promise<string> {
  const { verb, key } = asked;
  if (verb === 'list') return closing(await inspectStore(url), list);
  if (verb === 'show') {
    return closing(await inspectStore(url), async (store) => JSON.stringify(await found(store, key), null, 2));
  }
  // Whatever shards have moved away: what was put aside is of none.
  const opened = await openStore(url, { shards: { ids: [], count: 1 } });
  return closing(opened, (store) => (verb === 'restore' ? restore(store, asked) : drop(store, key)));
}

async function closing<Opened extends Inspection | Store>(
  store: Opened,
  work: (store: Opened) => Promise<string>,
): Promise<string> {
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
