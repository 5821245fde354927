import { describe, expect, it } from 'vitest';
import { activity } from '../../commands/activity.ts';
import { flows } from '../../commands/flows.ts';
import { watch } from '../../commands/watch.ts';

/** Names, descriptions and values, as Discord counts them (interactions/application-commands.mdx). */
function characters(part: unknown): number {
  if (Array.isArray(part)) return part.reduce<number>((sum, each) => sum + characters(each), 0);
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce((sum, [key, value]) => {
    const counts = ['name', 'description', 'value'].includes(key) && typeof value === 'string';
    return sum + (counts ? [...value].length : characters(value));
  }, 0);
}

describe('each command', () => {
  it.each([watch, activity, flows].map((command) => [command.definition.name, command] as const))(
    '/%s stays within Discord’s limits, with room to grow',
    (_name, { definition }) => {
      const json = definition.toJSON();
      expect(characters(json)).toBeLessThan(6_000);
      for (const option of json.options ?? []) {
        const inner = 'options' in option ? (option.options ?? []) : [];
        expect(inner.length).toBeLessThanOrEqual(25);
        for (const { description } of [option, ...inner]) expect([...description].length).toBeLessThanOrEqual(100);
      }
    },
  );
});
