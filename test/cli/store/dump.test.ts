import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMAT } from '../../../src/store/format.ts';
import { openStore } from '../../../src/store/store.ts';
import { channelId, FULL_WORLD, guildId, worldDocuments } from '../../support/stored-world.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { variants, within } from '../../support/thorough.ts';
import { contents, refused, runStore, storeKinds, writeStore } from './stores.ts';

const kinds = storeKinds();
const names = variants(kinds.names, (name) => name === 'SQLite');
const fullWorld = worldDocuments(FULL_WORLD);
/** JSON takes it as it is; readers of lines may not. */
const ODD = { label: 'one\u2028line, "quoted"\n' };

/** Does what `npm run store` does on one store. */
const on =
  (url: string) =>
  (...words: string[]) =>
    runStore(words, { STORE_URL: url });
const newFile = () => join(temporaryFolder(), 'dump.jsonl');

/** A dump of a store with these documents. */
async function dumped(documents: Iterable<readonly [string, unknown]> = fullWorld) {
  const [[from], file] = [await kinds.pair(documents), newFile()];
  expect(await on(from)('dump', file)).toMatchObject({ exitCode: 0, errors: '' });
  return file;
}

describe('npm run store -- dump and load', { timeout: within(120_000) }, () => {
  it.each(names)('bring every document of %s into another store', async (name) => {
    const [from] = await kinds.pair([...fullWorld, ['quarantine:watch:a', ODD]], name);
    const file = newFile();
    await kinds.plant(from, 'quarantine:watch:b', '{"value": tru');
    const before = await contents(from);
    expect(await on(from)('dump', file)).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(`${before.size} documents`),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(JSON.parse(head)).toEqual({
      version: expect.any(String),
      commit: 'unbuilt',
      format: FORMAT.version,
    });
    expect(lines).toHaveLength(before.size + 1);
    const to = await kinds.newStore(names.at(-1));
    expect(await on(to)('load', file)).toMatchObject({ exitCode: 0, errors: '' });
    const after = await contents(to);
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
    for (const [key, document] of fullWorld) expect(after.get(key), key).toEqual(document);
    expect(after.get('quarantine:watch:a')).toEqual(ODD);
    expect(after.get('quarantine:watch:b')).toMatchObject({ raw: '{"value": tru' });
    // A bot starts on it.
    await (await openStore(to)).close();
  });

  it.each(names)('dump %s beside a running bot where it has one moment for all', async (name) => {
    const [from] = await kinds.pair(fullWorld, name);
    const bot = await openStore(from);
    const outcome = await on(from)('dump', newFile());
    if (name === 'Redis') {
      expect(outcome).toEqual(refused('in use'));
    } else expect(outcome).toMatchObject({ exitCode: 0 });
    await bot.set('probe', 1);
    await bot.close();
  });

  it('refuse a file that is cut, changed, of a later release or no dump, and load nothing of it', async () => {
    const file = await dumped();
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    const [head = '', ...others] = lines;
    const later = JSON.stringify({ ...JSON.parse(head), version: '9.0.0', format: 999 });
    const faults: [fault: RegExp, text: string][] = [
      [/not complete/, `${lines.slice(0, -1).join('\n')}\n`],
      [/not complete/, text.slice(0, text.length / 2)],
      [/not complete/, text.replace('watch:', 'watch;')],
      [/not complete/, [head, ...others.slice(1)].join('\n')],
      [/no dump of walletbell/, ''],
      [/no dump of walletbell/, others.join('\n')],
      [/dumped by walletbell 9\.0\.0, unbuilt.*format 999/, [later, ...others].join('\n')],
    ];
    for (const [fault, changed] of faults) {
      const url = await kinds.newStore();
      writeFileSync(file, changed);
      expect(await on(url)('load', file)).toEqual(refused(fault));
      expect(await contents(url)).toEqual(new Map());
    }
  });

  it('write over nothing: neither a file nor a store', async () => {
    const file = await dumped();
    const [url] = await kinds.pair([['outage', fullWorld.get('outage')]]);
    expect(await on(url)('load', file)).toEqual(refused('is not empty: it holds outage: 1'));
    expect(await on(url)('dump', file)).toEqual(refused('exists already'));
    const missing = await kinds.newStore();
    expect(await on(missing)('dump', newFile())).toEqual(refused('There is no store at'));
  });

  it('goes on where a load was broken off: no bot starts before it is whole', async () => {
    const file = await dumped();
    const [url] = await kinds.pair([
      ['copying', { from: file }],
      ['half', 1],
    ]);
    await expect(openStore(url)).rejects.toThrow(/incomplete/);
    expect(await on(url)('load', file)).toMatchObject({ exitCode: 0 });
    expect(await contents(url)).toEqual(fullWorld);
  });

  it('says how they are used', async () => {
    for (const words of ['dump', 'load', 'load a b', 'servers x', 'dump --x']) {
      const usage = refused(/dump FILE \| load FILE \| servers/, 64);
      expect(await runStore(words.split(' ')), words).toEqual(usage);
    }
  });
});

describe('npm run store -- servers', { timeout: within(60_000) }, () => {
  it.each(names)('counts on %s what each server has, also beside a running bot', async (name) => {
    const url = await kinds.newStore(name);
    expect((await on(url)('servers')).output).toBe('Nobody watches anything.\n');
    await writeStore(url, fullWorld);
    const bot = await openStore(url);
    const { output } = await on(url)('servers');
    await bot.close();
    const rows = output
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows[0]).toEqual(['server', 'watches', 'wallets', 'channels', 'waiting', 'blocked']);
    const watches = [...fullWorld.keys()].filter((key) => key.startsWith('watch:'));
    expect(rows.slice(1).reduce((sum, [, count]) => sum + Number(count), 0)).toBe(watches.length);
    const second = rows.find(([server]) => server === guildId(1));
    const own = watches.filter((key) => key.includes(channelId(1)));
    expect(second?.slice(1, 2)).toEqual([String(own.length)]);
    expect(second?.at(-1)).toBe('rests');
    expect(rows.map(([server]) => server)).toContain('people');
  });
});
