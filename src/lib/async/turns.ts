import { setImmediate as nextTurn } from 'node:timers/promises';

/** Records that are handled before other work gets a turn of the event loop. */
const RECORDS_A_TURN = 100;

/** The items, a hundred at a time, each hundred in a turn of the event loop of its own. */
export async function* inTurns<Item>(
  items: readonly Item[],
): AsyncGenerator<readonly Item[], void> {
  for (let at = 0; at < items.length; at += RECORDS_A_TURN) {
    await nextTurn();
    yield items.slice(at, at + RECORDS_A_TURN);
  }
  await nextTurn();
}
