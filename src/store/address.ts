import { resolve } from 'node:path';
import { decoded, ENCODE, parseUrl } from '../lib/text/url.ts';

export type StoreKind = 'sqlite' | 'redis' | 'postgres';

const KINDS: Readonly<Record<string, StoreKind>> = {
  sqlite: 'sqlite',
  redis: 'redis',
  rediss: 'redis',
  postgres: 'postgres',
  postgresql: 'postgres',
};

/**
 * Returns the kind of store that a STORE_URL names, provided that `storeFault` finds no fault in
 * it.
 */
export function storeKind(url: string): StoreKind {
  return KINDS[url.replace(/:.*/s, '')] ?? 'sqlite';
}

/**
 * Returns the absolute path of a SQLite store's file: messages must show where it is, whatever the
 * working directory.
 */
export function sqlitePath(url: string): string {
  return resolve(url.replace(/^sqlite:\/\//, ''));
}

const ACCEPTED =
  'Accepted: sqlite://PATH, such as sqlite://data/walletbell.sqlite; ' +
  'redis://USER:PASSWORD@HOST:PORT/NUMBER (rediss:// with TLS); ' +
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE.';

/**
 * Returns the fault of a STORE_URL, without quoting any part of it; null if it has none. An address
 * that can be read in two ways is rejected, because one of them would treat part of the password as
 * a host.
 */
export function storeFault(url: string): string | null {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/s.exec(url) ?? [];
  const kind = Object.hasOwn(KINDS, scheme) ? KINDS[scheme] : undefined;
  if (kind === undefined || rest === '') return `is not a store. ${ACCEPTED}`;
  if (kind === 'sqlite') {
    const accepted = 'Accepted: sqlite://PATH, such as sqlite://data/walletbell.sqlite.';
    if (/:memory:|^file:/.test(rest)) {
      return (
        'is not a file: a store in memory would lose all watches and undelivered alerts ' +
        `at every restart. ${accepted}`
      );
    }
    if (/[/\\]\.{0,2}$|^\.{1,2}$/.test(rest)) {
      return `names a folder. Name a file in it. ${accepted}`;
    }
    return null;
  }
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const login = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
  const path = rest.slice(authority.length);
  const isAmbiguous = rest.split('@').length > 2 || path.includes('@') || rest.includes('#');
  const isUndecodable = login.includes('%') && decoded(login) === login;
  if (isAmbiguous || isUndecodable || /[\s\p{Cc}]/u.test(rest)) {
    return `cannot be read: it has a character that must be encoded. ${ENCODE} ${ACCEPTED}`;
  }
  const parsed = parseUrl(url);
  if (parsed === undefined) {
    return `is not an address: host or port cannot be read. ${ENCODE} ${ACCEPTED}`;
  }
  if (kind === 'redis' && !/^\/?\d*$/.test(parsed.pathname)) {
    return (
      'names a Redis database that is not a number. ' +
      'Accepted: redis://USER:PASSWORD@HOST:PORT/NUMBER, such as redis://localhost:6379/0.'
    );
  }
  return null;
}

/** Returns the address without secrets: a file's path, or scheme, host and database of a server. */
export function shownStore(url: string): string {
  if (storeFault(url) !== null) return 'at the address in STORE_URL';
  if (storeKind(url) === 'sqlite') return sqlitePath(url);
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
