import fc from 'fast-check';
import type * as z from 'zod';

/** The same samples on every machine. */
const SEED = 9;
/** More than any union has options: what is zipped shows each of them. */
const MOST_SAMPLES = 64;
const ATTEMPTS = 50;

/** What the definition of a schema says, as far as it is asked here. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly rest?: z.ZodType | null;
  readonly items?: readonly z.ZodType[];
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

interface Check {
  readonly check: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
}

/** Texts without a pattern: of these one is a time zone, which a schema may ask for. */
const TEXTS = ['Bells & whistles', 'Europe/Berlin'];

const MISSING = Symbol('missing');

/**
 * Documents that a schema takes: among them one with every optional part, one without any, and each
 * option of every union, at least once.
 *
 * @throws {Error} names the part of which none can be made
 */
export function samplesOf(schema: z.ZodType): readonly unknown[] {
  return inputsOf(schema, 'document').filter((sample) => sample !== MISSING);
}

/** Samples of a part that the schema takes; `MISSING` where it may be left out. */
function inputsOf(schema: z.ZodType, path: string): readonly unknown[] {
  const made = candidates(schema, path);
  const taken = made.filter((sample) => sample === MISSING || schema.safeParse(sample).success);
  if (taken.length === 0)
    throw new Error(`No sample can be made of ${path}: ${JSON.stringify(made).slice(0, 300)}`);
  return taken;
}

function candidates(schema: z.ZodType, path: string): readonly unknown[] {
  const definition = schema._zod.def as unknown as Definition;
  const checks = (definition.checks ?? []).map(({ _zod }) => _zod.def);
  const make = MAKERS[definition.type];
  if (make === undefined) throw new Error(`${path} is of an unknown type: ${definition.type}`);
  return make(definition, checks, path);
}

type Make = (definition: Definition, checks: readonly Check[], path: string) => readonly unknown[];

const inner: Make = ({ innerType }, _checks, path) => inputsOf(required(innerType, path), path);

const MAKERS: Readonly<Record<string, Make>> = {
  string: (_definition, checks) => strings(checks),
  number: (_definition, checks) => numbers(checks),
  boolean: () => [true, false],
  null: () => [null],
  unknown: () => [{ kept: 'as it was found' }],
  never: () => [],
  literal: ({ values }) => values ?? [],
  enum: ({ entries }) => Object.values(entries ?? {}),
  readonly: inner,
  nullable: (...given) => [...inner(...given), null],
  optional: (...given) => [...inner(...given), MISSING],
  default: (...given) => [...inner(...given), MISSING],
  prefault: (...given) => [...inner(...given), MISSING],
  catch: inner,
  pipe({ in: before, out: after }, _checks, path) {
    const isPreprocessed = before?._zod.def.type === 'transform';
    return inputsOf(required(isPreprocessed ? after : before, path), path);
  },
  union: ({ options = [] }, _checks, path) =>
    options.flatMap((option, index) => inputsOf(option, `${path}|${index}`)),
  object({ shape = {} }, _checks, path) {
    const names = Object.keys(shape);
    const fields = names.map((name) => inputsOf(required(shape[name], path), `${path}.${name}`));
    return zipped(fields).map((row) => {
      const present = names.map((name, index) => [name, row[index]] as const);
      return Object.fromEntries(present.filter(([, field]) => field !== MISSING));
    });
  },
  tuple: ({ items = [] }, _checks, path) =>
    zipped(items.map((item, index) => inputsOf(item, `${path}.${index}`))).map((row) => [...row]),
  array({ element }, checks, path) {
    const all = inputsOf(required(element, path), `${path}[]`);
    const least = checks.find(({ check }) => check === 'min_length')?.minimum ?? 0;
    const most = checks.find(({ check }) => check === 'max_length')?.maximum ?? MOST_SAMPLES;
    const full = Array.from(
      { length: Math.min(most, Math.max(least, all.length)) },
      (_, index) => all[index % all.length],
    );
    const single = all.slice(0, MOST_SAMPLES).map((item) => Array(Math.max(1, least)).fill(item));
    return least > 0 ? [full, ...single] : [full, [], ...single];
  },
  record({ keyType, valueType }, _checks, path) {
    const keys = inputsOf(required(keyType, path), `${path}{}`);
    const values = inputsOf(required(valueType, path), `${path}.*`).filter(
      (one) => one !== MISSING,
    );
    const isListed = keyType?._zod.def.type === 'enum';
    const count = isListed ? keys.length : values.length;
    const full = Array.from({ length: count }, (_, index) => [
      keys[index] ?? `${keys[0]}${index}`,
      values[index % values.length],
    ]);
    return [Object.fromEntries(full), Object.fromEntries(full.slice(0, keys.length)), {}];
  },
};

/** Rows with one sample of each part, so that each sample of each part stands in one of them. */
function zipped(parts: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const rows = Math.min(MOST_SAMPLES, Math.max(1, ...parts.map(({ length }) => length)));
  const full = Array.from({ length: rows }, (_, row) =>
    parts.map((samples) => samples[row % samples.length]),
  );
  // The last sample of each part is the one that says least.
  return [...full, parts.map((samples) => samples.at(-1))];
}

function strings(checks: readonly Check[]): readonly string[] {
  const patterns = checks.flatMap(({ pattern }) => pattern ?? []);
  const least = checks.find(({ check }) => check === 'min_length')?.minimum ?? 0;
  const most = checks.find(({ check }) => check === 'max_length')?.maximum ?? Infinity;
  const [pattern] = patterns;
  if (pattern === undefined) return TEXTS.map((text) => text.padEnd(least, '.').slice(0, most));
  const found = fc
    .sample(fc.stringMatching(pattern), { seed: SEED, numRuns: ATTEMPTS })
    .filter((text) => text.length >= least && text.length <= most);
  return [...new Set(found)].slice(0, 2);
}

function numbers(checks: readonly Check[]): readonly number[] {
  const isInt = checks.some(({ format }) => format === 'safeint');
  const above = checks.find(({ check }) => check === 'greater_than');
  const below = checks.find(({ check }) => check === 'less_than');
  const step = isInt ? 1 : 0.25;
  const least = above === undefined ? 0 : Number(above.value) + (above.inclusive ? 0 : step);
  const most =
    below === undefined ? least + 10 : Number(below.value) - (below.inclusive ? 0 : step);
  return [...new Set([Math.min(least + step, most), least, (least + most) / 2, 0.5])];
}

function required<Part>(part: Part | undefined, path: string): Part {
  if (part === undefined) throw new Error(`${path} has no definition.`);
  return part;
}
