import type { Account } from './account.ts';

interface Use {
  used: number;
  waiting: number;
  /** The latest window in which it used or waited for something. */
  window: number;
}
interface PayerUse extends Use {
  readonly owners: Map<string, Use>;
}

export type WindowShares = ReturnType<typeof createWindowShares>;

/**
 * Reserves part of a window's remaining uses for newcomers, for example of a rate limit: n greedy
 * payers get 1/(n + 1) each and leave as much; the same holds for greedy owners within a payer's
 * part. A payer (or an owner within a payer) that has been alone in this and the last window may
 * use everything.
 */
export function createWindowShares() {
  let window = 0;
  const payers = new Map<string, PayerUse>();

  const of = ({ payer, owner }: Account) => {
    const payerUse = payers.get(payer) ?? {
      used: 0,
      waiting: 0,
      window,
      owners: new Map<string, Use>(),
    };
    const ownerUse = payerUse.owners.get(owner) ?? { used: 0, waiting: 0, window };
    payers.set(payer, payerUse);
    payerUse.owners.set(owner, ownerUse);
    return { payerUse, ownerUse };
  };

  const change = (
    account: Account,
    by: { readonly used?: number; readonly waiting?: number },
  ): void => {
    const { payerUse, ownerUse } = of(account);
    for (const use of [payerUse, ownerUse]) {
      use.used += by.used ?? 0;
      use.waiting += by.waiting ?? 0;
      use.window = window;
    }
  };

  /** Removes entries that were inactive for a whole window. */
  const restartAll = (uses: Map<string, Use>): void => {
    for (const [id, use] of uses) {
      use.used = 0;
      if (use.waiting > 0) use.window = window;
      if (use.window < window - 1) uses.delete(id);
    }
  };

  return {
    /**
     * Counts an account that begins or stops waiting. An account that only waits counts too, so
     * that no other account is treated as the only one.
     */
    waits: (account: Account, by: 1 | -1): void => change(account, { waiting: by }),
    /** Counts one use, or removes one that was made in an older window. */
    count: (account: Account, by: 1 | -1): void => change(account, { used: by }),
    /** Begins a window. */
    restart(): void {
      window += 1;
      restartAll(payers);
      for (const { owners } of payers.values()) restartAll(owners);
    },
    /**
     * Whether an account may have one more use, of what is left for all and of what is left for its
     * payer.
     *
     * @param left uses left in this window
     * @param restOfWindow remaining part of the window's time, 1 to 0
     */
    mayHaveMore(account: Account, left: number, restOfWindow: number): boolean {
      const { payerUse, ownerUse } = of(account);
      const isPayerAlone = payers.size === 1;
      if (!isPayerAlone && !mayTakeMore(payerUse.used / account.weight, left, restOfWindow)) {
        return false;
      }
      const isOwnerAlone = payerUse.owners.size === 1;
      const leftForPayer = isPayerAlone ? left : left - payerUse.used * restOfWindow;
      return isOwnerAlone || mayTakeMore(ownerUse.used, leftForPayer, restOfWindow);
    },
  };
}

/**
 * Whether an account with `used` uses in this window may have another one although there are
 * others. It may use as many as are left for all (dynamic thresholds: Choudhury & Hahne 1998), so
 * that a newcomer finds some. The reserve shrinks with the remaining time.
 */
function mayTakeMore(used: number, left: number, restOfWindow: number): boolean {
  return used === 0 || used * restOfWindow < left - 1;
}
