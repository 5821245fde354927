import { describe, expect, it } from 'vitest';
import { suggestZones } from '../../../commands/watch/digest.ts';

const zonesLike = (typed: string) => suggestZones(typed).map(({ value }) => value);

describe('the time zones that are offered', () => {
  it('begin with UTC, and are never more than Discord shows', () => {
    expect(zonesLike('')[0]).toBe('UTC');
    expect(zonesLike('')).toHaveLength(25);
  });

  it('are found by city, region or a part of the name, in any case', () => {
    expect(zonesLike('berlin')).toEqual(['Europe/Berlin']);
    expect(zonesLike('new york')).toEqual(['America/New_York']);
    expect(zonesLike('europe/')[0]).toMatch(/^Europe\//);
    expect(zonesLike('YORK')).toContain('America/New_York');
    expect(zonesLike('nowhere at all')).toEqual([]);
  });
});
