import fc from 'fast-check';

const NASTY = [
  ...'** * __ _ ~~ || ` ``` \\ \\\\ [ ] ]( ](https://evil.example) [a](https://evil.example) ( ) < > 12.'.split(
    ' ',
  ),
  ...['> ', '>>> ', '# ', '## ', '- ', '-# ', '+ ', '1. ', '\n', '\r\n', '\t', '\u001b[31m'],
  ...'@everyone @here <@123456789012345678> <@&123456789012345678> <#123456789012345678> <id:browse>'.split(
    ' ',
  ),
  ...'<:pog:123456789012345678> <a:pog:123456789012345678> <t:0:R> :skull: : :: / //'.split(' '),
  '</watch add:123456789012345678>',
  ...'https://evil.example/a http://a.b HTTPS://EVIL.EXAMPLE <https://evil.example>'.split(' '),
  ...'discord.gg/abc discord.com/invite/abc steam://run/1'.split(' '),
  // What has no width, no place or no meaning.
  ...'\u2028\u0085\u0000\u202e\u2066\u2069\u200b\u200d\u200e\u2060\ufeff\u00ad\u3164\u2800\u034f\ufe0f\u{e0041}',
  ...[
    '\ud800',
    '\udc00',
    '\u{10ffff}',
    '\ue000',
    '\u0301',
    '\u0489'.repeat(9),
    'Z\u0334\u0327\u0322\u035b',
  ],
  ...[
    '👩‍👩‍👧',
    '👍🏽',
    '🇩🇪',
    '1️⃣',
    '\u{1f469}\u200d'.repeat(40),
    'שלום',
    'مرحبا',
    'ก็',
    'क्षि',
    '한글',
    '…',
    '−',
  ],
  ...'$1 $& {marketId} %2e .. . Will rain 63.5 x U.S. 5'.split(' '),
  ...[' it ', ' ', '  '],
];

/**
 * Any but half a surrogate pair. `fc.string` would index all million of them first, in each
 * process.
 */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));

/**
 * Text as somebody who wants to break the channel would write it: pieces of markup, invisible
 * characters, any Unicode.
 */
export function hostileText(maxPieces = 30): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { arbitrary: fc.constantFrom(...NASTY), weight: 6 },
    {
      arbitrary: fc.array(codePoint, { maxLength: 6 }).map((points) => points.join('')),
      weight: 2,
    },
    // "NaN" is among what it likes to draw, and is looked for as a fault of ours.
    { arbitrary: fc.string({ maxLength: 6 }).filter((text) => !text.includes('NaN')), weight: 1 },
  );
  const short = fc.array(piece, { maxLength: maxPieces }).map((pieces) => pieces.join(''));
  const long = fc
    .tuple(piece, fc.integer({ min: 1, max: 300 }))
    .map(([text, times]) => text.repeat(times));
  return fc.oneof({ arbitrary: short, weight: 9 }, { arbitrary: long, weight: 1 });
}
