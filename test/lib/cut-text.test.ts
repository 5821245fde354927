import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countGraphemes, graphemesOf } from '../../src/lib/text/cut-text.ts';
import { randomRuns } from '../support/thorough.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

it('characters are those that Unicode’s own rules find', () => {
  const check = (text: string) => {
    const found = Array.from(segmenter.segment(text), ({ segment }) => segment);
    expect(graphemesOf(text)).toEqual(found);
    expect(countGraphemes(text)).toBe(found.length);
  };
  for (let unit = 0; unit < 0x2400; unit += 1) {
    const letter = String.fromCharCode(unit);
    check(`${letter}e${letter}`);
  }
  const unit = fc.constantFrom<'grapheme' | 'binary'>('grapheme', 'binary');
  fc.assert(
    fc.property(
      unit.chain((kind) => fc.string({ unit: kind })),
      check,
    ),
    randomRuns(400),
  );
});
