import { readFileSync } from 'node:fs';
import { OperatorError, reasonOf } from '../../lib/error.ts';
import { decoded, ENCODE, parseUrl } from '../../lib/text/url.ts';

const PEM_CERTIFICATE = /^-----BEGIN CERTIFICATE-----/m;

/**
 * Parameters of NATS_URL: paths of files by which this process and NATS authenticate each other,
 * with the headings that the tools of OpenSSL and NATS write into them.
 */
const FILES = {
  credentials: {
    what: 'a credentials file of NATS (JWT and seed)',
    parts: [
      /^-{3,}BEGIN NATS USER JWT-{3,}\s+\S/m,
      /^-{3,}BEGIN USER NKEY SEED-{3,}\s+SU[A-Z2-7]{56}\s/m,
    ],
  },
  /** Certificates for verifying servers; without it the system's are used. */
  ca: { what: 'a file of certificates (PEM)', parts: [PEM_CERTIFICATE] },
  /** This process's certificate and its key, for servers that require one. */
  cert: { what: 'a certificate (PEM)', parts: [PEM_CERTIFICATE] },
  key: {
    what: 'a private key without a passphrase (PEM)',
    parts: [/^-----BEGIN (?:EC |RSA )?PRIVATE KEY-----/m],
  },
} as const;
type FileName = keyof typeof FILES;
const FILE_NAMES = Object.keys(FILES) as FileName[];
const isFileName = (name: string): name is FileName => Object.hasOwn(FILES, name);

/** The servers of a cluster, and how to reach them. */
export interface NatsServers {
  /** Each with user and password, or a token, and without parameters. */
  readonly urls: readonly string[];
  readonly files: Readonly<Partial<Record<FileName, string>>>;
}

/** Thrown if NATS cannot be used. It says what is wrong and what to do. */
export class NatsError extends OperatorError {}

export const NATS_ACCEPTED =
  'Accepted: nats://HOST:4222 or tls://HOST:4222, with USER:PASSWORD@ or TOKEN@, ' +
  'several with commas; a comma in a path is %2C.';
const FILES_ACCEPTED =
  `Accepted: ?${FILE_NAMES.map((name) => `${name}=PATH`).join('&')}, each of them or none, ` +
  'with %XX for special characters.';

/**
 * Reads NATS_URL, a list of servers. Files named in the query of one server apply to all of them.
 *
 * @returns every fault, without passwords; or the servers
 */
export function readNats(
  text: string,
): { readonly faults: readonly string[] } | { readonly value: NatsServers } {
  const addresses = splitUrls(text);
  const parsed = addresses.map(parseUrl);
  const urls = parsed.filter((url) => url !== undefined);
  // A comma may have cut a password: its rest has no scheme and contains the @ of the login.
  const isRest = (part: string, at: number) => at > 0 && !part.includes('://');
  if (addresses.some((part, at) => (isRest(part, at) ? part.includes('@') : isMisread(part)))) {
    return {
      faults: [
        `cannot be read: it has a character that must be encoded. ${ENCODE} ${NATS_ACCEPTED}`,
      ],
    };
  }
  if (
    urls.length === 0 ||
    urls.length < parsed.length ||
    urls.some(({ protocol, host }) => !/^(nats|tls):$/.test(protocol) || host === '')
  ) {
    return { faults: [`is not the address of NATS servers. ${NATS_ACCEPTED}`] };
  }
  const faults: string[] = [];
  const logins = new Set(urls.map(({ username, password }) => `${username}:${password}`));
  if (logins.size > 1) faults.push(`has servers with different users. ${NATS_ACCEPTED}`);
  const protocols = new Set(urls.map(({ protocol }) => protocol));
  if (protocols.size > 1) faults.push(`mixes nats:// and tls://. ${NATS_ACCEPTED}`);
  if (urls.some(({ hash }) => hash !== '')) faults.push(`has a #. ${FILES_ACCEPTED}`);
  if (urls.some(({ pathname }) => !/^\/?$/.test(pathname))) {
    faults.push(`has a path. ${NATS_ACCEPTED}`);
  }

  const files: Partial<Record<FileName, string>> = {};
  for (const [name, path] of urls.flatMap(({ search }) => parametersOf(search))) {
    if (!isFileName(name)) faults.push(`has an unknown parameter. ${FILES_ACCEPTED}`);
    else if ((files[name] ?? path) !== path) faults.push(`has two paths of ${name}: write one.`);
    else files[name] = path;
  }
  for (const [name, path] of Object.entries(files)) {
    const fault = fileFault(path, FILES[name as FileName]);
    if (fault !== null) faults.push(`has a parameter ${name}, which ${fault}`);
  }
  if ((files.cert === undefined) !== (files.key === undefined)) {
    faults.push('has one of cert and key: a certificate and its key are given together.');
  }
  if (faults.length > 0) return { faults };
  for (const url of urls) url.search = '';
  return { value: { urls: urls.map(({ href }) => href), files } };
}

/**
 * True if an address with a scheme contains an @ that is not the end of a login: part of the
 * password would be read as a host, a port, a path or a parameter. Also true if the password cannot
 * be decoded as it was meant.
 */
function isMisread(text: string): boolean {
  if (!text.includes('://')) return false;
  const url = parseUrl(text);
  if (url === undefined) return text.includes('@');
  const { username, password, pathname, search, hash } = url;
  if (`${pathname}${hash}`.includes('@')) return true;
  if (search.includes('@') && parametersOf(search).some(([name]) => !isFileName(name))) return true;
  return [username, password].some(
    (part) => part.includes('%') && decoded(part) === part && !text.includes(`${part}@`),
  );
}

/**
 * Returns name and value of each parameter. Unlike in forms, a plus sign is literal, because paths
 * may contain one.
 */
export function parametersOf(search: string): (readonly [name: string, value: string])[] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', ...values] = each.split('=');
      return [decoded(name), decoded(values.join('='))];
    });
}

/** Describes what is wrong with a file; null if nothing is. */
function fileFault(path: string, { what, parts }: (typeof FILES)[FileName]): string | null {
  try {
    const content = readFileSync(path, 'utf8');
    if (parts.every((part) => part.test(content))) return null;
    return `names a file that is not ${what}. Accepted: its path.`;
  } catch (error) {
    return `cannot be read: ${reasonOf(error)}. Accepted: the path of ${what}.`;
  }
}

export function splitUrls(text: string): readonly string[] {
  return text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
}

/** Returns the servers without user, password and token. */
export function shownNats({ urls }: NatsServers): string {
  return urls.map((url) => `${parseUrl(url)?.protocol}//${parseUrl(url)?.host}`).join(',');
}
