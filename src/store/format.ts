import { reasonOf } from '../lib/error.ts';
import { UnreadableDocument } from './backend.ts';
import { FIRST_FORMAT, isMark } from './marks.ts';
import type { Step } from './migrations/step.ts';
import { STEPS } from './migrations/steps.ts';
import { originalKey } from './quarantine.ts';

export type Format = ReturnType<typeof createFormat>;

/** A document that the steps cannot convert to today's format; kept with its envelope. */
class UnturnedDocument extends UnreadableDocument {}

/**
 * Writes documents as texts for every store, and reads those written by any release.
 *
 * A text is an envelope, `{"v":10,"value":…}`: the format in which the document was written, and
 * the document. An older document is converted to today's format when it is read, and stored in it
 * when it next changes; a store may hold any mixture.
 *
 * @param first format of envelopes without `v`; older formats are not read
 * @param steps from each format to the next
 */
export function createFormat(first: number, steps: readonly Step[]) {
  const version = first + steps.length;

  /** @throws {Error} if the document cannot be converted to today's format */
  const turn = (key: string, from: unknown, document: unknown): unknown => {
    const isKnown = Number.isInteger(from) && Number(from) >= first && Number(from) <= version;
    if (!isKnown) {
      const known = `this program knows formats ${first} to ${version}`;
      throw new RangeError(`It is of format ${JSON.stringify(from)}; ${known}.`);
    }
    return steps
      .slice(Number(from) - first)
      .reduce((before, step) => step(originalKey(key), before), document);
  };

  return {
    /** Format of the oldest documents that are read. */
    first,
    /** Format of the documents that are written. */
    version,
    write(key: string, document: unknown): string {
      // A later program may know how to convert it.
      if (document instanceof UnturnedDocument) return document.raw;
      // Programs of every format read marks, to find out whether they may work.
      if (version === first || isMark(key)) return JSON.stringify({ value: document });
      return JSON.stringify({ v: version, value: document });
    },
    /** Returns the document of a text; an unreadable one is returned as an `UnreadableDocument`. */
    read(key: string, text: string): unknown {
      const envelope = parseEnvelope(text);
      if (envelope instanceof UnreadableDocument) return envelope;
      const { v = first, value } = envelope;
      if (isMark(key)) return value;
      try {
        return turn(key, v, value);
      } catch (error) {
        return new UnturnedDocument(text, reasonOf(error));
      }
    },
  };
}

/** The format of this program. */
export const FORMAT = createFormat(FIRST_FORMAT, STEPS);

interface Envelope {
  readonly v?: unknown;
  readonly value?: unknown;
}

function parseEnvelope(text: string): Envelope | UnreadableDocument {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
    return new UnreadableDocument(text, 'It is no envelope.');
  } catch (error) {
    return new UnreadableDocument(text, reasonOf(error));
  }
}
