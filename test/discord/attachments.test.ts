import { describe, expect, it } from 'vitest';
import { AddressBanned, TokenRefused } from '../../src/delivery/failures.ts';
import { filesLeftOut, mayBeFiles, withNote } from '../../src/discord/attachments.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';

const refusal = (status: number, code: number | undefined) =>
  Object.assign(new Error('refused'), { status, code });

describe('a message with files that failed', () => {
  it.each([
    [403, 50013],
    [413, 40005],
    [400, 50045],
    [400, 50035],
    [413, undefined],
    [404, undefined],
    [500, undefined],
    [503, 0],
  ])('is tried without them after %s (%s)', (status, code) =>
    expect(mayBeFiles(refusal(status, code))).toBe(true),
  );

  it.each([
    [401, 0],
    [401, 50027],
    [404, 10062],
    [404, 10015],
    [404, 10003],
    [404, 10008],
    [408, undefined],
    [429, undefined],
    [403, undefined],
    [403, 40333],
  ])('is not after %s (%s): the files are not the reason', (status, code) =>
    expect(mayBeFiles(refusal(status, code))).toBe(false),
  );

  it('is not where nothing was answered, or the address or the token is refused', () => {
    const errors = [
      new Error('socket hang up'),
      new AddressBanned(429, null),
      new TokenRefused(null),
      undefined,
      'x',
    ];
    for (const error of errors) expect(mayBeFiles(error)).toBe(false);
  });

  it('says what is missing and why, in every language', () => {
    for (const tag of LANGUAGE_TAGS) {
      const language = languageFor(tag);
      const { attachFiles } = language.texts.errors.permissions;
      expect(filesLeftOut('picture', null)(language)).toContain(attachFiles);
      expect(filesLeftOut('file', refusal(403, 50013))(language)).toContain(attachFiles);
      const texts = [refusal(413, undefined), refusal(400, 50045), refusal(502, 0)].map((error) =>
        filesLeftOut('file', error)(language),
      );
      expect(new Set(texts).size).toBe(2);
    }
    expect(filesLeftOut('picture', refusal(500, 0))(ENGLISH)).toBe(
      'The chart is missing: Discord didn’t take it.',
    );
  });
});

it('a note stands at the end of an embed, and in a field of its own where the description is full', () => {
  expect(withNote({ description: 'a' }, 'why').description).toBe('a\n\n-# ⚠️ why');
  expect(withNote({}, 'why').description).toBe('-# ⚠️ why');
  const full = withNote(
    { description: 'a'.repeat(4_090), fields: [{ name: 'b', value: 'c' }] },
    'why',
  );
  expect(full.fields?.at(-1)?.value).toBe('why');
  assertEmbedLimits(full);
});
