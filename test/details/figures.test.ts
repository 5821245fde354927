import { expect, it } from 'vitest';
import { roundedCents, roundedUsdc, signedUsdcText } from '../../src/details/knowledge-lines.ts';
import { ENGLISH, languageFor } from '../../src/language/language.ts';
import { Exact } from '../../src/lib/exact.ts';

it('marks what is rounded as alerts do: before the sign, with a space', () => {
  const third = new Exact(1).div(3);
  expect(signedUsdcText(third, ENGLISH)).toBe('≈ +$0.333333');
  expect(signedUsdcText(third.neg(), languageFor('zh-CN'))).toBe('≈ −$0.333333');
  expect(signedUsdcText(new Exact('1.25'), ENGLISH)).toBe('+$1.25');
  expect(signedUsdcText(new Exact(0), ENGLISH)).toBe('$0.00');
  expect(roundedUsdc(third, ENGLISH)).toBe('≈ $0.333333');
  expect(roundedCents(third, ENGLISH)).toBe('≈ 0.333333¢');
});
