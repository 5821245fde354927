import fc from 'fast-check';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { createLinks, type LinkTemplateName, linkFault } from '../../src/embeds/links.ts';
import { Exact, toDecimalText } from '../../src/lib/exact.ts';
import type { ConsensusNews } from '../../src/portfolio/consensus.ts';
import type { ResultNews } from '../../src/portfolio/results/alerted-positions.ts';
import type { TradeContext, TradeSize } from '../../src/portfolio/trade-context.ts';
import { hostileText } from './hostile-text.ts';

const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const NOW_SECONDS = 1_790_000_000;

export const hostileLinks = createLinks({
  MARKET_URL: linkTemplate('MARKET_URL', 'https://venue.example/{eventSlug}/{marketSlug}'),
  TX_URL: linkTemplate('TX_URL', 'https://scan.example/tx/{txHash}'),
  WALLET_URL: linkTemplate('WALLET_URL', 'https://venue.example/u/{address}'),
  LINK_URL: {
    name: '🛒',
    template: linkTemplate('LINK_URL', 'https://x.example/{marketSlug}/{wallet}'),
  },
});

export function linkTemplate(name: LinkTemplateName, text: string): string {
  const fault = linkFault(name, text);
  if (fault !== null) throw new Error(fault);
  return text;
}

const figure = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e7, max: 1e7, noNaN: true }),
  fc.constantFrom(0, -0, 0.1 + 0.2, 1e-12, 1),
);
const size = figure.map(Math.abs);
const time = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999_999 }),
  fc.integer({ min: -90, max: 90 }).map((seconds) => NOW_SECONDS + seconds),
);
const hash = fc.oneof(
  fc.constant(`0x${'ab12'.repeat(16)}`),
  hostileText(6).map((text) => text.slice(0, 200) || 'x'),
);
const slug = fc.oneof(fc.constant('rain'), hostileText(10));

/** A trade or redemption as somebody would write it who wants to break the channel. */
export const anyActivity: fc.Arbitrary<ActivityItem> = fc.record({
  time,
  action: fc.oneof(
    fc.constantFrom('Buy', 'Sell', 'Redeem'),
    hostileText(6).map((text) => text || 'x'),
  ),
  recordType: hostileText(2),
  actionType: fc.integer(),
  price: fc.double({ min: 0, max: 100, noNaN: true }),
  quantity: size,
  fee: figure,
  grossValue: figure,
  transferNetAmount: figure,
  txHash: hash,
  tokenId: hostileText(2),
  marketId: slug,
  marketSlug: slug,
  eventSlug: slug,
  conditionId: hostileText(2),
  marketTitle: hostileText(),
  positionSide: fc.oneof(fc.constantFrom('Yes', 'No'), hostileText(6)),
  outcomeIndex: fc.nat(),
  logo: fc.oneof(
    hostileText(4),
    hostileText(4).map((tail) => `https://img.example/${tail}`),
  ),
  trader: hostileText(2),
  liquidityRole: fc.oneof(fc.constantFrom('MAKER', 'TAKER', null), hostileText(6)),
});

const anyTransfer: fc.Arbitrary<TransferItem> = fc.record({
  txHash: hash,
  type: fc.oneof(
    fc.constantFrom('deposit', 'withdrawal'),
    hostileText(6).map((text) => text || 'x'),
  ),
  amount: size,
  time,
  address: fc.oneof(
    fc.constantFrom(ADDRESS, `0x${'d'.repeat(40)}`, `0x${'0'.repeat(40)}`),
    hostileText(6),
  ),
});

const decimal = fc
  .oneof(
    fc
      .integer({ min: -1_000_000_000, max: 1_000_000_000 })
      .map((groups) => new Exact(groups).div(1_000_000)),
    figure.map((value) => new Exact(value)),
    fc.constantFrom(new Exact(0), new Exact('1e30')),
  )
  .map(toDecimalText);
const decimalSize = decimal.map((text) => text.replace(/^-/, ''));

/** What the book may say of a trade, also such as no history leads to. */
export const anyContext: fc.Arbitrary<TradeContext> = fc.record({
  sharesBefore: decimalSize,
  sharesAfter: decimalSize,
  isClosed: fc.boolean(),
  entryCents: fc.option(size),
  realized: fc.option(decimal),
  costOfSold: decimal,
  oppositeShares: decimalSize,
  isFirstInMarket: fc.boolean(),
});
export const anySize: fc.Arbitrary<TradeSize> = fc.record({
  usdc: size,
  median: size,
  p95: size,
  trades: fc.nat(200),
});

const market = fc.record({
  marketTitle: hostileText(),
  marketId: slug,
  marketSlug: slug,
  eventSlug: slug,
});
const side = fc.oneof(fc.constantFrom('Yes', 'No'), hostileText(6));
/** A few stakes, over and over. */
const stakes = (minLength: number) =>
  fc
    .tuple(
      fc.array(
        fc.record({
          wallet: fc
            .constantFrom('a', 'b', 'c', 'd', 'e', 'f', '1')
            .map((digit) => `0x${digit.repeat(40)}` as WalletAddress),
          side,
          shares: decimalSize,
          usdc: decimalSize,
          netUsdc: decimalSize,
          sold: fc.constantFrom('0', null),
        }),
        { minLength, maxLength: 3 },
      ),
      fc.constantFrom(1, 1, 1, 1, 1, 16),
    )
    .map(([few, times]) => Array.from({ length: times }, () => few).flat());

const anyConsensus: fc.Arbitrary<ConsensusNews> = fc.record({
  market,
  outcome: fc.constant('o'),
  side,
  rule: fc.record({
    wallets: fc.integer({ min: 2, max: 50 }),
    hours: fc.double({ min: 0.01, max: 72, noNaN: true }),
  }),
  stakes: stakes(1),
  opposing: stakes(0),
  hedged: fc.nat(50),
  isEscalation: fc.boolean(),
  fromSeconds: time,
  toSeconds: time,
});

export const anyResult: fc.Arbitrary<ResultNews> = fc.record({
  market,
  key: fc.constant('k'),
  messageId: fc.option(fc.constant('123456789012345678')),
  paid: decimal,
  received: decimal,
  fees: decimal,
  settled: fc.array(fc.record({ side, payout: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 3,
  }),
  openedSeconds: time,
  closedSeconds: time,
});

/** Whatever there may be to send. */
export const anyEvent: fc.Arbitrary<WalletEvent> = fc.oneof(
  { weight: 2, arbitrary: anyActivity.map((item): WalletEvent => ({ kind: 'activity', item })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(anyActivity, anyContext, fc.option(anySize, { nil: undefined }))
      .map(([item, context, size]): WalletEvent => ({ kind: 'activity', item, context, size })),
  },
  {
    weight: 1,
    arbitrary: anyConsensus.map((consensus): WalletEvent => ({ kind: 'consensus', consensus })),
  },
  { weight: 1, arbitrary: anyResult.map((result): WalletEvent => ({ kind: 'result', result })) },
  { weight: 2, arbitrary: anyTransfer.map((item): WalletEvent => ({ kind: 'transfer', item })) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        cause: fc.constantFrom('overflow', 'unclear', 'damage', 'backlog', 'watch'),
        endpoint: fc.constantFrom('activity', 'deposits-withdrawals'),
        fromSeconds: time,
        toSeconds: time,
      })
      .map((gap): WalletEvent => ({ kind: 'gap', gap })),
  },
);
