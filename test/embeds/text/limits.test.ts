import type { APIEmbed } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMBED_LIMITS, embedSize } from '../../../src/embeds/text/limits.ts';
import { assertEmbedLimits } from '../../support/embed-limits.ts';

const runs = { numRuns: 2000 };
const text = (max: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('a', '🚀', ' x', 'é'), fc.integer({ min: 1, max }))
    .map(([group, times]) => group.repeat(times).slice(0, max));
const embed: fc.Arbitrary<APIEmbed> = fc.record(
  {
    title: text(256),
    description: text(2500),
    url: fc.constantFrom('https://a.example/1', 'https://a.example/2'),
    footer: fc.record({ text: text(400) }),
    author: fc.record({ name: text(256) }),
    fields: fc.array(fc.record({ name: text(50), value: text(100) }), { maxLength: 6 }),
  },
  { requiredKeys: ['description'] },
);

/** Every text of an embed that counts, by a walk that knows nothing of embeds but where texts are. */
function sizeByWalk(value: unknown, key = ''): number {
  if (typeof value === 'string') return key === 'url' ? 0 : Array.from(value.trim()).length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, part]) => sum + sizeByWalk(part, name), 0);
}

describe('embedSize', () => {
  it('counts trimmed code points of every text, as Discord does', () => {
    expect(embedSize({ title: ' 🚀🚀 ', description: 'abc', url: 'https://x.example', footer: { text: 'f' } })).toBe(6);
    fc.assert(
      fc.property(embed, (one) => {
        expect(embedSize(one)).toBe(sizeByWalk(one));
      }),
      runs,
    );
  });
});

describe('assertEmbedLimits', () => {
  it.each<[string, APIEmbed]>([
    ['title', { title: '🚀'.repeat(EMBED_LIMITS.title) }],
    ['description', { description: '🚀'.repeat(EMBED_LIMITS.description) }],
    ['footer', { footer: { text: 'f'.repeat(EMBED_LIMITS.footer) } }],
    ['author', { author: { name: 'f'.repeat(EMBED_LIMITS.author) } }],
    ['field 1 name', { fields: [{ name: 'n'.repeat(EMBED_LIMITS.fieldName), value: 'v' }] }],
    ['field 1 value', { fields: [{ name: 'n', value: 'v'.repeat(EMBED_LIMITS.fieldValue) }] }],
  ])('takes a %s of exactly its limit and names it when it is one over', (name, atLimit) => {
    expect(() => assertEmbedLimits(atLimit)).not.toThrow();
    const over = JSON.parse(JSON.stringify(atLimit), (_key, value) =>
      typeof value === 'string' && value.length > 1 ? `${value}x` : value,
    );
    expect(() => assertEmbedLimits(over)).toThrow(`The embed's ${name} has`);
  });

  it.each<[string, APIEmbed]>([
    ['field 1 name is empty', { fields: [{ name: ' ', value: 'v' }] }],
    ['field 1 value is empty', { fields: [{ name: 'n', value: '\n' }] }],
    ['26 fields', { fields: Array.from({ length: 26 }, () => ({ name: 'n', value: 'v' })) }],
    ['6144 characters in all', { description: 'd'.repeat(4096), footer: { text: 'f'.repeat(2048) } }],
  ])('refuses %s', (fault, one) => expect(() => assertEmbedLimits(one)).toThrow(fault));
});
