import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { plainMessage } from '@walletbell/local-discord/plain';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import { plan } from '../../src/delivery/plan/plan.ts';
import { ACCOUNT_LINKS, recordsIn } from '../../src/demo/alert-parser.ts';
import { type AccountNames, createAccount } from '../../src/demo/reconcile.ts';
import { digestEmbed } from '../../src/digests/embed.ts';
import { type DigestWallet, walletFigures } from '../../src/digests/stats.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem, EndpointName, TransferItem } from '../../src/domain/records.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH, LANGUAGE_TAGS, type Language, languageFor } from '../../src/language/language.ts';
import { Exact } from '../../src/lib/exact.ts';
import { renderMessage } from '../../src/messages/message.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { linkTemplate } from '../embeds/hostile-items.ts';
import { resultOf } from '../embeds/result-of.ts';
import { redemption, sale, trade, transfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { unalertedChannel } from '../support/unalerted-channel.ts';

const NOW_SECONDS = 1_800_000_000;
const CHANNEL = '100000000000000001';
const FIRST = `0x${'a'.repeat(40)}` as WalletAddress;
const WALLETS = [FIRST, `0x${'b'.repeat(40)}` as WalletAddress];
const link = (name: keyof typeof ACCOUNT_LINKS) => linkTemplate(name, ACCOUNT_LINKS[name]);
const links = createLinks({
  MARKET_URL: link('MARKET_URL'),
  TX_URL: link('TX_URL'),
  WALLET_URL: link('WALLET_URL'),
});

const languages = fc.constantFrom(...LANGUAGE_TAGS).map(languageFor);
const records = fc.array(
  fc.record({
    wallet: fc.constantFrom(...WALLETS),
    kind: fc.constantFrom('buy', 'buy', 'sell', 'redeem', 'loss', 'deposit', 'withdrawal'),
    marketId: fc.constantFrom('501', '502'),
    positionSide: fc.constantFrom('Yes', 'No'),
    hundredths: fc.integer({ min: 1, max: 1_000_000 }),
    ageSeconds: fc.constantFrom(0, 30, 5_000),
    known: fc.constantFrom('nothing', 'from here on', 'all', 'in part'),
  }),
  { minLength: 2, maxLength: 12 },
);
type Sketch = typeof records extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** Purchases in one market, of so many hundredths of a share each. */
const purchases = (...sizes: number[]) =>
  sizes
    .map((hundredths) => trade({ quantity: hundredths / 100, trader: FIRST, time: NOW_SECONDS }))
    .map(activityOf);
const activityOf = (item: ActivityItem): LedgerRecord => ({
  kind: 'activity',
  wallet: item.trader,
  block: 1,
  item,
});
const moved = (changes: Partial<TransferItem>, wallet = FIRST): LedgerRecord => {
  return { kind: 'transfer', wallet, item: transfer(changes) };
};

function recordOf({
  wallet,
  kind,
  marketId,
  positionSide,
  hundredths,
  ageSeconds,
}: Sketch): LedgerRecord {
  const time = NOW_SECONDS - ageSeconds;
  if (kind === 'deposit' || kind === 'withdrawal') return moved({ type: kind, time }, wallet);
  const make = kind === 'buy' ? trade : kind === 'sell' ? sale : redemption;
  const quantity = hundredths / 100;
  const isForNothing = kind === 'loss' && { grossValue: 0, transferNetAmount: 0 };
  return activityOf(
    make({
      ...{ marketId, conditionId: `0x${marketId}`, positionSide, quantity, trader: wallet, time },
      ...isForNothing,
    }),
  );
}

/** What the bot knows of a trade's position. */
function contextOf(
  { action, quantity, transferNetAmount }: ActivityItem,
  before: number,
  known: Sketch['known'],
): TradeContext | undefined {
  if (known === 'nothing') return undefined;
  const isBuy = action === 'Buy';
  const gain = transferNetAmount === 0 ? '-9' : '1.5';
  return {
    sharesBefore: String(before),
    sharesAfter: isBuy ? new Exact(before).plus(quantity).toString() : '3',
    isClosed: false,
    entryCents: 50,
    realized: isBuy ? null : gain,
    costOfSold: '9',
    oppositeShares: '7',
    isFirstInMarket: known === 'all',
  };
}

/** What the bot would send of the records, in the order in which it would. */
function groupsOf(included: readonly LedgerRecord[], knownOf: Shown['knownOf'] = () => 'nothing') {
  const alerts = included.map((record, index): Alert => {
    const known = knownOf(index);
    const before = known === 'in part' ? 40.25 : known === 'all' ? 20_000 : 0;
    const context = record.kind === 'activity' ? contextOf(record.item, before, known) : undefined;
    const event = { kind: record.kind, item: record.item, context } as WalletEvent;
    return {
      id: `i${index}`,
      wallet: record.wallet as WalletAddress,
      channelId: CHANNEL,
      event,
      seenAtMs: index,
    };
  });
  return plan(alerts, unalertedChannel(NOW_SECONDS * 1000)).groups;
}

let ids = 0;

interface Shown {
  readonly isCompact: boolean;
  readonly language: Language;
  readonly knownOf: (index: number) => Sketch['known'];
}

/** What a channel shows of the records, message by message. */
function messagesOf(
  included: readonly LedgerRecord[],
  { isCompact = false, language = ENGLISH, knownOf = () => 'nothing' }: Partial<Shown> = {},
): SeenMessage[] {
  return shownOf(groupsOf(included, knownOf), { isCompact, language });
}

/** What a channel shows of alerts, message by message. */
function shownOf(
  planned: ReturnType<typeof plan>['groups'],
  { isCompact = false, language = ENGLISH }: Partial<Shown>,
): SeenMessage[] {
  let groups = planned;
  const messages: SeenMessage[] = [];
  while (groups.length > 0) {
    const { body, included: count } = renderMessage(groups, {
      links,
      sentAtMs: NOW_SECONDS * 1000,
      language,
      labelOf: (wallet) => (wallet === FIRST ? 'Whale' : undefined),
      isCompact,
    });
    const embeds = body.embeds.map(({ fields = [], ...embed }) => ({ ...embed, fields }));
    ids += 1;
    const shown = { ...body, id: `${ids}`, channelId: CHANNEL, interactionId: null, embeds };
    messages.push(shown as unknown as SeenMessage);
    groups = groups.slice(count);
  }
  return messages;
}

/** An account of all wallets in the channel. */
function openAccount(names?: AccountNames) {
  const account = createAccount(names);
  return {
    ...account,
    watchAll: () => WALLETS.forEach((wallet) => void account.watch(wallet, CHANNEL, 0)),
    expectAll: (all: readonly LedgerRecord[]) => all.forEach(account.expect),
    seeAll: (messages: readonly SeenMessage[]) => messages.forEach(account.see),
  };
}

function balanceOf(expected: readonly LedgerRecord[], messages: readonly SeenMessage[]) {
  const account = openAccount();
  account.watchAll();
  account.expectAll(expected);
  account.seeAll(messages);
  return account.balance();
}
const AGREES = { duplicates: 0, lost: 0, announced: 0, differences: [] };

describe('the account of what has to be alerted and what was', () => {
  it('agrees with a channel that shows everything, in any language, in embeds, in lines, at once or late', () => {
    fc.assert(
      fc.property(records, fc.boolean(), languages, (sketches, isCompact, language) => {
        const all = sketches.map(recordOf);
        // A late list that is one line is totals alone.
        const isInLines = isCompact || groupsOf(all).length > 3;
        fc.pre(!isInLines || sketches.every(({ ageSeconds }) => ageSeconds < 900));
        const knownOf = (index: number) => sketches[index]?.known ?? 'nothing';
        const shown = messagesOf(all, { isCompact, language, knownOf });
        expect(balanceOf(all, shown)).toEqual({ alerts: all.length, ...AGREES });
      }),
      randomRuns(300),
    );
  });

  it('tells a redemption for nothing from the loss of a settled market, in any language', () => {
    const settled = (marketId: string): Alert => {
      const item = redemption({ marketId, conditionId: `0x${marketId}`, trader: FIRST });
      const ended = { received: '0', settled: [{ side: 'Yes', payout: 0 }], sides: ['Yes'] };
      const event = resultOf({ ...item, time: NOW_SECONDS }, ended);
      return { id: `r${marketId}`, wallet: FIRST, channelId: CHANNEL, event, seenAtMs: 0 };
    };
    const redeemed = activityOf(
      redemption({
        ...{ marketId: '502', conditionId: '0x502', trader: FIRST, time: NOW_SECONDS },
        transferNetAmount: 0,
        positionSide: 'Yes',
      }),
    );
    const [group] = groupsOf([redeemed], () => 'all');
    const resultGroup = (marketId: string) =>
      ({ kind: 'alert', alerts: [settled(marketId)] }) as const;
    if (group === undefined) throw new Error('There is no alert');
    const late: Parameters<typeof shownOf>[0] = [
      { kind: 'late', alerts: [settled('501'), ...group.alerts, settled('503')] },
    ];
    for (const language of LANGUAGE_TAGS.map(languageFor)) {
      for (const isCompact of [true, false]) {
        const balance = balanceOf([redeemed], shownOf([group], { language, isCompact }));
        expect(balance).toEqual({ alerts: 1, ...AGREES });
        const ended = shownOf([resultGroup('501')], { language, isCompact });
        expect(ended.flatMap(recordsIn)).toEqual([]);
      }
      expect(shownOf(late, { language }).flatMap(recordsIn)).toMatchObject([
        { action: 'Redeem', marketId: '502', wallet: FIRST, shares: 1_235 },
      ]);
    }
  });

  it('finds the one that is lost, the one that is doubled, and the one that is shown in the place of another', () => {
    fc.assert(
      fc.property(records, fc.nat(), languages, (sketches, pick, language) => {
        const all = sketches.map((sketch) => recordOf({ ...sketch, ageSeconds: 0 }));
        const index = pick % all.length;
        const one = all[index] as LedgerRecord;
        const without = all.filter((record) => record !== one);
        const balanceWith = (shown: readonly LedgerRecord[]) =>
          balanceOf(all, messagesOf(shown, { language }));
        expect(balanceWith(without)).toMatchObject({ lost: 1, duplicates: 0 });
        expect(balanceWith([...all, one])).toMatchObject({ lost: 0, duplicates: 1 });
        if (one.kind !== 'activity') return;
        const other = { ...one, item: { ...one.item, quantity: one.item.quantity + 7 } };
        expect(balanceWith([...without, other])).toMatchObject({ lost: 1, duplicates: 1 });
      }),
      randomRuns(80),
    );
  });

  it('counts what a message shows now, however often it has been changed', () => {
    const fills = purchases(1, 2, 3);
    // The channel's language may be changed meanwhile.
    const states = [1, 3, 3, 2, 3].flatMap((count, index) => {
      const messages = messagesOf(fills.slice(0, count), {
        language: languageFor(LANGUAGE_TAGS[index]),
      });
      return messages.map((message) => ({ ...message, id: 'one' }));
    });
    expect(states).toHaveLength(5);
    expect(balanceOf(fills, states)).toEqual({ alerts: 3, ...AGREES });
    expect(balanceOf(fills, states.slice(0, 4))).toMatchObject({
      alerts: 2,
      duplicates: 0,
      lost: 1,
    });
    const again = messagesOf(fills.slice(2));
    expect(balanceOf(fills, [...states, ...again])).toMatchObject({
      alerts: 4,
      duplicates: 1,
      lost: 0,
    });
  });

  it('expects of a channel that hears later what is due by the end, and finds what comes early', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW_SECONDS * 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const [one, two, three] = [purchases(1), moved({ time: NOW_SECONDS }), purchases(3)].flat();
    if (one === undefined || two === undefined || three === undefined) throw new Error('3 records');
    const open = () => {
      const account = openAccount();
      for (const wallet of WALLETS) account.watch(wallet, CHANNEL, 0, 300_000);
      return account;
    };
    const [right, early] = [open(), open()];
    for (const account of [right, early]) account.expectAll([one]);
    early.seeAll(messagesOf([one]));
    expect(early.balance()).toMatchObject({ duplicates: 1 });
    vi.advanceTimersByTime(200_000);
    right.expectAll([two, three]);
    expect(right.balance()).toEqual({ alerts: 0, ...AGREES });
    vi.advanceTimersByTime(100_000);
    expect(right.balance(), 'it is due').toMatchObject({ lost: 1 });
    right.seeAll(messagesOf([one]));
    right.end();
    vi.advanceTimersByTime(300_000);
    expect(right.balance(), 'nothing more is due').toEqual({ alerts: 1, ...AGREES });
    expect(early.balance(), 'it stays early').toMatchObject({ duplicates: 1, lost: 0 });
    expect(early.balance().differences).toEqual([expect.stringMatching(/: it came early$/)]);
  });

  it('demands of a channel that hears later no more than its delay after the bot could read it', () => {
    vi.useFakeTimers({ now: NOW_SECONDS * 1000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const [one] = purchases(100) as [LedgerRecord];
    const account = openAccount();
    account.watch(FIRST, CHANNEL, 0, 300_000);
    account.served();
    vi.advanceTimersByTime(60_000);
    account.expect(one);
    // The venue is away for three more minutes.
    vi.advanceTimersByTime(180_000);
    account.served();
    vi.advanceTimersByTime(130_000);
    expect(account.balance(), 'its delay has passed, but not since it could be read').toMatchObject(
      {
        lost: 0,
        duplicates: 0,
      },
    );
    const shownOnce = messagesOf([one]);
    const second = openAccount();
    second.watch(FIRST, CHANNEL, 0, 300_000);
    account.seeAll(shownOnce);
    expect(account.balance()).toEqual({ alerts: 1, ...AGREES });
    account.seeAll(messagesOf([one]));
    expect(account.balance()).toMatchObject({ duplicates: 1 });
    vi.advanceTimersByTime(300_000);
    expect(account.balance()).toMatchObject({ lost: 0, duplicates: 1 });
    second.served();
    second.expect(one);
    vi.advanceTimersByTime(20_000);
    second.served();
    vi.advanceTimersByTime(300_000);
    expect(second.balance()).toMatchObject({ lost: 0 });
    vi.advanceTimersByTime(60_000);
    expect(second.balance(), 'it had time enough').toMatchObject({ lost: 1 });
  });

  it('names what does not agree as people do', () => {
    const account = openAccount({
      channel: (id) => (id === CHANNEL ? '#whales' : id),
      wallet: (wallet) => (wallet === FIRST ? 'quickdraw' : wallet),
    });
    account.watchAll();
    account.expectAll([...purchases(250, 250), moved({ time: NOW_SECONDS })]);
    account.seeAll(messagesOf(purchases(250)));
    expect(account.balance().differences).toEqual([
      '#whales · quickdraw · Will it rain in Paris? · Buy Yes: the venue has 2 (5 shares), the channel shows 1 (2.5 shares)',
      '#whales · quickdraw · deposit of $5000: the venue has 1, the channel shows 0',
    ]);
  });

  it('demands nothing of a watch that chooses what is alerted, and still counts no more than the venue has', () => {
    const all = purchases(1, 2, 3);
    const account = openAccount();
    account.watchAll();
    account.expectAll(all.slice(0, 1));
    account.watchChanged(FIRST, CHANNEL);
    account.expectAll(all.slice(1));
    expect(account.balance().lost).toBe(0);
    account.seeAll(messagesOf(all));
    expect(account.balance()).toMatchObject({ alerts: 3, duplicates: 0, lost: 0 });
    account.seeAll(messagesOf(all.slice(0, 1)));
    expect(account.balance().duplicates).toBe(1);
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
  ])(
    'lets what happens while a watch begins be alerted once or not at all, not twice: %i times',
    (times, duplicates) => {
      const deposit = moved({ time: NOW_SECONDS - 1 });
      const account = openAccount();
      account.expect(deposit);
      account.watchBegun(FIRST, CHANNEL, NOW_SECONDS);
      for (let time = 0; time < times; time += 1) account.seeAll(messagesOf([deposit]));
      expect(account.balance()).toMatchObject({ alerts: times, duplicates, lost: 0 });
    },
  );

  it('demands all that comes after the watch has begun', () => {
    const deposit = moved({ time: NOW_SECONDS + 2 });
    const account = openAccount();
    account.watchBegun(FIRST, CHANNEL, NOW_SECONDS);
    account.expect(deposit);
    expect(account.balance().lost).toBe(1);
    account.seeAll(messagesOf([deposit]));
    expect(account.balance()).toEqual({ alerts: 1, ...AGREES });
  });

  it.each(['channelGone', 'watchEnded'] as const)('demands nothing more after %s', (end) => {
    const account = openAccount();
    account.watchAll();
    account.expectAll(purchases(1));
    expect(account.balance().lost).toBe(1);
    if (end === 'channelGone') account.channelGone(CHANNEL);
    else account.watchEnded(FIRST, CHANNEL);
    account.expectAll(purchases(2));
    expect(account.balance()).toMatchObject({ duplicates: 0, lost: 0 });
  });
});

describe('a message in plain words', () => {
  it('is one line that a person can read', () => {
    const [message] = messagesOf(purchases(300, 700)) as [SeenMessage];
    expect(plainMessage(message, NOW_SECONDS)).toMatch(
      /^🟢 Whale BUY Yes \$1,570 at 63\.5¢ · Will it rain in Paris\? \| 0x\w+…\w+ · 10 shares · 2 fills · taker$/u,
    );
    const hostile = message.embeds.map((embed) => ({
      ...embed,
      title: String.raw`A \[win\](https:\u200b//prize.example)?`,
    }));
    const said = plainMessage({ ...message, embeds: hostile }, NOW_SECONDS);
    expect(said).toMatch(/ \| A \[win\]\(https:.*\)\? — 0x\w+…\w+ · 10 shares/u);
  });
});

describe('a notice of a gap', () => {
  const WORDS = { channel: () => '#whales', wallet: () => 'Whale' };
  const gapOf = (language: Language, endpoint: EndpointName, isAmongOthers: boolean) => {
    const [fromSeconds, toSeconds] = [NOW_SECONDS - 100, NOW_SECONDS + 100];
    const gap = { cause: 'overflow', endpoint, fromSeconds, toSeconds } as const;
    const event = { kind: 'gap', gap } as const;
    const ofWallet = { wallet: FIRST, channelId: CHANNEL, seenAtMs: 1 };
    const others = isAmongOthers
      ? [moved({}), moved({ txHash: '0x77' })].map((record, index) => ({
          ...ofWallet,
          id: `o${index}`,
          event: { kind: 'transfer', item: record.item } as WalletEvent,
        }))
      : [];
    const alerts: Alert[] = [{ ...ofWallet, id: 'g', event }, ...others];
    return shownOf(plan(alerts, unalertedChannel(NOW_SECONDS * 1000)).groups, { language });
  };

  it('covers what is missing of its wallet in its time, in any language, beside other alerts too', () => {
    for (const tag of LANGUAGE_TAGS) {
      for (const isAmongOthers of [false, true]) {
        const account = openAccount(WORDS);
        account.watchAll();
        account.expectAll(purchases(250, 250));
        expect(account.balance()).toMatchObject({ lost: 2, announced: 0 });
        account.seeAll(gapOf(languageFor(tag), 'deposits-withdrawals', isAmongOthers));
        expect(account.balance(), `${tag}, of transfers`).toMatchObject({ lost: 2, announced: 0 });
        account.seeAll(gapOf(languageFor(tag), 'activity', isAmongOthers));
        expect(account.balance(), tag).toMatchObject({ lost: 2, announced: 2 });
      }
    }
  });

  it('covers neither another time nor another wallet, and no more than is missing', () => {
    const account = openAccount();
    account.watchAll();
    const [early, late] = [NOW_SECONDS - 5_000, NOW_SECONDS].map((time) =>
      activityOf(trade({ trader: FIRST, time })),
    );
    const other = activityOf(trade({ trader: `0x${'b'.repeat(40)}`, time: NOW_SECONDS }));
    account.expectAll([early, late, other].flatMap((record) => record ?? []));
    account.seeAll(gapOf(ENGLISH, 'activity', false));
    expect(account.balance()).toMatchObject({ lost: 3, announced: 1 });
  });
});

describe('a digest in a channel', () => {
  it('is no alert, in any language, although its lines begin as alerts do', () => {
    const [item] = purchases(300) as [LedgerRecord & { kind: 'activity' }];
    const { portfolio } = addActivity(newPortfolio(0, true), [item.item], NOW_SECONDS + 1);
    const period = { fromSeconds: NOW_SECONDS - 60, toSeconds: NOW_SECONDS + 60 };
    const wallet: DigestWallet = {
      wallet: FIRST,
      label: 'Whale',
      isBehind: false,
      record: null,
      settled: [],
      verdictChange: null,
    };
    const figures = walletFigures(newKnowledge(portfolio), wallet, period, {
      sinceSeconds: 0,
      beganSeconds: 0,
    });
    for (const tag of LANGUAGE_TAGS) {
      for (const every of ['day', 'week'] as const) {
        const embed = digestEmbed({
          schedule: { every, atMinutes: 0, weekday: 'Monday', timeZone: 'UTC' },
          period,
          wallets: [figures, { ...figures, label: 'Minnow' }],
          reference: 'abcdefgh',
          links,
          picture: null,
          language: languageFor(tag),
        });
        expect(embed.description, tag).toContain(links.market(item.item) ?? 'no link');
        const message = { content: '', embeds: [embed], components: [] };
        expect(recordsIn(message as unknown as SeenMessage), tag).toEqual([]);
      }
    }
  });
});
