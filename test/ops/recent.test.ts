import { describe, expect, it } from 'vitest';
import { createRecent } from '../../src/ops/recent.ts';

describe('what happened lately', () => {
  it('counts the polls of the last five minutes and forgets the others', () => {
    let nowMs = 1_800_000_000_000;
    const recent = createRecent(() => nowMs);
    for (let second = 0; second < 600; second += 1) {
      recent.polled('activity', second % 10 === 0 ? 'unreachable' : 'ok');
      nowMs += 1_000;
    }
    const { succeeded, failed } = recent.polls();
    expect(Math.abs(succeeded + failed - 300)).toBeLessThanOrEqual(10);
    expect(failed).toBeCloseTo((succeeded + failed) / 10, 0);
    nowMs += 300_000;
    expect(recent.polls()).toMatchObject({ succeeded: 0, failed: 0 });
  });

  it('shows a server the delays of its own alerts alone', () => {
    const recent = createRecent(Date.now);
    recent.arrived({
      ownerId: 'here',
      records: [
        { delaySeconds: 1, saysPosition: null },
        { delaySeconds: 2, saysPosition: true },
        { delaySeconds: 3, saysPosition: false },
      ],
      gaps: [],
    });
    recent.arrived({ ownerId: 'there', records: [{ delaySeconds: 100, saysPosition: null }], gaps: [] });
    recent.arrived({ ownerId: null, records: [{ delaySeconds: 200, saysPosition: null }], gaps: [] });
    expect(recent.delays('here')).toEqual({ count: 3, medianSeconds: 2, p95Seconds: 3, withoutPosition: 1 });
    expect(recent.delays('elsewhere')).toBeNull();
  });

  it('keeps the last hundred delays of a server, and the last thousand servers', () => {
    const recent = createRecent(Date.now);
    recent.arrived({
      ownerId: 'first',
      records: Array.from({ length: 300 }, (_, delaySeconds) => ({ delaySeconds, saysPosition: null })),
      gaps: [],
    });
    expect(recent.delays('first')).toMatchObject({ count: 100, medianSeconds: 249, p95Seconds: 294 });
    for (let guild = 0; guild < 1_000; guild += 1) {
      recent.arrived({ ownerId: String(guild), records: [{ delaySeconds: 1, saysPosition: null }], gaps: [] });
    }
    expect(recent.delays('first')).toBeNull();
  });
});
