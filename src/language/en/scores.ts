import { plural } from '../plural.ts';

const form = plural('en-US');

/** What the alerts of wallets came to: `/watch scores`, and a field of digests. A figure comes written out, and as `n` for its plural. */
export const scores = {
  title: 'Wallet scores',
  intro: (channel: string) => `What the alerts in ${channel} came to`,
  /** How the figures are made and ordered. */
  method:
    'Return per dollar at the alerts’ prices, after fees, ± one standard error. Ranked by the return less that error; markets open for more than 30 days count as lost.',
  /** Above the wallets of which too little is known. */
  unranked: 'Not ranked: fewer than 20 closed markets',
  /** `n`: of the closed markets. */
  won: (won: string, markets: string, n: number) =>
    `${won} of ${markets} closed ${form(n, { one: 'market', other: 'markets' })} won`,
  /** @param figure a return with its error, as that of the line is, but of closed markets alone */
  closedAlone: (figure: string) => `closed ones alone ${figure}`,
  /** Markets. */
  open: (count: string, _n: number) => `${count} open`,
  openOldest: (count: string, _n: number, oldest: string) => `${count} open, oldest since ${oldest}`,
  /** Open markets among those that the return counts as lost. */
  overdue: (count: string, _n: number) => `${count} over 30 days old, counted as lost`,
  /** Markets of which the end may have been missed. */
  givenUp: (count: string, _n: number) => `${count} given up`,
  noneClosed: 'none closed yet',
  /** Wallets. */
  noAlerts: (count: string, n: number) =>
    `No purchase alerted yet: ${count} ${form(n, { one: 'wallet', other: 'wallets' })}`,
  more: (count: string) => `… and ${count} more`,
  /** Instead of all of it. */
  nothing:
    'No scores yet: no purchase of these wallets has been alerted here. Once one has, its wallet stands here; a market counts when the wallet has sold or redeemed all that was alerted, and from 20 such markets on the wallet is ranked.',
  /** Why a channel’s scores are not shown to somebody, or not here. */
  hidden: (channel: string) => `You can’t see ${channel}, so I won’t show its scores.`,
  elsewhere: (channel: string) => `Not everybody who reads this channel can see ${channel}. Ask for its scores there.`,
  /** Drawn into the picture, as short as can be; `alt` is read out where it cannot be seen. */
  chart: {
    title: 'Return per dollar ± one standard error',
    ranked: 'Over 30 days open: lost',
    closed: 'Closed alone',
    /** What an arrow at the edge of the chart means. */
    beyond: 'Beyond the axis',
    alt: 'Return per dollar of the ranked wallets, with error bars',
  },
  /** The name of a digest’s field: with up to six ranked wallets all of them, beyond that the ends of the ranking. */
  digest: { all: 'Scores', ends: (count: string) => `Scores: best and worst of ${count}` },
};
export type ScoreWords = typeof scores;
