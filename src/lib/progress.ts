/** Shortest time between two counts that are shown, ms. */
const SHOW_EVERY_MS = 100;
/** Width of a terminal that does not say how wide it is, or says 0. */
const USUAL_COLUMNS = 80;
/** Goes to the beginning of the line, and erases it. */
const ERASE = '\r\x1b[K';

/** Stream that progress is shown on, such as standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export type Progress = ReturnType<typeof createProgress>;

/**
 * Puts progress in words: `Simulating the past: 600 of 2,400 hours`.
 *
 * @param unit of what is counted, in the plural
 * @param total null if it is not known
 * @param columns width of the terminal: the text leaves the last one free, so that no line breaks
 */
export function progressText(
  what: string,
  {
    done,
    total,
    unit,
  }: { readonly done: number; readonly total: number | null; readonly unit: string },
  columns = USUAL_COLUMNS,
): string {
  const count = (value: number) => Math.floor(value).toLocaleString('en-US');
  const counted =
    total === null ? count(done) : `${count(Math.min(done, total))} of ${count(total)}`;
  return cut(`${what}: ${counted} ${unit}`, columns);
}

function cut(text: string, columns: number): string {
  const most = Math.max(1, columns - 1);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/**
 * Shows how far long work is, in one line that is written over and erased at the end. Only on a
 * terminal: a pipe, a file or a log gets nothing.
 *
 * @param stream takes the line; other output on the same terminal needs `clear` before it
 * @param monotonicMs clock that the frequency of counts goes by, ms
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
    show(progressText(what, { done, total, unit }, columns()));
  };

  return {
    /** Says what is being done now, where it cannot be counted. */
    say(text: string): void {
      show(`${cut(text, columns() - 2)} …`);
    },
    /**
     * Counts what is done.
     *
     * @param total null if it is not known
     * @param unit in the plural
     */
    count,
    /**
     * Hands on items, and counts each.
     *
     * @param total null if it is not known
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

/** Shows nothing. */
export const NO_PROGRESS: Progress = createProgress({ write: () => {} });
