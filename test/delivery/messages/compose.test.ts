import { describe, expect, it } from 'vitest';
import type { Alert, AlertGroup } from '../../../src/alerts/alert.ts';
import { plan } from '../../../src/delivery/plan/plan.ts';
import type { WalletAddress } from '../../../src/domain/address.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import { createLinks } from '../../../src/embeds/links.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { renderMessage } from '../../../src/messages/message.ts';
import { marketOf } from '../../../src/portfolio/market.ts';
import { linkTemplate } from '../../embeds/hostile-items.ts';
import { resultOf } from '../../embeds/result-of.ts';
import { trade, transfer } from '../../support/records.ts';
import { unalertedChannel } from '../../support/unalerted-channel.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { consensusOf } from '../channel.ts';

const NOW_SECONDS = 1_800_000_000;
const WALLETS = [...'abcdef'].map(walletOfDigit);

const context = {
  language: ENGLISH,
  labelOf: () => 'Whale',
  links: createLinks({}),
  sentAtMs: NOW_SECONDS * 1000,
  isCompact: false,
};

function alert(
  id: string,
  ageSeconds: number,
  changes: Partial<ActivityItem> = {},
  wallet = WALLETS[0],
): Alert {
  const item = trade({ time: NOW_SECONDS - ageSeconds, quantity: Number(id.slice(1)), ...changes });
  return {
    id,
    wallet: wallet as WalletAddress,
    channelId: '1',
    event: { kind: 'activity', item },
    seenAtMs: 0,
  };
}

function inMarket(market: number): Partial<ActivityItem> {
  return { marketId: String(market), conditionId: `0x${market}` };
}

const times = { fromSeconds: NOW_SECONDS - 6_000, toSeconds: NOW_SECONDS - 4_000 };
const gap: Alert = {
  ...alert('a99', 0),
  event: { kind: 'gap', gap: { cause: 'overflow', endpoint: 'activity', ...times } },
};
/** So many purchases of long ago, each in a market of its own. */
const lateOf = (count: number) =>
  Array.from({ length: count }, (_, nth) => alert(`a${nth + 1}`, 5_000 - nth, inMarket(nth)));

/** What came of a position that an alert has closed. */
function resultAlert(id: string, closing: Alert, changes: Parameters<typeof resultOf>[1]): Alert {
  return { ...closing, id, event: resultOf(itemOf(closing), changes) };
}

/**
 * What a channel without wishes gets now, as one message after the other if nothing else comes
 * meanwhile.
 */
function composeAll(waiting: readonly Alert[], changes: Partial<typeof context> = {}) {
  const messages: (ReturnType<typeof renderMessage>['body'] & {
    readonly alerts: readonly Alert[];
  })[] = [];
  for (let groups = groupsOf(waiting); groups.length > 0; ) {
    const { body, included } = renderMessage(groups, { ...context, ...changes });
    messages.push({ ...body, alerts: groups.slice(0, included).flatMap((group) => group.alerts) });
    groups = groups.slice(included);
  }
  return messages;
}

/** The first of these. */
function compose(waiting: readonly Alert[], changes: Partial<typeof context> = {}) {
  const [first] = composeAll(waiting, changes);
  if (first === undefined) throw new Error('Nothing is sent.');
  return first;
}

const optionsIn = (components: ReturnType<typeof compose>['components']) =>
  components.flatMap((row) =>
    row.components.flatMap((part) => ('options' in part ? part.options : [])),
  );

const itemOf = ({ event }: Alert) => (event as { readonly item: ActivityItem }).item;

function groupsOf(waiting: readonly Alert[]) {
  const { groups } = plan(waiting, unalertedChannel(NOW_SECONDS * 1000));
  return groups;
}

describe('a message', () => {
  it('sends what does not belong together one by one, and what does in the place of its first', () => {
    const waiting = [
      alert('a1', 5),
      alert('a2', 4, { action: 'Sell' }),
      alert('a3', 3),
      alert('a4', 2, { positionSide: 'No', outcomeIndex: 1 }),
    ];
    const messages = composeAll(waiting);
    expect(messages.map(({ alerts }) => alerts.map(({ id }) => id))).toEqual([
      ['a1', 'a3'],
      ['a2'],
      ['a4'],
    ]);
    expect(messages.map(({ content }) => content)).toEqual([
      '🟢 **Whale** BUY **Yes $1,570** at 63.5¢ · Will it rain in Paris?',
      '🔴 **Whale** SELL **Yes paid $785** at 63.5¢ · Will it rain in Paris?',
      '🟢 **Whale** BUY **No $785** at 63.5¢ · Will it rain in Paris?',
    ]);
  });

  it('is one embed with a line each where more than three wait, whatever the view', () => {
    const waiting = [1, 2, 3, 4].map((market) => alert(`a${market}`, 5, inMarket(market)));
    const [message, ...others] = composeAll(waiting);
    expect(others).toEqual([]);
    expect(message?.embeds.map(({ description }) => description?.split('\n').length)).toEqual([4]);
    expect(message).toEqual(compose(waiting, { isCompact: true }));
    expect(composeAll(waiting.slice(1))).toHaveLength(3);
  });

  it('says in its text the largest of what it shows, and in one that stands alone nothing twice', () => {
    const [small, large] = [
      alert('a1', 5),
      alert('a2', 4, { ...inMarket(7), transferNetAmount: 5_000 }),
    ];
    expect(compose([small, large], { isCompact: true }).content).toContain(
      'BUY **Yes $5,000** at 63.5¢',
    );
    expect(compose([small]).content).toBe(
      '🟢 **Whale** BUY **Yes $785** at 63.5¢ · Will it rain in Paris?',
    );
    expect(compose([small]).embeds[0]?.description).toBe('-# 0xaAaA…aaAa · 1 share · taker');
  });

  it('says of what purchase it is a part where messages before have shown the rest', () => {
    const [part, other] = [
      alert('a1', 5),
      alert('a2', 4, { ...inMarket(7), transferNetAmount: 5_000 }),
    ];
    const groups: AlertGroup[] = [
      { kind: 'alert', alerts: [other] },
      { kind: 'alert', alerts: [part], earlierUsdc: '17214.8925' },
    ];
    const { body } = renderMessage(groups, { ...context, isCompact: true });
    const said = '🟢 BUY **Yes $785** at 63.5¢ · part of $18,000';
    // The largest by its whole purchase.
    expect(body.content).toBe(
      '🟢 2 alerts of **Whale** · largest: BUY **Yes $785** at 63.5¢ · part of $18,000',
    );
    expect(body.embeds[0]?.description).toContain(`${said} · Will it rain in Paris?`);
    expect(body.embeds[0]?.description?.match(/part of/g)).toHaveLength(1);
  });

  it('names the whole market: in four lines of a phone, or cut and then in the embed’s title, as far as Discord has room', () => {
    const shown = (marketTitle: string) => {
      const { content, embeds } = compose([alert('a1', 5, { marketTitle })]);
      return [content.split(' · ')[1] ?? '', embeds[0]?.title ?? ''] as const;
    };
    const whole = `Will ${'it rain '.repeat(14)}?`;
    expect(shown(whole)).toEqual([whole, '']);
    const long = `Will ${'it storms '.repeat(19)}or not?`;
    const [cut, title] = shown(long);
    expect(cut).toContain('storms… not?');
    expect(title).toBe(long);
    const [, longest] = shown(`Will ${'it storms '.repeat(30)}`);
    expect(longest).toMatch(/^Will.{220,245}…$/u);
    const [wide, wideTitle] = shown('雨'.repeat(95));
    expect(wide).toMatch(/^雨{5,20}…雨{4,20}…$/u);
    expect(wideTitle).toBe('雨'.repeat(95));
    const { content, embeds } = compose([alert('a1', 5, { marketTitle: long })], {
      isCompact: true,
    });
    expect(content).toBe(`🟢 **Whale** BUY **Yes $785** at 63.5¢ · ${long}`);
    expect(embeds).toEqual([]);
  });

  it('has the whole market in a compact channel and for a result as well, and a small line only where it says more than shares', () => {
    const marketTitle = `Will ${'it storms '.repeat(5)}in Paris before June 15?`;
    const bought = alert('a1', 5, { marketTitle });
    const event = { ...bought.event, size: { usdc: 786, median: 100, p95: 900, trades: 60 } };
    const unusual = { ...bought, event } as Alert;
    expect(compose([unusual]).content).toContain(marketTitle);
    const line = `🟢 **Whale** BUY **Yes $785** at 63.5¢ · ${marketTitle}`;
    expect(compose([bought], { isCompact: true }).content).toBe(line);
    expect(compose([unusual], { isCompact: true }).content).toBe(
      `${line}\n-# 1 share · 7.9× usual`,
    );
    expect(compose([bought, { ...bought, id: 'a2' }], { isCompact: true }).content).toMatch(
      /\n-# 2 shares · 2 fills$/,
    );
    const closed = resultAlert('r1', bought, { messageId: '77', sides: ['Yes'] });
    for (const isCompact of [false, true]) {
      const { content } = compose([closed], { isCompact });
      expect(content.split('\n')[0]).toBe(
        `📈 **Whale** closed **Yes** **+\u2060$96.75** (+51.9%) · ${marketTitle}`,
      );
    }
  });

  it('shows a redemption and the result of what it closed as one, in answer to the first alert', () => {
    const cashed = { action: 'Redeem', fee: 0, liquidityRole: null, transferNetAmount: -283.28 };
    const redeemed = alert('a442', 5, cashed);
    const result = (changes = {}) => resultAlert('r1', redeemed, { messageId: '77', ...changes });
    const position = {
      sharesBefore: '442',
      sharesAfter: '0',
      isClosed: true,
      entryCents: 42,
      realized: '50',
      costOfSold: '233.28',
      oppositeShares: '0',
      isFirstInMarket: false,
    };
    const known: Alert = {
      ...redeemed,
      event: { kind: 'activity', item: itemOf(redeemed), context: position },
    };
    expect(compose([known]).embeds[0]?.description).toContain('**+\u2060$50.00**');
    const message = compose([known, result()]);
    expect(message.alerts.map(({ id }) => id)).toEqual(['a442', 'r1']);
    expect(message.replyTo).toBe('77');
    const gained = '**+\u2060$96.75** (+51.9%)';
    // Amount of the last piece, and under it what the whole position came to.
    expect(message.content).toBe('🏁 **Whale** REDEEM **Yes $283** · Will it rain in Paris?');
    expect(message.embeds[0]?.description?.split('\n')).toEqual([
      `position ${gained} · paid $186.53`,
      '-# 0xaAaA…aaAa · 442 shares · held 1 d 1 h',
    ]);

    // What was sold before, and fees.
    const more = compose([redeemed, result({ received: '383.28', fees: '1.5' })]).embeds[0]
      ?.description;
    expect(more).toContain('paid $186.53 · received $383.28\n');
    expect(more).toContain(' · fees $1.50');

    const compact = compose([redeemed, result()], { isCompact: true });
    expect(compact.content).toBe(
      `${message.content}\n-# 442 shares · position ${gained} · paid $186.53`,
    );

    const no = alert('a5', 5, {
      ...cashed,
      positionSide: 'No',
      outcomeIndex: 1,
      tokenId: '2',
      transferNetAmount: 0,
    });
    const both = compose([no, redeemed, result()]);
    expect(both.content).toContain('REDEEM **No + Yes $283** · Will');
    expect(both.embeds[0]?.description).toContain('position **+\u2060$96.75**');

    const old = alert('a7', 5_000, cashed);
    const oldResult = resultAlert('r2', old, { messageId: '78' });
    const [bought, late] = composeAll([alert('a6', 5_000, inMarket(7)), old, oldResult]);
    expect(bought?.alerts.map(({ id }) => id)).toEqual(['a6']);
    expect(late?.alerts.map(({ id }) => id)).toEqual(['a7', 'r2']);
    expect(late?.replyTo).toBe('78');
  });

  it('shows several results as a line each with their sum, each with a link to its first alert, in any view', () => {
    const results = WALLETS.map((wallet, index) => {
      const cashed = { action: 'Redeem', transferNetAmount: -10, ...inMarket(index) };
      const received = index === 0 ? '100' : '190';
      const changes = { messageId: `7${index}`, received };
      return resultAlert(`r${index}`, alert(`a${index}`, 5_000, cashed, wallet), changes);
    });
    const alertUrl = (_: WalletAddress, messageId: string) =>
      `https://discord.com/channels/1/2/${messageId}`;
    for (const isCompact of [false, true]) {
      const { body, included } = renderMessage(groupsOf([...results, alert('a9', 5)]).slice(1), {
        ...context,
        isCompact,
        alertUrl,
      });
      expect(included).toBe(6);
      expect(body.replyTo).toBeNull();
      // No row holds a Mute for each of six wallets.
      expect(body.components).toEqual([]);
      // The reference, which else buttons carry.
      expect(body.embeds[0]?.footer?.text).toBe('#r0');
      // −86.53 and five times 3.47.
      expect(body.content).toBe(
        '📉 6 positions closed: **−\u2060$69.18** (−6.2%) · 5 of 6 in profit',
      );
      const rows = body.embeds[0]?.description?.split('\n');
      expect(rows).toHaveLength(6);
      expect(rows?.slice(0, 2)).toEqual([
        `📉 **Whale** closed **−\u2060$86.53** (−46.4%) · <t:${NOW_SECONDS - 5_000}:t> · Will it rain in Paris? · [first alert](https://discord.com/channels/1/2/70)`,
        `📈 **Whale** closed **+\u2060$3.47** (+1.9%) · <t:${NOW_SECONDS - 5_000}:t> · Will it rain in Paris? · [first alert](https://discord.com/channels/1/2/71)`,
      ]);
    }
    const [only, ...rest] = groupsOf(results.slice(0, 1));
    expect(rest).toEqual([]);
    const { body } = renderMessage(only === undefined ? [] : [only], { ...context, alertUrl });
    expect(body.replyTo).toBe('70');
    expect(JSON.stringify(body.embeds)).not.toContain('first alert');
  });

  it('shows a consensus alone and in full, also in a compact channel, with no button that mutes one wallet of several', () => {
    const market = marketOf(itemOf(alert('a1', 5)));
    const agreed: Alert = {
      ...alert('k1', 5),
      event: consensusOf(WALLETS.slice(0, 3), market, NOW_SECONDS - 5),
    };
    const links = createLinks({
      MARKET_URL: linkTemplate('MARKET_URL', 'https://venue.example/{marketId}'),
    });
    const waiting = [
      alert('a1', 5),
      alert('a2', 5, inMarket(7)),
      agreed,
      alert('a3', 5, inMarket(8)),
    ];
    const message = compose(waiting, { isCompact: true, links });
    expect(message.alerts.map(({ id }) => id)).toEqual(['k1']);
    expect(message.content).toBe(
      '🤝 3 wallets bought **Yes** · **$15.00** at 50¢ · Will it rain in Paris?',
    );
    expect(
      message.components.flatMap((row) =>
        row.components.map((part) => 'label' in part && part.label),
      ),
    ).toEqual(['View market']);
  });

  it('collects what comes late into one embed a wallet, with exact totals, a line for what belongs together', () => {
    const late = Array.from({ length: 12 }, (_, index) =>
      alert(`a${index + 1}`, 5_000 - index, { transferNetAmount: 0.1, ...inMarket(index % 2) }),
    );
    const deposited: Alert = {
      ...alert('a50', 0),
      event: { kind: 'transfer', item: transfer({ time: NOW_SECONDS - 4_500 }) },
    };
    const messages = composeAll([gap, ...late, deposited, alert('a60', 10, inMarket(9))]);
    const embeds = messages.flatMap((message) => message.embeds);
    expect(messages.flatMap(({ alerts }) => alerts)).toHaveLength(15);
    expect(messages.map(({ content }) => content)).toEqual([
      // What is new comes along, where there is so much.
      '⏱ **Whale**: 15 late alerts · largest: BUY **Yes $785** at 63.5¢ · Will it rain in Paris?',
    ]);
    // Twelve times 0.1 is 1.2000000000000002 in floating point.
    expect(embeds[0]?.description).toContain(
      '13 buys, paid **$786.31** · 1 deposit, **$5,000.00**',
    );
    expect(embeds[0]?.description?.match(/BUY/g)).toHaveLength(3);
    expect(embeds[0]?.description).toContain('6 fills');
    expect(embeds[0]?.description).toContain('may be missing');
  });

  it('names the largest trade first, and a deposit only where there is none', () => {
    const moved = (id: string, amount: number): Alert => ({
      ...alert(id, 5),
      event: { kind: 'transfer', item: transfer({ time: NOW_SECONDS - 5, amount }) },
    });
    const trades = [1, 2, 3, 4].map((usdc) =>
      alert(`t${usdc}`, 5, { ...inMarket(usdc), transferNetAmount: usdc }),
    );
    const [mixed] = composeAll([moved('m1', 1_152), ...trades, moved('m2', 9)]);
    expect(mixed?.content).toBe('🟢 6 alerts of **Whale** · largest: BUY **Yes $4.00** at 63.5¢');
    expect(mixed?.embeds[0]?.description?.split('\n').at(-2)).toContain('1,152');
    const [alone] = composeAll([1, 2, 3, 4].map((usdc) => moved(`m${usdc}`, usdc)));
    expect(alone?.content).toBe(
      '📥 4 alerts of **Whale** · largest: deposited **$4.00** via bridge',
    );
  });

  it('says in a catch-up what may be missing, however much else there is', () => {
    expect(compose([gap, ...lateOf(100)]).embeds[0]?.description).toContain('may be missing');
  });

  it('offers the details of what comes late in the order of its rows', () => {
    const late = [1, 2, 3, 4].map((usdc) =>
      alert(`a${usdc}`, 5_000 - usdc, { ...inMarket(usdc), transferNetAmount: usdc }),
    );
    const { embeds, components } = compose(late);
    const rows = embeds[0]?.description?.match(/BUY \*\*Yes \$\d/g)?.map((row) => row.at(-1));
    expect(rows).toEqual(['4', '3', '2', '1']);
    const amounts = optionsIn(components).flatMap(
      ({ label }) => /BUY Yes \$(\d)/.exec(label)?.[1] ?? [],
    );
    expect(amounts).toEqual(rows);
  });

  it('says how many a catch-up could not list', () => {
    const { embeds, alerts } = compose(lateOf(400));
    expect(alerts).toHaveLength(400);
    const listed = embeds[0]?.description?.match(/BUY/g)?.length ?? 0;
    expect(embeds[0]?.description).toContain(`… and ${400 - listed} more.`);
  });

  it('says how many come late of several wallets, whatever their sales have closed', () => {
    const sold = { action: 'Sell', transferNetAmount: -10, ...inMarket(7) };
    const late = WALLETS.slice(0, 2).flatMap((wallet, index) => {
      const bought = alert(`b${index}`, 5_000, {}, wallet);
      const sale = alert(`s${index}`, 5_000, sold, wallet);
      return [bought, sale, resultAlert(`r${index}`, sale, {})];
    });
    const { content, embeds } = compose(late, { isCompact: true });
    expect(content).toBe(
      '⏱ 1 h 23 min late · 🟢 4 alerts of 2 wallets · largest: **Whale** BUY **Yes $785** at 63.5¢',
    );
    expect(embeds[0]?.description?.split('\n')).toHaveLength(2);
  });

  it('sends one late thing like any other', () => {
    expect(compose([alert('a1', 5_000)]).content).toContain('⏱ 1 h 23 min late · 🟢 **Whale** BUY');
    expect(compose([alert('a1', 5_000), alert('a2', 4_000)]).content).toContain(
      '**Whale** BUY **Yes $1,570**',
    );
  });

  it('holds alerts of five wallets at the most: a menu with the details of each, and Mute for each wallet', () => {
    const waiting = WALLETS.map((wallet, index) => alert(`a${index + 1}`, 5, {}, wallet));
    const { alerts, components } = compose(waiting);
    expect(alerts).toHaveLength(5);
    const [menu, ...others] = components.flatMap((row): readonly object[] => row.components);
    expect(menu).toMatchObject({ custom_id: 'details', placeholder: 'Details or mute…' });
    const chosen = (value: unknown) => expect.objectContaining({ value });
    expect(menu).toHaveProperty('options', [
      ...WALLETS.slice(0, 5).map(() => chosen(expect.stringMatching(/^details:/))),
      ...WALLETS.slice(0, 5).map((wallet, index) => chosen(`watch:mute:${wallet}:a${index + 1}`)),
    ]);
    expect(others).toEqual([]);
  });

  it('has a row of buttons for what it shows: details of trades, and of all else where it can be looked up', () => {
    const transferred = (id: string, wallet = WALLETS[0]): Alert => ({
      ...alert(id, 5, {}, wallet),
      event: { kind: 'transfer', item: transfer({ time: NOW_SECONDS - 5, txHash: '0x12' }) },
    });
    const links = createLinks({
      MARKET_URL: linkTemplate('MARKET_URL', 'https://venue.example/{marketId}'),
      TX_URL: linkTemplate('TX_URL', 'https://scan.example/{txHash}'),
    });
    const labels = (waiting: readonly Alert[], changes = {}) =>
      compose(waiting, changes).components.map((row) =>
        row.components.flatMap((part) => {
          if ('options' in part) return ['menu', ...part.options.map(({ label }) => label)];
          return 'label' in part ? (part.label ?? '') : [];
        }),
      );
    expect(labels([alert('a1', 5)], { links })).toEqual([['View market', 'Details', 'Mute 1 h']]);
    expect(labels([alert('a1', 5)])).toEqual([['Details', 'Mute 1 h']]);
    expect(labels([transferred('a1')], { links })).toEqual([['Mute 1 h']]);
    expect(labels([transferred('a1')])).toEqual([['Mute 1 h']]);
    const isCompact = true;
    expect(labels([transferred('a1'), transferred('a2')], { isCompact })).toEqual([
      ['Activity', 'Flows', 'Mute 1 h'],
    ]);
    expect(labels([transferred('a1'), transferred('a2', WALLETS[1])], { isCompact })).toEqual([
      ['Mute Whale 1 h', 'Mute Whale 1 h'],
    ]);
    const bought = 'Whale BUY Yes $785.11';
    expect(labels([alert('a1', 5), transferred('a2', WALLETS[1])], { isCompact })).toEqual([
      ['menu', bought, 'Mute Whale 1 h', 'Mute Whale 1 h'],
    ]);
    expect(labels([alert('a1', 5), alert('a2', 5, inMarket(7))], { isCompact })).toEqual([
      ['menu', bought, bought, 'Mute Whale 1 h'],
    ]);
    const secondAfterTwo = [
      alert('a1', 5),
      alert('a2', 5, inMarket(7)),
      transferred('a3', WALLETS[1]),
    ];
    expect(labels(secondAfterTwo, { isCompact })).toEqual([
      ['menu', bought, bought, 'Mute Whale 1 h', 'Mute Whale 1 h'],
    ]);
  });

  it('has the operator’s own link where the alert has all that it takes, with values that lead nowhere else', () => {
    const linked = (text: string, changes: Partial<ActivityItem>) => {
      const links = createLinks({
        MARKET_URL: linkTemplate('MARKET_URL', 'https://venue.example/{marketId}'),
        LINK_URL: { name: 'Trade', template: linkTemplate('LINK_URL', text) },
      });
      const { components } = compose([alert('a1', 5, changes)], { links });
      return components[0]?.components.flatMap((part) =>
        'url' in part ? [[part.label, part.url]] : [],
      )[1];
    };
    const all =
      'https://x.example/{marketSlug}/{eventSlug}?t={tokenId}&c={conditionId}&o={outcome}&p={priceCents}&w={wallet}';
    const values = {
      marketSlug: 'a/b',
      eventSlug: '?e',
      tokenId: '9&t=1',
      conditionId: '0xc',
      positionSide: 'Yes #1',
    };
    expect(linked(all, { ...values, price: 63.5 })).toEqual([
      'Trade',
      `https://x.example/a%2Fb/%3Fe?t=9%26t%3D1&c=0xc&o=Yes%20%231&p=63.5&w=${WALLETS[0]}`,
    ]);
    expect(linked(all, { ...values, tokenId: '' })).toBeUndefined();
    expect(linked('https://x.example/{eventSlug}', { eventSlug: '..' })).toBeUndefined();
  });

  it('in a compact channel is one embed with a line each, whose shares stand where its details are chosen', () => {
    const waiting = [alert('a1', 40), alert('a2', 80, { action: 'Sell' }), alert('a3', 8)];
    const { content, embeds, alerts, components } = compose(waiting, { isCompact: true });
    expect(alerts).toHaveLength(3);
    expect(embeds).toHaveLength(1);
    expect(embeds[0]?.description?.split('\n')).toEqual([
      '🟢 BUY **Yes $1,570** at 63.5¢ · Will it rain in Paris?',
      `🔴 SELL **Yes paid $785** at 63.5¢ · <t:${NOW_SECONDS - 80}:t> · Will it rain in Paris?`,
    ]);
    expect(content).toBe('🟢 2 alerts of **Whale** · largest: BUY **Yes $1,570** at 63.5¢');
    expect(embeds[0]?.footer).toBeUndefined();
    expect(optionsIn(components).map(({ description }) => description)).toEqual([
      '4 shares · 2 fills · Will it rain in Paris?',
      '2 shares · Will it rain in Paris?',
      undefined,
    ]);
    const alone = compose([alert('a1', 40)], { isCompact: true });
    expect(alone.embeds).toEqual([]);
    expect(alone.content).toBe(
      '🟢 **Whale** BUY **Yes $785** at 63.5¢ · Will it rain in Paris?\n-# 1 share · 40 s late',
    );
    // The links of its small line have no preview.
    const moved = compose([{ ...alert('a1', 5), event: { kind: 'transfer', item: transfer() } }], {
      isCompact: true,
      links: createLinks({ TX_URL: linkTemplate('TX_URL', 'https://scan.example/{txHash}') }),
    });
    expect(moved.content).toMatch(/\n-# .*\]\(<https:\/\/scan\.example[^<>]*>\)/);
  });
});
