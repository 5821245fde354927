import { parse as parseCron } from 'node-cron';
import * as z from 'zod';
import { type LinkTemplateName, linkFault, type OwnLink } from '../embeds/links.ts';
import { plainText } from '../embeds/text/escape.ts';
import { readNats } from '../feed/nats/address.ts';
import { reasonOf } from '../lib/error.ts';
import { readListenAddress } from '../lib/listen.ts';
import { parseUrl, withoutEndSlashes } from '../lib/text/url.ts';
import { storeFault } from '../store/address.ts';
import { FILE_LIMIT_WATCHES } from '../watches/owner.ts';

/**
 * The halves of walletbell that a process runs: `feed` polls the venue for others, `bot` serves
 * Discord with the pages of a feed.
 */
export const ROLES = ['all', 'feed', 'bot'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Maximum code points of the venue's name, which is used within sentences. */
export const VENUE_NAME_MAX = 40;
/** Maximum code points of a button's name, next to other buttons on a phone. */
const LINK_NAME_MAX = 30;
export const DEFAULT_STORE_URL = 'sqlite://data/walletbell.sqlite';

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

/** Creates a check from a function that returns a fault, or null for a valid text. */
const without =
  (fault: (text: string) => string | null) =>
  (text: string, context: z.core.$RefinementCtx<string>) => {
    const message = fault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  };

/**
 * Message for a password that should have been encoded: the part before its @ was parsed as the
 * host.
 */
const AT_IN_PATH =
  'has an @ behind the host. Write special characters of user name and ' +
  'password as %XX. Accepted: http://… or https://….';

function venueFault(url: string): string | null {
  const { username, password, pathname, search, hash } = new URL(url);
  // User name and password would be secrets; query and fragment would be lost, because paths are
  // appended to the address.
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

/** Hosts of Discord itself. The path of a proxy is not checked. */
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

/** Returns the fault of TZ, because Node silently treats an unknown zone as UTC. */
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

/** Maximum number of watches, above what any key allows. */
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
 * Whether a displayed text of the operator is one line.
 *
 * @param max code points
 */
const isShownName = (name: string, max: number) => name !== '' && plainText(name, max, '') === name;
const nameFault = (fault: string, max: number, example: string) =>
  `${fault}. Accepted: up to ${max} visible characters, such as ${example}.`;

const linkTemplate = (name: LinkTemplateName) =>
  text.superRefine(without((template) => linkFault(name, template))).optional();

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

/** Creates the schema of a text that a function reads. */
const readBy = <Value>(
  read: (text: string) => { readonly faults: readonly string[] } | { readonly value: Value },
) =>
  text.transform((written, context): Value => {
    const found = read(written);
    if ('value' in found) return found.value;
    for (const message of found.faults) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Reads a name and a link template: `[NAME](https://…)`. */
function readOwnLink(text: string) {
  const middle = text.indexOf('](');
  if (!text.startsWith('[') || middle < 0 || !text.endsWith(')')) {
    const example = '[Trade](https://example.com/{tokenId})';
    return { faults: [`is not a name and a link. Accepted: [NAME](https://…), as in ${example}.`] };
  }
  const link: OwnLink = {
    name: text.slice(1, middle).trim(),
    template: text.slice(middle + 2, -1).trim(),
  };
  const faults: string[] = [];
  if (!isShownName(link.name, LINK_NAME_MAX)) {
    faults.push(nameFault('has a name that is not one of one line', LINK_NAME_MAX, 'Trade'));
  }
  const fault = linkFault('LINK_URL', link.template);
  if (fault !== null) faults.push(fault);
  return faults.length > 0 ? { faults } : { value: link };
}

function readPort(text: string) {
  const value = readListenAddress(text);
  if (value !== null) return { value };
  const fault =
    'is not a port. Accepted: 1 to 65535, or 0 for a free one, with or without an address of ' +
    'this machine before it, such as 9464, 0.0.0.0:9464 or [::]:9464.';
  return { faults: [fault] };
}

/** Each variable by itself; combinations are read in config.ts. */
export const variablesSchema = z.object({
  ROLE: oneOf('no role', ROLES).default('all'),
  /** Servers that connect feed and bots; null if both are in this process. */
  NATS_URL: optional(readBy(readNats)),
  DISCORD_TOKEN: secret("the bot's token, from the Bot page of the Discord developer portal"),
  DISCORD_API_URL: httpUrl().superRefine(without(discordFault)).default('https://discord.com/api'),
  VENUE_BASE_URL: httpUrl(
    "is missing. It is the venue API's base address, such as https://api.example.com.",
  ).superRefine(without(venueFault)),
  VENUE_API_KEY: secret("the venue's API key, from the API Keys section of the account's settings"),
  /** Displayed name of the venue; null: the exchange. */
  VENUE_NAME: optional(
    text.refine(
      (name) => isShownName(name, VENUE_NAME_MAX),
      nameFault('is not a name of one line', VENUE_NAME_MAX, 'Polymarket'),
    ),
  ),
  STORE_URL: text.superRefine(without(storeFault)).default(DEFAULT_STORE_URL),
  /** True to wait for a store that another process uses, and take over when it is free. */
  STANDBY: oneOf('neither of true and false', ['true', 'false'])
    .transform((text) => text === 'true')
    .default(false),
  /** The zone of POLL_CRON, read by Node itself. */
  TZ: optional(z.string().superRefine(without(zoneFault))),
  POLL_CRON: text.superRefine(without(cronFault)).default('*/5 * * * * *'),
  BUDGET_SHARE: numberUpTo(
    1,
    'is not a share. Accepted: a number above 0 and up to 1, such as 0.9.',
  ).default(0.9),
  CATCH_UP_AFTER_MINUTES: numberUpTo(
    Number.MAX_VALUE,
    'is not a time. Accepted: a number of minutes above 0, such as 15.',
  ).default(15),
  /** The servers that the bot serves; null: all. */
  ALLOWED_GUILDS: optional(guildList),
  WATCHES_PER_GUILD: wholeNumber(FILE_LIMIT_WATCHES, 200),
  /** Maximum number of a person's own watches; 0: none. */
  WATCHES_PER_USER: wholeNumber(FILE_LIMIT_WATCHES, 25, 0),
  /** Maximum for all owners together; null: unlimited. */
  WATCHES_TOTAL: optional(wholeNumberOrNone(WATCHES_LIMIT, 5_000)),
  LOG_LEVEL: oneOf('not a log level', LOG_LEVELS).default('info'),
  /** Address and port of health and metrics; null: not served. */
  HTTP_PORT: optional(readBy(readPort)),
  /** Pinged while polling works; a secret. */
  HEARTBEAT_URL: optional(webAddress()),
  MARKET_URL: linkTemplate('MARKET_URL'),
  TX_URL: linkTemplate('TX_URL'),
  WALLET_URL: linkTemplate('WALLET_URL'),
  LINK_URL: optional(readBy(readOwnLink)),
});
