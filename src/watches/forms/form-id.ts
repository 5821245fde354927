import { createHash } from 'node:crypto';
import { findAddress, type WalletAddress } from '../../domain/address.ts';
import { LANGUAGE_TAGS, type LanguageTag } from '../../language/language.ts';
import { snowflake } from '../owner.ts';

/** Letters of a hash by which a field as it was shown is recognised. */
const HASH_LENGTH = 4;
/** Stands for a field that was not shown, because it is too long for a form: no hash has dots. */
export const NOT_SHOWN = '.'.repeat(HASH_LENGTH);
/** Bytes of an address. */
const ADDRESS_BYTES = 20;

/** The subject of a panel: a watch, or without a wallet a channel. */
export interface Subject {
  readonly channelId: string;
  readonly wallet: WalletAddress | null;
}

/** A form as it was shown. */
export interface ShownForm extends Subject {
  /** Language that its figures are read in. */
  readonly tag: LanguageTag;
  /** Hash of each field as it was shown, or `NOT_SHOWN`, in the order of the fields. */
  readonly hashes: readonly string[];
}

/** Hash of a field's text, to tell whether it is another one. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Arguments of a custom id that name a watch or a channel, 48 characters at most. */
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

/** Arguments of a form's custom id: 76 characters at most with five fields. */
export function formArgs({ tag, hashes, ...subject }: ShownForm): string[] {
  return [...subjectArgs(subject), tag, hashes.join('')];
}

/**
 * Reads `formArgs`; undefined for anything else.
 *
 * @param fields how many the form has
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
