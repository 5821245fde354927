import type { Alert, AlertGroup, WalletEvent } from '../../src/alerts/alert.ts';
import type { Gap } from '../../src/alerts/kinds/gap.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import type { Language } from '../../src/language/language.ts';
import type { NumberFormat } from '../../src/language/number-format.ts';
import { type AlertMessage, renderMessage } from '../../src/messages/message.ts';
import type { ConsensusNews } from '../../src/portfolio/consensus.ts';
import type { ResultNews } from '../../src/portfolio/results/alerted-positions.ts';
import type { TradeContext, TradeSize } from '../../src/portfolio/trade-context.ts';
import { trade, transfer } from '../support/records.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { hostileLinks } from './hostile-items.ts';
import { resultOf } from './result-of.ts';

export const AT = 1_790_000_000;
const ADDRESS = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
const TITLE = 'Ψ0?';
const SIDE = 'Ω1';
const NAME = 'Ξ2';

/** Outside texts are in no language at all, so that what is left are our own words. */
export const tradeEvent = (
  changes: Partial<ActivityItem> = {},
  said?: Partial<TradeContext> & { readonly size?: TradeSize },
): WalletEvent => {
  const { size, ...context } = said ?? {};
  return {
    kind: 'activity',
    item: trade({ time: AT, marketTitle: TITLE, positionSide: SIDE, txHash: '0x12', ...changes }),
    ...(said === undefined ? {} : { context: { ...known, ...context }, size }),
  };
};
export const known: TradeContext = {
  sharesBefore: '0',
  sharesAfter: '4321.5',
  isClosed: false,
  entryCents: 55.5,
  realized: null,
  costOfSold: '0',
  oppositeShares: '0',
  isFirstInMarket: false,
};
const moved = (type: string, address = ADDRESS): WalletEvent => ({
  kind: 'transfer',
  item: transfer({ time: AT, type, amount: 5_000.5, address, txHash: '0x12' }),
});
const gap = (cause: Gap['cause'], endpoint: 'activity' | 'deposits-withdrawals'): WalletEvent => ({
  kind: 'gap',
  gap: { cause, endpoint, fromSeconds: AT - 600, toSeconds: AT },
});
const market = { marketTitle: TITLE, marketId: '42', marketSlug: 'x', eventSlug: 'y' };
const stake = (digit: string, side: string, sold: string | null = '0') => ({
  wallet: walletOfDigit(digit),
  side,
  shares: '2000',
  usdc: '1234.5',
  netUsdc: '1234.5',
  sold,
});
export const agreed: ConsensusNews = {
  market,
  outcome: 'o',
  side: SIDE,
  stakes: [stake('a', SIDE), stake('b', SIDE)],
  opposing: [],
  hedged: 0,
  isEscalation: false,
  fromSeconds: AT - 7_200,
  toSeconds: AT,
};
const held = (side: string, shares: string, entryCents: number, cost: string) => ({
  side,
  shares,
  entryCents,
  cost,
});
const agree = (changes: Partial<ConsensusNews> = {}): WalletEvent => ({
  kind: 'consensus',
  consensus: { ...agreed, ...changes },
});
const ended = (changes: Partial<ResultNews> = {}): WalletEvent =>
  resultOf(trade({ time: AT, marketTitle: TITLE }), {
    paid: '2000.5',
    received: '2600.5',
    fees: '1.2',
    ...changes,
  });
const sold = { sharesBefore: '5556', realized: '1200.5', costOfSold: '3300' };
const soldOff = { action: 'Sell', transferNetAmount: -785.1075 };
const soldAll = { ...sold, sharesBefore: '1234.5', sharesAfter: '0', isClosed: true };
export const size = { usdc: 5_000.5, median: 250.5, p95: 900.5, trades: 200 };
const bridge = `0x${'0'.repeat(40)}`;
const unnamed = {
  marketTitle: '',
  marketSlug: '',
  positionSide: '',
  action: '\u200b',
  liquidityRole: null,
};
const cashed = { action: 'Redeem', transferNetAmount: -1_234.5, fee: 0, liquidityRole: null };
const cashedNo = tradeEvent({
  ...cashed,
  positionSide: 'Ξ6',
  outcomeIndex: 1,
  quantity: 5.5,
  transferNetAmount: -5.5,
});
const several = [
  tradeEvent({ price: 63, quantity: 1_000.5, liquidityRole: 'MAKER' }),
  ...[1, 2, 3, 4, 5, 6].map((n) => tradeEvent({ time: AT + n, txHash: `0x${n}` })),
];

/** A record that the venue has changed. */
const amendedEvent = (
  changes: Partial<ActivityItem>,
  before: { readonly quantity: number; readonly transferNetAmount: number },
): WalletEvent => ({
  kind: 'amended',
  item: trade({ time: AT, marketTitle: TITLE, positionSide: SIDE, txHash: '0x12', ...changes }),
  before,
  identities: ['x'],
  atSeconds: AT,
});

/** A message, by what it shows. */
export interface Kind {
  readonly events: readonly WalletEvent[];
  readonly as?: AlertGroup['kind'];
  readonly earlierUsdc?: string;
  readonly alsoHere?: AlertGroup['alsoHere'];
  readonly isCompact?: boolean;
  /** Figures that it must say. */
  readonly says?: (format: NumberFormat) => string[];
  readonly ageSeconds?: number;
  readonly withoutLinks?: boolean;
}

const paidFor = ({ roundUsdc, cents, shares, duration }: NumberFormat) => [
  roundUsdc(785.1075),
  cents(63.5),
  shares(1_234.5),
  duration(120),
];
/** A message of every kind. */
export const KINDS: Readonly<Record<string, Kind>> = {
  'a buy': { events: [tradeEvent()], says: paidFor },
  'a buy without links': { events: [tradeEvent()], withoutLinks: true },
  'a sale': {
    events: [tradeEvent({ action: 'Sell', transferNetAmount: -785.1075, liquidityRole: 'MAKER' })],
    says: paidFor,
  },
  'a redemption': {
    events: [tradeEvent(cashed)],
    says: ({ roundUsdc, shares }) => [roundUsdc(1_234.5), shares(1_234.5)],
  },
  'a redemption for nothing': {
    events: [tradeEvent({ ...cashed, transferNetAmount: 0 })],
    says: ({ usdc }) => [usdc(0)],
  },
  'a redemption for nothing that lost': {
    events: [
      tradeEvent(
        { ...cashed, transferNetAmount: 0 },
        { ...soldAll, realized: '-685.15', costOfSold: '685.15' },
      ),
    ],
    says: ({ roundUsdc, shares, cents }) => [roundUsdc(685.15), shares(1_234.5), cents(55.5)],
  },
  'an unknown action': {
    events: [tradeEvent({ action: 'Ξ3', liquidityRole: 'Ξ4' })],
    says: paidFor,
  },
  'an action without names': { events: [tradeEvent(unnamed)] },
  'an alert at once': { events: [tradeEvent()], ageSeconds: 0 },
  'clocks that disagree': {
    events: [tradeEvent()],
    ageSeconds: -125,
    says: ({ duration }) => [duration(125)],
  },
  'a deposit': { events: [moved('deposit')], says: ({ usdc }) => [usdc(5_000.5)] },
  'a bridged deposit': { events: [moved('deposit', bridge)], says: ({ usdc }) => [usdc(5_000.5)] },
  'a withdrawal': { events: [moved('withdrawal')], says: ({ usdc }) => [usdc(5_000.5)] },
  'an unknown transfer': { events: [moved('Ξ3')], says: ({ usdc }) => [usdc(5_000.5)] },
  'a transfer without names': { events: [moved('\u200b', '')] },
  ...Object.fromEntries(
    (['overflow', 'unclear', 'damage', 'backlog', 'watch'] as const).flatMap((cause) =>
      (['activity', 'deposits-withdrawals'] as const).map((name) => [
        `a gap: ${cause}, ${name}`,
        { events: [gap(cause, name)] },
      ]),
    ),
  ),
  'a position that opens': {
    events: [
      tradeEvent(
        {},
        { sharesAfter: '1234.5', isFirstInMarket: true, oppositeShares: '20.5', size },
      ),
    ],
    says: ({ shares, quantity }) => [shares(20.5), quantity(20)],
  },
  'a position that is added to': {
    events: [tradeEvent({}, { sharesBefore: '3087' })],
    says: ({ shares, quantity, cents }) => [quantity(3_087), shares(4_321.5), cents(55.5)],
  },
  'a position that is reduced': {
    events: [tradeEvent({ action: 'Sell' }, sold)],
    says: ({ usdc, shares, percent }) => [usdc(1_200.5), shares(4_321.5), percent(36.4)],
  },
  'a position that is closed': { events: [tradeEvent({ action: 'Sell' }, soldAll)] },
  'several fills': {
    events: several,
    says: ({ roundUsdc, cents, shares, duration }) => [
      roundUsdc(5_495.75),
      cents(63.44),
      shares(8_407.5),
      duration(60),
    ],
  },
  'the rest of a purchase': {
    events: several,
    earlierUsdc: '12504.25',
    says: ({ roundUsdc }) => [roundUsdc(5_495.75), roundUsdc(18_000)],
  },
  'a buy where others hold or are out': {
    events: [tradeEvent()],
    alsoHere: {
      wallets: [
        {
          wallet: walletOfDigit('b'),
          held: [held(SIDE, '3100', 55.5, '1720'), held('Ξ5', '20', 40, '8')],
          isCut: true,
        },
        { wallet: walletOfDigit('c'), held: [] },
      ],
      more: 1_203,
    },
    says: ({ quantity, cents, roundUsdc }) => [
      roundUsdc(1_720),
      cents(55.5),
      roundUsdc(8),
      ' + …',
      quantity(1_203),
    ],
  },
  'several fills at once, at one price': { events: [tradeEvent(), tradeEvent()] },
  'several sales': {
    events: [
      tradeEvent({ action: 'Sell', price: 1 }),
      tradeEvent({ action: 'Sell', fee: 0, time: AT + 1 }),
    ],
  },
  'several redemptions': { events: [tradeEvent(cashed), tradeEvent({ ...cashed, time: AT + 1 })] },
  'several redemptions at once': { events: [tradeEvent(cashed), tradeEvent(cashed)] },
  'several of an unknown action': {
    events: [tradeEvent({ action: 'Ξ3', price: 1 }), tradeEvent({ action: 'Ξ3' })],
  },
  'a consensus': {
    events: [agree({ hedged: 1 })],
    says: ({ roundUsdc, cents }) => [roundUsdc(2_469), roundUsdc(1_234.5), cents(61.73)],
  },
  'a consensus of which was sold': {
    events: [
      agree({
        stakes: [...'abcd'].map((digit, index) =>
          stake(digit, SIDE, ['1000', '555', null, '2000'][index]),
        ),
      }),
    ],
    says: ({ roundUsdc, percent }) => [roundUsdc(617.25), roundUsdc(1_234.5), percent(27.7)],
  },
  'a consensus that grows': { events: [agree({ isEscalation: true, hedged: 3 })] },
  'a consensus of many': {
    events: [agree({ stakes: [...'abcdef012345'].map((digit) => stake(digit, SIDE)) })],
  },
  'a disagreement': { events: [agree({ opposing: [stake('c', 'Ξ5')] })] },
  'a disagreement with several': {
    events: [agree({ opposing: [stake('c', 'Ξ5'), stake('d', '')], side: '' })],
  },
  'a changed trade': {
    events: [
      amendedEvent({ transferNetAmount: 499.65 }, { quantity: 1_234.5, transferNetAmount: 500 }),
    ],
    says: ({ settingUsdc }) => [settingUsdc(500), settingUsdc(499.65)],
  },
  'a changed redemption of other shares': {
    events: [amendedEvent(cashed, { quantity: 1_000, transferNetAmount: -1_234.5 })],
    says: ({ shareCount, shares }) => [shareCount(1_000), shares(1_234.5)],
  },
  'several results': {
    events: [ended(), ended({ received: '0', messageId: '77' })],
    says: ({ roundUsdc, quantity }) => [
      quantity(2),
      roundUsdc(1_400.5),
      roundUsdc(600),
      roundUsdc(2_000.5),
    ],
  },
  'a result': {
    events: [ended()],
    says: ({ usdc, roundUsdc, duration }) => [
      usdc(2_000.5),
      usdc(2_600.5),
      roundUsdc(600),
      duration(90_000),
    ],
  },
  'a redemption with its result': {
    events: [tradeEvent({ ...cashed, quantity: 1_000 }), cashedNo, ended()],
    says: ({ usdc, roundUsdc, shares, percent, duration }) => [
      roundUsdc(1_240),
      roundUsdc(600),
      percent(30),
      usdc(2_000.5),
      usdc(2_600.5),
      shares(1_005.5),
      duration(90_000),
    ],
  },
  'a compact channel, of a redemption with its result': {
    events: [tradeEvent(cashed), ended()],
    isCompact: true,
    says: ({ usdc, roundUsdc, percent }) => [roundUsdc(600), percent(30), usdc(2_000.5)],
  },
  'a sale with its result': {
    events: [tradeEvent(soldOff, soldAll), ended()],
    says: ({ usdc, roundUsdc, shares, percent, duration }) => [
      roundUsdc(600),
      percent(30),
      usdc(2_000.5),
      usdc(2_600.5),
      shares(1_234.5),
      duration(90_000),
    ],
  },
  'a sale with its result, of a part, whose first alert stands among others': {
    events: [
      tradeEvent(soldOff, { ...soldAll, oppositeShares: '77' }),
      ended({ isPart: true, messageId: '77', isAmongOthers: true }),
    ],
    says: ({ usdc, roundUsdc, shares, percent }) => [
      roundUsdc(600),
      percent(30),
      usdc(2_000.5),
      shares(77),
    ],
  },
  'a compact channel, of a sale with its result': {
    events: [tradeEvent(soldOff, soldAll), ended()],
    isCompact: true,
    says: ({ usdc, roundUsdc, percent }) => [roundUsdc(600), percent(30), usdc(2_000.5)],
  },
  'what comes late, with a sale and its result': {
    events: [tradeEvent({ marketId: '9' }), tradeEvent(soldOff, soldAll), ended()],
    as: 'late',
    says: ({ quantity, roundUsdc }) => [quantity(2), roundUsdc(600)],
  },
  'a result whose first alert stands among others': {
    events: [ended({ messageId: '77', isAmongOthers: true })],
  },
  'a result without fees': { events: [ended({ fees: '0' })] },
  'a settled result': {
    events: [ended({ received: '0', settled: [{ side: SIDE, payout: 0.25 }] })],
    says: ({ usdc, cents, duration }) => [usdc(2_000.5), usdc(0), cents(25), duration(90_000)],
  },
  'a settled result of several outcomes': {
    events: [ended({ settled: [SIDE, ''].map((side) => ({ side, payout: 0.5 })) })],
  },
  'what comes late': {
    events: [
      ...Array.from({ length: 60 }, (_, n) => tradeEvent({ marketId: `${n}` })),
      tradeEvent(cashed),
      moved('deposit'),
      moved('withdrawal'),
      gap('damage', 'activity'),
    ],
    as: 'late',
    says: ({ quantity }) => [`${quantity(64)}`],
  },
  'a compact channel': {
    events: [
      tradeEvent({}, { sharesAfter: '1234.5', size }),
      tradeEvent({ action: 'Sell' }, sold),
      tradeEvent({}, { sharesBefore: '1' }),
      tradeEvent(cashed, soldAll),
      tradeEvent({ ...unnamed, transferNetAmount: 0 }),
      moved('deposit'),
      moved('deposit', bridge),
      moved('withdrawal'),
      moved('Ξ3', ''),
      gap('damage', 'activity'),
      gap('damage', 'deposits-withdrawals'),
    ],
    isCompact: true,
    says: ({ roundUsdc, cents, shares }) => [
      roundUsdc(785.1075),
      cents(63.5),
      shares(1_234.5),
      roundUsdc(1_200.5),
    ],
  },
  'a compact channel, of what comes late': {
    events: [...several, moved('deposit')],
    as: 'late',
    isCompact: true,
  },
  'a compact channel, of several fills': { events: several, isCompact: true },
  'a compact channel, of the rest of a purchase': {
    events: several,
    earlierUsdc: '12504.25',
    isCompact: true,
    says: ({ roundUsdc }) => [roundUsdc(18_000)],
  },
  'a compact channel, of a gap alone': { events: [gap('damage', 'activity')], isCompact: true },
};

export function alertOf(event: WalletEvent, index: number): Alert {
  return { id: `a${index}`, wallet: walletOfDigit('a'), channelId: '1', event, seenAtMs: 0 };
}

export function render(
  {
    events,
    as,
    earlierUsdc,
    alsoHere,
    isCompact = false,
    ageSeconds = 125,
    withoutLinks = false,
  }: Kind,
  language: Language,
  label = NAME,
): AlertMessage {
  const [first, ...rest] = events.map(alertOf);
  if (first === undefined) throw new Error('There is nothing to send.');
  // Fills of one time belong together, and the result of a redemption with it; everything else in a
  // compact channel does not.
  const isOne =
    as === 'late' ||
    (events[0]?.kind !== 'result' &&
      events.every(({ kind }) => kind === 'activity' || kind === 'result'));
  const groups: AlertGroup[] =
    isOne && !(isCompact && events.length > 10)
      ? [{ kind: as ?? 'alert', alerts: [first, ...rest], earlierUsdc, alsoHere }]
      : [first, ...rest].map((alert) => ({ kind: 'alert', alerts: [alert] }));
  const links = withoutLinks
    ? {
        market: () => undefined,
        transaction: () => undefined,
        wallet: () => undefined,
        own: () => undefined,
      }
    : hostileLinks;
  const sentAtMs = (AT + ageSeconds) * 1000;
  const alertUrl = (_wallet: string, messageId: string) => `https://discord.com/${messageId}`;
  const context = { links, language, sentAtMs, labelOf: () => label, isCompact, alertUrl };
  return renderMessage(groups, context).body;
}

export function textOf({ content, embeds, components }: AlertMessage): string {
  const labels = components.flatMap((row) =>
    row.components.flatMap((component) =>
      'options' in component
        ? [
            component.placeholder ?? '',
            ...component.options.map(({ description }) => description ?? ''),
          ]
        : [component.label ?? ''],
    ),
  );
  const parts = embeds.flatMap(({ author, title, description, footer }) =>
    [author?.name, title, description, footer?.text].filter((part) => part !== undefined),
  );
  return [content, ...parts, ...labels].join('\n');
}
