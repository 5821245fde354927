import { readFileSync } from 'node:fs';
import { alertsUrl } from '../alerts-out/settings.ts';
import { parametersOf, splitUrls } from '../feed/nats/address.ts';
import { decoded, parseUrl } from '../lib/text/url.ts';
import { withNewNames } from './old-names.ts';

/**
 * A part of a path other than its last is secret from this length on, such as the key in
 * `/KEY/name-of-the-check`.
 */
const PATH_KEY_MIN_LENGTH = 16;

/** Variables that are secret as a whole. */
const SECRET_NAMES = [
  'DISCORD_TOKEN',
  'VENUE_API_KEY',
  'HEARTBEAT_URL',
  'ALERTS_URL',
  'ALERTS_SECRET',
];
/** Variables that may hold a password. */
const URL_NAMES = ['STORE_URL', 'VENUE_BASE_URL', 'DISCORD_API_URL', 'HEARTBEAT_URL'];

/**
 * Texts of an environment that nobody may read: to be asked for before it is known whether the rest
 * is right. Of HEARTBEAT_URL these are the whole address, the last segment of its path, long ones
 * before it, and the values of its query.
 */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const { environment: renamed } = withNewNames(environment);
  const value = (name: string) => renamed[name]?.trim() ?? '';
  // By hand, because a password that ought to have been encoded makes a URL that cannot be parsed.
  const passwords = URL_NAMES.map(
    (name) => /^[a-z0-9+.-]+:\/\/[^/@:]*:(.+)@/i.exec(value(name))?.[1] ?? '',
  );
  const servers = splitUrls(value('NATS_URL'));
  // A path among the parameters may have an @, too.
  const logins = servers.map((url) => /^[a-z]+:\/\/([^?]+)@/i.exec(url)?.[1] ?? '');
  const natsFiles = servers.flatMap((url) => parametersOf(parseUrl(url)?.search ?? ''));
  const heartbeat = parseUrl(value('HEARTBEAT_URL'));
  const segments = heartbeat?.pathname.split('/').filter((segment) => segment !== '') ?? [];
  const ofHeartbeat = [
    ...segments.slice(-1),
    ...segments.filter(({ length }) => length >= PATH_KEY_MIN_LENGTH),
    ...(heartbeat?.searchParams.values() ?? []),
  ];
  const alertSecrets = value('ALERTS_SECRET')
    .split(',')
    .map((one) => one.trim());
  const secrets = [
    ...SECRET_NAMES.map(value),
    // As it is asked for, which may be written in another way than it was given.
    alertsUrl(value('ALERTS_URL'))?.href ?? '',
    ...alertSecrets,
    ...alertSecrets.map((one) => one.replace(/^whsec_/, '')),
    ...passwords,
    // A token may stand in place of user and password.
    ...logins.map((login) => login.slice(login.indexOf(':') + 1)),
    ...natsFiles.flatMap(([, path]) => credentialsOf(path)),
    // PostgreSQL takes it there, too.
    parseUrl(value('STORE_URL'))?.searchParams.get('password') ?? '',
    ...ofHeartbeat,
  ];
  return [...new Set(secrets.flatMap((secret) => [secret, decoded(secret)]))].filter(
    ({ length }) => length > 0,
  );
}

/**
 * JWT and seed of a credentials file of NATS; none if it cannot be read, which the configuration
 * says.
 */
function credentialsOf(path: string): readonly string[] {
  try {
    return (
      readFileSync(path, 'utf8').match(/^(?:SU[A-Z2-7]{56}|ey[\w-]+\.[\w-]+\.[\w-]+)$/gm) ?? []
    );
  } catch {
    return [];
  }
}
