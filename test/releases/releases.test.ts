import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { described, faultsOf } from '../../src/app/documents/kinds.ts';
import { NOT_BUNDLED } from '../../src/build/bundle.js';
import { readDump } from '../../src/cli/store/dump.ts';
import { decode, WIRE_VERSION } from '../../src/feed/nats/wire.ts';
import { createFormat, FORMAT } from '../../src/store/format.ts';
import { readMeta } from '../../src/store/marks.ts';
import { STEPS } from '../../src/store/migrations/steps.ts';
import { openStore } from '../../src/store/store.ts';
import { storeKinds } from '../cli/store/stores.ts';
import { openFixture } from '../e2e/fixture.ts';
import { collectingLog } from '../support/log.ts';
import { sharedFolder, temporaryFolder } from '../support/temp.ts';
import { randomRuns, variants, within } from '../support/thorough.ts';
import { countKinds, KEPT, keepData, keepPrograms } from './keep.ts';
import { MESSAGES } from './kept-messages.ts';
import { STEPS as NEXT_STEPS } from './next-steps.ts';

/** Kept releases; before the first is there, what today's sources would keep. */
let folder = KEPT;
const shared = sharedFolder();
afterAll(shared.remove);
let versions: readonly string[] = [];
beforeAll(async () => {
  if (!existsSync(KEPT)) {
    folder = shared.folder;
    await keepData(folder);
    await keepPrograms(folder);
  }
  versions = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.replace('.jsonl', ''));
});

const kinds = storeKinds();
/** One format above today's, by a step of the tests' own. */
const NEXT = createFormat(FORMAT.first, NEXT_STEPS);

/** What a release has kept, as it stored it. */
async function kept(version: string) {
  const file = join(folder, `${version}.jsonl`);
  const { head } = await readDump(file);
  const documents = new Map<string, unknown>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n').slice(1, -1)) {
    const { key, document } = JSON.parse(line);
    documents.set(key, document);
  }
  const said: { documents: number; kinds: Record<string, number> } = JSON.parse(
    readFileSync(join(folder, `${version}.json`), 'utf8'),
  );
  return {
    head,
    documents,
    said,
    format: createFormat(FORMAT.first, STEPS.slice(0, head.format - FORMAT.first)),
  };
}

/** A start of a bot, which ends where something cannot be read. */
const start = () => ({
  log: collectingLog().log,
  nowMs: Date.now,
  release: { version: '99.0.0', commit: 'new' },
  loadFaultsOf: async () => faultsOf,
  skipsDamaged: false,
  copies: false,
});

async function writeStore(
  url: string,
  documents: Iterable<readonly [string, unknown]>,
  format = FORMAT,
) {
  const store = await openStore(url, { format });
  for (const [key, document] of documents) await store.set(key, document);
  await store.close();
}

/** How many labels of watches say that the tests' own step has been there, and how often each. */
const marksIn = (document: unknown) =>
  ((document as { readonly label?: string | null }).label?.match(/⇧/g) ?? []).length;

describe('what a release has stored', { timeout: within(120_000) }, () => {
  it('begins with format and steps that every later one has', async () => {
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) {
      const { head, documents, said } = await kept(version);
      expect(head.version).toBe(version);
      expect(documents.size).toBe(said.documents);
      expect(countKinds(documents.keys())).toEqual(said.kinds);
    }
    // Once 0.9.0 is kept, its format is never counted up again: each change is a step.
    const first = existsSync(join(KEPT, '0.9.0.jsonl'))
      ? (await kept('0.9.0')).head.format
      : FORMAT.first;
    expect(FORMAT.first).toBe(first);
  });

  it.each(variants(kinds.names, (name) => name === 'SQLite'))(
    'is opened by this one and by the next on %s, with nothing lost or put aside',
    async (name) => {
      for (const version of versions) {
        const { documents, said, format } = await kept(version);
        for (const later of [FORMAT, NEXT]) {
          const url = await kinds.newStore(name);
          await writeStore(url, documents, format);
          const store = await openStore(url, { format: later, start: start() });
          const found = new Map<string, unknown>();
          for await (const [key, description, document] of described(store)) {
            expect(description, key).not.toBe('damaged');
            expect(description, key).not.toHaveProperty('damage');
            found.set(key, document);
          }
          expect(countKinds(found.keys())).toEqual(said.kinds);
          expect(await readMeta(store)).toMatchObject({ schemaVersion: later.version });
          // What no step changes is as it was.
          for (const [key, document] of documents)
            if (later === FORMAT && STEPS.length === 0)
              expect(found.get(key), key).toEqual(document);
          await store.close();
        }
      }
    },
  );

  it('is the same in any mixture of formats, however often it is read', async () => {
    for (const version of versions) {
      const { documents, format } = await kept(version);
      const watches = [...documents].filter(([key]) => key.startsWith('watch:'));
      const labelled = watches.filter(([, watch]) => (watch as { label?: unknown }).label != null);
      expect(labelled.length).toBeGreaterThan(0);
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.boolean()), async (choices) => {
          const url = await kinds.newStore();
          await writeStore(url, documents, format);
          const store = await openStore(url, { format: NEXT, start: start() });
          const converted: [string, unknown][] = [];
          for await (const entry of store.entries()) converted.push([...entry]);
          for (const [key, document] of converted)
            if (choices.next().value && documents.has(key)) await store.set(key, document);
          await store.close();
          const again = await openStore(url, { format: NEXT, start: start() });
          for (const [key, document] of labelled)
            expect(marksIn(await again.get(key)) - marksIn(document), key).toBe(1);
          for (const [key, document] of converted)
            if (documents.has(key)) expect(await again.get(key), key).toEqual(document);
          await again.close();
        }),
        randomRuns(8),
      );
    }
  });

  it('is loaded by a bot, which puts nothing of it aside', async () => {
    for (const version of versions) {
      const { documents, format } = await kept(version);
      const url = await kinds.newStore();
      await writeStore(url, documents, format);
      const fixture = await openFixture({ environment: { STORE_URL: url } });
      // Wallets are read beside the work.
      await fixture.logged('wallets.read');
      const aside = fixture.logLines.filter(({ event }) => event === 'store.quarantined');
      expect(aside.map(({ key }) => key)).toEqual([]);
      expect(await fixture.logged('store.loaded')).toMatchObject({ damaged: 0 });
      await fixture.bot.stop();
    }
  });

  it('is said between feed and bots as it is understood today', async () => {
    for (const version of versions) {
      const messages: Record<string, { readonly version: number }[]> = JSON.parse(
        readFileSync(join(folder, `${version}.wire.json`), 'utf8'),
      );
      for (const [name, said] of Object.entries(messages)) {
        const schema = MESSAGES[name];
        if (schema === undefined) throw new Error(`Nobody says ${name} any more.`);
        // A release of another number is refused as a whole.
        for (const message of said.filter((one) => one.version === WIRE_VERSION)) {
          const bytes = (content: object) => Buffer.from(JSON.stringify(content));
          const { version: _version, ...content } = decode(schema, bytes(message)) as Record<
            string,
            unknown
          >;
          // A later one may say more.
          const more = { ...message, ofALaterRelease: { more: true } };
          expect(decode(schema, bytes(more)), name).toEqual(content);
        }
      }
    }
  });

  it('is of programs that are small, and load nothing but what is installed beside them', () => {
    for (const version of versions) {
      const archive = join(folder, `${version}.tgz`);
      expect(statSync(archive).size).toBeLessThan(2_000_000);
      const target = temporaryFolder();
      execFileSync('tar', ['-C', target, '-xzf', archive]);
      const files = readdirSync(join(target, 'dist')).filter((name) => name.endsWith('.js'));
      const imports = files.flatMap((name) => {
        const text = readFileSync(join(target, 'dist', name), 'utf8');
        return [...text.matchAll(/^import .*?["']([^."'][^"']*)["'];$/gm)].map(
          ([, from = '']) => from,
        );
      });
      const foreign = new Set(
        imports.filter((from) => !from.startsWith('node:') && !builtinModules.includes(from)),
      );
      for (const from of foreign) expect(NOT_BUNDLED).toContain(from);
      expect(files).toEqual(
        expect.arrayContaining(['main.js', 'doctor.js', 'backup.js', 'store.js']),
      );
      expect(files).not.toEqual(expect.arrayContaining(['demo.js']));
    }
  });
});
