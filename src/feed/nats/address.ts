import { OperatorError } from '../../lib/error.ts';
import { parseUrl } from '../../lib/url.ts';

/** Where NATS is, and how to prove who we are. */
export interface NatsAddress {
  /** One or several servers of a cluster: `nats://…` or `tls://…`, with `user:password@` or `token@`. */
  readonly urls: readonly string[];
  /** Path of a credentials file (JWT and seed); null: none. */
  readonly credentialsFile: string | null;
  /** Path of the certificates that servers are checked by; null: those of the system. */
  readonly caFile: string | null;
  /** Paths of our own certificate and its key, for servers that want one; null: none. */
  readonly certificateFile: string | null;
  readonly keyFile: string | null;
}

/** NATS cannot be used: says what is wrong and what to do. */
export class NatsError extends OperatorError {}

/** What NATS_URL may be. */
export const NATS_ACCEPTED =
  'Accepted: nats://HOST:4222 or tls://HOST:4222, with USER:PASSWORD@ or TOKEN@, several with commas.';

/** What is wrong with a list of servers; null if nothing is. Never shows a password. */
export function natsFault(text: string): string | null {
  const urls = splitUrls(text);
  const parsed = urls.map(parseUrl);
  if (urls.length === 0 || parsed.some((url) => !/^(nats|tls):$/.test(url?.protocol ?? '') || url?.host === '')) {
    return `is not the address of NATS servers. ${NATS_ACCEPTED}`;
  }
  const logins = new Set(parsed.map((url) => `${url?.username}:${url?.password}`));
  if (logins.size > 1) return `has servers with different users. ${NATS_ACCEPTED}`;
  const protocols = new Set(parsed.map((url) => url?.protocol));
  return protocols.size > 1 ? `mixes nats:// and tls://. ${NATS_ACCEPTED}` : null;
}

/** The addresses of a comma-separated list. */
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
