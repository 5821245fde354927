import type { Account } from './account.ts';

interface Use {
  used: number;
  waiting: number;
  /** The newest window in which it used or waited for something. */
  window: number;
}
interface PayerUse extends Use {
  readonly owners: Map<string, Use>;
}

export type WindowShares = ReturnType<typeof createWindowShares>;

/**
 * Keeps something for newcomers of what is left of a window, such as that of a rate limit: n greedy
 * payers get 1/(n + 1) of it each, and leave as much; so do greedy owners of a payer's part. A
 * payer, or an owner of a payer, that has been alone in this window and the last one may have all.
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

  /** Forgets what has been away for a whole window. */
  const restartAll = (uses: Map<string, Use>): void => {
    for (const [id, use] of uses) {
      use.used = 0;
      if (use.waiting > 0) use.window = window;
      if (use.window < window - 1) uses.delete(id);
    }
  };

  return {
    /**
     * Counts one that begins to wait, or waits no longer. Whoever waits counts: nobody is alone
     * beside a newcomer.
     */
    waits: (account: Account, by: 1 | -1): void => change(account, { waiting: by }),
    /** Counts one that was used, or was counted in an older window. */
    count: (account: Account, by: 1 | -1): void => change(account, { used: by }),
    /** Begins a window. */
    restart(): void {
      window += 1;
      restartAll(payers);
      for (const { owners } of payers.values()) restartAll(owners);
    },
    /**
     * Tells whether an account may use one more: of what is left to all, and of what is left to its
     * payer.
     *
     * @param left uses that are left in this window
     * @param restOfWindow what is left of the window's time, 1 to 0
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
 * Tells whether somebody with `used` uses in this window may have another although there are
 * others: it may have had as many as are left to all (dynamic thresholds: Choudhury & Hahne 1998),
 * so that a newcomer finds some. What is kept shrinks with the rest of the window.
 */
function mayTakeMore(used: number, left: number, restOfWindow: number): boolean {
  return used === 0 || used * restOfWindow < left - 1;
}
