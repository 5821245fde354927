/** Minimum interval between two displayed counts, in ms. */
const SHOW_EVERY_MS = 100;
/** Width assumed for a terminal that reports none or 0, in columns. */
const USUAL_COLUMNS = 80;
/** Moves to the start of the line and erases it. */
const ERASE = '\r\x1b[K';

/** Stream on which progress is shown, such as standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export type Progress = ReturnType<typeof createProgress>;

const written = (count: number) => Math.floor(count).toLocaleString('en-US');

/** Cuts a text so that it leaves the last column free, and the line does not wrap. */
function cut(text: string, columns: number): string {
  const most = Math.max(1, columns - 1);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/**
 * Shows the progress of long work in one line, which is overwritten and finally erased. Only on a
 * terminal: a pipe, a file or a log gets nothing.
 *
 * @param stream receives the line; call `clear` before other output on the same terminal
 * @param monotonicMs clock that limits how often counts are shown, in ms
 */
export function createProgress(
  stream: ProgressStream,
  monotonicMs: () => number = () => performance.now(),
) {
  const isShown = stream.isTTY === true;
  let isOnScreen = false;
  let shownAtMs = Number.NEGATIVE_INFINITY;

  const columns = () => stream.columns || USUAL_COLUMNS;

  const show = (text: string): void => {
    if (!isShown) return;
    stream.write(ERASE + text);
    isOnScreen = true;
    shownAtMs = monotonicMs();
  };

  const count = (what: string, done: number, total: number | null, unit: string): void => {
    if (!isShown || (isOnScreen && monotonicMs() - shownAtMs < SHOW_EVERY_MS)) return;
    const counted =
      total === null ? written(done) : `${written(Math.min(done, total))} of ${written(total)}`;
    show(cut(`${what}: ${counted} ${unit}`, columns()));
  };

  return {
    /** Shows the current activity if it cannot be counted. */
    say(text: string): void {
      show(`${cut(text, columns() - 2)} …`);
    },
    /**
     * Shows the count of completed things: `Simulating the past: 600 of 2,400 hours`.
     *
     * @param total null if unknown
     * @param unit in the plural
     */
    count,
    /**
     * Yields the items and counts each.
     *
     * @param total null if unknown
     */
    async *counted<Item>(
      items: AsyncIterable<Item>,
      what: string,
      total: number | null = null,
    ): AsyncGenerator<Item> {
      let done = 0;
      for await (const item of items) {
        done += 1;
        count(what, done, total, 'documents');
        yield item;
      }
    },
    /** Erases the line, before other output and at the end. */
    clear(): void {
      if (!isOnScreen) return;
      stream.write(ERASE);
      isOnScreen = false;
      shownAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Progress that shows nothing. */
export const NO_PROGRESS: Progress = createProgress({ write: () => {} });
