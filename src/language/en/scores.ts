import { plural } from '../plural.ts';
import type { Translated } from '../translated.ts';

const form = plural('en-US');

/**
 * Results of the first purchases of a channel's wallets. A figure is a formatted number; `n` is the
 * same number for its plural.
 */
export const scores = {
  title: 'Wallet scores',
  intro: (channel: string) =>
    `First buys in ${channel} since each wallet was added, after listed fees, at its price`,
  /** Number of wallets. */
  silent: (count: string, n: number) =>
    `${count} ${form(n, { one: 'wallet', other: 'wallets' })}: too new`,
  more: (count: string) => `… and ${count} more`,
  /** Replaces everything. */
  nothing:
    'No records yet. ' +
    'A market counts once its first buy is old enough, by the wallet’s own pace. ' +
    'After 20 markets, bought on 8 days, the wallet is ranked.',
  /** Why a channel’s scores are not shown to a person, or not here. */
  hidden: (channel: string) => `You can’t see ${channel}, so I won’t show its scores.`,
  elsewhere: (channel: string) => `Not everyone here can see ${channel}. Run the command there.`,
  /** Drawn into the picture, as short as possible; `alt` is read aloud if it cannot be seen. */
  chart: {
    title: 'Cents a share, grey: luck',
    /** Explains an arrow at the edge of the chart. */
    beyond: 'Off the chart',
    alt: 'Cents a share of the ranked wallets, and what luck alone explains',
  },
};
export type ScoreWords = Translated<typeof scores>;
