import {
  embedSize as countedByDiscord,
  embedSchema,
} from '@walletbell/local-discord/discord/forms/embed';
import type { APIEmbed } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embedSize } from '../../../src/embeds/text/limits.ts';
import { randomRuns } from '../../support/thorough.ts';

const runs = randomRuns(4_000);
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

describe('embedSize', () => {
  it('counts trimmed code points of every text, as Discord does', () => {
    expect(
      embedSize({
        title: ' 🚀🚀 ',
        description: 'abc',
        url: 'https://x.example',
        footer: { text: 'f' },
      }),
    ).toBe(6);
    fc.assert(
      fc.property(embed, (one) => {
        expect(embedSize(one)).toBe(countedByDiscord(embedSchema.parse(one)));
      }),
      runs,
    );
  });
});
