import * as z from 'zod';
import { parseUrl } from '../lib/text/url.ts';
import { personOf, snowflake } from '../watches/owner.ts';
import { readSecret } from './signature.ts';

/** Maximum number of secrets: the new one, and the old one while it is being replaced. */
const SECRETS_MOST = 2;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Receiver of signed alerts, and the servers whose alerts it gets. */
export interface AlertsOut {
  /** Secret as well, because anybody who knows it may post there. */
  readonly url: string;
  readonly keys: readonly Buffer[];
  /** Ids of servers; `*`: all. */
  readonly guilds: ReadonlySet<string> | '*';
}

/** True if alerts of an owner are delivered: for a configured server, never for a person. */
export function hasReceiver(settings: AlertsOut | null, ownerId: string): boolean {
  if (settings === null || personOf(ownerId) !== null) return false;
  return settings.guilds === '*' || settings.guilds.has(ownerId);
}

/**
 * Secrets published in the documentation of Standard Webhooks and of its libraries. Anybody who
 * knows one could forge signed alerts.
 */
const PUBLIC_SECRETS: readonly string[] = [
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
];
const NEW_SECRET = 'as `echo whsec_$(openssl rand -base64 32)` makes it';

type Environment = NodeJS.ProcessEnv;

/** A setting that was read, or its fault. */
type Read<Value> = { readonly value: Value } | { readonly fault: string };

/**
 * Reads ALERTS_URL, ALERTS_SECRET and ALERTS_GUILDS.
 *
 * @returns the settings, null without ALERTS_URL; or every fault, one sentence each. None quotes a
 *   value, because address and secrets must not be logged
 */
export function readAlertsOut(
  environment: Environment,
): { readonly settings: AlertsOut | null } | { readonly faults: readonly string[] } {
  const given = (name: string) => environment[name]?.trim() || undefined;
  const url = given('ALERTS_URL');
  const others = ['ALERTS_SECRET', 'ALERTS_GUILDS'].filter(given);
  if (url === undefined) {
    if (others.length === 0) return { settings: null };
    return { faults: [`ALERTS_URL is missing, and ${others.join(', ')} does nothing without it.`] };
  }
  const address = readAddress(url);
  const keys = readKeys(given('ALERTS_SECRET'));
  const guilds = readGuilds(given('ALERTS_GUILDS'));
  if ('fault' in address || 'fault' in keys || 'fault' in guilds) {
    const reads = [address, keys, guilds];
    return { faults: reads.flatMap((read) => ('fault' in read ? read.fault : [])) };
  }
  return { settings: { url: address.value, keys: keys.value, guilds: guilds.value } };
}

/** Marks an address on another machine to which alerts may be sent unencrypted. */
const INSECURE = /^insecure\+(?=http:)/i;

/** Parses ALERTS_URL as it is requested, whatever else is wrong with it. */
export function alertsUrl(text: string): URL | undefined {
  return parseUrl(text.replace(INSECURE, ''));
}

function readAddress(text: string): Read<string> {
  const url = alertsUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { fault: 'ALERTS_URL is not a web address. Accepted: https://…, insecure+http://….' };
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return {
      fault:
        'ALERTS_URL has a user name, a password or a fragment. Accepted: https://… without them.',
    };
  }
  const isSafe = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
  if (isSafe || INSECURE.test(text)) return { value: url.href };
  return {
    fault:
      'ALERTS_URL begins with http://, so that everybody on the way reads the ' +
      'alerts. Accepted: https://…; http:// on this machine; ' +
      'insecure+http:// anywhere.',
  };
}

function readKeys(text: string | undefined): Read<readonly Buffer[]> {
  if (text === undefined) {
    return {
      fault:
        'ALERTS_SECRET is missing. Accepted: whsec_ and base64 of 24 to 64 random ' +
        `bytes, ${NEW_SECRET}.`,
    };
  }
  const keys = text.split(',').map((one) => readSecret(one.trim()));
  if (keys.length > SECRETS_MOST) {
    return {
      fault: 'ALERTS_SECRET has more than two secrets. Accepted: one, or the new and the old.',
    };
  }
  const read = keys.filter((key) => key !== null);
  const isPublic = read.some((key) => PUBLIC_SECRETS.some((one) => readSecret(one)?.equals(key)));
  if (isPublic) {
    return {
      fault:
        'ALERTS_SECRET is an example out of documentation, which everybody knows. ' +
        `Accepted: a secret of your own, ${NEW_SECRET}.`,
    };
  }
  if (read.length === keys.length) return { value: read };
  return {
    fault:
      'ALERTS_SECRET is not a secret of Standard Webhooks. Accepted: whsec_ and ' +
      `base64 of 24 to 64 bytes, ${NEW_SECRET}; two of them by a comma.`,
  };
}

function readGuilds(text: string | undefined): Read<AlertsOut['guilds']> {
  const accepted = 'Accepted: ids of servers by commas, or * for all.';
  if (text === undefined) return { fault: `ALERTS_GUILDS is missing. ${accepted}` };
  if (text === '*') return { value: '*' };
  const ids = z.array(snowflake).safeParse(text.split(',').map((id) => id.trim()));
  if (!ids.success) return { fault: `ALERTS_GUILDS has what is no server’s id. ${accepted}` };
  return { value: new Set(ids.data) };
}
