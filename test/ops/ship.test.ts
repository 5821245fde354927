import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXIT_CONFIG } from '../../src/config.ts';
import { temporaryFolder } from '../support/temp.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');

describe('what is shipped', () => {
  const ignore = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );

  it('is copied from files that exist and are not ignored, and nothing else gets in', () => {
    expect(copied.toSorted()).toEqual(['commands', 'package-lock.json', 'package.json', 'package.json', 'src']);
    for (const name of copied) expect(existsSync(join(root, name)), name).toBe(true);
    expect(ignore[0]).toBe('*');
    expect(ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))).toEqual(
      expect.arrayContaining([...new Set(copied)]),
    );
  });

  it('starts from these files alone, and the command is the one of npm start', async () => {
    const start = /"start": "(.+)"/.exec(read('package.json'))?.[1] ?? '';
    expect(read('Dockerfile')).toContain(`CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}`);
    expect(read('ops/walletbell.service')).toContain(`ExecStart=/usr/bin/${start}`);
    const folder = join(temporaryFolder(), 'app');
    mkdirSync(folder);
    const left = ignore.filter((line) => !/^[!*]/.test(line)).map((line) => join(root, line));
    for (const name of new Set(copied)) {
      cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !left.includes(path) });
    }
    expect(existsSync(join(folder, 'src', 'sandbox'))).toBe(false);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const [, ...words] = start.split(' ');
    const bot = spawn(process.execPath, words, { cwd: folder, env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    const closed = once(bot, 'close');
    // It has loaded all that it is made of, and asks for its variables.
    expect(await text(bot.stderr)).toContain('DISCORD_TOKEN is missing');
    await closed;
    expect(bot.exitCode).toBe(EXIT_CONFIG);
  }, 60_000);

  it('is not started again and again with a configuration that cannot work', () => {
    expect(read('ops/walletbell.service')).toContain(`RestartPreventExitStatus=${EXIT_CONFIG}`);
  });
});
