import * as z from 'zod';
import type { LocalizedText } from '../../language/language.ts';
import { personOf } from '../../watches/owner.ts';
import { FILE_LIMIT_WATCHES } from '../../watches/transfer/limits.ts';

/** More than anybody can type: no limit. */
export const COMMANDS_LIMIT = 1_000_000;
/** Discord's ids have 17 to 20 digits. */
const ID = /^\d{17,20}$/;

const wholeNumber = (texts: string, min: number, max: number) => {
  const error = `is not ${texts}. Accepted: a whole number from ${min} to ${max}.`;
  return z.int({ error }).min(min, error).max(max, error).optional();
};
const watches = wholeNumber('a number of watches', 0, FILE_LIMIT_WATCHES);
const commandsPerMinute = wholeNumber('a number of commands', 1, COMMANDS_LIMIT);
const SHARE_FAULT = 'is not a share. Accepted: a number above 0 and up to 1.';
const lookupShare = z.number({ error: SHARE_FAULT }).gt(0, SHARE_FAULT).lte(1, SHARE_FAULT).optional();
const blocked = z.boolean({ error: 'is not yes or no. Accepted: true or false.' }).optional();
/** For whoever keeps the file; the bot ignores it. */
const note = z.string({ error: 'is not a text. Accepted: a text.' }).optional();

const guildSchema = z.strictObject({ watches, commandsPerMinute, lookupShare, blocked, note });
const userSchema = z.strictObject({ watches, commandsPerMinute, blocked, note });
const fileSchema = z.strictObject({
  guilds: z.record(z.string(), guildSchema).default({}),
  users: z.record(z.string(), userSchema).default({}),
});

/** Limits of single servers and people that differ from the configured ones. */
export interface LimitExceptions {
  readonly guilds: ReadonlyMap<string, Omit<z.infer<typeof guildSchema>, 'note'>>;
  readonly users: ReadonlyMap<string, Omit<z.infer<typeof userSchema>, 'note'>>;
}

export const NO_EXCEPTIONS: LimitExceptions = { guilds: new Map(), users: new Map() };

/**
 * Reads a limits file: JSON such as `{"guilds": {"ID": {"watches": 500}}, "users": {"ID": {"blocked": true}}}`.
 *
 * @returns every fault, beginning with the entry's path, or what the file says
 */
export function readExceptions(
  text: string,
): { readonly faults: readonly string[] } | { readonly exceptions: LimitExceptions } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { faults: [`the file is not JSON (${error instanceof Error ? error.message : error}).`] };
  }
  const parsed = fileSchema.safeParse(json);
  const faults = [
    ...(parsed.error?.issues ?? []).map(faultOf),
    ...(['guilds', 'users'] as const).flatMap((list) =>
      Object.keys(parsed.data?.[list] ?? {})
        .filter((id) => !ID.test(id))
        .map((id) => `${list}.${id} is not an id. Accepted: Discord's id of 17 to 20 digits, in quotes.`),
    ),
  ];
  if (faults.length > 0 || parsed.data === undefined) return { faults };
  const { guilds, users } = parsed.data;
  return { exceptions: { guilds: new Map(Object.entries(guilds)), users: new Map(Object.entries(users)) } };
}

function faultOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  const [first] = issue.path;
  if (issue.code === 'unrecognized_keys') {
    const accepted = { guilds: guildSchema, users: userSchema }[String(first)] ?? fileSchema;
    const names = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`));
    return `${names.join(', ')}: not known. Accepted: ${Object.keys(accepted.shape).join(', ')}.`;
  }
  if (issue.message.includes('Accepted:')) return `${path} ${issue.message}`;
  return `${path === '' ? 'the file' : path} is not an object. Accepted: {"guilds": {"ID": {…}}, "users": {"ID": {…}}}.`;
}

/** What the configuration says of whom the bot serves, and how much they may use. */
export interface Limits {
  /** Null: all. */
  readonly ALLOWED_GUILDS: ReadonlySet<string> | null;
  readonly WATCHES_PER_GUILD: number;
  /** Private ones of a person; 0: nobody has any. */
  readonly WATCHES_PER_USER: number;
  /** Commands and presses; half of them may come at once. */
  readonly COMMANDS_PER_MINUTE_USER: number;
  readonly COMMANDS_PER_MINUTE_GUILD: number;
  /** Of the bot's allowance, see `createLookupShare`. */
  readonly LOOKUP_SHARE: number;
  /** Other limits of single guilds and people. */
  readonly LIMITS_FILE: LimitExceptions;
}

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Which guilds and people the bot serves: ALLOWED_GUILDS, WATCHES_PER_USER and the blocks of LIMITS_FILE. Where servers are named,
 * people are served for themselves only if they are named, too: LIMITS_FILE gives them watches.
 */
export function createAdmission(limits: Pick<Limits, 'ALLOWED_GUILDS' | 'WATCHES_PER_USER' | 'LIMITS_FILE'>) {
  const { ALLOWED_GUILDS: allowed, LIMITS_FILE: exceptions } = limits;
  const watchesNamed = (userId: string) => exceptions.users.get(userId)?.watches;
  const isAllowed = (ownerId: string) => {
    const userId = personOf(ownerId);
    return allowed === null || (userId === null ? allowed.has(ownerId) : (watchesNamed(userId) ?? 0) > 0);
  };
  const isBlockedUser = (userId: string) => exceptions.users.get(userId)?.blocked === true;
  const isBlockedGuild = (guildId: string) => exceptions.guilds.get(guildId)?.blocked === true;
  return {
    /** Whether watches of the server, or of the person alone, are polled and alerted. */
    isServed(ownerId: string): boolean {
      const userId = personOf(ownerId);
      if (userId === null) return isAllowed(ownerId) && !isBlockedGuild(ownerId);
      return isAllowed(ownerId) && !isBlockedUser(userId) && (watchesNamed(userId) ?? limits.WATCHES_PER_USER) > 0;
    },
    /** Why a person's command in a server, or for themselves, is not carried out; null if it is. */
    refusal(ownerId: string, userId: string): LocalizedText | null {
      if (!isAllowed(ownerId)) {
        const isPersons = personOf(ownerId) !== null;
        return ({ texts }) => (isPersons ? texts.personal.notServed : texts.errors.admission.notAllowed);
      }
      if (isBlockedGuild(ownerId)) return ({ texts }) => texts.errors.admission.serverBlocked;
      if (isBlockedUser(userId)) return ({ texts }) => texts.errors.admission.userBlocked;
      return null;
    },
  };
}
