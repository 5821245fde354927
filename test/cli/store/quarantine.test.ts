import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { FULL_WORLD, worldDocuments } from '../../support/stored-world.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { contents, refused, runStore, writeStore } from './stores.ts';

const [[KEY = '', WATCH] = []] = [...worldDocuments(FULL_WORLD)].filter(([key]) =>
  key.startsWith('watch:'),
);

async function storeWith(documents: readonly (readonly [string, unknown])[]) {
  const folder = temporaryFolder();
  const url = `sqlite://${join(folder, 'store.sqlite')}`;
  await writeStore(url, documents);
  return {
    folder,
    url,
    say: (...words: string[]) => runStore(['quarantine', ...words], { STORE_URL: url }),
  };
}

describe('npm run store -- quarantine', () => {
  it('lists, shows and deletes what was put aside, the first two also beside a bot', async () => {
    const { url, say } = await storeWith([
      [KEY, WATCH],
      ['quarantine:list:b', { version: 2 }],
      ['quarantine:list:a', 'x\u001b[2J'],
    ]);
    const bot = await openStore(url);
    for (const words of [[], ['list']]) {
      expect(await say(...words)).toEqual({ exitCode: 0, output: 'list:a\nlist:b\n', errors: '' });
    }
    expect((await say('show', 'list:a')).output).toBe('"x\\u001b[2J"\n');
    expect((await say('show', 'quarantine:list:b')).output).toBe('{\n  "version": 2\n}\n');
    await bot.close();
    expect((await say('delete', 'list:b')).output).toBe('Deleted list:b.\n');
    expect(await say('show', 'list:b')).toEqual(refused('Nothing has been put aside under list:b'));
    expect(await say('delete', 'list:a')).toMatchObject({ exitCode: 0 });
    expect((await say()).output).toBe('Nothing has been put aside.\n');
    expect(await contents(url)).toEqual(new Map([[KEY, WATCH]]));
  });

  it('puts back what can be read, from a file too, and loses nothing that stands in its place', async () => {
    const { folder, url, say } = await storeWith([
      [`quarantine:${KEY}`, { ...(WATCH as object), addedBy: 7 }],
    ]);
    const file = join(folder, 'watch.json');
    expect(await say('restore', KEY)).toEqual(refused('addedBy'));
    writeFileSync(file, '{');
    expect(await say('restore', KEY, file)).toEqual(refused('JSON'));
    const newer = { ...(WATCH as object), label: 'newer' };
    await writeStore(url, [[KEY, newer]]);
    writeFileSync(file, JSON.stringify(WATCH));
    expect(await say('restore', KEY, file)).toEqual(refused('--replace'));
    expect(await say('restore', KEY, file, '--replace')).toMatchObject({ exitCode: 0 });
    expect(await contents(url)).toEqual(
      new Map<string, unknown>([
        [KEY, WATCH],
        [`quarantine:${KEY}:replaced`, newer],
      ]),
    );
  });

  it('writes a file that can be mended and put back, of what was no document too', async () => {
    const { folder, url, say } = await storeWith([
      [`quarantine:${KEY}`, { ...(WATCH as object), addedBy: 7 }],
      ['quarantine:list:a', { raw: '{"v":3,"value":{"half":1}}', reason: 'format 3' }],
      ['quarantine:list:b', { raw: '{"v":3,"val', reason: 'no JSON' }],
    ]);
    const write = async (key: string) => {
      const file = join(folder, `${key.replaceAll(':', '-')}.json`);
      expect((await say('show', key, file)).output).toContain(file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      return { file, text: readFileSync(file, 'utf8') };
    };
    const { file, text } = await write(KEY);
    expect(await say('show', KEY, file)).toEqual(refused(/cannot be written: .*EEXIST/));
    writeFileSync(file, text.replace('"addedBy": 7', '"addedBy": null'));
    expect(await say('restore', KEY, file)).toMatchObject({ exitCode: 0 });
    expect((await contents(url)).get(KEY)).toEqual({ ...(WATCH as object), addedBy: null });
    expect(JSON.parse((await write('list:a')).text)).toEqual({ half: 1 });
    expect((await write('list:b')).text).toBe('{"v":3,"val\n');
  });

  it('says how it is used', async () => {
    const { say } = await storeWith([]);
    expect(await say('--help')).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('restore KEY FILE'),
    });
    expect((await runStore(['--help'])).output).toContain('quarantine [list');
    for (const words of [
      'lose',
      'constructor list:a',
      'show',
      'list x',
      'delete x y',
      '--lose',
      'restore a b c',
    ]) {
      expect(await say(...words.split(' ')), words).toMatchObject({ exitCode: 64, output: '' });
    }
    const { exitCode } = await runStore(['quarantine'], { STORE_URL: 'mysql://x' });
    expect(exitCode).toBe(78);
  });
});
