import type { Top } from './top.ts';
import { createTop } from './top.ts';

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
  /**
   * The lanes merged; nothing but the expedited goes before what has waited `strictAfter` picks. Special ones take turns
   * with plain ones, if told to.
   */
  drain(limit: number, strictAfter: number, takesTurns: boolean): Choice;
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
    drain(limit, strictAfter, takesTurns) {
      const queues = [expedited.drain(), overdue.drain(), special.drain(), plain.drain()];
      const taken = [0, 0, 0, 0];
      const slots: number[] = [];
      let leastPlain: number | null = null;
      while (slots.length < limit) {
        const first = queues[0]?.[taken[0] ?? 0];
        const late = queues[1]?.[taken[1] ?? 0];
        const urgent = queues[2]?.[taken[2] ?? 0];
        const rest = queues[3]?.[taken[3] ?? 0];
        let lane = 3;
        if (first !== undefined && !(lastWasExpedited && late !== undefined)) lane = 0;
        else if (late !== undefined && (lastWasSpecial || urgent === undefined || late.key >= strictAfter)) lane = 1;
        else if (urgent !== undefined && !(takesTurns && lastWasSpecial && rest !== undefined)) lane = 2;
        const head = queues[lane]?.[taken[lane] ?? 0];
        if (head === undefined) break;
        taken[lane] = (taken[lane] ?? 0) + 1;
        slots.push(head.slot);
        if (lane === 3) leastPlain = head.key;
        lastWasExpedited = lane === 0;
        lastWasSpecial = lane === 2;
      }
      return { slots, leastPlain };
    },
  };
}
