import { describe, expect, it, onTestFinished } from 'vitest';
import { createHeartbeat } from '../../src/ops/heartbeat.ts';
import { answering } from '../support/answering.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';

const SECOND = 1_000;
const PATH = '/0123456789abcdef';

async function openHeartbeat() {
  const pings: number[] = [];
  const state = { nowMs: 1_800_000_000_000, isWorking: true, isAway: false, status: 200, pings };
  const { origin } = await answering((incoming, outgoing) => {
    if (state.isAway) return void incoming.destroy();
    expect(`${incoming.method} ${incoming.url}`).toBe(`GET ${PATH}`);
    state.pings.push(state.nowMs);
    outgoing.writeHead(state.status, { location: '/elsewhere' }).end();
  });
  const { log, lines } = collectingLog();
  const outcomes: boolean[] = [];
  const heartbeat = createHeartbeat(
    testMachine({ monotonicMs: () => state.nowMs, log }),
    origin + PATH,
    () => state.isWorking,
    (isDone) => outcomes.push(isDone),
  );
  onTestFinished(() => heartbeat.stop());
  const pass = async (durationMs: number) => {
    for (const endMs = state.nowMs + durationMs; state.nowMs < endMs; state.nowMs += 5 * SECOND)
      await heartbeat.beat();
  };
  return { state, heartbeat, lines, outcomes, pass };
}

describe('the heartbeat', () => {
  it('pings once a minute while the bot works, never while it does not, and at once when it does again', async () => {
    const { state, pass } = await openHeartbeat();
    const startMs = state.nowMs;
    await pass(150 * SECOND);
    expect(state.pings).toEqual([0, 60, 120].map((seconds) => startMs + seconds * SECOND));
    state.isWorking = false;
    await pass(600 * SECOND);
    expect(state.pings).toHaveLength(3);
    state.isWorking = true;
    await pass(5 * SECOND);
    expect(state.pings).toHaveLength(4);
  });

  it('logs a failure once, whether it is refused, sent elsewhere or not answered, and the recovery', async () => {
    const { state, lines, outcomes, pass } = await openHeartbeat();
    state.status = 500;
    await pass(120 * SECOND);
    state.status = 302;
    await pass(60 * SECOND);
    expect(outcomes).toEqual([false, false, false]);
    expect(lines.map(({ event }) => event)).toEqual(['heartbeat.failed']);
    state.status = 200;
    await pass(120 * SECOND);
    const events = ['heartbeat.failed', 'heartbeat.reached_again'];
    expect(lines.map(({ event }) => event)).toEqual(events);
  });

  it('never writes its address', async () => {
    const { state, lines, pass } = await openHeartbeat();
    state.isAway = true;
    await pass(60 * SECOND);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain(PATH);
  });

  it('pings once although it is asked several times at once, and not after its end', async () => {
    const { state, heartbeat, pass } = await openHeartbeat();
    await Promise.all([heartbeat.beat(), heartbeat.beat(), heartbeat.beat()]);
    expect(state.pings).toHaveLength(1);
    await heartbeat.stop();
    await pass(120 * SECOND);
    expect(state.pings).toHaveLength(1);
  });
});
