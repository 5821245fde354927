import type { Top } from './schedule-top.ts';
import { createTop } from './schedule-top.ts';

/** The slots to pick, in order, and the least urgency among those of the plain lane. */
export interface Choice {
  readonly slots: number[];
  readonly leastPlain: number | null;
}

/** Candidates of one pick, by how they are dealt with. See `createSchedule` for the rules. */
export interface Lanes {
  readonly expedited: Top;
  readonly overdue: Top;
  /** Endpoints about to overflow a page, and new ones. */
  readonly special: Top;
  readonly plain: Top;
  reset(limit: number): void;
  drain(limit: number): Choice;
}

export function createLanes(): Lanes {
  const expedited = createTop();
  const overdue = createTop();
  const special = createTop();
  const plain = createTop();
  // Survives the pick, so that the turns are kept when endpoints are picked one at a time.
  let lastWasExpedited = false;
  let lastWasSpecial = false;

  return {
    expedited,
    overdue,
    special,
    plain,
    reset(limit) {
      for (const lane of [expedited, overdue, special, plain]) lane.reset(limit);
    },
    drain(limit) {
      const queues = [expedited, overdue, special, plain].map((lane) => lane.drain().values());
      const heads = queues.map((queue) => queue.next());
      const slots: number[] = [];
      let leastPlain: number | null = null;
      while (slots.length < limit) {
        const [hasExpedited, hasOverdue, hasSpecial, hasPlain] = heads.map((head) => !head.done);
        let lane = 3;
        if (hasExpedited && !(lastWasExpedited && hasOverdue)) lane = 0;
        else if (hasOverdue) lane = 1;
        else if (hasSpecial && !(lastWasSpecial && hasPlain)) lane = 2;
        const head = heads[lane];
        const queue = queues[lane];
        if (head === undefined || queue === undefined || head.done) break;
        slots.push(head.value.slot);
        if (lane === 3) leastPlain = head.value.key;
        lastWasExpedited = lane === 0;
        lastWasSpecial = lane === 2;
        heads[lane] = queue.next();
      }
      return { slots, leastPlain };
    },
  };
}
