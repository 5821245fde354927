import { inlineCode } from '../../embeds/text/escape.ts';
import type { Texts } from '../../language/texts.ts';
import { UserError } from '../../language/user-error.ts';
import { parseJson } from '../../lib/text/json.ts';

/** A cell of a table, or a JSON value; '' means the default. */
export type FieldText = string | readonly string[];

/** A value to write into a cell; null for the default. */
export type CellValue = string | number | null | readonly string[];

/** Returns the names of a guild's channels and roles; undefined for a deleted one. */
export interface Names {
  /** False: the file names no channels, so that it can be imported anywhere. */
  readonly hasChannels: boolean;
  channel(channelId: string): string | undefined;
  role(roleId: string): string | undefined;
}

/**
 * A channel or role as a file names it. The id is used if the server has it, otherwise the name.
 */
export type NamedThing = Readonly<Record<'id' | 'name', string | null>>;

/** Numbers that a column accepts. */
export interface Accepted {
  readonly max: number;
  readonly isWhole: boolean;
  readonly texts: (accepted: Texts['files']['accepted']) => string;
}

/** Maximum code points quoted from a file. */
export const QUOTED_LIMIT = 60;

/**
 * Cells of one watch in a file, by column. Methods throw a UserError that quotes the file's text as
 * code.
 */
export type Cells = ReturnType<typeof cellsOf>;

export function cellsOf(
  given: ReadonlyMap<string, FieldText>,
  findRole: (named: NamedThing) => string | null,
) {
  const fault = (say: (faults: Texts['files']['faults']) => string) =>
    new UserError(({ texts }) => say(texts.files.faults));
  const unacceptable = (column: string, text: string, accepted: Accepted['texts']) => {
    const quoted = inlineCode(text, QUOTED_LIMIT);
    return new UserError(({ texts: { files } }) =>
      files.faults.value(column, quoted, accepted(files.accepted)),
    );
  };
  const text = (column: string): string => {
    const value = given.get(column) ?? '';
    if (typeof value === 'string') return value.trim();
    throw fault(({ list }) => list(column));
  };
  const splitList = (column: string, listed: string): readonly string[] => {
    if (!listed.startsWith('[')) return listed.split(/[\s,;]+/);
    const parsed = parseJson(listed);
    if (Array.isArray(parsed) && parsed.every((part) => typeof part === 'string')) return parsed;
    throw unacceptable(column, listed, ({ names }) => names);
  };
  /**
   * Reads a channel or role; null if none is named.
   *
   * @param mention Discord's mention syntax for its id
   * @param sign character before its name
   */
  const thing = (
    column: string,
    nameColumn: string,
    mention: RegExp,
    sign: string,
  ): NamedThing | null => {
    const typed = text(column);
    const name = text(nameColumn);
    if (typed === '' && name === '') return null;
    const bareId = /^\d{17,20}$/.test(typed) ? typed : null;
    const id = mention.exec(typed)?.[1] ?? bareId;
    const isName = id === null && typed !== '';
    if (isName && /^\d+(\.\d+)?e\+\d+$/i.test(typed)) {
      throw unacceptable(column, typed, ({ unspoiltId }) => unspoiltId(sign));
    }
    const called = isName ? typed : name;
    const bareName = called.startsWith(sign) ? called.slice(1) : called;
    return { id, name: bareName || null };
  };
  return {
    /** Error about several columns. */
    fault,
    /** Error about one column. */
    unacceptable,
    /** Empty if the column is empty. */
    text,
    /** Null if the column is empty. */
    number(column: string, accepted: Accepted): number | null {
      const typed = text(column);
      if (typed === '') return null;
      const value = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(typed) ? Number(typed) : Number.NaN;
      if (value <= accepted.max && (!accepted.isWhole || Number.isInteger(value))) return value;
      throw unacceptable(column, typed, accepted.texts);
    },
    /** Returns one of the words; null if the column is empty. */
    oneOf<Word extends string>(column: string, words: readonly Word[]): Word | null {
      const typed = text(column);
      const word = words.find((candidate) => candidate === typed.toLowerCase());
      if (typed !== '' && word === undefined) {
        throw unacceptable(column, typed, ({ oneOf }) => oneOf(words));
      }
      return word ?? null;
    },
    /**
     * Returns the items of a list: a JSON array, or a text separated by spaces, commas or
     * semicolons.
     */
    list(column: string): string[] {
      const value = given.get(column) ?? '';
      const parts = typeof value === 'string' ? splitList(column, value.trim()) : value;
      return parts.map((part) => part.trim()).filter((part) => part !== '');
    },
    thing,
    /** Returns a role's id; null if none is named or there are no roles. */
    role(column: string, nameColumn: string): string | null {
      const named = thing(column, nameColumn, /^<@&(\d+)>$/, '@');
      return named && findRole(named);
    },
  };
}

/**
 * Returns a name with its sign, as `thing` reads it: `#alerts`, `@whales`; null for a deleted one.
 */
export function prefixed(sign: string, name: string | undefined): string | null {
  if (name === undefined) return null;
  return `${sign}${name}`;
}
