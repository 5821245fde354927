import { createHash } from 'node:crypto';
import { findAddress, type WalletAddress } from '../../domain/address.ts';
import { LANGUAGE_TAGS, type LanguageTag } from '../../language/language.ts';
import { snowflake } from '../owner.ts';

/** Length of the hash that identifies a field's text as it was shown, in characters. */
const HASH_LENGTH = 4;
/**
 * Marks a field that was not shown because its value is too long for a form. No hash contains dots.
 */
export const NOT_SHOWN = '.'.repeat(HASH_LENGTH);
/** Length of an address, in bytes. */
const ADDRESS_BYTES = 20;

/** The subject of a panel: a watch, or a channel if there is no wallet. */
export interface Subject {
  readonly channelId: string;
  readonly wallet: WalletAddress | null;
}

/** A form as it was shown. */
export interface ShownForm extends Subject {
  /** Language in which numbers are read. */
  readonly tag: LanguageTag;
  /** Hash of each field's text as it was shown, or `NOT_SHOWN`, in the order of the fields. */
  readonly hashes: readonly string[];
}

/** Hashes a field's text, to detect changes. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Arguments of a custom id that identify a watch or a channel; at most 48 characters. */
export function subjectArgs({ channelId, wallet }: Subject): string[] {
  if (wallet === null) return [channelId, ''];
  return [channelId, Buffer.from(wallet.slice(2), 'hex').toString('base64url')];
}

/** Reads `subjectArgs`; undefined for anything else. */
export function readSubject([channelId = '', encoded = '']: readonly string[]):
  | Subject
  | undefined {
  if (!snowflake.safeParse(channelId).success) return undefined;
  if (encoded === '') return { channelId, wallet: null };
  const bytes = Buffer.from(encoded, 'base64url');
  const found = findAddress(`0x${bytes.toString('hex')}`);
  const isWhole = bytes.length === ADDRESS_BYTES && bytes.toString('base64url') === encoded;
  return isWhole && found.ok ? { channelId, wallet: found.address } : undefined;
}

/** Arguments of a form's custom id; at most 76 characters with five fields. */
export function formArgs({ tag, hashes, ...subject }: ShownForm): string[] {
  return [...subjectArgs(subject), tag, hashes.join('')];
}

/**
 * Reads `formArgs`; undefined for anything else.
 *
 * @param fields number of fields in the form
 */
export function readFormArgs(args: readonly string[], fields: number): ShownForm | undefined {
  const subject = readSubject(args);
  const [, , language, joined = ''] = args;
  const tag = LANGUAGE_TAGS.find((known) => known === language);
  const isRight = joined.length === HASH_LENGTH * fields && /^(?:[\w-]{4}|\.{4})*$/.test(joined);
  if (subject === undefined || tag === undefined || !isRight) return undefined;
  const hashes = Array.from({ length: fields }, (_, at) =>
    joined.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH),
  );
  return { ...subject, tag, hashes };
}
