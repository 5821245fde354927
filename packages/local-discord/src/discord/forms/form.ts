import * as z from 'zod';
import { parseUrl } from '../../url.ts';
import { type FormError, Refusal } from '../refusal.ts';

/** Returns the length as Discord counts it: in Unicode code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

type Context = {
  addIssue(issue: {
    code: 'custom';
    message: string;
    path?: (string | number)[];
    params: object;
  }): void;
};

/** Adds an issue with one of Discord's own form error codes. */
export function complain(
  ctx: Context,
  discordCode: string,
  message: string,
  path: (string | number)[] = [],
): void {
  ctx.addIssue({ code: 'custom', message, path, params: { discordCode } });
}

/**
 * Returns the schema of a text that is trimmed first; its length in code points must be within the
 * limits, inclusive.
 */
export function text(min: number, max: number) {
  return z
    .string()
    .trim()
    .superRefine((value, ctx) => {
      const length = codePoints(value);
      if (length >= min && length <= max) return;
      if (length === 0) complain(ctx, 'BASE_TYPE_REQUIRED', 'This field is required');
      else if (length > max && min <= 1) {
        complain(ctx, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
      } else {
        complain(ctx, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
      }
    });
}

/** Returns the schema of a list with a limited number of entries. */
export function list<Item extends z.ZodType>(item: Item, min: number, max: number) {
  return z.array(item).superRefine((value, ctx) => {
    if (value.length >= min && value.length <= max) return;
    if (min === 0) complain(ctx, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
    else complain(ctx, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
  });
}

export const snowflake = z.string().superRefine((value, ctx) => {
  if (!/^\d{17,20}$/.test(value)) {
    complain(ctx, 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
  }
});

/** Returns the schema of a URL with one of the schemes and at most `max` characters. */
export function url(schemes: readonly string[], max = 2048) {
  return z
    .string()
    .trim()
    .superRefine((value, ctx) => {
      if (codePoints(value) > max) {
        complain(ctx, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
      }
      const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase();
      if (scheme === undefined) {
        complain(ctx, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
      } else if (!schemes.includes(scheme)) {
        const accepted = schemes.map((name) => `'${name}'`).join(', ');
        complain(
          ctx,
          'URL_TYPE_INVALID_SCHEME',
          `Scheme "${scheme}" must be one of (${accepted}).`,
        );
      } else if (
        scheme === 'attachment' ? !/^attachment:\/\/[^/\s]+$/.test(value) : !isWellFormed(value)
      ) {
        complain(ctx, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
      }
    });
}

function isWellFormed(value: string): boolean {
  return !/\s/.test(value) && (parseUrl(value)?.hostname ?? '') !== '';
}

/**
 * Parses a form.
 *
 * @throws Refusal 50035 in Discord's nested shape
 */
export function readForm<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => toFormError(issue, value));
  throw new Refusal(400, 50035, 'Invalid Form Body', errors);
}

function toFormError(issue: z.core.$ZodIssue, value: unknown): FormError {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  const given = valueAt(value, path);
  return { path, ...reasonOf(issue, given) };
}

function reasonOf(issue: z.core.$ZodIssue, given: unknown): { code: string; message: string } {
  if (issue.code === 'custom' && typeof issue.params?.['discordCode'] === 'string') {
    return { code: issue.params['discordCode'], message: issue.message };
  }
  if (given === undefined || given === null) {
    return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  }
  if (issue.code === 'invalid_type') return wrongType(issue.expected, given);
  if (issue.code === 'too_big' && issue.origin !== 'array' && issue.origin !== 'string') {
    return {
      code: 'NUMBER_TYPE_MAX',
      message: `int value should be less than or equal to ${issue.maximum}.`,
    };
  }
  if (issue.code === 'too_small' && issue.origin !== 'array' && issue.origin !== 'string') {
    return {
      code: 'NUMBER_TYPE_MIN',
      message: `int value should be greater than or equal to ${issue.minimum}.`,
    };
  }
  if (issue.code === 'invalid_value') {
    const accepted = issue.values.map((value) => String(value)).join(', ');
    return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${accepted}}.` };
  }
  if (issue.code === 'invalid_union') {
    return {
      code: 'UNION_TYPE_CHOICES',
      message: `Value ${JSON.stringify(given)} is none of the accepted kinds.`,
    };
  }
  return { code: 'BASE_TYPE_INVALID', message: issue.message };
}

function wrongType(expected: string, given: unknown): { code: string; message: string } {
  const shown = typeof given === 'object' ? JSON.stringify(given) : String(given);
  switch (expected) {
    case 'string':
      return { code: 'STRING_TYPE_CONVERT', message: `Could not interpret "${shown}" as string.` };
    case 'int':
    case 'number':
      return { code: 'NUMBER_TYPE_COERCE', message: `Value "${shown}" is not int.` };
    case 'boolean':
      return { code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' };
    case 'array':
      return { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType.' };
    default:
      return {
        code: 'MODEL_TYPE_CONVERT',
        message: 'Only dictionaries may be used in a ModelType.',
      };
  }
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.entries(at).find(([name]) => name === String(key))?.[1];
  }
  return at;
}
