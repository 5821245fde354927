import { describe, expect, it } from 'vitest';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';

const sayAll = (tag: string) => {
  const { away, back, what, footer } = languageFor(tag).texts.notices;
  return [away('«what»', '«since»'), back('«what»', '«from»', '«to»'), ...Object.values(what), footer];
};

describe.each(LANGUAGE_TAGS)('a notice in %s', (tag) => {
  it('says what cannot be read, and from when to when', () => {
    const [away, back] = sayAll(tag);
    for (const part of ['«what»', '«since»']) expect(away).toContain(part);
    for (const part of ['«what»', '«from»', '«to»']) expect(back).toContain(part);
    expect(new Set(sayAll(tag)).size).toBe(6);
  });

  it('is translated', () => {
    if (tag === ENGLISH.tag) return;
    const english = sayAll(ENGLISH.tag);
    expect(sayAll(tag).filter((text) => english.includes(text))).toEqual([]);
  });
});
