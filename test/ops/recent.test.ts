import { describe, expect, it } from 'vitest';
import { createRecent } from '../../src/ops/recent.ts';

describe('what happened lately', () => {
  it('counts the polls of the last five minutes and forgets the others', () => {
    let nowMs = 1_800_000_000_000;
    const recent = createRecent(() => nowMs);
    for (let second = 0; second < 600; second += 1) {
      recent.polled(second % 10 === 0 ? 'unreachable' : 'ok');
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
    recent.arrived('here', { delaySeconds: 1, showsPosition: null });
    recent.arrived('here', { delaySeconds: 3, showsPosition: false });
    recent.arrived('here', { delaySeconds: 2, showsPosition: true });
    recent.arrived('there', { delaySeconds: 100, showsPosition: null });
    expect(recent.delays('here')).toEqual({
      count: 3,
      medianSeconds: 2,
      p95Seconds: 3,
      latestSeconds: 2,
      withoutPosition: 1,
    });
    expect(recent.delays('elsewhere')).toBeNull();
  });

  it('keeps the last hundred delays of a server, and the last thousand servers', () => {
    const recent = createRecent(Date.now);
    for (let delaySeconds = 0; delaySeconds < 300; delaySeconds += 1) {
      recent.arrived('first', { delaySeconds, showsPosition: null });
    }
    const last = { count: 100, medianSeconds: 249, p95Seconds: 294 };
    expect(recent.delays('first')).toMatchObject(last);
    for (let guild = 0; guild < 1_000; guild += 1) {
      recent.arrived(String(guild), { delaySeconds: 1, showsPosition: null });
    }
    expect(recent.delays('first')).toBeNull();
  });
});
