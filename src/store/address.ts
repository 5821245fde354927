import { parseUrl } from '../url.ts';
/** What keeps the documents. */
export type StoreKind = 'sqlite' | 'redis' | 'postgres';

const KINDS: Readonly<Record<string, StoreKind>> = {
  sqlite: 'sqlite',
  redis: 'redis',
  rediss: 'redis',
  postgres: 'postgres',
  postgresql: 'postgres',
};

/** The kind of store that a STORE_URL names; null if it names none, or if the address cannot be read. */
export function storeKind(url: string): StoreKind | null {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/s.exec(url) ?? [];
  const kind = Object.hasOwn(KINDS, scheme) ? KINDS[scheme] : undefined;
  if (kind === undefined || rest === '') return null;
  return kind === 'sqlite' || parseUrl(url) !== undefined ? kind : null;
}

/** The file of a `sqlite://` address. */
export function sqlitePath(url: string): string {
  return url.replace(/^sqlite:\/\//, '');
}

/** The address as it may be shown: a file's path, or scheme, user, host and name, without password and parameters. */
export function shownStore(url: string): string {
  if (storeKind(url) === 'sqlite') return sqlitePath(url);
  if (parseUrl(url) === undefined) return 'at the address in STORE_URL';
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** The texts in a STORE_URL that nobody may see: its passwords, as they are written there and as they are meant. */
export function storeSecrets(url: string): readonly string[] {
  if (storeKind(url) === 'sqlite' || parseUrl(url) === undefined) return [];
  const { password, searchParams } = new URL(url);
  return [password, decoded(password), searchParams.get('password') ?? ''].filter((secret) => secret !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that introduces nothing is part of the password.
    return text;
  }
}
