import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  DOCUMENT_KINDS,
  describeDocument,
  documentKindOf,
} from '../../../src/app/documents/kinds.ts';
import { UnreadableDocument } from '../../../src/store/backend.ts';
import { isMark } from '../../../src/store/marks.ts';
import { firstColumn, page, section, sorted, sourceFiles } from '../../docs/pages.ts';
import { FULL_WORLD, worldDocuments } from '../../support/stored-world.ts';

describe('the table of kinds', () => {
  const prefixes = DOCUMENT_KINDS.map(({ prefix }) => prefix);
  const found = (pattern: RegExp) =>
    sourceFiles('src').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, prefix = '']) => prefix),
    );

  it('has every prefix under which anything is stored', () => {
    const declared = found(/define(?:Collection|Archive)\(\{\s*prefix: '([a-z]+:?)'/g);
    expect(declared.length).toBeGreaterThan(8);
    const stored = [...declared, ...found(/\b[A-Z_]+_PREFIX = '([a-z]+:)'/g)];
    expect(stored.filter((prefix) => !prefixes.includes(prefix))).toEqual([]);
  });

  it('has every kind that is documented, and no other, beside what a store says of itself', () => {
    const codes = firstColumn(section(page('docs/architecture.md'), '## Stored documents'));
    const keys = codes.filter((code) => /^[a-z]+(:[A-Z]+)*$/.test(code) && !isMark(code));
    const prefixesOf = (some: readonly string[]) =>
      sorted(some.map((key) => key.replace(/:.*/, ':')));
    expect(prefixesOf(keys)).toEqual(prefixesOf(prefixes));
  });

  it('reads every kind, and knows what cannot be read', () => {
    const documents = worldDocuments({ ...FULL_WORLD, isOld: true });
    const kinds = new Set([...documents.keys()].map((key) => documentKindOf(key)?.prefix));
    expect(prefixes.filter((prefix) => !kinds.has(prefix))).toEqual([]);
    for (const [key, document] of documents) {
      expect(describeDocument(key, document), key).toBeTypeOf('object');
      expect(describeDocument(key, new UnreadableDocument('{', 'no JSON'))).toBe('damaged');
      if (!key.startsWith('quarantine:')) expect(describeDocument(key, 7), key).toBe('damaged');
    }
    expect(describeDocument('wallet:0x1', documents.get(`wallet:0x${'0'.repeat(40)}`))).toBe(
      'damaged',
    );
    // The feed puts it aside as well.
    expect(describeDocument('schedule:shared', { activity: [1, 2, 3] })).toBe('damaged');
    expect(describeDocument('other', {})).toBe('foreign');
  });
});
