import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig, readStoreUrl } from '../../src/app/config.ts';
import { secretFileFaults, takeSecretFiles } from '../../src/lib/secret-files.ts';
import { configFaults } from '../support/config-faults.ts';
import { temporaryFolder } from '../support/temp.ts';

const REST = { VENUE_BASE_URL: 'http://127.0.0.1', VENUE_API_KEY: 'b' };
const ACCEPTED = 'Accepted: the path of a file with one line, the secret alone.';

function fileOf(content: string): string {
  const path = join(temporaryFolder(), 'secret');
  writeFileSync(path, content);
  return path;
}

function faultsOf(environment: Record<string, string | undefined>): readonly string[] {
  takeSecretFiles(environment);
  return configFaults(environment);
}

it.each(['planted', 'planted\n', 'planted\r\n'])('takes a secret from a file: %j', (content) => {
  const STORE_URL_FILE = fileOf('redis://:planted@localhost');
  const environment: Record<string, string | undefined> = { ...REST, STORE_URL_FILE };
  environment['DISCORD_TOKEN_FILE'] = fileOf(content);
  expect(faultsOf(environment)).toEqual([]);
  expect(readConfig(environment).DISCORD_TOKEN).toBe('planted');
  expect(readStoreUrl(environment)).toBe('redis://:planted@localhost');
});

it.each([
  ['of which there is none', () => '/nowhere/token', /^DISCORD_TOKEN_FILE cannot be read: ENOENT/],
  [
    'that is a folder',
    () => {
      const path = join(temporaryFolder(), 'folder');
      mkdirSync(path);
      return path;
    },
    /^DISCORD_TOKEN_FILE names no file\. /,
  ],
  ['that is empty', () => fileOf('\n'), /^DISCORD_TOKEN_FILE names an empty file\. /],
  [
    'with a line too many',
    () => fileOf('planted\nx\n'),
    /^DISCORD_TOKEN_FILE names a file of several lines\. /,
  ],
  [
    'that is far too long',
    () => fileOf('x'.repeat(70_000)),
    /^DISCORD_TOKEN_FILE names a file of several lines\. /,
  ],
])('names a file %s, and no secret', (_which, path, text) => {
  const faults = faultsOf({ ...REST, DISCORD_TOKEN_FILE: path() });
  expect(faults).toEqual([expect.stringMatching(text)]);
  expect(faults[0]).toContain(ACCEPTED);
  expect(faults[0]).not.toContain('planted');
});

it('refuses a value beside a file that says something else', () => {
  const path = fileOf('planted');
  chmodSync(path, 0o600);
  const fault = 'DISCORD_TOKEN and DISCORD_TOKEN_FILE are both set. Accepted: one of them.';
  const both = { ...REST, DISCORD_TOKEN: 'other', DISCORD_TOKEN_FILE: path };
  expect(faultsOf(both)).toEqual([fault]);
  expect(secretFileFaults({ DISCORD_TOKEN: 'planted', DISCORD_TOKEN_FILE: path })).toEqual([]);
  expect(() => readStoreUrl({ STORE_URL_FILE: '/nowhere/url' })).toThrow(/^STORE_URL_FILE cannot/);
});
