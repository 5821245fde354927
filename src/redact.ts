import { storeSecrets } from './store/address.ts';
import { parseUrl } from './url.ts';

const MARK = '[redacted]';
/** Shorter ones are found as they stand only: their encoded forms are short enough to be part of other words. */
const ENCODED_MIN_LENGTH = 8;

/** Variables that are secret as a whole. */
const SECRET_NAMES = ['DISCORD_TOKEN', 'VENUE_API_KEY', 'HEARTBEAT_URL'];
/** Variables that may hold a password. */
const URL_NAMES = ['STORE_URL', 'VENUE_BASE_URL', 'DISCORD_API_URL', 'HEARTBEAT_URL'];

/** What of an environment nobody may read: to be asked before it is known whether the rest of it is right. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const value = (name: string) => environment[name]?.trim() ?? '';
  const passwords = URL_NAMES.flatMap((name) => {
    // By hand, because a password that ought to have been encoded makes a URL that cannot be parsed.
    const password = /^[a-z0-9+.-]+:\/\/[^/@]*?:(.+)@/i.exec(value(name))?.[1];
    return password === undefined ? [] : [password, decoded(password)];
  });
  const url = value('HEARTBEAT_URL');
  const path = parseUrl(url) ?? null;
  const pathParts =
    path === null
      ? []
      : [`${path.pathname}${path.search}`, ...path.pathname.split('/'), ...path.searchParams.values()].filter(
          ({ length }) => length >= ENCODED_MIN_LENGTH,
        );
  return [...SECRET_NAMES.map(value), ...passwords, ...storeSecrets(value('STORE_URL')), ...pathParts].filter(
    ({ length }) => length > 0,
  );
}

/** Of these secrets those that are long enough to be none but themselves: a short key may be part of an ordinary word. */
export function longSecrets(secrets: readonly string[]): readonly string[] {
  return secrets.filter(({ length }) => length >= ENCODED_MIN_LENGTH);
}

/** A function that replaces each secret by a mark: plain, URL-encoded, JSON-escaped or within base64. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter(({ length }) => length > 0).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((redacted, form) => redacted.replaceAll(form, MARK), text);
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    escaped,
    // An error that quotes a JSON text, in a log line that is one.
    JSON.stringify(escaped).slice(1, -1),
  ];
  return secret.length < ENCODED_MIN_LENGTH ? forms : [...forms, ...base64Forms(secret)];
}

/**
 * What a base64 text that holds the secret has in common, whatever stands before and after it: base64 takes three bytes
 * at a time, so that there are three ways to cut the secret, and the characters at its ends depend on their neighbours.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    const text = bytes.toString('base64').slice(first, last);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * Strikes out what has the form of a credential, whoever's it is: tokens of interactions and webhooks in URLs, which
 * let anybody answer in a room, bot tokens, authorization headers, and passwords in URLs.
 */
export function scrubCredentials(text: string): string {
  return text
    .replace(/\b(webhooks|interactions)\/(\d+)\/[\w.~%-]+/g, `$1/$2/${MARK}`)
    .replace(/\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g, MARK)
    .replace(/\b(Bearer|Basic|Bot)\s+(?=[^\s"\\]*(?:\d|\.\w|=))[\w.~+/-]{8,}=*/gi, `$1 ${MARK}`)
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/"'@:\\]*:[^\s/"'@\\]+@/gi, `$1${MARK}@`)
    .replace(/("(?:token|authorization|password|api_?key|secret)":")(?:[^"\\]|\\.)*"/gi, `$1${MARK}"`)
    .replace(/(\\"(?:token|authorization|password|api_?key|secret)\\":\\")[^"\\]*\\"/gi, `$1${MARK}\\"`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare percent sign: it was not encoded.
    return text;
  }
}
