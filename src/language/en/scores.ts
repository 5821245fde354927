import { plural } from '../plural.ts';

const form = plural('en-US');

/**
 * Results of the alerts of wallets: `/watch scores`, and a field of digests. A figure comes written
 * out, and as `n` for its plural.
 */
export const scores = {
  title: 'Wallet scores',
  intro: (channel: string) => `First buys of the wallets in ${channel}, since each was added`,
  /** Explains how the figures are made and ordered; follows `intro`. */
  method: 'After listed fees, at the wallet’s price. Ranked by cents minus one standard error.',
  /** Above the wallets of which too little is known. */
  unranked: 'Too early to rank',
  /** Wallets. */
  silent: (count: string, n: number) =>
    `No buy old enough yet: ${count} ${form(n, { one: 'wallet', other: 'wallets' })}`,
  more: (count: string) => `… and ${count} more`,
  /** Instead of all of it. */
  nothing:
    'No records yet. ' +
    'A market counts once its first buy is old enough, by the wallet’s own pace. ' +
    'After 20 markets, bought on 8 days, the wallet is ranked.',
  /** Why a channel’s scores are not shown to somebody, or not here. */
  hidden: (channel: string) => `You can’t see ${channel}, so I won’t show its scores.`,
  elsewhere: (channel: string) => `Not everyone here can see ${channel}. Run the command there.`,
  /** Drawn into the picture, as short as can be; `alt` is read out where it cannot be seen. */
  chart: {
    title: 'Cents a share of first buys ± one standard error',
    /** Explains an arrow at the edge of the chart. */
    beyond: 'Off the chart',
    alt: 'Cents a share of the ranked wallets, with error bars',
  },
  /**
   * The name of a digest’s field: with up to three ranked wallets all of them, beyond that the
   * best.
   */
  digest: { all: 'Scores', best: (count: string) => `Best records of ${count}` },
};
export type ScoreWords = typeof scores;
