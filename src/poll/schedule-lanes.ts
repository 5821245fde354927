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
  /** The lanes merged; nothing but the expedited goes before what has waited `strictAfter` picks. */
  drain(limit: number, strictAfter: number): Choice;
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
    drain(limit, strictAfter) {
      const queues = [expedited.drain(), overdue.drain(), special.drain(), plain.drain()];
      const taken = [0, 0, 0, 0];
      const has = (lane: number): boolean => (taken[lane] ?? 0) < (queues[lane]?.length ?? 0);
      const waited = (): number => queues[1]?.[taken[1] ?? 0]?.key ?? 0;
      const slots: number[] = [];
      let leastPlain: number | null = null;
      while (slots.length < limit) {
        let lane = 3;
        if (has(0) && !(lastWasExpedited && has(1))) lane = 0;
        else if (has(1) && (lastWasSpecial || !has(2) || waited() >= strictAfter)) lane = 1;
        else if (has(2) && !(lastWasSpecial && has(3))) lane = 2;
        const at = taken[lane] ?? 0;
        const head = queues[lane]?.[at];
        if (head === undefined) break;
        taken[lane] = at + 1;
        slots.push(head.slot);
        if (lane === 3) leastPlain = head.key;
        lastWasExpedited = lane === 0;
        lastWasSpecial = lane === 2;
      }
      return { slots, leastPlain };
    },
  };
}
