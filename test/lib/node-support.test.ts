import { expect, it } from 'vitest';
import { nodeUnsupportedSince } from '../../src/lib/node-support.ts';

it('says since when a Node.js has had no security fixes', () => {
  const on = (day: string, version: string) =>
    nodeUnsupportedSince(version, Date.parse(`${day}T12:00:00Z`));
  expect(on('2026-04-30', '20.19.0')).toBeNull();
  expect(on('2026-05-01', '20.20.2')).toBe('2026-04-30');
  expect(on('2026-11-28', '22.1.0')).toBeNull();
  expect(on('2027-06-01', '22.1.0')).toBe('2027-04-30');
  expect(on('2026-11-28', '26.10.0')).toBeNull();
  expect(on('2040-01-01', '31.0.0')).toBeNull();
});
