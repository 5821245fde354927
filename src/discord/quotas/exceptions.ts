import * as z from 'zod';
import type { LocalizedText } from '../../language/language.ts';
import { GREATEST_WEIGHT, LEAST_WEIGHT } from '../../lib/fair-shares/account.ts';
import {
  FILE_LIMIT_WATCHES,
  PERSON_SIGN,
  personOf,
  personOwner,
  snowflake,
} from '../../watches/owner.ts';

/** More commands than anyone can type; means no limit. */
export const COMMANDS_LIMIT = 1_000_000;

const wholeNumber = (texts: string, min: number, max: number) => {
  const error = `is not ${texts}. Accepted: a whole number from ${min} to ${max}.`;
  return z.int({ error }).min(min, error).max(max, error).exactOptional();
};
const watches = wholeNumber('a number of watches', 0, FILE_LIMIT_WATCHES);
const commandsPerMinute = wholeNumber('a number of commands', 1, COMMANDS_LIMIT);
const SHARE_FAULT = 'is not a share. Accepted: a number above 0 and up to 1.';
const lookupShare = z
  .number({ error: SHARE_FAULT })
  .gt(0, SHARE_FAULT)
  .lte(1, SHARE_FAULT)
  .exactOptional();
const blocked = z.boolean({ error: 'is not yes or no. Accepted: true or false.' }).optional();
/** Note for whoever maintains the file; the bot ignores it. */
const note = z.string({ error: 'is not a text. Accepted: a text.' }).optional();

const weights = `a number from ${LEAST_WEIGHT} to ${GREATEST_WEIGHT}`;
const weightFault = `is not a weight. Accepted: ${weights}.`;
/** Weight in everything that is shared: polls, lookups, messages, commands. */
const weight = z
  .number({ error: weightFault })
  .min(LEAST_WEIGHT, weightFault)
  .max(GREATEST_WEIGHT, weightFault)
  .optional();

const guildSchema = z.strictObject({
  watches,
  commandsPerMinute,
  lookupShare,
  weight,
  blocked,
  note,
});
const userSchema = z.strictObject({ watches, commandsPerMinute, blocked, note });
/** Limits of all persons together who use the bot for themselves. */
const peopleSchema = z.strictObject({ weight, note });
/** Limits of all servers and of all people that have no others. */
const defaultsSchema = z.strictObject({
  guilds: guildSchema.pick({ commandsPerMinute: true, lookupShare: true }).default({}),
  users: userSchema.pick({ commandsPerMinute: true }).default({}),
});
const fileSchema = z.strictObject({
  defaults: defaultsSchema.default({ guilds: {}, users: {} }),
  people: peopleSchema.default({}),
  guilds: z.record(snowflake, guildSchema).default({}),
  users: z.record(snowflake, userSchema).default({}),
});

/** Limits of all, where nothing states others. */
export const USUAL_LIMITS = {
  guilds: { commandsPerMinute: 30, lookupShare: 0.25 },
  users: { commandsPerMinute: 12 },
};

/** Limits as stated in a file. */
export interface FileLimits {
  /** Limits that differ from the usual ones, by owner, or by `@` for all people together. */
  readonly exceptions: ReadonlyMap<string, Omit<z.infer<typeof guildSchema>, 'note'>>;
  /** Limits of servers and people without an exception. Half of the commands may come at once. */
  readonly usual: typeof USUAL_LIMITS;
}

/**
 * Reads a limits file: JSON such as `{"guilds": {"ID": {"watches": 500}}, "users": {"ID":
 * {"blocked": true}}}`.
 *
 * @param beforeFile limits of all that count where the file states none
 * @returns every fault, beginning with the entry's path, or what the file says
 */
export function readLimits(text: string, beforeFile: FileLimits['usual'] = USUAL_LIMITS) {
  let json: unknown;
  try {
    // Notepad begins a file with a byte order mark.
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return {
      faults: [`the file is not JSON (${error instanceof Error ? error.message : error}).`],
    };
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) return { faults: parsed.error.issues.map(faultOf) };
  const { defaults, people, guilds, users } = parsed.data;
  const ofPeople = Object.entries(users).map(
    ([userId, limits]) => [personOwner(userId), limits] as const,
  );
  const limits: FileLimits = {
    exceptions: new Map([[PERSON_SIGN, people], ...Object.entries(guilds), ...ofPeople]),
    usual: {
      guilds: { ...beforeFile.guilds, ...defaults.guilds },
      users: { ...beforeFile.users, ...defaults.users },
    },
  };
  return { limits };
}

function faultOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const accepted = strictObjectAt(issue.path);
    const names = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`));
    return `${names.join(', ')}: not known. Accepted: ${Object.keys(accepted.shape).join(', ')}.`;
  }
  if (issue.code === 'invalid_key') {
    return `${path} is not an id. Accepted: Discord's id of 17 to 20 digits, in quotes.`;
  }
  if (issue.message.includes('Accepted:')) return `${path} ${issue.message}`;
  const whole = path || 'the file';
  return `${whole} is not an object. Accepted: {"guilds": {"ID": {…}}, "users": {"ID": {…}}}.`;
}

/** The object of the file's schema that a path leads to. */
function strictObjectAt([first, second]: readonly PropertyKey[]) {
  if (first === 'people') return peopleSchema;
  if (first === 'guilds') return guildSchema;
  if (first === 'users') return userSchema;
  if (first !== 'defaults') return fileSchema;
  if (second === 'guilds') return defaultsSchema.shape.guilds.unwrap();
  if (second === 'users') return defaultsSchema.shape.users.unwrap();
  return defaultsSchema;
}

/** Configuration of whom the bot serves, and how much they may use. */
export interface Limits {
  /** Null: all guilds. */
  readonly ALLOWED_GUILDS: ReadonlySet<string> | null;
  readonly WATCHES_PER_GUILD: number;
  /** Private watches of a person; 0: private watches are off. */
  readonly WATCHES_PER_USER: number;
  /** All watches together; null: unlimited. */
  readonly WATCHES_TOTAL: number | null;
  /** Current exceptions for single guilds and people, and the usual limits of all others. */
  readonly LIMITS_FILE: Pick<FileLimits['exceptions'], 'get'> & {
    usual(): FileLimits['usual'];
  };
}

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Creates the decision which guilds and people the bot serves, by ALLOWED_GUILDS, WATCHES_PER_USER
 * and the blocks of LIMITS_FILE. If servers are listed, a person is served for themselves only if
 * LIMITS_FILE gives them watches.
 */
export function createAdmission(
  limits: Pick<Limits, 'ALLOWED_GUILDS' | 'WATCHES_PER_USER'> & {
    readonly LIMITS_FILE: Pick<Limits['LIMITS_FILE'], 'get'>;
  },
) {
  const {
    ALLOWED_GUILDS: allowed,
    WATCHES_PER_USER: usualWatches,
    LIMITS_FILE: exceptions,
  } = limits;
  const isPerson = (ownerId: string) => personOf(ownerId) !== null;
  const mayWatch = (ownerId: string, usual: number) =>
    (exceptions.get(ownerId)?.watches ?? usual) > 0;
  const isAllowed = (ownerId: string) =>
    allowed === null || (isPerson(ownerId) ? mayWatch(ownerId, 0) : allowed.has(ownerId));
  const isBlocked = (ownerId: string) => exceptions.get(ownerId)?.blocked === true;
  const listeners: ((ownerIds: readonly string[]) => void)[] = [];
  return {
    /** Notifies the listeners that LIMITS_FILE has changed for these owners. */
    changed(ownerIds: readonly string[]): void {
      for (const listener of listeners) listener(ownerIds);
    },
    listen: (listener: (ownerIds: readonly string[]) => void): void =>
      void listeners.push(listener),
    /** Whether watches of the server, or of the person, are polled and alerted. */
    isServed: (ownerId: string): boolean =>
      isAllowed(ownerId) &&
      !isBlocked(ownerId) &&
      (!isPerson(ownerId) || mayWatch(ownerId, usualWatches)),
    /**
     * Returns why a person's command in a server, or for themselves, is refused; null if it is
     * allowed.
     */
    refusal(ownerId: string, userId: string): LocalizedText | null {
      const isPersons = isPerson(ownerId);
      if (!isAllowed(ownerId)) {
        return ({ texts }) =>
          isPersons ? texts.personal.notServed : texts.errors.admission.notAllowed;
      }
      if (!isPersons && isBlocked(ownerId)) {
        return ({ texts }) => texts.errors.admission.serverBlocked;
      }
      if (isBlocked(personOwner(userId))) return ({ texts }) => texts.errors.admission.userBlocked;
      return null;
    },
  };
}
