import { inlineCode } from '../../embeds/text/escape.ts';
import type { Texts } from '../../language/texts.ts';
import { UserError } from '../../language/user-error.ts';
import { parseJson } from '../../lib/text/json.ts';

/** A cell, or a value of JSON; '' stands for the default. */
export type FieldText = string | readonly string[];

/** A value that is written into a cell: null for the default. */
export type CellValue = string | number | null | readonly string[];

/** The names of a guild's channels and roles; undefined for one that is gone. */
export interface Names {
  /** False: the file names no channels, so that it can be read anywhere. */
  readonly hasChannels: boolean;
  channel(channelId: string): string | undefined;
  role(roleId: string): string | undefined;
}

/** A channel or a role as a file names it: the id counts where the server has it, else the name. */
export type NamedThing = Readonly<Record<'id' | 'name', string | null>>;

/** Figures that a column takes. */
export interface Accepted {
  readonly max: number;
  readonly isWhole: boolean;
  readonly texts: (accepted: Texts['files']['accepted']) => string;
}

/** Code points of what is quoted of a file. */
export const QUOTED_LIMIT = 60;

/**
 * Cells of one watch in a file, by column. Methods throw a UserError that quotes the file as code.
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
   * A channel or role; null if none is named.
   *
   * @param mention Discord's form of its id
   * @param sign before its name
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
    /** Something that is wrong with several columns. */
    fault,
    /** Something that is wrong with one. */
    unacceptable,
    /** Empty, if the column is. */
    text,
    /** Null, if the column is empty. */
    number(column: string, accepted: Accepted): number | null {
      const typed = text(column);
      if (typed === '') return null;
      const value = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(typed) ? Number(typed) : Number.NaN;
      if (value <= accepted.max && (!accepted.isWhole || Number.isInteger(value))) return value;
      throw unacceptable(column, typed, accepted.texts);
    },
    /** One of the words; null, if the column is empty. */
    oneOf<Word extends string>(column: string, words: readonly Word[]): Word | null {
      const typed = text(column);
      const word = words.find((candidate) => candidate === typed.toLowerCase());
      if (typed !== '' && word === undefined) {
        throw unacceptable(column, typed, ({ oneOf }) => oneOf(words));
      }
      return word ?? null;
    },
    /** The parts of a list: JSON's, or of a text with spaces, commas or semicolons between them. */
    list(column: string): string[] {
      const value = given.get(column) ?? '';
      const parts = typeof value === 'string' ? splitList(column, value.trim()) : value;
      return parts.map((part) => part.trim()).filter((part) => part !== '');
    },
    thing,
    /** The id of a role; null, if none is named, or where there are no roles. */
    role(column: string, nameColumn: string): string | null {
      const named = thing(column, nameColumn, /^<@&(\d+)>$/, '@');
      return named && findRole(named);
    },
  };
}

/** A name with its sign, as `thing` reads it: `#alerts`, `@whales`; null for one that is gone. */
export function prefixed(sign: string, name: string | undefined): string | null {
  if (name === undefined) return null;
  return `${sign}${name}`;
}
