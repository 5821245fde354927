import * as z from 'zod';
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
