/** What the schedule itself keeps of each slot. Times in seconds, NaN where there is none. */
export interface Columns {
  readonly state: Uint8Array;
  /** Index of the endpoint's name in `ENDPOINT_NAMES`. */
  readonly name: Uint8Array;
  /** Breaks ties; drawn anew for each wait. */
  readonly tie: Float32Array;
  /** The last poll that succeeded: what is known ends here. */
  readonly seen: Float64Array;
  /** Waiting counts from here: the last poll, or when the endpoint was first there to be picked. */
  readonly since: Float64Array;
  /** How many picks there had been at its last pick. */
  readonly pickedAt: Uint32Array;
  /** When it was last picked. */
  readonly pickedSeconds: Float64Array;
  /** 1: picked only if nothing else can be. */
  readonly held: Uint8Array;
}

/** The columns with room for at least `slots`, holding what the old ones held. */
export function roomFor(slots: number, old?: Columns): Columns {
  if (old !== undefined && slots <= old.state.length) return old;
  const room = roomAbove(slots);
  const next: Columns = {
    state: new Uint8Array(room),
    name: new Uint8Array(room),
    tie: new Float32Array(room),
    seen: new Float64Array(room),
    since: new Float64Array(room),
    pickedAt: new Uint32Array(room),
    pickedSeconds: new Float64Array(room),
    held: new Uint8Array(room),
  };
  if (old !== undefined) {
    next.state.set(old.state);
    next.name.set(old.name);
    next.tie.set(old.tie);
    next.seen.set(old.seen);
    next.since.set(old.since);
    next.pickedAt.set(old.pickedAt);
    next.pickedSeconds.set(old.pickedSeconds);
    next.held.set(old.held);
  }
  return next;
}

/** A little more than is needed now: growing is rare, and little room stays unused. */
export function roomAbove(slots: number): number {
  return Math.ceil(slots * 1.08) + 16;
}

export function grownInt32(old: Int32Array<ArrayBuffer>, slots: number): Int32Array<ArrayBuffer> {
  if (slots <= old.length) return old;
  const larger = new Int32Array(roomAbove(slots));
  larger.set(old);
  return larger;
}

export function grownUint8(old: Uint8Array<ArrayBuffer>, slots: number): Uint8Array<ArrayBuffer> {
  if (slots <= old.length) return old;
  const larger = new Uint8Array(roomAbove(slots));
  larger.set(old);
  return larger;
}

/** Room for `width` figures of each of at least `slots` slots. */
export function grownUint32(old: Uint32Array<ArrayBuffer>, slots: number, width: number): Uint32Array<ArrayBuffer> {
  if (slots * width <= old.length) return old;
  const larger = new Uint32Array(roomAbove(slots) * width);
  larger.set(old);
  return larger;
}

export function grownFloat64(old: Float64Array<ArrayBuffer>, slots: number): Float64Array<ArrayBuffer> {
  if (slots <= old.length) return old;
  const larger = new Float64Array(roomAbove(slots));
  larger.set(old);
  return larger;
}

/** Room for `width` figures of each of at least `slots` slots. */
export function grownFloat32(old: Float32Array<ArrayBuffer>, slots: number, width = 1): Float32Array<ArrayBuffer> {
  if (slots * width <= old.length) return old;
  const larger = new Float32Array(roomAbove(slots) * width);
  larger.set(old);
  return larger;
}
