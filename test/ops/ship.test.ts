import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { EXIT_CONFIG } from '../../src/lib/error.ts';
import { openStore } from '../../src/store/store.ts';
import { runProgram } from '../support/program.ts';
import { hasPostgres, startPostgres } from '../support/servers.ts';
import { temporaryFolder } from '../support/temp.ts';
import { IS_THOROUGH, within } from '../support/thorough.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');

const names = z.record(z.string(), z.string()).optional();
const moduleSchema = z.object({
  dev: z.boolean().optional(),
  link: z.boolean().optional(),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});
type LockedModule = z.infer<typeof moduleSchema>;
const lockSchema = z.object({ packages: z.record(z.string(), moduleSchema) });

/** The modules that one needs, or takes if they are there. */
function modulesOf(module: LockedModule | undefined): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = module ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** Where Node finds a module that another one asks for: nearest first. */
function placeOf(
  packages: Readonly<Record<string, LockedModule>>,
  from: string,
  name: string,
): string | undefined {
  const parts = from === '' ? [] : from.split('/node_modules/');
  const folders = parts.map((_, index) =>
    parts.slice(0, parts.length - index).join('/node_modules/'),
  );
  return [
    ...folders.map((folder) => `${folder}/node_modules/${name}`),
    `node_modules/${name}`,
  ].find((path) => path in packages);
}

async function run(folder: string, texts: readonly string[]) {
  const { exitCode, output, errors } = await runProgram(texts, folder);
  return { exitCode, output: output + errors };
}

describe('what is shipped', () => {
  const ignore = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const dockerfile = read('Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));

  it('is copied from files that exist and are not ignored, and nothing else gets in', () => {
    const names = '.npmrc commands package-lock.json package.json package.json src';
    expect(copied.toSorted().join(' ')).toBe(names);
    for (const name of copied) expect(existsSync(join(root, name)), name).toBe(true);
    expect(ignore[0]).toBe('*');
    for (const name of copied) expect(ignore).toContain(`!${name}`);
  });

  it('has no module that only the packages for developers need', () => {
    const lock = lockSchema.parse(JSON.parse(read('package-lock.json')));
    const installed = Object.entries(lock.packages)
      .filter(
        ([path, { dev, link }]) =>
          path.startsWith('node_modules/') && dev !== true && link !== true,
      )
      .map(([path]) => path);
    const needed = new Set<string>();
    const need = (from: string, names: readonly string[]): void => {
      for (const name of names) {
        const path = placeOf(lock.packages, from, name);
        if (path === undefined || needed.has(path)) continue;
        needed.add(path);
        need(path, modulesOf(lock.packages[path]));
      }
    };
    need('', modulesOf(lock.packages['']));
    expect(installed.filter((path) => !needed.has(path))).toEqual([]);
  });

  // That the bot imports nothing from elsewhere test/build/walls.test.ts tests as well.
  it.runIf(IS_THOROUGH)(
    'is built from these files alone, and starts from what the image takes along',
    async () => {
      const context = join(temporaryFolder(), 'context');
      const image = join(temporaryFolder(), 'app');
      const left = ignore.filter((line) => !/^[!*]/.test(line)).map((line) => join(root, line));
      for (const name of new Set(copied)) {
        cpSync(join(root, name), join(context, name), {
          recursive: true,
          filter: (path) => !left.includes(path),
        });
      }
      expect(existsSync(join(context, 'src', 'demo'))).toBe(false);
      symlinkSync(join(root, 'node_modules'), join(context, 'node_modules'));
      const programs = /npm run build -- ([a-z ]+) &&/.exec(dockerfile)?.[1]?.split(' ') ?? [];
      const done = { exitCode: 0, output: '' };
      expect(await run(context, ['src/build/main.js', ...programs])).toEqual(done);

      // The second stage.
      cpSync(join(context, 'dist'), join(image, 'dist'), { recursive: true });
      cpSync(join(context, 'package.json'), join(image, 'package.json'));
      symlinkSync(join(root, 'node_modules'), join(image, 'node_modules'));
      const typed = (line: RegExp) =>
        z
          .array(z.string())
          .parse(JSON.parse(line.exec(dockerfile)?.[1] ?? ''))
          .slice(1);
      // It has loaded all that it is made of, and asks for its variables.
      const bot = await run(image, typed(/^CMD (.+)$/m));
      expect(bot.output).toContain('DISCORD_TOKEN is missing');
      expect(bot.exitCode).toBe(EXIT_CONFIG);
      expect(await run(image, typed(/ CMD (\[.+)$/m))).toEqual(done);
      expect((await run(image, ['dist/doctor.js'])).output).toContain('DISCORD_TOKEN is missing');
      expect((await run(image, ['dist/backup.js'])).exitCode).toBe(64);
    },
  );

  it('is started everywhere as npm start does, so that a signal reaches it', () => {
    for (const [name, script] of Object.entries(scripts)) {
      if (script.includes('src/build/run.js')) expect(script, name).toMatch(/^exec node /);
    }
    const start = scripts['start']?.replace('exec node ', '') ?? '';
    expect(read('ops/walletbell.service')).toContain(`ExecStart=/usr/bin/node ${start}\n`);
    const texts = start.replace('src/build/run.js main', 'dist/main.js').split(' ');
    expect(dockerfile).toContain(`CMD ${JSON.stringify(['node', ...texts]).replaceAll(',', ', ')}`);
  });

  it('can be scraped from its container at the port that the docs name, whatever .env says', () => {
    const compose = read('compose.yaml');
    for (const line of ['HTTP_PORT: 0.0.0.0:8080', '- "127.0.0.1:9464:8080"'])
      expect(compose).toContain(line);
    const page = read('docs/operating.md');
    expect(read('docs/metrics.md')).toContain('targets: ["127.0.0.1:9464"]');
    const lines = page.split('\n').filter((line) => line.startsWith('docker run '));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('--env-file .env -e HTTP_PORT=0.0.0.0:8080 -p 127.0.0.1:9464:8080');
  });

  it('is started from dist/ by the units of the archive, which has no sources', () => {
    const [, program = ''] = /^sed -i -E '(.+)' ops\/\*\.service$/m.exec(read('.ci/archive')) ?? [];
    for (const [name, file] of [
      ['walletbell', 'main'],
      ['walletbell-backup', 'backup'],
    ] as const) {
      const unit = join(root, 'ops', `${name}.service`);
      const packed = execFileSync('sed', ['-E', program, unit], { encoding: 'utf8' });
      expect(packed).toMatch(new RegExp(`^ExecStart=.*/usr/bin/node .*dist/${file}\\.js`, 'm'));
      expect(packed).not.toContain('src/');
    }
  });

  it('can stand by on the same host, as a second unit and as a second container, each with a port of its own', () => {
    const dropIn = read('ops/walletbell@.conf');
    for (const line of [
      'WorkingDirectory=/opt/walletbell-%i',
      'Environment=STANDBY=true',
      'EnvironmentFile=/etc/walletbell-%i.env',
    ])
      expect(dropIn.split('\n')).toContain(line);
    const compose = read('compose.yaml');
    const [, ...services] = compose
      .slice(0, compose.indexOf('\nvolumes:'))
      .split('<<: *walletbell\n');
    const ports = services.map((service) => /127\.0\.0\.1:(\d+):8080/.exec(service)?.[1]);
    expect(ports).toEqual(['9464', '9465']);
    const docs = read('docs/operating.md');
    for (const port of ports) expect(docs).toContain(`HTTP_PORT=${port}`);
  });

  it('is one image for all containers, so that one tag takes an update back', () => {
    const images = ['compose.yaml', 'compose.cluster.yaml'].flatMap((name) => [
      ...read(name).matchAll(/^ {2}image: (\S+)\n {2}build:/gm),
    ]);
    expect(images.map(([, image]) => image)).toEqual(['walletbell', 'walletbell']);
    const docs = read('docs/operating.md');
    expect(docs).toContain('"$(docker compose images -q walletbell)" walletbell:before');
    expect(docs).toContain('docker tag walletbell:before walletbell &&');
  });

  it('is operated without patterns of files, which no shell expands in a folder that it may not read', () => {
    expect(read('docs/operating.md')).not.toMatch(/\brm .*\*/);
  });

  it('takes every variable of .env into the containers of a cluster, but those that it sets by itself', () => {
    const compose = read('compose.cluster.yaml');
    const names = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(
      ([, name = '']) => name,
    );
    expect(names.filter((name) => !compose.includes(`  ${name}: `))).toEqual([]);
    const needed = new Set([...compose.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name));
    const passwords = [...needed].filter((name) => name.endsWith('_PASSWORD'));
    for (const name of passwords)
      expect(compose.slice(0, compose.indexOf('x-hardened')), name).toContain(name);
    for (const [, name = ''] of read('ops/nats.conf').matchAll(/password: \$(\w+)/g)) {
      // Bare, nats-server would read a number or a part of its own syntax.
      expect(compose).toContain(`${name}: '"\${${name}:?}"'`);
    }
  });

  it.runIf(IS_THOROUGH && hasPostgres)(
    'gives the processes of a cluster databases that are theirs, and no more',
    async () => {
      const postgres = await startPostgres();
      onTestFinished(postgres.stop);
      const admin = await postgres.newStore();
      vi.stubEnv('STORE_PASSWORD', '3e8d1f90');
      onTestFinished(() => void vi.unstubAllEnvs());
      await postgres.ask(admin, `\\i ${join(root, 'ops', 'databases.sql')}`);
      const url = new URL(admin);
      Object.assign(url, { username: 'walletbell', password: '3e8d1f90' });
      for (const [, name = ''] of read('compose.cluster.yaml').matchAll(/@postgres:5432\/(\w+)/g)) {
        url.pathname = name;
        const store = await openStore(url.href);
        await store.set('a', { of: name });
        await store.close();
      }
      const asked =
        'SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = current_user';
      expect(await postgres.ask(url.href, asked)).toBe('f');
    },
    within(60_000),
  );

  it('names the exact version of Node, one of an LTS line', () => {
    const images = [...dockerfile.matchAll(/^FROM node:(\S+)/gm)].map(([, tag = '']) => tag);
    expect(images).toHaveLength(2);
    for (const tag of images)
      expect(tag).toMatch(/^26\.\d+\.\d+-bookworm(-slim)?(@sha256:[0-9a-f]{64})?$/);
    expect(read('.ci/run')).toContain(`NODE_SHIPPED=${images[0]?.split('-')[0]}\n`);
  });

  it('is not started again and again with a configuration that cannot work', () => {
    expect(read('ops/walletbell.service')).toContain(`RestartPreventExitStatus=${EXIT_CONFIG}`);
  });
});
