import { setImmediate as nextTurn } from 'node:timers/promises';

/** Records processed before the event loop gets a turn. */
const RECORDS_A_TURN = 100;

/** Yields the items in groups of a hundred, each in its own turn of the event loop. */
export async function* inTurns<Item>(
  items: readonly Item[],
): AsyncGenerator<readonly Item[], void> {
  for (let at = 0; at < items.length; at += RECORDS_A_TURN) {
    await nextTurn();
    yield items.slice(at, at + RECORDS_A_TURN);
  }
  await nextTurn();
}

/**
 * Processes the items, a few at a time, because the answers of a fast store arrive together, and
 * all that arrive in one turn of the event loop block it.
 *
 * @param limit maximum number of items at a time
 */
export async function fewAtATime<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const workOnNext = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, workOnNext));
}

/**
 * Creates a queue for turns of the event loop: if many callers wait, one continues per turn, with
 * other work in between.
 */
export function createTurnLine(): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const turn = last.then(() => nextTurn());
    last = turn;
    return turn.then(() => {});
  };
}
