/**
 * Infers how long the rate-limit windows are, which the venue does not tell, from their ends. Only a hint: it spreads requests over a
 * window that has not begun yet, and never decides whether one may be sent.
 */
export interface WindowLength {
  /** A window was seen, `aheadMs` before its end. */
  seen(aheadMs: number): void;
  /** A window ended and the next one ends `apartMs` later: a multiple of the length, or the length and a pause. */
  followed(apartMs: number): void;
  /** The end of the window moved although it had not come: it slides with each request. */
  slid(): void;
  readonly sliding: boolean;
  /** Null as long as no two windows were seen. */
  readonly lengthMs: number | null;
  /** The most that was left of one of the last windows when it was seen: they are at least as long. Null as long as none was seen. */
  readonly atLeastMs: number | null;
}

const KEPT = 6;
/** After as many moves in a row, without an ordinary end between them, the window is taken for a sliding one. */
const SLIDES_TO_BELIEVE = 3;
/** Up to here it is better to guess short and be corrected by the next response than to leave most of a window unused. */
const SHORT_MS = 120_000;

export function createWindowLength(): WindowLength {
  const aheads: number[] = [];
  const aparts: number[] = [];
  let slides = 0;

  const keep = (list: number[], value: number) => {
    list.push(value);
    if (list.length > KEPT) list.shift();
  };

  return {
    seen(aheadMs) {
      keep(aheads, aheadMs);
    },
    followed(apartMs) {
      slides = 0;
      keep(aparts, apartMs);
    },
    slid() {
      slides += 1;
    },
    get sliding() {
      return slides >= SLIDES_TO_BELIEVE;
    },
    get lengthMs() {
      const atLeast = Math.max(...aheads, 1_000);
      if (slides >= SLIDES_TO_BELIEVE) return atLeast;
      if (aparts.length === 0) return null;
      const atMost = Math.max(Math.min(...aparts), atLeast);
      return atMost <= SHORT_MS ? atLeast : atMost;
    },
    get atLeastMs() {
      return aheads.length === 0 ? null : Math.max(...aheads);
    },
  };
}
