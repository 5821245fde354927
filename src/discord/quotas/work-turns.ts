import type { Account } from '../../lib/fair-shares/account.ts';
import { createTurns, type Waiter } from '../../lib/fair-shares/turns.ts';

interface Waiting extends Waiter {
  readonly begin: () => Promise<void>;
}

/**
 * The work of commands that keeps the processor busy, one after the other, in turns: payers, within
 * a payer its servers, within a server its people. Whoever asks for much of it waits for it, and
 * nobody else does.
 */
export function createWorkTurns() {
  const turns = createTurns<Waiting>();
  let isWorking = false;

  const workOff = async () => {
    isWorking = true;
    for (let next = turns.take(); next !== null; next = turns.take()) await next.begin();
    isWorking = false;
  };

  return {
    /**
     * Does work when its turn has come. It must wait neither for the network nor for a turn of its
     * own: all others wait.
     *
     * @param account whose share it is
     * @param personId whose turn it is within that
     */
    inTurn: <Result>(
      account: Account,
      personId: string,
      work: () => Promise<Result>,
    ): Promise<Result> =>
      new Promise((resolve, reject) => {
        const begin = () => work().then(resolve, reject);
        turns.add({ account, lane: personId, begin });
        if (!isWorking) void workOff();
      }),
  };
}
