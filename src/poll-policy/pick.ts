import { urgencyOf } from './forecast.ts';
import { createShare, type Slot } from './slot.ts';
import { type Endpoint, PAGE_ITEMS } from './types.ts';

/**
 * Time in which an endpoint does not come before throttled ones again, as a share of a fair round,
 * so that one wallet cannot take half the polls.
 */
const BEFORE_THROTTLED_ROUNDS = 0.05;
/**
 * Maximum of that time, in picks, because many throttled endpoints make a round long and their
 * owner would delay the others.
 */
const BEFORE_THROTTLED_PICKS = 40;
/** Sort key offset: in the special lane, endpoints about to overflow come before new ones. */
const BEFORE_NEW = 1e9;
/** Expected unseen share of a page above which an endpoint is picked early, before it overflows. */
const OVERFLOW_SHARE = 0.5;

/** Lanes of endpoints that may be picked, each sorted by urgency. */
type Lane = 'expedited' | 'overdue' | 'special' | 'plain';

/** Counts the picks of throttled endpoints, of all others, and of both together. */
export function createShares() {
  const all = { rounds: 0, size: 0 };
  const free = createShare();
  const held = createShare();

  function resize({ share }: Slot, by: 1 | -1): void {
    share.size += by;
    all.size += by;
  }

  /** Counts a slot among those that can be picked, or removes it from them. */
  function count(slot: Slot, by: 1 | -1): void {
    if (slot.kind.isOn) resize(slot, by);
  }

  /** Moves a slot to the other share, preserving the rounds that it has waited. */
  function move(slot: Slot, share: Slot['share']): void {
    count(slot, -1);
    slot.pickedRounds += share.rounds - slot.share.rounds;
    slot.sinceRounds += share.rounds - slot.share.rounds;
    slot.share = share;
    count(slot, 1);
  }

  return {
    all,
    free,
    held,
    resize,
    count,
    move,
    /** Counts a pick of the slot. */
    pass(slot: Slot): void {
      // Delayed by a round, because an owner at the limit of its share is throttled and released
      // all the time.
      if (!slot.isThrottled && slot.share === held && all.rounds - slot.releasedRounds > 1) {
        move(slot, free);
      }
      for (const share of [all, slot.share]) share.rounds += 1 / Math.max(1, share.size);
      slot.share.cap.pass(1 / Math.max(1, slot.share.size));
    },
  };
}

/**
 * Returns a function that picks the endpoints to poll next.
 *
 * @param options as for `createSchedule`
 */
export function createPicker(
  slots: ReadonlyMap<string, Slot>,
  shares: ReturnType<typeof createShares>,
  { pollMinSeconds, isInTurn }: { readonly pollMinSeconds: number; readonly isInTurn: boolean },
) {
  const { all, held } = shares;
  let lastLane: Lane = 'plain';

  function isReady(slot: Slot, nowSeconds: number): boolean {
    const { kind, isInFlight, pickedSeconds, failedSeconds, retryWaitSeconds } = slot;
    if (isInFlight || !kind.isOn) return false;
    const isRetryEarly = isWithin(nowSeconds - failedSeconds, retryWaitSeconds);
    return !isRetryEarly && !isWithin(nowSeconds - pickedSeconds, pollMinSeconds);
  }

  function offer(slot: Slot, nowSeconds: number, lanes: ReturnType<typeof createLanes>): void {
    const { forecast, share, kind, pickedRounds } = slot;
    const waited = share.rounds - pickedRounds;
    const ageSeconds = nowSeconds - slot.sinceSeconds;
    const unseen = kind.population.count(forecast, Math.max(0, ageSeconds));
    if (slot.isExpedited) lanes.offer('expedited', slot, waited);
    else if (isInTurn || waited >= share.cap.rounds) lanes.offer('overdue', slot, waited);
    else if (Number.isNaN(ageSeconds)) lanes.offer('special', slot, waited);
    else if (unseen >= OVERFLOW_SHARE * PAGE_ITEMS) {
      lanes.offer('special', slot, BEFORE_NEW + unseen);
    } else {
      lanes.offer('plain', slot, urgencyOf(unseen, Math.max(0, ageSeconds)));
    }
  }

  function take(slot: Slot, nowSeconds: number): Endpoint {
    shares.pass(slot);
    slot.isInFlight = true;
    slot.isExpedited = false;
    slot.pickedSeconds = nowSeconds;
    slot.pickedRounds = slot.share.rounds;
    slot.pickedRoundsOfAll = all.rounds;
    return slot.endpoint;
  }

  function pickFrom(
    isCandidate: (slot: Slot) => boolean,
    nowSeconds: number,
    limit: number,
  ): Endpoint[] {
    const lanes = createLanes(limit);
    for (const slot of slots.values()) {
      if (isReady(slot, nowSeconds) && isCandidate(slot)) offer(slot, nowSeconds, lanes);
    }
    const picked: Endpoint[] = [];
    while (picked.length < limit) {
      const next = lanes.take(lastLane, all.rounds < 1);
      if (next === undefined) break;
      lastLane = next.lane;
      picked.push(take(next.slot, nowSeconds));
    }
    return picked;
  }

  return (nowSeconds: number, most: number): Endpoint[] => {
    const limit = Math.min(Math.max(0, Math.floor(most)), slots.size);
    const leastRounds = Math.min(BEFORE_THROTTLED_ROUNDS, BEFORE_THROTTLED_PICKS / all.size);
    const goesBeforeThrottled = ({ isThrottled, pickedRoundsOfAll }: Slot) =>
      !isThrottled && all.rounds - pickedRoundsOfAll >= leastRounds;
    const picked = held.size > 0 ? pickFrom(goesBeforeThrottled, nowSeconds, limit) : [];
    if (picked.length < limit) {
      picked.push(...pickFrom(() => true, nowSeconds, limit - picked.length));
    }
    return picked;
  };
}

/**
 * Whether a wait is not over. A negative time means that the clock was set back, which must not
 * silence an endpoint.
 */
function isWithin(passedSeconds: number, waitSeconds: number): boolean {
  return passedSeconds >= 0 && passedSeconds < waitSeconds;
}

/**
 * Keeps the first `limit` candidates of each lane. With equal keys, the one offered first comes
 * first.
 */
function createLanes(limit: number) {
  type Candidates = { readonly slot: Slot; readonly key: number }[];
  const lanes: Readonly<Record<Lane, Candidates>> = {
    expedited: [],
    overdue: [],
    special: [],
    plain: [],
  };
  const next = (last: Lane, isFirstRound: boolean): Lane => {
    const { expedited, overdue, special, plain } = lanes;
    if (expedited.length > 0 && !(last === 'expedited' && overdue.length > 0)) return 'expedited';
    if (overdue.length > 0) return 'overdue';
    const isSpecialsTurn = isFirstRound || last !== 'special' || plain.length === 0;
    if (special.length > 0 && isSpecialsTurn) return 'special';
    return 'plain';
  };
  return {
    offer(lane: Lane, slot: Slot, key: number): void {
      const best = lanes[lane];
      if (best.length >= limit && key <= (best.at(-1)?.key ?? key)) return;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.key ?? key) < key) at -= 1;
      best.splice(at, 0, { slot, key });
      if (best.length > limit) best.pop();
    },
    /**
     * Takes the next candidate: expedited, overdue, special, plain; special never twice in a row
     * while others wait.
     */
    take(last: Lane, isFirstRound: boolean) {
      const lane = next(last, isFirstRound);
      const candidate = lanes[lane].shift();
      return candidate && { ...candidate, lane };
    },
  };
}
