import type { Account } from '../../lib/fair-shares/account.ts';
import { createTurns, type Waiter } from '../../lib/fair-shares/turns.ts';

interface Waiting extends Waiter {
  readonly begin: () => Promise<void>;
}

/**
 * Creates turns for the CPU-bound work of commands, one at a time: payers take turns, then the
 * servers of a payer, then the people of a server. Only those who ask for much of it wait for it.
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
     * Runs work when its turn comes. The work must wait neither for the network nor for another
     * turn, because all others wait for it.
     *
     * @param account account whose share it uses
     * @param personId person whose turn it is within the account
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
