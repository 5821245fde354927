import fc from 'fast-check';
import type { WalletEvent } from '../../src/alert/alert.ts';
import { createLinks, type LinkTemplate, type LinkTemplateName, parseLinkTemplate } from '../../src/alert/links.ts';
import type { ActivityItem, TransferItem } from '../../src/venue/schema.ts';
import { hostileText } from './hostileText.ts';

const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const NOW_SECONDS = 1_790_000_000;

export const hostileLinks = createLinks({
  market: linkTemplate('MARKET_URL', 'https://venue.example/{eventSlug}/{marketSlug}'),
  transaction: linkTemplate('TX_URL', 'https://scan.example/tx/{txHash}'),
  wallet: linkTemplate('WALLET_URL', 'https://venue.example/u/{address}'),
});

export function linkTemplate(name: LinkTemplateName, text: string): LinkTemplate {
  const parsed = parseLinkTemplate(name, text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.template;
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

/** A trade or redemption as somebody would write it who wants to break the room. */
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
  address: fc.oneof(fc.constantFrom(ADDRESS, `0x${'d'.repeat(40)}`, `0x${'0'.repeat(40)}`), hostileText(6)),
});

/** Whatever there may be to tell. */
export const anyEvent: fc.Arbitrary<WalletEvent> = fc.oneof(
  { weight: 4, arbitrary: anyActivity.map((item): WalletEvent => ({ kind: 'activity', item })) },
  { weight: 2, arbitrary: anyTransfer.map((item): WalletEvent => ({ kind: 'transfer', item })) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        cause: fc.constantFrom('overflow', 'damage', 'backlog'),
        endpoint: fc.constantFrom('activity', 'deposits-withdrawals'),
        fromSeconds: time,
        toSeconds: time,
      })
      .map((gap): WalletEvent => ({ kind: 'gap', gap })),
  },
);
