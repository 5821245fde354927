import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFailures } from '../../src/alerts-out/failures.ts';
import { createReceiverQueue, type Entry } from '../../src/alerts-out/receiver-queue.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { trade } from '../support/records.ts';
import { WALLET_A } from '../support/wallets.ts';

const OWNERS = ['100000000000000001', '100000000000000002'] as const;

const owner = fc.constantFrom(...OWNERS);
const place = fc.nat({ max: 5 });
const action = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), ownerId: owner }),
  fc.record({
    kind: fc.constant('fail' as const),
    ownerId: owner,
    place,
    waitMs: fc.integer({ min: 1, max: 50 }),
  }),
  fc.record({ kind: fc.constant('take' as const), ownerId: owner, place }),
  fc.record({ kind: fc.constant('forget' as const), ownerId: owner }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40 }) }),
);

describe('alerts that have failed', () => {
  it('are told apart from new ones, and are due in their order, whatever else goes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30, size: 'max' }), async (actions) => {
        const queue = createReceiverQueue(testMachine(), documentStore());
        const failures = createFailures(queue);
        const model = new Map<string, number>();
        let nowMs = 0;
        let added = 0;
        const nameOf = (ownerId: string, { key }: Entry) => `${ownerId} ${key}`;
        const at = (ownerId: string, index: number) => queue.entries(ownerId)[index];
        for (const step of actions) {
          if (step.kind === 'add') {
            added += 1;
            await queue.add(step.ownerId, [alertOf(`a${added}`, step.ownerId)]);
          } else if (step.kind === 'fail') {
            const entry = at(step.ownerId, step.place);
            if (entry === undefined) continue;
            const nextMs = nowMs + step.waitMs;
            failures.set(step.ownerId, entry, { attempts: 1, sinceMs: 0, nextMs });
            model.set(nameOf(step.ownerId, entry), nextMs);
          } else if (step.kind === 'take') {
            const entry = at(step.ownerId, step.place);
            if (entry === undefined) continue;
            await queue.remove(step.ownerId, entry);
            failures.delete(step.ownerId, entry);
          } else if (step.kind === 'forget') await queue.forget({ ownerId: step.ownerId });
          else nowMs += step.ms;

          let soonestMs = Number.POSITIVE_INFINITY;
          for (const ownerId of OWNERS) {
            const entries = queue.entries(ownerId);
            const nextMs = (entry: Entry) => model.get(nameOf(ownerId, entry));
            const untried = entries.find((entry) => nextMs(entry) === undefined);
            expect(failures.untried(ownerId)).toEqual(untried);
            const due = entries
              .filter((entry) => (nextMs(entry) ?? Number.POSITIVE_INFINITY) <= nowMs)
              .sort((a, b) => Number(nextMs(a)) - Number(nextMs(b)));
            expect(failures.due(ownerId, nowMs)).toEqual(due);
            for (const entry of entries)
              soonestMs = Math.min(soonestMs, nextMs(entry) ?? soonestMs);
          }
          // It may be too early, so that somebody looks once in vain; never too late.
          expect(failures.nextMs()).toBeLessThanOrEqual(soonestMs);
        }
        for (const ownerId of OWNERS) await queue.forget({ ownerId });
        expect(failures.nextMs(), 'nobody looks for what is gone').toBe(Number.POSITIVE_INFINITY);
      }),
    );
  });
});

function alertOf(id: string, ownerId: string) {
  return {
    ...{ id, ownerId, wallet: WALLET_A, seenAtMs: 1, sequence: 1 },
    ...{ isLate: false, isBetterThanLuck: false },
    event: { kind: 'activity', item: trade() } as const,
    watches: [{ channel: '200000000000000001', label: null, wanted: true }],
  };
}
