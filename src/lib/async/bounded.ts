/**
 * Does work with a signal that aborts as soon as one of the given ones does, or after a while. `AbortSignal.any` is no
 * match: in Node 20 a signal that lives long keeps something of each that was made from it.
 *
 * @param limitMs null: without a limit
 * @param onLimit the reason that the signal has then
 */
export async function bounded<Result>(
  signals: readonly (AbortSignal | undefined)[],
  limitMs: number | null,
  onLimit: () => Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const either = new AbortController();
  const timer = limitMs === null ? undefined : setTimeout(() => either.abort(onLimit()), limitMs);
  const listening = signals.flatMap((signal) => {
    if (signal === undefined) return [];
    const onAbort = () => either.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return [{ signal, onAbort }];
  });
  try {
    return await work(either.signal);
  } finally {
    clearTimeout(timer);
    for (const { signal, onAbort } of listening) signal.removeEventListener('abort', onAbort);
  }
}
