import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse as parseCron } from 'node-cron';
import * as z from 'zod';
import { readAlertsOut } from '../alerts-out/settings.ts';
import { readSharding } from '../discord/gateway/shards.ts';
import {
  COMMANDS_LIMIT,
  type LimitExceptions,
  readExceptions,
} from '../discord/quotas/exceptions.ts';
import { type LinkTemplateName, linkFault } from '../embeds/links.ts';
import { plainText } from '../embeds/text/escape.ts';
import { NATS_ACCEPTED, natsFault, splitUrls } from '../feed/nats/address.ts';
import { EXIT_CONFIG, OperatorError, reasonOf } from '../lib/error.ts';
import { FILE_VARIABLES, secretFileFaults } from '../lib/secret-files.ts';
import { parseUrl, withoutEndSlashes } from '../lib/text/url.ts';
import { readPolymarket } from '../polymarket/settings.ts';
import { storeFault } from '../store/address.ts';
import { StoreUnfit } from '../store/error.ts';
import { FILE_LIMIT_WATCHES } from '../watches/owner.ts';

/**
 * Halves that a process is: `feed` polls the venue for others, `bot` serves Discord with the pages
 * of a feed.
 */
const ROLES = ['all', 'feed', 'bot'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Code points of what people call the venue: it stands inside of sentences. */
export const VENUE_NAME_MAX = 40;
/** Code points of a button that stands beside others on a phone. */
const LINK_NAME_MAX = 30;
const DEFAULT_STORE_URL = 'sqlite://data/walletbell.sqlite';

/** All that is wrong with the environment, one line a variable. */
export class ConfigError extends OperatorError {
  override readonly exitCode = EXIT_CONFIG;
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const bullets = faults.map((fault) => `  - ${fault}`).join('\n');
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`The configuration has ${count}:\n${bullets}`);
    this.faults = faults;
  }
}

const text = z.string().trim();

const secret = (what: string) =>
  z
    .string({ error: `is missing. It is ${what}.` })
    .trim()
    .regex(/^[\x21-\x7e]+$/, `has spaces or characters that a header cannot carry. It is ${what}.`);

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);

const oneOf = <const Value extends string>(what: string, values: readonly Value[]) =>
  z.enum(values, { error: `is ${what}. Accepted: ${values.join(', ')}.` });

const webAddress = (missing = 'is missing.') =>
  z
    .string({ error: missing })
    .trim()
    .refine(
      (text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ''),
      'is not a web address. Accepted: http://… or https://….',
    );

const httpUrl = (missing?: string) => webAddress(missing).transform(withoutEndSlashes);

/** Says what is wrong with a text by a function that gives null for a good one. */
const without =
  (fault: (text: string) => string | null) =>
  (text: string, context: z.core.$RefinementCtx<string>) => {
    const message = fault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  };

/** A password that ought to have been encoded makes a host of what stands before it. */
const AT_IN_PATH =
  'has an @ behind the host. Write special characters of user name and ' +
  'password as %XX. Accepted: http://… or https://….';

function venueFault(url: string): string | null {
  const { username, password, pathname, search, hash } = new URL(url);
  // User name and password would be secrets; query and fragment would be lost, as paths are put
  // behind the address.
  if (`${username}${password}${search}${hash}` !== '') {
    return (
      'has a user name, a password, a query or a fragment. Accepted: http://… ' +
      'or https://… without them.'
    );
  }
  if (pathname.includes('@')) return AT_IN_PATH;
  if (!/\/v1$/i.test(url)) return null;
  return (
    'ends in /v1, which walletbell adds by itself. Accepted: the address ' +
    'without it, such as https://api.example.com.'
  );
}

/** Hosts of Discord itself: the path of a proxy is its own affair. */
const DISCORD_HOSTS = /^(?:[a-z]+\.)?discord(?:app)?\.com$/;

function discordFault(url: string): string | null {
  const { hostname, pathname, search, hash } = new URL(url);
  if (pathname.includes('@')) return AT_IN_PATH;
  if (`${search}${hash}` !== '') {
    return 'has a query or a fragment. Accepted: https://… without them.';
  }
  if (/\/v\d+$/.test(pathname)) {
    return (
      'ends in a version, which walletbell adds by itself. Accepted: the ' +
      'address without it, such as https://discord.com/api.'
    );
  }
  if (DISCORD_HOSTS.test(hostname) && pathname !== '/api') {
    return (
      'is not the root of Discord’s REST interface. Accepted: ' +
      'https://discord.com/api, or the address of a proxy.'
    );
  }
  return null;
}

function cronFault(pattern: string): string | null {
  try {
    parseCron(pattern);
    return null;
  } catch (error) {
    const reason = reasonOf(error);
    if (/impossible day/.test(reason)) {
      return (
        'is never due: there is no such day. ' +
        'Accepted: a pattern that comes round, such as "*/5 * * * * *".'
      );
    }
    return (
      `is not a cron pattern (${reason}). ` +
      'Accepted: five fields, or six with seconds first, such as "*/5 * * * * *".'
    );
  }
}

/** Fault of TZ: a zone that Node does not know becomes UTC without a word. */
function zoneFault(zone: string): string | null {
  const name = zone.replace(/^:/, '');
  if (/^GMT[+-]\d{1,2}$/.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    const isMiswritten = timeZone !== name && timeZone.toLowerCase() === name.toLowerCase();
    if (isMiswritten) return `is written ${timeZone}: capital letters count.`;
    return null;
  } catch {
    return 'is no time zone that Node knows. Accepted: a name such as Europe/Berlin or UTC.';
  }
}

const numberUpTo = (max: number, error: string) =>
  z.coerce.number({ error }).gt(0, error).lte(max, error);

const share = (usual: number) =>
  numberUpTo(
    1,
    `is not a share. Accepted: a number above 0 and up to 1, such as ${usual}.`,
  ).default(usual);

/** More than any key carries. */
const WATCHES_LIMIT = 1_000_000;

const wholeNumberOrNone = (max: number, example: number, min = 1) => {
  const error =
    'is not a number for this. ' +
    `Accepted: a whole number from ${min} to ${max}, such as ${example}.`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};
const wholeNumber = (max: number, usual: number, min = 1) =>
  wholeNumberOrNone(max, usual, min).default(usual);

/**
 * Words of the operator's that people read: one line.
 *
 * @param max code points
 */
const shownName = (max: number, example: string) =>
  text.refine(
    (name) => plainText(name, max, '') === name,
    `is not a name of one line. Accepted: up to ${max} visible characters, such as ${example}.`,
  );

const linkTemplate = (name: LinkTemplateName) =>
  text.superRefine(without((template) => linkFault(name, template))).optional();

const time = (accepted: string, max = Number.MAX_VALUE) =>
  numberUpTo(max, `is not a time. Accepted: a number of ${accepted}.`);

const guildList = text
  .transform((ids) => ids.split(',').map((id) => id.trim()))
  .superRefine((ids, context) => {
    for (const id of ids.filter((id) => !/^\d{17,20}$/.test(id))) {
      const message =
        `names "${id}", which is no server. ` +
        'Accepted: ids of 17 to 20 digits with commas; in Discord: Copy Server ID.';
      context.addIssue({ code: 'custom', message });
    }
  })
  .transform((ids): ReadonlySet<string> => new Set(ids));

/**
 * The content of a file; null, with an issue, if it cannot be read.
 *
 * @param what it is to be
 */
function textOf(path: string, what: string, context: z.core.$RefinementCtx<string>): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `cannot be read: ${reasonOf(error)}. Accepted: the path of ${what}.`,
    });
    return null;
  }
}

/**
 * Exceptions that LIMITS_FILE states at the start: none while its folder has no such file, because
 * it may come later. `limits.ts` follows its changes.
 */
const limitsFile = text
  .transform((path, context): LimitExceptions => {
    if (!existsSync(path) && existsSync(dirname(path))) return new Map();
    const content = textOf(path, 'a JSON file', context);
    if (content === null) return z.NEVER;
    const read = readExceptions(content);
    if ('exceptions' in read) return read.exceptions;
    for (const fault of read.faults) {
      context.addIssue({ code: 'custom', message: `${path}: ${fault}` });
    }
    return z.NEVER;
  })
  .default(new Map());

/**
 * The path of a file that has parts with these headings, as the tools of OpenSSL and NATS write
 * them.
 */
const fileWith = (what: string, ...parts: readonly RegExp[]) =>
  optional(
    text.superRefine((path, context) => {
      const content = textOf(path, what, context);
      if (content === null || parts.every((part) => part.test(content))) return;
      context.addIssue({
        code: 'custom',
        message: `names a file that is not ${what}. Accepted: its path.`,
      });
    }),
  );

const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
const PEM_CERTIFICATE = /^-----BEGIN CERTIFICATE-----/m;

const schema = z.object({
  ROLE: oneOf('no role', ROLES).default('all'),
  /** Servers by which feed and bots reach each other; null where both are this process. */
  NATS_URL: optional(text.superRefine(without(natsFault)).transform(splitUrls)),
  NATS_CREDENTIALS: fileWith(
    'a credentials file of NATS (JWT and seed)',
    /^-{3,}BEGIN NATS USER JWT-{3,}\s+\S/m,
    /^-{3,}BEGIN USER NKEY SEED-{3,}\s+SU[A-Z2-7]{56}\s/m,
  ),
  NATS_CA: fileWith('a file of certificates (PEM)', PEM_CERTIFICATE),
  NATS_CERT: fileWith('a certificate (PEM)', PEM_CERTIFICATE),
  NATS_KEY: fileWith(
    'a private key without a passphrase (PEM)',
    /^-----BEGIN (?:EC |RSA )?PRIVATE KEY-----/m,
  ),
  DISCORD_TOKEN: secret("the bot's token, from the Bot page of the Discord developer portal"),
  DISCORD_API_URL: httpUrl().superRefine(without(discordFault)).default('https://discord.com/api'),
  VENUE_BASE_URL: httpUrl(
    "is missing. It is the venue API's base address, such as https://api.example.com.",
  ).superRefine(without(venueFault)),
  VENUE_API_KEY: secret("the venue's API key, from the API Keys section of the account's settings"),
  /** Name that people call the venue by; null: the exchange. */
  VENUE_NAME: optional(shownName(VENUE_NAME_MAX, 'Polymarket')),
  // Beyond an hour a record comes too late to be an alert.
  POLL_MIN_SECONDS: time('seconds above 0 and up to 3600, such as 1 or 0.5', 3_600).default(1),
  STORE_URL: text.superRefine(without(storeFault)).default(DEFAULT_STORE_URL),
  /** True to wait for a store that another process has, and take over when it is free. */
  STANDBY: oneOf('neither of true and false', ['true', 'false'])
    .transform((text) => text === 'true')
    .default(false),
  /** The zone of POLL_CRON, read by Node itself. */
  TZ: optional(z.string().superRefine(without(zoneFault))),
  POLL_CRON: text.superRefine(without(cronFault)).default('*/5 * * * * *'),
  BUDGET_SHARE: share(0.9),
  CATCH_UP_AFTER_MINUTES: time('minutes above 0, such as 15').default(15),
  /** The servers that the bot does anything for; null: all. */
  ALLOWED_GUILDS: optional(guildList),
  LIMITS_FILE: limitsFile,
  WATCHES_PER_GUILD: wholeNumber(FILE_LIMIT_WATCHES, 200),
  /** Private ones of a person; 0: there are none. */
  WATCHES_PER_USER: wholeNumber(FILE_LIMIT_WATCHES, 25, 0),
  /** All together; null: as many as come. */
  WATCHES_TOTAL: optional(wholeNumberOrNone(WATCHES_LIMIT, 5_000)),
  COMMANDS_PER_MINUTE_USER: wholeNumber(COMMANDS_LIMIT, 12),
  COMMANDS_PER_MINUTE_GUILD: wholeNumber(COMMANDS_LIMIT, 30),
  LOOKUP_SHARE: share(0.25),
  LOG_LEVEL: oneOf('not a log level', LOG_LEVELS).default('info'),
  HTTP_HOST: text
    .regex(
      /^[\w.:-]+$/,
      'is not an address. Accepted: an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
    )
    .default('127.0.0.1'),
  /** Port where health and metrics are served; null: nowhere. */
  HTTP_PORT: optional(
    text
      .refine(isPort, 'is not a port. Accepted: 1 to 65535, or 0 for a free one.')
      .transform(Number),
  ),
  /** Pinged while polling works; a secret. */
  HEARTBEAT_URL: optional(webAddress()),
  MARKET_URL: linkTemplate('MARKET_URL'),
  TX_URL: linkTemplate('TX_URL'),
  WALLET_URL: linkTemplate('WALLET_URL'),
  LINK_NAME: optional(shownName(LINK_NAME_MAX, 'Trade')),
  LINK_URL: linkTemplate('LINK_URL'),
});

/** Names of all variables that walletbell reads. */
export const VARIABLES: readonly string[] = [
  ...Object.keys(schema.shape),
  'SHARDS',
  'SHARD_COUNT',
  'ALERTS_URL',
  'ALERTS_SECRET',
  'ALERTS_GUILDS',
  'ALERTS_INSECURE',
  'POLYMARKET_DATA_URL',
  'POLYMARKET_GAMMA_URL',
  'POLYMARKET_REQUESTS_PER_MINUTE',
  ...FILE_VARIABLES,
];

/**
 * Variables that a process of a role has no use for: they need not be set, and a key is better not
 * there at all.
 */
const UNUSED: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  all: {},
  feed: { DISCORD_TOKEN: 'unused' },
  bot: { VENUE_BASE_URL: 'http://unused', VENUE_API_KEY: 'unused' },
};

/** Value of VENUE_BASE_URL that stands for Polymarket's public Data API, without a key. */
const POLYMARKET = 'polymarket';
/** Variables that have these values with it, unless they are given. */
const POLYMARKET_VALUES = {
  VENUE_NAME: 'Polymarket',
  MARKET_URL: 'https://polymarket.com/event/{eventSlug}/{marketSlug}',
  WALLET_URL: 'https://polymarket.com/profile/{address}',
  TX_URL: 'https://polygonscan.com/tx/{txHash}',
};
/** Stand for what the gateway to Polymarket says once it listens. */
const OF_GATEWAY = { VENUE_BASE_URL: 'http://127.0.0.1', VENUE_API_KEY: 'of-the-gateway' };

/** Faults of an environment with VENUE_BASE_URL=polymarket. */
function polymarketFaults(given: ReadonlyMap<string, string>, role: Role | undefined) {
  const faults: string[] = [];
  if (given.has('VENUE_API_KEY')) {
    faults.push(
      'VENUE_API_KEY is set, and VENUE_BASE_URL=polymarket needs no key. Remove VENUE_API_KEY.',
    );
  }
  if (role === 'bot') {
    faults.push(
      'VENUE_BASE_URL is polymarket, and ROLE is bot, which asks no venue. ' +
        'Accepted: VENUE_BASE_URL=polymarket beside ROLE=feed.',
    );
  }
  return faults;
}

/** Variables that are given together, or not at all. */
const PAIRS = [
  ['NATS_CERT', 'NATS_KEY', 'a certificate and its key'],
  ['LINK_NAME', 'LINK_URL', 'a link and its name'],
] as const;

/**
 * Faults of what goes with something else.
 *
 * @param role undefined: there is none of that name
 */
function faultsBetween(
  given: ReadonlyMap<string, string>,
  role: Role | undefined,
): readonly string[] {
  const alone = PAIRS.filter(([one, other]) => given.has(one) !== given.has(other));
  const faults = alone.map(
    ([one, other, both]) =>
      `${given.has(one) ? other : one} is missing: ${both} are given together.`,
  );
  if (role === undefined || (role !== 'all') === given.has('NATS_URL')) return faults;
  if (role === 'all') {
    return [
      ...faults,
      'NATS_URL is set, and ROLE is all, which needs no NATS. ' +
        'Accepted: ROLE=feed, ROLE=bot, or no NATS_URL.',
    ];
  }
  return [
    ...faults,
    `NATS_URL is missing: ROLE=${role} works with other processes. ${NATS_ACCEPTED}`,
  ];
}

/**
 * Reads the environment. An empty variable counts as unset.
 * @throws {ConfigError} with every fault at once, each with its variable's name; never with a
 *   secret's text
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const given = new Map<string, string>();
  for (const [name, value = ''] of Object.entries(environment)) {
    if (value.trim() !== '') given.set(name, value);
  }
  // Docker's --env-file and some supervisors hand quotes on, where a shell or .env takes them off.
  const isQuoted = (name: string) =>
    name in schema.shape && /^(["']).*\1$/s.test(given.get(name)?.trim() ?? '');
  const quoted = [...given.keys()].filter(isQuoted);
  const role = ROLES.find((name) => name === (given.get('ROLE')?.trim() ?? 'all'));
  const isPolymarket = given.get('VENUE_BASE_URL')?.trim().toLowerCase() === POLYMARKET;
  const polymarket = isPolymarket ? readPolymarket(environment) : { settings: null };
  const parsed = schema.safeParse({
    ...(isPolymarket && POLYMARKET_VALUES),
    ...Object.fromEntries(given),
    ...(isPolymarket && OF_GATEWAY),
    ...(role && UNUSED[role]),
  });
  const shards = readSharding(given.get('SHARDS'), given.get('SHARD_COUNT'));
  const alertsOut = readAlertsOut(Object.fromEntries(given));
  const issues = (parsed.error?.issues ?? []).map(({ path, message }) => ({
    name: path.join('.'),
    message,
  }));
  const fileFaults = secretFileFaults(environment);
  // What its file should hold is missing for that reason.
  const ofFiles: readonly string[] = fileFaults.map(({ name }) => name);
  const faults = [
    ...fileFaults.map(({ fault }) => fault),
    ...quoted.map(
      (name) => `${name} stands in quotes, which belong to it here. Write the value without them.`,
    ),
    ...issues
      .filter(({ name }) => !quoted.includes(name) && !ofFiles.includes(name))
      .map(({ name, message }) => `${name} ${message}`),
    ...('faults' in shards ? shards.faults : []),
    ...('faults' in alertsOut ? alertsOut.faults : []),
    ...(isPolymarket ? polymarketFaults(given, role) : []),
    ...('faults' in polymarket ? polymarket.faults : []),
    ...faultsBetween(given, role),
  ];
  const areGroupsFaulty = 'faults' in shards || 'faults' in alertsOut || 'faults' in polymarket;
  if (faults.length > 0 || !parsed.success || areGroupsFaulty) throw new ConfigError(faults);
  return {
    ...parsed.data,
    /** The gateway shards that this process takes (SHARDS, SHARD_COUNT). */
    sharding: shards.sharding,
    /** Receiver outside of Discord (ALERTS_URL and its companions); null: there is none. */
    alertsOut: alertsOut.settings,
    /**
     * Settings of the gateway to Polymarket (VENUE_BASE_URL=polymarket); null: there is none.
     * Address and key of the venue are then the gateway's, once it runs.
     */
    polymarket: polymarket.settings,
    /** Path of LIMITS_FILE; null: there is none. */
    limitsPath: given.get('LIMITS_FILE')?.trim() ?? null,
  };
}

/**
 * STORE_URL, for programs that use nothing else.
 *
 * @throws {StoreUnfit} if it is no store's address
 */
export function readStoreUrl(environment: Readonly<Record<string, string | undefined>>): string {
  const ofFile = secretFileFaults(environment).find(({ name }) => name === 'STORE_URL');
  if (ofFile !== undefined) throw new StoreUnfit(ofFile.fault);
  const url = environment['STORE_URL']?.trim() || DEFAULT_STORE_URL;
  const fault = storeFault(url);
  if (fault !== null) throw new StoreUnfit(`STORE_URL ${fault}`);
  return url;
}

/**
 * All that `start` reads from its environment, validated: each variable by its name, and what
 * several say together.
 */
export type Config = Readonly<ReturnType<typeof readConfig>>;
