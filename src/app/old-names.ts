import { readLimits, USUAL_LIMITS } from '../discord/quotas/exceptions.ts';
import { parametersOf, splitUrls } from '../feed/nats/address.ts';
import { parseUrl } from '../lib/text/url.ts';

/** First release that ignores the names from before 0.10. */
const GONE_WITH = '0.12';

/** Place of an old variable's value in the variable that replaces it. */
interface Place {
  readonly name: string;
  /** Returns the value that the new variable's text has in this place; undefined: none. */
  readonly valueIn: (text: string) => string | undefined;
  /** Adds the old value to the new variable's text; unchanged if the value has no effect. */
  readonly put: (text: string, value: string) => string;
  /** Set if another value in the new variable is no fault, but goes before the old one. */
  readonly givesWay?: true;
  /** Returns the text for the log if the new variable is a secret. */
  readonly shown?: (value: string) => string;
}

const natsParameter = (parameter: string): Place => {
  const written = (path: string) =>
    `${parameter}=${encodeURIComponent(path).replaceAll('%2F', '/')}`;
  return {
    name: 'NATS_URL',
    valueIn: (text) =>
      splitUrls(text)
        .flatMap((url) => parametersOf(parseUrl(url)?.search ?? ''))
        .find(([name]) => name === parameter)?.[1],
    put(text, path) {
      const [first, ...others] = splitUrls(text);
      if (first === undefined) return text;
      return [`${first}${first.includes('?') ? '&' : '?'}${written(path)}`, ...others].join(',');
    },
    shown: (path) => `NATS_URL=…?${written(path)}`,
  };
};

/** Places in other variables, by old name. */
const PLACES = {
  ALERTS_INSECURE: {
    name: 'ALERTS_URL',
    valueIn: (text) => (/^insecure\+/i.test(text) ? 'true' : undefined),
    put(text, value) {
      if (text === '' || value === 'false') return text;
      return value === 'true' ? text.replace(/^(?=http:)/i, 'insecure+') : `${value}+${text}`;
    },
    shown: () => 'ALERTS_URL=insecure+http://…',
  },
  NATS_CREDENTIALS: natsParameter('credentials'),
  NATS_CA: natsParameter('ca'),
  NATS_CERT: natsParameter('cert'),
  NATS_KEY: natsParameter('key'),
  HTTP_HOST: {
    name: 'HTTP_PORT',
    valueIn: (text) => /^\[?([^\]]*)\]?:\d*$/.exec(text)?.[1],
    put: (text, host) => text && `${host.includes(':') ? `[${host}]` : host}:${text}`,
    // The image sets it for everybody: who sets HTTP_PORT there could not remove it.
    givesWay: true,
  },
  SHARD_COUNT: {
    name: 'SHARDS',
    valueIn: (text) => text.split('/')[1]?.trim(),
    put: (text, count) => `${text || 'auto'}/${count}`,
  },
  LINK_NAME: {
    name: 'LINK_URL',
    valueIn: (text) =>
      text.startsWith('[') ? text.slice(1, text.indexOf('](')).trim() : undefined,
    put: (text, name) => `[${name}](${text})`,
  },
} satisfies Record<string, Place>;

/** Places in `defaults` of LIMITS_FILE, by old name. */
const LIMITS = {
  COMMANDS_PER_MINUTE_USER: ['users', 'commandsPerMinute'],
  COMMANDS_PER_MINUTE_GUILD: ['guilds', 'commandsPerMinute'],
  LOOKUP_SHARE: ['guilds', 'lookupShare'],
} as const;

/** Variable without effect: no endpoint is polled more often than once a second. */
const FIXED = 'POLL_MIN_SECONDS';

/** Old names of variables, accepted for two releases. */
export const OLD_NAMES: readonly string[] = [...namesOf(PLACES), ...namesOf(LIMITS), FIXED];

/** Old name that is set, and its replacement. */
export interface OldName {
  readonly variable: string;
  readonly instead: string;
  /** First release that ignores it. */
  readonly goneWith: string;
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}

/** Moves the values of variables with old names to their new places. */
export function withNewNames(environment: Readonly<Record<string, string | undefined>>) {
  const renamed: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(environment)) {
    if (value.trim() !== '') renamed[name] = value.trim();
  }
  /** Removes the old names that are set from the environment. */
  const takeOld = <Old extends string>(names: readonly Old[]) =>
    names.flatMap((old) => {
      const value = renamed[old];
      delete renamed[old];
      return value === undefined ? [] : [[old, value] as const];
    });
  const oldNames: OldName[] = [];
  const note = (variable: string, instead: string) =>
    oldNames.push({ variable, instead, goneWith: GONE_WITH });
  const faults: string[] = [];
  /** Old names whose values were moved, by new name. */
  const from = new Map<string, string[]>();

  for (const [old, value] of takeOld(namesOf(PLACES))) {
    const { name, valueIn, put, givesWay, shown }: Place = PLACES[old];
    const text = renamed[name] ?? '';
    const setValue = valueIn(text);
    if (setValue === value) continue;
    if (setValue !== undefined) {
      if (givesWay) note(old, 'nothing');
      else faults.push(differ(old, name));
      continue;
    }
    const changed = put(text, value);
    if (changed !== '') renamed[name] = changed;
    from.set(name, [...(from.get(name) ?? []), old]);
    note(old, changed === text ? 'nothing' : (shown?.(value) ?? `${name}=${changed}`));
  }
  const limits = readOldLimits(takeOld(namesOf(LIMITS)));
  for (const { old, defaults } of limits.found) note(old, `${defaults} in LIMITS_FILE`);
  for (const [old] of takeOld([FIXED])) note(old, 'nothing');
  return {
    /** Environment with only new names, trimmed, without empty variables. */
    environment: renamed,
    oldNames,
    usualLimits: limits.usual,
    /** Every fault of old names, alone and in combination with new ones. */
    faults: [...faults, ...limits.faults],
    /** Adds the old names whose values a new variable contains to its fault. */
    asWritten(fault: string): string {
      const [name = ''] = fault.split(' ');
      const old = from.get(name);
      return old === undefined ? fault : fault.replace(name, `${name} (with ${old.join(', ')})`);
    },
  };
}

/** Returns the fault of an old name and a new one that differ. */
function differ(old: string, name: string): string {
  return `${old} and ${name} say different things. Remove ${old}: ${name} says it now.`;
}

/** Reads old limits as defaults of LIMITS_FILE. What the file states goes before them. */
function readOldLimits(taken: readonly (readonly [old: keyof typeof LIMITS, value: string])[]) {
  const usual = structuredClone(USUAL_LIMITS);
  const faults: string[] = [];
  const found = taken.map(([old, value]) => {
    const [kind, limit] = LIMITS[old];
    const defaults = JSON.stringify({ defaults: { [kind]: { [limit]: Number(value) } } });
    const read = readLimits(defaults);
    if ('faults' in read) faults.push(...read.faults.map((fault) => `${old} in ${fault}`));
    Object.assign(usual[kind], { [limit]: Number(value) });
    return { old, defaults };
  });
  return { usual, found, faults };
}
