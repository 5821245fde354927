import { describe, expect, it } from 'vitest';
import { createFence } from '../../src/store/store.ts';
import { testMachine } from '../support/machine.ts';

function openFence() {
  const state = { wallMs: 1_000, monotonicMs: 0, proofs: 0, takesMs: 0 };
  let refusal: Error | null = null;
  const pass = (ms: number) => {
    state.wallMs += ms;
    state.monotonicMs += ms;
  };
  const clock = testMachine({
    nowMs: () => state.wallMs,
    monotonicMs: () => state.monotonicMs,
  });
  const fence = createFence(clock, async () => {
    state.proofs += 1;
    pass(state.takesMs);
    state.takesMs = 0;
    if (refusal !== null) throw refusal;
  });
  return { state, fence, pass, refuse: (error: Error | null) => (refusal = error) };
}

describe('the fence before Discord', () => {
  it('asks once for what follows within three seconds', async () => {
    const { state, fence, pass } = openFence();
    await Promise.all([fence(), fence()]);
    pass(3_000);
    await fence();
    expect(state.proofs).toBe(1);
    pass(1);
    await fence();
    expect(state.proofs).toBe(2);
  });

  it('asks again after a pause between the question and its answer', async () => {
    const { state, fence } = openFence();
    state.takesMs = 60_000;
    await fence();
    expect(state.proofs).toBe(2);
  });

  it('asks again after the machine was suspended, and after its clock was set', async () => {
    const { state, fence } = openFence();
    await fence();
    state.wallMs += 60_000;
    await fence();
    state.wallMs -= 3_600_000;
    await fence();
    expect(state.proofs).toBe(3);
  });

  it('rejects while the store does not say that it is ours, and asks again', async () => {
    const { fence, refuse } = openFence();
    refuse(new Error('lost'));
    await expect(fence()).rejects.toThrow('lost');
    await expect(fence()).rejects.toThrow('lost');
    refuse(null);
    await fence();
  });
});
