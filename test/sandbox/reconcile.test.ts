import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import { NO_COOLDOWNS } from '../../src/delivery/plan/cooldowns.ts';
import { plan } from '../../src/delivery/plan/plan.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH, LANGUAGE_TAGS, type Language, languageFor } from '../../src/language/language.ts';
import { Exact } from '../../src/lib/exact.ts';
import { renderMessage } from '../../src/messages/message.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import { ACCOUNT_LINKS } from '../../src/sandbox/alert-parser.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { plainMessage } from '../../src/sandbox/plain.ts';
import { createAccount } from '../../src/sandbox/reconcile.ts';
import type { LedgerRecord } from '../../src/venue-server/ledger.ts';
import { DEFAULT_SETTINGS } from '../../src/watches/watch-settings.ts';
import { redemption, sale, trade, transfer } from '../e2e/fixture.ts';
import { linkTemplate } from '../embeds/hostile-items.ts';
import { randomRuns } from '../support/thorough.ts';

const NOW_SECONDS = 1_800_000_000;
const CHANNEL = '100000000000000001';
const WALLETS = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}` as WalletAddress);
const link = (name: keyof typeof ACCOUNT_LINKS) => linkTemplate(name, ACCOUNT_LINKS[name]);
const links = createLinks({ market: link('MARKET_URL'), transaction: link('TX_URL'), wallet: link('WALLET_URL') });

const languages = fc.constantFrom(...LANGUAGE_TAGS).map(languageFor);
const records = fc.array(
  fc.record({
    wallet: fc.constantFrom(...WALLETS),
    kind: fc.constantFrom('buy', 'buy', 'sell', 'redeem', 'deposit', 'withdrawal'),
    marketId: fc.constantFrom('501', '502'),
    positionSide: fc.constantFrom('Yes', 'No'),
    hundredths: fc.integer({ min: 1, max: 1_000_000 }),
    ageSeconds: fc.constantFrom(0, 30, 5_000),
    known: fc.constantFrom('nothing', 'from here on', 'all', 'in part'),
  }),
  { minLength: 2, maxLength: 12 },
);
type Sketch = typeof records extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

function recordOf({ wallet, kind, marketId, positionSide, hundredths, ageSeconds }: Sketch): LedgerRecord {
  const time = NOW_SECONDS - ageSeconds;
  if (kind === 'deposit' || kind === 'withdrawal')
    return { kind: 'transfer', wallet, item: transfer({ type: kind, time }) };
  const make = kind === 'buy' ? trade : kind === 'sell' ? sale : redemption;
  const item = make({
    marketId,
    conditionId: `0x${marketId}`,
    positionSide,
    quantity: hundredths / 100,
    trader: wallet,
    time,
  });
  return { kind: 'activity', wallet, block: 1, item };
}

/** What the bot knows of a trade's position. */
function contextOf(
  { action, quantity }: ActivityItem,
  before: number,
  known: Sketch['known'],
): TradeContext | undefined {
  if (known === 'nothing') return undefined;
  const isBuy = action === 'Buy';
  return {
    sharesBefore: String(before),
    sharesAfter: isBuy ? new Exact(before).plus(quantity).toString() : '3',
    isClosed: false,
    entryCents: 50,
    realized: isBuy ? null : '1.5',
    costOfSold: '9',
    oppositeShares: '7',
    isFirstInMarket: known === 'all',
  };
}

/** What the bot would send of the records, in the order in which it would. */
function groupsOf(included: readonly LedgerRecord[], knownOf: (index: number) => Sketch['known'] = () => 'nothing') {
  const alerts = included.map((record, index): Alert => {
    const known = knownOf(index);
    const before = known === 'in part' ? 40.25 : known === 'all' ? 20_000 : 0;
    const context = record.kind === 'activity' ? contextOf(record.item, before, known) : undefined;
    const event = { kind: record.kind, item: record.item, context } as WalletEvent;
    return { id: `i${index}`, wallet: record.wallet as WalletAddress, channelId: CHANNEL, event, seenAtMs: index };
  });
  return plan(alerts, {
    nowMs: NOW_SECONDS * 1000,
    settingsOf: () => DEFAULT_SETTINGS,
    polledAtMs: () => null,
    cooldowns: NO_COOLDOWNS,
    announced: [],
    growing: [],
    catchUpAfterMs: 900_000,
    leftOut: [],
  }).groups;
}

let ids = 0;

/** What a channel shows of the records, message by message. */
function messagesOf(
  included: readonly LedgerRecord[],
  isCompact: boolean,
  language: Language = ENGLISH,
  knownOf?: (index: number) => Sketch['known'],
): SeenMessage[] {
  let groups = groupsOf(included, knownOf);
  const messages: SeenMessage[] = [];
  while (groups.length > 0) {
    const { body, included: count } = renderMessage(groups, {
      links,
      sentAtMs: NOW_SECONDS * 1000,
      language,
      labelOf: (wallet) => (wallet === WALLETS[0] ? 'Whale' : undefined),
      isCompact,
    });
    const embeds = body.embeds.map(({ fields = [], ...embed }) => ({ ...embed, fields }));
    ids += 1;
    const shown = {
      id: `${ids}`,
      channelId: CHANNEL,
      content: body.content,
      interactionId: null,
      embeds,
      components: body.components,
    };
    messages.push(shown as unknown as SeenMessage);
    groups = groups.slice(count);
  }
  return messages;
}

function accountOf(expected: readonly LedgerRecord[], messages: readonly SeenMessage[]) {
  const account = createAccount();
  for (const wallet of WALLETS) account.watch(wallet, CHANNEL, 0);
  for (const record of expected) account.expect(record);
  for (const message of messages) account.see(message);
  return account.balance();
}

describe('the account of what has to be alerted and what was', () => {
  it('agrees with a channel that shows everything, in any language, in embeds, in lines, at once or late', () => {
    fc.assert(
      fc.property(records, fc.boolean(), languages, (sketches, isCompact, language) => {
        const all = sketches.map(recordOf);
        // A late list that is one line is totals alone.
        const isInLines = isCompact || groupsOf(all).length > 3;
        fc.pre(!isInLines || sketches.every(({ ageSeconds }) => ageSeconds < 900));
        const shown = messagesOf(all, isCompact, language, (index) => sketches[index]?.known ?? 'nothing');
        expect(accountOf(all, shown)).toEqual({
          alerts: all.length,
          duplicates: 0,
          lost: 0,
          differences: [],
        });
      }),
      randomRuns(300),
    );
  });

  it('finds the one that is lost, the one that is doubled, and the one that is shown in the place of another', () => {
    fc.assert(
      fc.property(records, fc.nat(), languages, (sketches, pick, language) => {
        const all = sketches.map((sketch) => recordOf({ ...sketch, ageSeconds: 0 }));
        const index = pick % all.length;
        const one = all[index] as LedgerRecord;
        const without = all.filter((record) => record !== one);
        expect(accountOf(all, messagesOf(without, false, language))).toMatchObject({ lost: 1, duplicates: 0 });
        expect(accountOf(all, messagesOf([...all, one], false, language))).toMatchObject({ lost: 0, duplicates: 1 });
        if (one.kind !== 'activity') return;
        const other = { ...one, item: { ...one.item, quantity: one.item.quantity + 7 } };
        expect(accountOf(all, messagesOf([...without, other], false, language))).toMatchObject({
          lost: 1,
          duplicates: 1,
        });
      }),
      randomRuns(80),
    );
  });

  it('counts what a message shows now, however often it has been changed', () => {
    const fills = [1, 2, 3].map((hundredths) =>
      recordOf({
        wallet: WALLETS[0] as WalletAddress,
        kind: 'buy',
        marketId: '501',
        positionSide: 'Yes',
        hundredths,
        ageSeconds: 0,
        known: 'nothing',
      }),
    );
    // The channel's language may be changed meanwhile.
    const states = [1, 3, 3, 2, 3].flatMap((count, index) =>
      messagesOf(fills.slice(0, count), false, languageFor(LANGUAGE_TAGS[index])).map((message) => ({
        ...message,
        id: 'one',
      })),
    );
    expect(states).toHaveLength(5);
    expect(accountOf(fills, states)).toMatchObject({ alerts: 3, duplicates: 0, lost: 0, differences: [] });
    expect(accountOf(fills, states.slice(0, 4))).toMatchObject({ alerts: 2, duplicates: 0, lost: 1 });
    const again = messagesOf(fills.slice(2), false);
    expect(accountOf(fills, [...states, ...again])).toMatchObject({ alerts: 4, duplicates: 1, lost: 0 });
  });

  it('names what does not agree as people do', () => {
    const sketch = {
      wallet: WALLETS[0] as WalletAddress,
      marketId: '501',
      positionSide: 'No',
      hundredths: 250,
    } as const;
    const [bought, moved] = (['buy', 'deposit'] as const).map((kind) =>
      recordOf({ ...sketch, kind, ageSeconds: 0, known: 'nothing' }),
    ) as [LedgerRecord, LedgerRecord];
    const account = createAccount({
      channel: (id) => (id === CHANNEL ? '#whales' : id),
      wallet: (wallet) => (wallet === WALLETS[0] ? 'quickdraw' : wallet),
    });
    account.watch(WALLETS[0] ?? '', CHANNEL, 0);
    for (const record of [bought, bought, moved]) account.expect(record);
    for (const message of messagesOf([bought], false)) account.see(message);
    expect(account.balance().differences).toEqual([
      '#whales · quickdraw · Will it rain in Paris? · Buy No: the venue has 2 (5 shares), the channel shows 1 (2.5 shares)',
      '#whales · quickdraw · deposit of $5000: the venue has 1, the channel shows 0',
    ]);
  });

  it('demands nothing of a watch that chooses what is alerted, and still counts no more than the venue has', () => {
    const all = [1, 2, 3].map((hundredths) =>
      recordOf({
        wallet: WALLETS[0] as WalletAddress,
        kind: 'buy',
        marketId: '501',
        positionSide: 'Yes',
        hundredths,
        ageSeconds: 0,
        known: 'nothing',
      }),
    );
    const account = createAccount();
    account.watch(WALLETS[0] ?? '', CHANNEL, 0);
    for (const record of all.slice(0, 1)) account.expect(record);
    account.watchChanged(WALLETS[0] ?? '', CHANNEL);
    for (const record of all.slice(1)) account.expect(record);
    expect(account.balance().lost).toBe(0);
    for (const message of messagesOf(all, false)) account.see(message);
    expect(account.balance()).toMatchObject({ alerts: 3, duplicates: 0, lost: 0 });
    for (const message of messagesOf(all.slice(0, 1), false)) account.see(message);
    expect(account.balance().duplicates).toBe(1);
  });
});

describe('a message in plain words', () => {
  it('is one line that a person can read', () => {
    const fills = [300, 700].map((hundredths) =>
      recordOf({
        wallet: WALLETS[0] as WalletAddress,
        kind: 'buy',
        marketId: '501',
        positionSide: 'Yes',
        hundredths,
        ageSeconds: 0,
        known: 'nothing',
      }),
    );
    const [message] = messagesOf(fills, false);
    const line = plainMessage(message as SeenMessage, NOW_SECONDS);
    expect(line).toMatch(
      /^🟢 Whale BUY Yes \$1,570 at 63\.5¢ · Will it rain in Paris\? \| 0x\w+…\w+ · 10 shares · 2 fills · taker$/u,
    );
    const { embeds } = message as SeenMessage;
    const hostile = embeds.map((embed) => ({ ...embed, title: String.raw`A \[win\](https:\u200b//prize.example)?` }));
    const said = plainMessage({ ...(message as SeenMessage), embeds: hostile }, NOW_SECONDS);
    expect(said).toMatch(/ \| A \[win\]\(https:.*\)\? — 0x\w+…\w+ · 10 shares/u);
  });
});
