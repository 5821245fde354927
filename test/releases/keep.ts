import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../src/build/bundle.js';
import { ROOT } from '../../src/build/state.js';
import { dumpLines } from '../../src/cli/store/dump.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { RELEASE } from '../../src/lib/release.ts';
import { keptMessages } from './kept-messages.ts';
import { keptDocuments } from './kept-store.ts';

/** Where what releases have stored, said and run is kept for ever. */
export const KEPT = join(ROOT, 'test/releases/kept');
/** Shapes of what today's sources store. */
const SHAPES = join(ROOT, 'test/app/documents/shapes.json');
/** Nothing of the demo and its page, the venue and Discord. */
const PROGRAMS = ['main', 'doctor', 'backup', 'store'];

/** How many documents of each kind a kept store holds, by what stands before the first colon. */
export function countKinds(keys: Iterable<string>): Readonly<Record<string, number>> {
  const kinds = groupBy([...keys], (key) => key.split(':', 1)[0] ?? '');
  return Object.fromEntries([...kinds].map(([kind, those]) => [kind, those.length]));
}

/**
 * Keeps what today's sources store and say: `VERSION.jsonl`, a dump with every kind of document and
 * every optional part; `VERSION.json`, how many of each kind there are; `VERSION.wire.json`, the
 * messages between feed and bots; `VERSION.shapes.json`, which shape its documents have.
 */
export async function keepData(folder: string): Promise<void> {
  const { version } = RELEASE;
  const documents = keptDocuments();
  async function* entries() {
    yield* documents;
  }
  const lines: string[] = [];
  for await (const line of dumpLines(entries(), { version, commit: 'kept' })) lines.push(line);
  writeFileSync(join(folder, `${version}.jsonl`), lines.join(''));
  const counted = { documents: documents.size, kinds: countKinds(documents.keys()) };
  writeFileSync(join(folder, `${version}.json`), `${JSON.stringify(counted, null, 2)}\n`);
  writeFileSync(join(folder, `${version}.wire.json`), `${JSON.stringify(keptMessages())}\n`);
  copyFileSync(SHAPES, join(folder, `${version}.shapes.json`));
}

/** Keeps the programs that today's sources make: `VERSION.tgz`. */
export async function keepPrograms(folder: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'walletbell-keep-'));
  try {
    await build(PROGRAMS, { dist: join(work, 'dist') });
    const target = join(folder, `${RELEASE.version}.tgz`);
    execFileSync('tar', ['-C', work, '-czf', target, '--owner=0', '--group=0', 'dist']);
  } finally {
    rmSync(work, { recursive: true });
  }
}
