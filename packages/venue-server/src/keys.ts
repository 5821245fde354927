import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { ENDPOINT_NAMES, type EndpointName } from './records.ts';

/** Characters allowed in a Bearer token (RFC 6750, section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const YEAR_SECONDS = 86_400 * 366;

/** Most errors of a keys file that are reported at once. */
const REPORTED_FAULTS = 20;

const keySchema = z.strictObject({
  key: z
    .string()
    .max(256, 'must have at most 256 characters')
    .regex(TOKEN, 'must be letters, digits and -._~+/ (RFC 6750)'),
  label: z.string().min(1).max(100),
  limit: z.int().min(1),
  windowSeconds: z.int().min(1).max(YEAR_SECONDS),
  endpoints: z.array(z.enum(ENDPOINT_NAMES)).readonly(),
});

/**
 * An API key and its plan: `limit` requests in each window of `windowSeconds`. Endpoints that
 * aren't listed answer 403.
 */
export type VenueKey = Readonly<z.infer<typeof keySchema>>;

/** The key that the venue accepts if no keys file is given. */
export const DEMO_KEY: VenueKey = {
  key: 'demo',
  label: 'demo',
  limit: 600,
  windowSeconds: 60,
  endpoints: ENDPOINT_NAMES,
};

/**
 * Our choice: the headers of requests without a known key show this window. It is not enforced
 * because these requests get 401 anyway.
 */
const ANONYMOUS = { limit: 60, windowSeconds: 60 };

/** The state of a request's window, as shown in the three rate-limit headers. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds. */
  readonly resetSeconds: number;
}

export interface Admission extends Quota {
  /**
   * The plan of the known key, without the key itself; undefined for a request without a known key.
   */
  readonly plan?: { readonly label: string; readonly endpoints: readonly EndpointName[] };
  /** The reason why there is no plan. */
  readonly fault?: string;
  /** Whether the key has used up its window. */
  readonly isExceeded: boolean;
}

/**
 * Creates a registry of the keys that counts the requests of each.
 *
 * @param now returns epoch milliseconds
 */
export function createKeyring(keys: readonly VenueKey[], now: () => number) {
  // Keys are looked up and compared by a digest under a secret of this process. So the time of both
  // steps depends neither on the text of a key nor on the number of keys.
  const secret = randomBytes(32);
  const noDigest = randomBytes(32);
  const digestOf = (key: string) => createHmac('sha256', secret).update(key).digest();
  const countAnonymous = createWindow();
  type Entry = {
    readonly digest: Buffer;
    readonly plan: VenueKey;
    readonly count: ReturnType<typeof createWindow>;
  };
  let entries = new Map<string, Entry>();

  /** Replaces the keys. A key that stays keeps its window; a removed key is revoked at once. */
  function replace(next: readonly VenueKey[]): void {
    entries = new Map(
      next.map((plan) => {
        const digest = digestOf(plan.key);
        const name = digest.toString('base64');
        return [name, { digest, plan, count: entries.get(name)?.count ?? createWindow() }];
      }),
    );
  }
  replace(keys);

  /** Counts a request without a known key, including input that isn't a valid request. */
  const admitAnonymous = (fault: string): Admission => ({
    ...countAnonymous(ANONYMOUS, now()),
    fault,
    isExceeded: false,
  });

  return {
    replace,
    admitAnonymous,
    /**
     * Counts one request.
     *
     * @param authorization all values of the header
     */
    admit([value, ...others]: readonly string[]): Admission {
      if (value === undefined) {
        return admitAnonymous('Missing API key: send the header Authorization: Bearer <API_KEY>.');
      }
      const token = /^bearer +(\S+) *$/i.exec(value)?.[1];
      if (token === undefined || others.length > 0 || !TOKEN.test(token)) {
        return admitAnonymous(
          'Malformed API key: the header is Authorization: Bearer <API_KEY>, once, nothing else in it.',
        );
      }
      const digest = digestOf(token);
      const entry = entries.get(digest.toString('base64'));
      const isSame = timingSafeEqual(entry?.digest ?? noDigest, digest);
      if (entry === undefined || !isSame) {
        return admitAnonymous(
          'Invalid API key: it is unknown or was revoked. Generate a new one in the account settings.',
        );
      }
      return { ...entry.count(entry.plan, now()), plan: entry.plan };
    },
  };
}

/**
 * Creates a counter of requests in fixed windows. Our choices: windows begin at whole multiples of
 * their length since 1970, so that the reset is a whole second; requests beyond the limit are not
 * counted; every request of a key counts, whatever its response.
 */
function createWindow() {
  let index = Number.NaN;
  let used = 0;
  return ({ limit, windowSeconds }: Pick<VenueKey, 'limit' | 'windowSeconds'>, nowMs: number) => {
    const current = Math.floor(nowMs / 1000 / windowSeconds);
    if (current !== index) [index, used] = [current, 0];
    const isExceeded = used >= limit;
    if (!isExceeded) used += 1;
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: (current + 1) * windowSeconds,
      isExceeded,
    };
  };
}

/**
 * Reads a keys file: a JSON array of `VenueKey`.
 *
 * @throws Error that names the file and, for each error, the entry and the field; never the text of
 *   a key
 */
export async function readKeysFile(path: string): Promise<VenueKey[]> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new Error(`Cannot read the keys file ${path}: ${cause.message}`, { cause });
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's own message quotes the file and may contain a key, so it is neither repeated nor
    // kept as the cause.
    throw new Error(
      `The keys file ${path} is not valid JSON. Expected an array of {"key","label","limit","windowSeconds","endpoints"}.`,
    );
  }
  const parsed = z.array(keySchema).safeParse(content);
  const faults = parsed.error?.issues.map(faultOf) ?? sharedKeys(parsed.data ?? []);
  if (faults.length > 0 || !parsed.success) {
    const more =
      faults.length > REPORTED_FAULTS ? `; and ${faults.length - REPORTED_FAULTS} more` : '';
    throw new Error(
      `The keys file ${path}: ${faults.slice(0, REPORTED_FAULTS).join('; ')}${more}.`,
    );
  }
  return parsed.data;
}

/** @returns the place of the error in the file, and its message */
function faultOf({ path: [entry, ...field], message }: z.core.$ZodIssue): string {
  if (entry === undefined) return message;
  return `entry ${Number(entry) + 1}${field.length === 0 ? '' : `, ${field.join('.')}`}: ${message}`;
}

function sharedKeys(keys: readonly VenueKey[]): string[] {
  return keys.flatMap(({ key }, index) => {
    const first = keys.findIndex((other) => other.key === key);
    return first < index ? [`entry ${index + 1}: has the same key as entry ${first + 1}`] : [];
  });
}
