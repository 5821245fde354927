import { parseArgs } from 'node:util';
import { readShards } from '../../discord/gateway/shards.ts';
import { type CommandLineEnd, EXIT_USAGE, optionFault } from '../../lib/command-line.ts';
import { storeFault } from '../../store/address.ts';
import type { Shards } from '../../store/marks.ts';
import { QUARANTINE_USAGE } from './quarantine.ts';

/** What `npm run store -- copy` was asked to do. */
export interface CopyRequest {
  /** Addresses, as STORE_URL has them. */
  readonly from: string;
  readonly to: string;
  /** The shards that the bot on the copy is to serve; null: all that FROM has. */
  readonly shards: Shards | null;
  /** Whether to mark FROM as moved: all, or these shards. */
  readonly isRetiring: boolean;
  /** Whether to leave behind what cannot be read, and what nobody keeps. */
  readonly skipsDamaged: boolean;
}

const COPY_USAGE = `Use: npm run store -- copy FROM TO [--shards 0,1 --of 4] [--retire] [--skip-damaged]
Copies all documents of a store into an empty one, and compares what it wrote. No bot may have either store open.

  FROM, TO         addresses as in STORE_URL, or env:NAME for one in a variable or .env, such as env:STORE_URL
  --shards LIST    what the bot on TO is to serve: shards, with numbers from 0 on and commas. It deletes the rest at its start
  --of COUNT       how many shards there are
  --retire         marks FROM as moved, so that no bot starts on it (with --shards: none with these shards)
  --skip-damaged   leaves documents in FROM that cannot be read, and those of other programs
  --help           this text`;

const SHARDS_ACCEPTED = 'Accepted: numbers from 0 on with commas, such as 0,1.';

/** Reads the words behind the program's name. @param environment where `env:NAME` looks */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): { readonly request: CopyRequest } | CommandLineEnd {
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
  const [verb, from, to, surplus] = positionals;
  if (verb !== 'copy') return wrong(verb === undefined ? 'A word is missing.' : `"${verb}" is not taken here.`);
  if (from === undefined || to === undefined) return wrong('FROM or TO is missing.');
  // An address may hold a password, so it is not repeated.
  if (surplus !== undefined) return wrong('There is a word too many.');
  const decided = decide(values, { FROM: addressOf(from, environment), TO: addressOf(to, environment) });
  return 'faults' in decided ? wrong(...decided.faults) : decided;
}

/** @param stores addresses; an empty one was to be in a variable that is not set */
function decide(
  values: ReturnType<typeof parse>['values'],
  stores: { readonly FROM: string; readonly TO: string },
): { readonly request: CopyRequest } | { readonly faults: readonly string[] } {
  const shards = shardsOf(values);
  const faults = [
    ...Object.entries(stores).flatMap(([name, url]) => {
      const fault = url === '' ? 'names a variable that is not set.' : storeFault(url);
      return fault === null ? [] : [`${name} ${fault}`];
    }),
    ...('faults' in shards ? shards.faults : []),
    ...(stores.FROM === stores.TO && stores.FROM !== '' ? ['FROM and TO are the same store.'] : []),
  ];
  if (faults.length > 0 || 'faults' in shards) return { faults };
  return {
    request: {
      from: stores.FROM,
      to: stores.TO,
      shards: shards.shards,
      isRetiring: values.retire,
      skipsDamaged: values['skip-damaged'],
    },
  };
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

/** Empty if the variable is not set. */
function addressOf(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  const [, name] = /^env:(.*)$/s.exec(text) ?? [];
  return (name === undefined ? text : (environment[name] ?? '')).trim();
}

function shardsOf({
  shards,
  of,
}: {
  readonly shards?: string | undefined;
  readonly of?: string | undefined;
}): { readonly faults: readonly string[] } | { readonly shards: Shards | null } {
  if (shards !== undefined)
    return readShards(shards, of, { ids: '--shards', count: '--of', accepted: SHARDS_ACCEPTED });
  return of === undefined
    ? { shards: null }
    : { faults: [`--of is for --shards, which is missing. ${SHARDS_ACCEPTED}`] };
}
