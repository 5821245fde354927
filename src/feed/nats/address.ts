import { OperatorError } from '../../lib/error.ts';
import { parseUrl } from '../../lib/text/url.ts';

/** Paths of the files that prove to NATS who we are, and to us who it is. */
export interface NatsFiles {
  /** JWT and seed; null: none. */
  readonly NATS_CREDENTIALS: string | null;
  /** The certificates that servers are checked by; null: those of the system. */
  readonly NATS_CA: string | null;
  /** Our own certificate and its key, for servers that want one; null: none. */
  readonly NATS_CERT: string | null;
  readonly NATS_KEY: string | null;
}

/** NATS cannot be used: says what is wrong and what to do. */
export class NatsError extends OperatorError {}

export const NATS_ACCEPTED =
  'Accepted: nats://HOST:4222 or tls://HOST:4222, with USER:PASSWORD@ or TOKEN@, ' +
  'several with commas.';

/** Fault of a list of servers; null if it has none. Never shows a password. */
export function natsFault(text: string): string | null {
  const urls = splitUrls(text);
  const parsed = urls.map(parseUrl);
  if (
    urls.length === 0 ||
    parsed.some((url) => !/^(nats|tls):$/.test(url?.protocol ?? '') || url?.host === '')
  ) {
    return `is not the address of NATS servers. ${NATS_ACCEPTED}`;
  }
  const logins = new Set(parsed.map((url) => `${url?.username}:${url?.password}`));
  if (logins.size > 1) return `has servers with different users. ${NATS_ACCEPTED}`;
  const protocols = new Set(parsed.map((url) => url?.protocol));
  if (protocols.size > 1) return `mixes nats:// and tls://. ${NATS_ACCEPTED}`;
  return null;
}

export function splitUrls(text: string): readonly string[] {
  return text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
}

/** The servers without user, password and token. */
export function shownNats(urls: readonly string[]): string {
  return urls.map((url) => `${parseUrl(url)?.protocol}//${parseUrl(url)?.host}`).join(',');
}
