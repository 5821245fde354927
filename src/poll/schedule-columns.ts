/** What the schedule itself keeps of each slot. Times in seconds, NaN where there is none. */
export interface Columns {
  readonly state: Uint8Array;
  /** Index of the endpoint's name in `ENDPOINT_NAMES`. */
  readonly name: Uint8Array;
  readonly expedited: Uint8Array;
  /** Breaks ties; drawn anew for each wait. */
  readonly tie: Float32Array;
  /** The last poll that succeeded: what is known ends here. */
  readonly seen: Float64Array;
  /** Waiting counts from here: the last poll, or when the endpoint was first there to be picked. */
  readonly since: Float64Array;
  /** Before this age its urgency is too small to be looked at. */
  readonly wakeAge: Float32Array;
  /** How many picks there had been at its last pick. */
  readonly pickedAt: Uint32Array;
}

/** The columns with room for at least `slots`, holding what the old ones held. */
export function roomFor(slots: number, old?: Columns): Columns {
  if (old !== undefined && slots <= old.state.length) return old;
  const room = Math.ceil(slots * 1.08) + 16;
  const next: Columns = {
    state: new Uint8Array(room),
    name: new Uint8Array(room),
    expedited: new Uint8Array(room),
    tie: new Float32Array(room),
    seen: new Float64Array(room),
    since: new Float64Array(room),
    wakeAge: new Float32Array(room),
    pickedAt: new Uint32Array(room),
  };
  if (old !== undefined) {
    next.state.set(old.state);
    next.name.set(old.name);
    next.expedited.set(old.expedited);
    next.tie.set(old.tie);
    next.seen.set(old.seen);
    next.since.set(old.since);
    next.wakeAge.set(old.wakeAge);
    next.pickedAt.set(old.pickedAt);
  }
  return next;
}
