import { readFileSync } from 'node:fs';
import { alertsUrl } from '../alerts-out/settings.ts';
import { parametersOf, splitUrls } from '../feed/nats/address.ts';
import { decoded, parseUrl } from '../lib/text/url.ts';
import { withNewNames } from './old-names.ts';

/**
 * Length from which a part of a path, other than its last, is secret, such as the key in
 * `/KEY/name-of-the-check`.
 */
const PATH_KEY_MIN_LENGTH = 16;

/** Variables whose whole value is secret. */
const SECRET_NAMES = [
  'DISCORD_TOKEN',
  'VENUE_API_KEY',
  'HEARTBEAT_URL',
  'ALERTS_URL',
  'ALERTS_SECRET',
];
/** Variables that may contain a password. */
const URL_NAMES = ['STORE_URL', 'VENUE_BASE_URL', 'DISCORD_API_URL', 'HEARTBEAT_URL'];

/**
 * Returns the secret texts of an environment, which need not be a valid configuration. The secrets
 * of HEARTBEAT_URL are the whole address, the last segment of its path, long segments before it,
 * and the values of its query.
 */
export function secretsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const { environment: renamed } = withNewNames(environment);
  const value = (name: string) => renamed[name] ?? '';
  // Parsed by hand, because a password that should have been encoded makes an invalid URL.
  const passwords = URL_NAMES.map(
    (name) => /^[a-z0-9+.-]+:\/\/[^/@:]*:(.+)@/i.exec(value(name))?.[1] ?? '',
  );
  const servers = splitUrls(value('NATS_URL'));
  // A path among the parameters may contain an @, too.
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
    // As it is requested, which may be spelled differently than configured.
    alertsUrl(value('ALERTS_URL'))?.href ?? '',
    ...alertSecrets,
    ...alertSecrets.map((one) => one.replace(/^whsec_/, '')),
    ...passwords,
    // A token may take the place of user and password.
    ...logins.map((login) => login.slice(login.indexOf(':') + 1)),
    ...natsFiles.flatMap(([, path]) => credentialsOf(path)),
    // PostgreSQL accepts it there, too.
    parseUrl(value('STORE_URL'))?.searchParams.get('password') ?? '',
    ...ofHeartbeat,
  ];
  return [...new Set(secrets.flatMap((secret) => [secret, decoded(secret)]))].filter(
    ({ length }) => length > 0,
  );
}

/**
 * Returns JWT and seed of a NATS credentials file; empty if it cannot be read, which the
 * configuration reports.
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
