import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { stateSchemas, storedAlertSchema } from '../../../src/alerts/wallets/wallet-document.ts';
import { DOCUMENT_KINDS } from '../../../src/app/documents/kinds.ts';
import { WIRE_VERSION } from '../../../src/feed/nats/wire.ts';
import { FORMAT } from '../../../src/store/format.ts';
import { MARK_SCHEMAS } from '../../../src/store/marks.ts';
import { KEPT } from '../../releases/keep.ts';

/** Every schema that a stored document or a part of it is read by. */
const STORED: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    DOCUMENT_KINDS.flatMap(({ prefix, schema }) =>
      schema === undefined ? [] : [[prefix, schema]],
    ),
  ),
  ...MARK_SCHEMAS,
  ...stateSchemas,
  alert: storedAlertSchema,
};

const ADVICE = `The shape of what is stored has changed, or its version: compare with shapes.json.
An older walletbell must refuse what it would misread, and this one read what older ones have
written. Unless it is of this change's release already: add a step to src/store/migrations/ (before
0.9.0: raise FIRST_FORMAT in src/store/marks.ts), and a line to CHANGELOG.md. Then:
npx vitest run test/app/documents/shapes.test.ts -u
`;

const RELEASED = `The shape of what is stored has changed, and a release has this format already: an
older walletbell would open the store and drop what it does not know. Add a step to
src/store/migrations/, which raises the number. If zod alone describes the same in other words,
write the shapes of that release anew from its sources: git show, and the test with -u.
`;

const keptShapesSchema = z.object({
  schemaVersion: z.int(),
  shapes: z.record(z.string(), z.string()),
});

/** The same for schemas that take the same documents, whatever the order of their fields. */
function hashOf(schema: z.ZodType): string {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = new Set<string>();
  JSON.stringify(described, (name, value) => {
    names.add(name);
    return value;
  });
  const text = JSON.stringify(described, [...names].sort());
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

const shapesNow = () =>
  Object.fromEntries(Object.entries(STORED).map(([name, schema]) => [name, hashOf(schema)]));

/** Shapes that releases had when they were made, with the format of each. */
function keptShapes(): readonly unknown[] {
  return readdirSync(KEPT)
    .filter((name) => name.endsWith('.shapes.json'))
    .map((name) => JSON.parse(readFileSync(join(KEPT, name), 'utf8')));
}

/** Says that a release has this format with another shape, if one has. */
function changedSince(
  releases: readonly unknown[],
  { schemaVersion, shapes }: { readonly schemaVersion: number; readonly shapes: unknown },
): boolean {
  return releases
    .map((release) => keptShapesSchema.parse(release))
    .some(
      (release) =>
        release.schemaVersion === schemaVersion && !isDeepStrictEqual(release.shapes, shapes),
    );
}

// Merging two branches that have both changed it: run the command below once more.
it('what is stored has the shape that belongs to its version', async () => {
  const today = { schemaVersion: FORMAT.version, shapes: shapesNow() };
  const text = `${JSON.stringify(today, null, 2)}\n`;
  await expect(text, ADVICE).toMatchFileSnapshot('shapes.json');
});

it('keeps the shape with which a release had its format: a change is a step, and a new number', () => {
  const today = { schemaVersion: FORMAT.version, shapes: shapesNow() };
  expect(keptShapes()).not.toHaveLength(0);
  expect(changedSince(keptShapes(), today), RELEASED).toBe(false);
  // As if what is stored today had been released, and were changed then without a number.
  expect(changedSince([today], today)).toBe(false);
  const changed = { ...today, shapes: { ...today.shapes, 'watch:': 'another' } };
  expect(changedSince([today], changed)).toBe(true);
  expect(changedSince([today], { ...changed, schemaVersion: FORMAT.version + 1 })).toBe(false);
});

it('stands in the change log, with the number of what feed and bots say to each other', () => {
  const [newest = ''] = readFileSync('CHANGELOG.md', 'utf8')
    .split(/^## /m)
    .filter((part) => part.includes('Format of the store'));
  expect(newest).toContain(`Format of the store: ${FORMAT.version}.`);
  expect(newest).toContain(`Format of the wire: ${WIRE_VERSION}.`);
});

it('a field more, another type and another default are another shape', () => {
  const shape = (fields: z.ZodRawShape) => hashOf(z.object(fields));
  const before = shape({ a: z.string(), b: z.number().default(1) });
  expect(shape({ b: z.number().default(1), a: z.string() })).toBe(before);
  for (const fields of [
    { a: z.string(), b: z.number().default(1), c: z.string().optional() },
    { a: z.string(), b: z.number().default(2) },
    { a: z.string().nullable(), b: z.number().default(1) },
    { a: z.string() },
  ]) {
    expect(shape(fields)).not.toBe(before);
  }
});
