/** Our own requests of late, for a window that slides: what has left it can be sent again before the venue says so. */
export interface SendLog {
  add(sentAtMs: number, settledAtMs: number): void;
  /** Requests that were certainly in the window when the venue told what remains (`toldAtMs`), and have certainly left it since. */
  regained(nowMs: number, lengthMs: number, toldAtMs: number): number;
  /** When the next one leaves the window; infinite if none will. */
  nextLeaveMs(nowMs: number, lengthMs: number): number;
}

/** Older ones are forgotten: then less is taken for regained than is. */
const KEPT = 5_000;
/** A reset in whole seconds makes the window's length uncertain by as much. */
const MARGIN_MS = 1_000;

export function createSendLog(): SendLog {
  const sends: { readonly sentAtMs: number; readonly settledAtMs: number }[] = [];
  return {
    add(sentAtMs, settledAtMs) {
      sends.push({ sentAtMs, settledAtMs });
      if (sends.length > KEPT) sends.shift();
    },
    regained(nowMs, lengthMs, toldAtMs) {
      const hasLeft = nowMs - lengthMs - MARGIN_MS;
      const wasInside = toldAtMs - lengthMs + 2 * MARGIN_MS;
      return sends.filter(({ sentAtMs, settledAtMs }) => settledAtMs <= hasLeft && sentAtMs > wasInside).length;
    },
    nextLeaveMs(nowMs, lengthMs) {
      const next = sends.find(({ settledAtMs }) => settledAtMs + lengthMs + MARGIN_MS > nowMs);
      return next === undefined ? Number.POSITIVE_INFINITY : next.settledAtMs + lengthMs + MARGIN_MS;
    },
  };
}
