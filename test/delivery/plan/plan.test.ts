import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, AlertGroup } from '../../../src/alerts/alert.ts';
import { withSent } from '../../../src/delivery/plan/announced.ts';
import {
  addCooldowns,
  type Cooldowns,
  marketCooldowns,
  NO_COOLDOWNS,
} from '../../../src/delivery/plan/cooldowns.ts';
import { decideMentions } from '../../../src/delivery/plan/mentions.ts';
import {
  GROUPING_WINDOW_MS,
  type PlanContext,
  plan,
  RESULTS_WINDOW_MS,
} from '../../../src/delivery/plan/plan.ts';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { marketOf } from '../../../src/portfolio/market.ts';
import type { ResultNews } from '../../../src/portfolio/results/alerted-positions.ts';
import { EFFECTS, type Effect } from '../../../src/portfolio/trade-context.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { resultOf } from '../../embeds/result-of.ts';
import { sampleTrade } from '../../support/records.ts';
import { unalertedChannel } from '../../support/unalerted-channel.ts';
import { WALLET_A, WALLET_B, walletOf } from '../../support/wallets.ts';
import { consensusOf, deposit, fillAlert, NOW_MS, ROLE } from '../channel.ts';

const gap: Alert = {
  ...fillAlert('gap'),
  event: {
    kind: 'gap',
    gap: { cause: 'overflow', endpoint: 'activity', fromSeconds: 1, toSeconds: NOW_MS / 1000 },
  },
};

function decide(
  waiting: readonly Alert[],
  settings: Partial<WatchSettings>,
  context: Partial<PlanContext> = {},
) {
  const { groups, drop, nextDueMs } = plan(waiting, {
    ...unalertedChannel(NOW_MS),
    settingsOf: () => ({ ...DEFAULT_SETTINGS, ...settings }),
    polledAtMs: () => NOW_MS,
    ...context,
  });
  return {
    included: groups.map(({ alerts }) => alerts.map(({ id }) => id)),
    dropped: drop.map(({ alert }) => alert.id),
    waitsMs: Number.isFinite(nextDueMs) ? nextDueMs - NOW_MS : null,
    groups,
  };
}

const sendsNothing = (waitsMs: number | null, dropped: readonly string[] = []) => ({
  included: [],
  dropped,
  waitsMs,
});
const NOTHING = { announced: [], growing: [] };
const AUDIBLE = { roleIds: [], isSilent: false };

/** What a channel remembers that was sent these, or the first of them. */
function rememberedOf(
  groups: readonly AlertGroup[],
  settings: Partial<WatchSettings>,
  { atMs = NOW_MS, sent = groups } = {},
): Cooldowns {
  const markets = marketCooldowns(sent, groups, () => ({ ...DEFAULT_SETTINGS, ...settings }));
  return addCooldowns(NO_COOLDOWNS, { markets, mentions: [] }, atMs);
}

/** What it remembers that was sent this alert when that was seen. */
function cooledAfter(alert: Alert, settings: Partial<WatchSettings>): Cooldowns {
  return rememberedOf(decide([alert], settings).groups, settings, { atMs: alert.seenAtMs });
}

/** Whom a message with these mentions, and whether it may be heard. */
function noiseOf(
  waiting: readonly Alert[],
  settings: Partial<WatchSettings>,
  cooldowns = NO_COOLDOWNS,
) {
  const settingsOf = () => ({ ...DEFAULT_SETTINGS, ...settings });
  return decideMentions(decide(waiting, settings).groups, {
    nowMs: NOW_MS,
    settingsOf,
    cooldowns,
    announced: [],
    isQuietAt: () => false,
  });
}

describe('a minimum', () => {
  const settings = { minUsdc: 500 };

  it('sends a purchase that reaches it at once, by the exact sum of its fills', () => {
    const fills = [fillAlert('a', { usdc: 0.1 }), fillAlert('b', { usdc: 0.2 })];
    expect(decide(fills, { minUsdc: 0.3 })).toMatchObject({
      included: [['a', 'b']],
      waitsMs: null,
    });
    // In floating point the sum is 0.30000000000000004.
    const waits = { included: [], waitsMs: GROUPING_WINDOW_MS };
    expect(decide(fills, { minUsdc: 0.30000000000000004 })).toMatchObject(waits);
  });

  it('lets a fill below it wait for the others of its purchase, which may lie on the other side of a look', () => {
    const first = fillAlert('a', { usdc: 300, ageMs: 80_000 });
    const waits = { included: [], dropped: [], waitsMs: GROUPING_WINDOW_MS - 80_000 };
    expect(decide([first], settings)).toMatchObject(waits);
    expect(decide([first, fillAlert('b', { usdc: 200 })], settings).included).toEqual([['a', 'b']]);
    expect(
      decide([first, fillAlert('b', { usdc: 200, action: 'Sell' })], settings).included,
    ).toEqual([]);
  });

  it('drops it when it has waited and the wallet has been looked at again, and not before', () => {
    const old = fillAlert('a', { usdc: 300, ageMs: GROUPING_WINDOW_MS });
    expect(decide([old], settings)).toMatchObject({ included: [], dropped: ['a'], waitsMs: null });
    for (const polledAtMs of [() => null, () => old.seenAtMs]) {
      const waiting = decide([old], settings, { polledAtMs });
      expect(waiting.dropped).toEqual([]);
      expect(waiting.waitsMs).toBeGreaterThan(0);
    }
  });

  it('gives each fill its own time: the last of many small ones may be the first of a purchase', () => {
    const fills = [
      fillAlert('a', { usdc: 100, ageMs: GROUPING_WINDOW_MS }),
      fillAlert('b', { usdc: 300, ageMs: 10_000 }),
    ];
    expect(decide(fills, settings)).toMatchObject({
      dropped: ['a'],
      waitsMs: GROUPING_WINDOW_MS - 10_000,
    });
  });

  it('drops at once what nothing can join: a transfer, and any fill where each is sent alone', () => {
    const deposits = [deposit('d', 499), deposit('e', 500)];
    expect(decide(deposits, settings)).toMatchObject({ included: [['e']], dropped: ['d'] });
    const fills = [fillAlert('a', { usdc: 499 }), fillAlert('b', { usdc: 501 })];
    expect(decide(fills, { ...settings, style: 'each' })).toMatchObject({
      included: [['b']],
      dropped: ['a'],
    });
  });

  it('never keeps a notice that something may be missing', () => {
    expect(decide([gap], settings).included).toEqual([['gap']]);
  });
});

describe('what a trade does to the position', () => {
  /** Nothing waits for the rest of its purchase or sale any more. */
  const LATER = { nowMs: NOW_MS + GROUPING_WINDOW_MS };

  type Known = Extract<Alert['event'], { kind: 'activity' }>['context'];
  interface Did {
    readonly effect: Effect | undefined;
    readonly alerts: readonly Alert[];
  }
  const trades = fc.array(
    fc.record({
      isSale: fc.boolean(),
      isAll: fc.boolean(),
      parts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
      isKnown: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );

  /** Trades of one wallet in one outcome, one after the other, each in a transaction of its own. */
  function played(
    moves: readonly { isSale: boolean; isAll: boolean; parts: number[]; isKnown: boolean }[],
  ): Did[] {
    let held = 0;
    let fills = 0;
    return moves.map(({ isSale, isAll, parts, isKnown }, nth) => {
      const before = held;
      const isSold = isSale && held > 0;
      const steps = isSold ? [isAll ? held : held / 2] : parts;
      const alerts = steps.map((shares): Alert => {
        const sharesBefore = held;
        held += isSold ? -shares : shares;
        fills += 1;
        const context: Known = {
          sharesBefore: String(sharesBefore),
          sharesAfter: String(held),
          isClosed: isSold && held === 0,
          entryCents: 50,
          realized: isSold ? '1' : null,
          costOfSold: '1',
          oppositeShares: '0',
          isFirstInMarket: false,
        };
        const alert = fillAlert(`t${nth}f${fills}`, {
          usdc: shares,
          action: isSold ? 'Sell' : 'Buy',
          ageMs: 500 - fills,
        });
        const item = {
          ...(alert.event as { item: ReturnType<typeof sampleTrade> }).item,
          time: NOW_MS / 1000,
        };
        const own = { ...item, quantity: shares, txHash: `0x${nth}` };
        return {
          ...alert,
          event: { kind: 'activity', item: own, ...(isKnown ? { context } : {}) },
        };
      });
      const known: Effect = isSold
        ? held === 0
          ? 'closes'
          : 'reduces'
        : before === 0
          ? 'opens'
          : 'adds';
      return { effect: isKnown ? known : undefined, alerts };
    });
  }

  it.each(['grouped', 'each'] as const)(
    'lets each known trade pass one of the four, all of it, and each unknown one all: %s',
    (style) => {
      fc.assert(
        fc.property(trades, (moves) => {
          for (const { effect, alerts } of played(moves)) {
            const passing = EFFECTS.filter(
              (one) => decide(alerts, { style, kinds: [one] }, LATER).included.length > 0,
            );
            expect(passing).toEqual(effect === undefined ? EFFECTS : [effect]);
            for (const one of EFFECTS) {
              const { included, dropped } = decide(alerts, { style, kinds: [one] }, LATER);
              expect([included.flat().length, dropped.length]).toContain(alerts.length);
            }
            expect(decide(alerts, { kinds: ['buy', 'sell', 'closes'] }).dropped).toEqual([]);
          }
        }),
      );
    },
  );

  it('loses nothing that is wanted where trades wait together, and decides about each alert once', () => {
    fc.assert(
      fc.property(
        trades,
        fc.subarray([...EFFECTS], { minLength: 1 }),
        fc.boolean(),
        (moves, kinds, isEach) => {
          const did = played(moves);
          const waiting = did.flatMap(({ alerts }) => alerts);
          const { included, dropped } = decide(
            waiting,
            { kinds, style: isEach ? 'each' : 'grouped' },
            LATER,
          );
          expect([...included.flat(), ...dropped].toSorted()).toEqual(
            waiting.map(({ id }) => id).toSorted(),
          );
          const wanted = did.filter(({ effect }) => effect === undefined || kinds.includes(effect));
          for (const { id } of wanted.flatMap(({ alerts }) => alerts))
            expect(dropped).not.toContain(id);
        },
      ),
    );
  });

  it('lets a sale that may be the first piece of a closing one wait for the rest, and holds nothing up', () => {
    const [opening, more, first, rest] = played([
      { isSale: false, isAll: false, parts: [3], isKnown: true },
      { isSale: false, isAll: false, parts: [1], isKnown: true },
      { isSale: true, isAll: false, parts: [1], isKnown: true },
      { isSale: true, isAll: true, parts: [1], isKnown: true },
    ]).flatMap(({ alerts }) => alerts) as [Alert, Alert, Alert, Alert];
    const settings = { kinds: ['closes' as const], minUsdc: 3 };
    expect(decide([first], settings)).toMatchObject(sendsNothing(GROUPING_WINDOW_MS - 497));
    const whole = { included: [[first.id, rest.id]], dropped: [], waitsMs: null };
    expect(decide([first, rest], settings)).toMatchObject(whole);
    expect(decide([first], settings, LATER)).toMatchObject(sendsNothing(null, [first.id]));
    expect(decide([first], { ...settings, style: 'each' }).dropped).toEqual([first.id]);
    const both = decide([opening, more], { kinds: ['adds', 'closes'] });
    expect(both).toMatchObject({ dropped: [opening.id], waitsMs: null });
  });

  it('holds nothing of a purchase that a message has begun, and begins no cooldown with what is left out', () => {
    const [opening, more] = played([
      { isSale: false, isAll: false, parts: [2], isKnown: true },
      { isSale: false, isAll: false, parts: [3], isKnown: true },
    ]).flatMap(({ alerts }) => alerts) as [Alert, Alert];
    const settings = { kinds: ['opens' as const], cooldownSeconds: 300 };
    expect(
      decide([opening, more], settings).included,
      'a purchase in pieces opens as a whole',
    ).toEqual([[opening.id, more.id]]);
    const added = decide([opening, more], { kinds: ['adds'] });
    expect(added).toMatchObject({ included: [[more.id]], dropped: [opening.id] });
    const hole = {
      ...more,
      event: {
        ...more.event,
        context: {
          ...(more.event as { context: Known }).context,
          sharesBefore: '4',
          sharesAfter: '7',
        },
      },
    };
    expect(
      decide([opening, hole as Alert], settings).included,
      'a fill between them is left out by its price',
    ).toEqual([[opening.id, more.id]]);
    const { groups, dropped } = decide([more], settings);
    expect([groups, dropped]).toEqual([[], [more.id]]);
    expect(rememberedOf(groups, settings)).toEqual(NO_COOLDOWNS);
    const sent = decide([opening], settings).groups;
    const announced = withSent(NOTHING, sent, {
      messageId: null,
      sentAtMs: NOW_MS,
      noise: AUDIBLE,
    });
    expect(decide([more], settings, announced)).toMatchObject({
      included: [[more.id]],
      dropped: [],
    });
  });
});

describe('a cooldown', () => {
  const settings = { cooldownSeconds: 300 };

  it('keeps what the wallet does in the market after an alert, and sends it as one', () => {
    const cooldowns = cooledAfter(fillAlert('a', { ageMs: 200_000 }), settings);
    const waiting = [
      fillAlert('b', { usdc: 2, ageMs: -1 }),
      fillAlert('c', { usdc: 3, ageMs: -2 }),
      fillAlert('s', { usdc: 3, ageMs: -3, action: 'Sell' }),
      fillAlert('m', { usdc: 4, market: 2 }),
      deposit('d', 5),
    ];
    const now = decide(waiting, settings, { cooldowns });
    expect(now).toMatchObject({ included: [['m'], ['d']], dropped: [], waitsMs: 100_000 });
    const later = decide(waiting, settings, { cooldowns, nowMs: NOW_MS + 100_000 });
    expect(later.included).toEqual([['b', 'c'], ['s'], ['m'], ['d']]);
  });

  it('does not keep what was ready with the alert and found no room in its message', () => {
    const groups = decide(
      [fillAlert('a', { ageMs: 5 }), fillAlert('s', { action: 'Sell' })],
      settings,
    ).groups;
    const cooldowns = rememberedOf(groups, settings, { sent: groups.slice(0, 1) });
    expect(decide([fillAlert('s', { action: 'Sell' })], settings, { cooldowns }).included).toEqual([
      ['s'],
    ]);
    expect(decide([fillAlert('t', { ageMs: -1 })], settings, { cooldowns }).included).toEqual([]);
  });

  it('counts for the minimum what it has kept', () => {
    const both = { cooldownSeconds: 300, minUsdc: 500 };
    const cooldowns = cooledAfter(fillAlert('a', { usdc: 900, ageMs: 250_000 }), both);
    const kept = [
      fillAlert('b', { usdc: 300, ageMs: 200_000 }),
      fillAlert('c', { usdc: 300, ageMs: 20_000 }),
    ];
    expect(decide(kept, both, { cooldowns })).toMatchObject(sendsNothing(50_000));
    expect(decide(kept, both, { cooldowns, nowMs: NOW_MS + 50_000 }).included).toEqual([
      ['b', 'c'],
    ]);
  });

  it('lets a fill that was ready before it began wait with those that it keeps', () => {
    const both = { cooldownSeconds: 300, minUsdc: 500 };
    const ready = [
      fillAlert('s', { usdc: 600, ageMs: 100_000, action: 'Sell' }),
      fillAlert('a', { usdc: 300, ageMs: 100_000 }),
    ];
    const sentAtMs = NOW_MS - 99_000;
    const { groups, included } = decide(ready, both, { nowMs: sentAtMs });
    expect(included).toEqual([['s']]);
    const cooldowns = rememberedOf(groups, both, { atMs: sentAtMs });
    const waiting = [
      fillAlert('a', { usdc: 300, ageMs: 100_000 }),
      fillAlert('b', { usdc: 300, ageMs: 50_000 }),
    ];
    expect(decide(waiting, both, { cooldowns })).toMatchObject(sendsNothing(201_000));
    expect(decide(waiting, both, { cooldowns, nowMs: NOW_MS + 201_000 }).included).toEqual([
      ['a', 'b'],
    ]);
  });

  it('does not make late news of what it has kept itself', () => {
    const long = { cooldownSeconds: 3_600 };
    const cooldowns = cooledAfter(fillAlert('a', { ageMs: 3_600_000 }), long);
    const kept = [
      fillAlert('b', { ageMs: 3_000_000 }),
      fillAlert('s', { ageMs: 2_000_000, action: 'Sell' }),
    ];
    expect(decide(kept, long, { cooldowns }).groups.map(({ kind }) => kind)).toEqual([
      'alert',
      'alert',
    ]);
    expect(decide(kept, {}).groups.map(({ kind }) => kind)).toEqual(['late']);
  });

  it('is not made longer by a clock that is put back, and is forgotten in the end', () => {
    const cooldowns = cooledAfter(fillAlert('a', { ageMs: -86_400_000 }), settings);
    expect(decide([fillAlert('b', { ageMs: -1 })], settings, { cooldowns }).included).toEqual([
      ['b'],
    ]);
    const next = addCooldowns(cooldowns, { markets: {}, mentions: [] }, NOW_MS + 3 * 86_400_000);
    expect(next).toEqual(NO_COOLDOWNS);
  });
});

it('puts what comes late together, up to the first of its wallet that does not', () => {
  const waiting = [
    fillAlert('a', { ageMs: 3_600_000 }),
    fillAlert('b', { market: 1 }),
    fillAlert('c', { ageMs: 3_600_000, market: 2 }),
  ];
  expect(decide(waiting, {}).included).toEqual([['a'], ['b'], ['c']]);
});

describe('an outage', () => {
  const kept = (count: number, oldestMs: number) =>
    Array.from({ length: count }, (_, market) =>
      fillAlert(`k${market}`, { market, ageMs: market === 0 ? oldestMs : 1_000 }),
    );
  const kinds = (waiting: readonly Alert[], context: Partial<PlanContext> = {}) =>
    decide(waiting, {}, context).groups.map(({ kind, alerts }) => [kind, alerts.length]);

  it('of five minutes and more brings what a wallet did meanwhile together, if that is more than three alerts', () => {
    expect(kinds(kept(4, 300_001))).toEqual([['late', 4]]);
    expect(kinds(kept(3, 300_001)).map(([kind]) => kind)).toEqual(['alert', 'alert', 'alert']);
    expect(kinds(kept(4, 300_000)).map(([kind]) => kind)).toEqual(Array(4).fill('alert'));
    // Where alerts are no news sooner, they come together sooner.
    expect(kinds(kept(4, 120_001), { catchUpAfterMs: 120_000 })).toEqual([['late', 4]]);
  });

  it('brings each wallet a list of its own, before all else, up to ten wallets', () => {
    const ofWallets = (count: number) =>
      Array.from({ length: count }, (_, nth) =>
        kept(4, 600_000).map((alert) => ({ ...alert, wallet: walletOf(nth) })),
      ).flat();
    const other = { ...fillAlert('o'), wallet: walletOf(99) };
    expect(kinds([other, ...ofWallets(10)])).toEqual([
      ...Array(10).fill(['late', 4]),
      ['alert', 1],
    ]);
    const tooMany = kinds([other, ...ofWallets(11)]);
    expect(tooMany.map(([kind]) => kind)).toEqual(Array(45).fill('alert'));
    const compact = kinds(ofWallets(1), { isCompact: true });
    expect(compact.map(([kind]) => kind)).not.toContain('late');
  });

  it('mentions a role for what each piece would alone, with what was shown of its purchase before', () => {
    const mention = { roleId: ROLE, minUsdc: 100, cooldownSeconds: 0 };
    const others = kept(4, 600_000).slice(0, 3);
    const mentionedAfter = (shownUsdc: number, usdc: number) => {
      const sentMs = NOW_MS - 400_000;
      const [before, next] = [410_000, 390_000].map((ageMs, nth) =>
        fillAlert(`p${nth}`, { usdc: nth === 0 ? shownUsdc : usdc, market: 9, ageMs }),
      ) as [Alert, Alert];
      const group: AlertGroup = { kind: 'alert', alerts: [before] };
      const shown = withSent(NOTHING, [group], {
        messageId: 'm',
        sentAtMs: sentMs,
        noise: AUDIBLE,
      });
      const settings = { ...DEFAULT_SETTINGS, mention };
      const { groups } = decide([next, ...others], settings, shown);
      expect(groups.map(({ kind, alerts }) => [kind, alerts.length])).toEqual([['late', 4]]);
      const { noise } = decideMentions(groups, {
        ...unalertedChannel(NOW_MS),
        ...shown,
        settingsOf: () => settings,
      });
      // What it comes to is remembered for the pieces that follow.
      const after = withSent(shown, groups, { messageId: null, sentAtMs: NOW_MS, noise });
      expect(after.announced.map(({ usdc }) => usdc)).toContain(`${shownUsdc + usdc}`);
      return noise.roleIds;
    };
    expect(mentionedAfter(90, 20)).toEqual([ROLE]);
    expect(mentionedAfter(150, 120)).toEqual([]);
    expect(mentionedAfter(10, 20)).toEqual([]);
    const fills = kept(4, 600_000).concat(
      ['x', 'y'].map((id) => fillAlert(id, { usdc: 60, market: 9 })),
    );
    expect(noiseOf(fills, { mention }).noise.roleIds).toEqual([ROLE]);
    expect(noiseOf(fills, { mention, style: 'each' }).noise.roleIds).toEqual([]);
  });

  it('leaves a list behind what its wallet did before', () => {
    const settings = { cooldownSeconds: 3_600 };
    const waiting = [
      fillAlert('a', { ageMs: 1_000, market: 1 }),
      fillAlert('b', { ageMs: 3_600_000, market: 2 }),
      fillAlert('c', { ageMs: 3_600_000, market: 3 }),
    ];
    expect(decide(waiting, settings).included).toEqual([['a'], ['b', 'c']]);
  });

  it('is none where only a notice is about an earlier time', () => {
    const missing = { cause: 'unclear', endpoint: 'activity', fromSeconds: 1 } as const;
    const toSeconds = NOW_MS / 1000 - 600;
    const earlier: Alert = {
      ...gap,
      event: { kind: 'gap', gap: { ...missing, toSeconds } },
    };
    expect(kinds([earlier, ...kept(3, 1_000)]).map(([kind]) => kind)).not.toContain('late');
  });

  it('keeps wallets apart, and leaves one alone of which little waits', () => {
    const other = WALLET_B;
    const few = { ...fillAlert('f', { ageMs: 600_000 }), wallet: other };
    expect(kinds([...kept(5, 600_000), few])).toEqual([
      ['late', 5],
      ['alert', 1],
    ]);
  });

  it('is none where a cooldown has kept them', () => {
    const settings = { cooldownSeconds: 600 };
    const before = cooledAfter(fillAlert('a', { ageMs: 600_000, market: 0 }), settings);
    const { groups } = decide(kept(4, 590_000), settings, { cooldowns: before });
    expect(groups.map(({ kind }) => kind)).toEqual(Array(4).fill('alert'));
  });
});

describe('a result', () => {
  const redemption = (id: string, usdc: number, ageMs = 0) =>
    fillAlert(id, { usdc, ageMs, action: 'Redeem' });
  const itemOf = ({ event }: Alert) => (event.kind === 'activity' ? event.item : sampleTrade());
  const resultOfAlert = (id: string, closing: Alert, changes: Partial<ResultNews> = {}): Alert => ({
    ...closing,
    id,
    event: resultOf(itemOf(closing), changes),
    seenAtMs: closing.seenAtMs - RESULTS_WINDOW_MS,
  });
  const no = { positionSide: 'No', outcomeIndex: 1, tokenId: '2' };
  const otherSide = (alert: Alert): Alert => ({
    ...alert,
    event: { kind: 'activity', item: { ...itemOf(alert), ...no, txHash: '0xother' } },
  });
  const [small, large] = [redemption('s', 5), redemption('l', 500)];
  const sale = (id: string, usdc: number, ageMs = 0) =>
    fillAlert(id, { usdc, ageMs, action: 'Sell' });
  const sold = sale('x', 500);
  /** The sale, after which the wallet holds so many shares of what it sold. */
  const leaving = (alert: Alert, sharesAfter = '10'): Alert => ({
    ...alert,
    event: {
      kind: 'activity',
      item: itemOf(alert),
      context: {
        sharesBefore: '20',
        sharesAfter,
        isClosed: sharesAfter === '0',
        entryCents: 50,
        realized: '1',
        costOfSold: '5',
        oppositeShares: '0',
        isFirstInMarket: false,
      },
    },
  });

  const ALONE = { style: 'each' } as const;
  it.each<[string, string, Partial<WatchSettings>, string, string?]>([
    ['with its redemption', 'l won', {}, 'l+r'],
    ['with all redemptions of the market', 's other-side won', {}, 's+l+r'],
    ['with the one that closed, where each stands alone', 'earlier l won', ALONE, 's l+r'],
    ['alone without a redemption', 'won', {}, 'r'],
    ['alone beside a redemption of another time', 'before won', {}, 'o r'],
    ['with its sale', 'x gained', {}, 'x+r'],
    ['with the last of the sales that closed it, each alone', 'x y gained', ALONE, 'x y+r'],
    ['alone beside a sale of another time', 'sold-before gained', {}, 'o r'],
    ['alone beside the sale of an outcome that is kept in part', 'leaving-some gained', {}, 'x r'],
    ['alone beside a purchase', 'bought gained', {}, 'b r'],
    ['in the place of its sale, before what is bought next', 'x bought-next gained', {}, 'x+r b'],
    ['with a sale below the minimum that its gain reaches', 'sale of-sale', { minUsdc: 90 }, 's+r'],
    ['whatever it is, with a sale above the minimum', 'x gained', { minUsdc: 100 }, 'x+r'],
    ['alone where a sale is left out', 'leaving-none gained', { kinds: ['opens'] }, 'r', 'x'],
    ['alone where the redemption is below the minimum', 's of-small', { minUsdc: 90 }, 'r'],
    ['whatever it is, with a redemption above the minimum', 'l won', { minUsdc: 100 }, 'l+r'],
  ])('goes %s', (_words, waiting, settings, expected, unwanted = '') => {
    const known: Readonly<Record<string, Alert>> = {
      s: small,
      l: large,
      x: sold,
      y: { ...sold, id: 'y' },
      earlier: redemption('s', 5, 9_000),
      'other-side': otherSide(large),
      before: redemption('o', 500, 1_000),
      'sold-before': sale('o', 500, 1_000),
      'leaving-some': leaving(sold),
      'leaving-none': leaving(sold, '0'),
      bought: fillAlert('b', { usdc: 500 }),
      'bought-next': fillAlert('b', { usdc: 500, market: 2 }),
      sale: sale('s', 5),
      won: resultOfAlert('r', large),
      gained: resultOfAlert('r', sold),
      'of-small': resultOfAlert('r', small),
      'of-sale': resultOfAlert('r', sale('s', 5)),
    };
    const alerts = waiting.split(' ').map((name) => known[name] ?? expect.fail(name));
    const { included, dropped } = decide(alerts, settings);
    expect(included.map((ids) => ids.join('+')).join(' ')).toBe(expected);
    expect(dropped.join(' ')).toBe(unwanted);
  });

  it('waits for no minimum and no cooldown beside its sale, where it or the sale reaches the minimum', () => {
    const settings = { minUsdc: 100, cooldownSeconds: 600 };
    const cooldowns = cooledAfter(sale('a', 500, 60_000), settings);
    const small = sale('s', 5);
    const lost = resultOfAlert('r', small, { paid: '300', received: '5' });
    const closing = decide([small, lost], settings, { cooldowns });
    expect(closing).toMatchObject({ included: [['s', 'r']], dropped: [], waitsMs: null });
    // A cooldown begins anew with the sale.
    expect(rememberedOf(closing.groups, settings)).not.toEqual(NO_COOLDOWNS);
    // Neither reaches it: the sale waits as ever, the result does not go alone.
    const little = resultOfAlert('r', small, { paid: '10', received: '5' });
    expect(decide([small, little], settings, { cooldowns })).toMatchObject(
      sendsNothing(540_000, ['r']),
    );
    // Earlier pieces of the sale go with it.
    const earlier = sale('e', 50, 30_000);
    expect(decide([earlier, small, lost], settings, { cooldowns }).included).toEqual([
      ['e', 's', 'r'],
    ]);
  });

  it('is part of what comes late with its sale', () => {
    const old = sale('o', 500, 3_600_000);
    const bought = (id: string, market: number) => fillAlert(id, { ageMs: 3_600_000, market });
    const waiting = [bought('b', 2), old, resultOfAlert('r', old), bought('c', 3)];
    const { groups } = decide(waiting, {});
    expect(groups.map(({ kind, alerts }) => [kind, alerts.map(({ id }) => id)])).toEqual([
      ['late', ['b', 'o', 'r', 'c']],
    ]);
    // It is heard as what else is in it.
    const little = resultOfAlert('r', old, { paid: '500', received: '500.5' });
    expect(noiseOf([bought('b', 2), old, little], {}).noise.isSilent).toBe(false);
  });

  it.each([
    ['behind a purchase between the pieces of its sale', ['e', 'b', 'x', 'r'], ['b', 'e+x+r']],
    ['before a purchase that was found after its sale', ['e', 'x', 'b', 'r'], ['e+x+r', 'b']],
    [
      'before a purchase of which a piece was found after its sale',
      ['e', 'b', 'x', 'c', 'r'],
      ['e+x+r', 'b+c'],
    ],
    [
      'in its market’s place among other markets',
      ['e', 'm', 'b', 'x', 'n', 'r'],
      ['b', 'm', 'e+x+r', 'n'],
    ],
  ])('comes %s', (_words, order, expected) => {
    const known: Readonly<Record<string, Alert>> = {
      e: sale('e', 50),
      b: fillAlert('b', { usdc: 20 }),
      c: fillAlert('c', { usdc: 20 }),
      m: fillAlert('m', { market: 2 }),
      n: fillAlert('n', { market: 3 }),
      x: sold,
      r: resultOfAlert('r', sold),
    };
    const { included } = decide(
      order.flatMap((id) => known[id] ?? []),
      {},
    );
    expect(included.map((ids) => ids.join('+'))).toEqual(expected);
  });

  it('of a sale is not added to: what is sold next is no part of that position', () => {
    const sent = decide([sold, resultOfAlert('r', sold)], {}).groups;
    const message = { messageId: 'm', sentAtMs: NOW_MS, noise: AUDIBLE };
    const shown = withSent(NOTHING, sent, message);
    const atMs = NOW_MS + 10_000;
    const next = sale('n', 20, -10_000);
    const { included, groups } = decide(
      [next],
      { cooldownSeconds: 600 },
      { ...shown, nowMs: atMs },
    );
    expect(included).toEqual([['n']]);
    expect(groups[0]?.earlierUsdc).toBe('500');
  });

  it('of a sale is heard by its gain or by the amount of the sale', () => {
    const isSilent = (usdc: number, received: string, silentBelowUsdc: number) => {
      const closing = sale('x', usdc);
      const news = resultOfAlert('r', closing, { paid: '200', received });
      return noiseOf([closing, news], { silentBelowUsdc }).noise.isSilent;
    };
    expect(isSilent(500, '200.5', 0)).toBe(false);
    expect(isSilent(500, '200.5', 600)).toBe(true);
    expect(isSilent(500, '150', 600)).toBe(false);
    expect(isSilent(700, '200.5', 600)).toBe(false);
  });

  it('below its watch’s minimum goes with its redemption or with others, and not alone', () => {
    const settings = { minUsdc: 100 };
    const lost = { paid: '100', received: '0.5' };
    const [won, lostOne] = [resultOfAlert('r', large), resultOfAlert('q', small, lost)];
    expect(decide([won], settings)).toMatchObject({ included: [], dropped: ['r'] });
    expect(decide([lostOne], settings)).toMatchObject({ included: [], dropped: ['q'] });
    expect(decide([lostOne], { minUsdc: 99.5 }).included).toEqual([['q']]);
    expect(decide([won, lostOne], settings).included).toEqual([['q'], ['r']]);
    expect(decide([large, won], settings).included).toEqual([['l', 'r']]);
  });

  it('keeps the order of the redemptions of one second, and comes after them without one', () => {
    const redeemed = (id: string, market: number) =>
      fillAlert(id, { usdc: 500, action: 'Redeem', market });
    const [first, second] = [redeemed('z', 1), redeemed('a', 2)];
    const alone = ['d', 'c'].map((id, index) => resultOfAlert(id, redeemed(id, 3 + index)));
    const waiting = [
      ...alone,
      first,
      resultOfAlert('y', first),
      second,
      resultOfAlert('b', second),
    ];
    expect(decide(waiting, {}).included).toEqual([['z', 'y'], ['a', 'b'], ['c'], ['d']]);
  });

  it('waits for no cooldown, and none begins with it', () => {
    const settings = { cooldownSeconds: 600 };
    const cooldowns = cooledAfter(redemption('a', 5, 60_000), settings);
    const waiting = [large, resultOfAlert('r', large)];
    const { included, groups, waitsMs } = decide(waiting, settings, { cooldowns });
    expect([included, waitsMs]).toEqual([[['r']], 540_000]);
    expect(rememberedOf(groups, settings)).toEqual(NO_COOLDOWNS);
  });

  it('is with its redemption, after what else comes late, and before what is done in the market afterwards', () => {
    const old = redemption('o', 500, 3_600_000);
    const bought = (id: string, market: number) => fillAlert(id, { ageMs: 3_600_000, market });
    const { groups } = decide(
      [old, resultOfAlert('r', old), bought('b', 2), bought('a', 0), bought('c', 3)],
      {},
    );
    expect(groups.map(({ kind, alerts }) => [kind, alerts.map(({ id }) => id)])).toEqual([
      ['late', ['b', 'c']],
      ['alert', ['o', 'r']],
      ['alert', ['a']],
    ]);
  });

  it('waits a moment for others, from the first on, unless a redemption comes with one, or a trade after it', () => {
    const seen = (id: string, ageMs: number, from = large) => ({
      ...resultOfAlert(id, from),
      seenAtMs: NOW_MS - ageMs,
    });
    const waits = { included: [], dropped: [], waitsMs: RESULTS_WINDOW_MS - 900 };
    expect(decide([seen('r', 100), seen('q', 900, small)], {})).toMatchObject(waits);
    expect(decide([seen('r', 100), seen('q', RESULTS_WINDOW_MS)], {}).included).toEqual([
      ['q'],
      ['r'],
    ]);
    expect(decide([seen('r', 100), large], {}).included).toEqual([['l', 'r']]);
    const [again, elsewhere] = [fillAlert('b'), fillAlert('c', { market: 2 })];
    expect(decide([seen('r', 100), again], {}).included).toEqual([['r'], ['b']]);
    expect(decide([seen('r', 100), elsewhere], {}).included).toEqual([['c']]);
    // In one look the results come behind all trades.
    const before = resultOfAlert('r', redemption('l', 500, 1_000));
    const waiting = [again, { ...before, seenAtMs: NOW_MS }];
    expect(decide(waiting, {}).included).toEqual([['r'], ['b']]);
    // A clock that is put back keeps nothing.
    expect(decide([seen('r', -86_400_000)], {}).included).toEqual([['r']]);
  });

  it('is dropped where the channel has switched results off, and its redemption is not', () => {
    const waiting = [large, resultOfAlert('r', large)];
    expect(decide(waiting, {}, { leftOut: ['result'] })).toMatchObject({
      included: [['l']],
      dropped: ['r'],
    });
  });

  it('is silent below a dollar, or a hundredth of what was paid, unless its watch asks for that much', () => {
    const silent = (
      received: string,
      alerts: readonly Alert[],
      settings: Partial<WatchSettings> = {},
      paid = '200',
    ) =>
      noiseOf([...alerts, resultOfAlert('r', large, { paid, received })], settings).noise.isSilent;
    for (const alerts of [[], [large]]) {
      const said = ['200.5', '199.5', '201.99', '198', '202'].map((received) =>
        silent(received, alerts),
      );
      expect(said).toEqual([true, true, true, false, false]);
      // A large part of little.
      expect(['20.99', '21', '0'].map((received) => silent(received, alerts, {}, '20'))).toEqual([
        true,
        false,
        false,
      ]);
    }
    const mention = { roleId: ROLE, minUsdc: 400, cooldownSeconds: 0 };
    expect(silent('200.5', [large], { mention })).toBe(false);
    expect(silent('200.5', [large], { silentBelowUsdc: 400 })).toBe(false);
    expect(silent('200.5', [large], { silentBelowUsdc: 600 })).toBe(true);
    expect(silent('200.5', [], { mention, silentBelowUsdc: 1 })).toBe(true);
  });
});

describe('a consensus', () => {
  const event = consensusOf([WALLET_A, WALLET_B], marketOf(sampleTrade()), NOW_MS / 1000 - 3_600);
  const agreed: Alert = { ...fillAlert('k', { ageMs: 3_600_000 }), event };
  const old = (id: string, market: number) => fillAlert(id, { ageMs: 3_600_000, market });

  it('goes first, and is no part of what comes late', () => {
    const { groups } = decide([old('a', 1), agreed, old('b', 2)], {});
    expect(groups.map(({ kind, alerts }) => [kind, alerts.map(({ id }) => id)])).toEqual([
      ['alert', ['k']],
      ['late', ['a', 'b']],
    ]);
  });

  it('is all but notices and results in a channel that wants nothing else', () => {
    const waiting = [old('a', 1), deposit('d', 5), agreed, gap];
    const decided = decide(waiting, {}, { leftOut: ['activity', 'transfer'] });
    expect(decided).toMatchObject({ included: [['k'], ['gap']], dropped: ['a', 'd'] });
  });
});

describe('a pause', () => {
  it('drops what waits, gap notices too, and nothing of another wallet', () => {
    const other = { ...fillAlert('b'), wallet: WALLET_B };
    const settingsOf = (wallet: WalletAddress) =>
      wallet === WALLET_A ? undefined : DEFAULT_SETTINGS;
    const decided = decide([fillAlert('a'), gap, other], {}, { settingsOf });
    expect(decided).toMatchObject({ included: [['b']], dropped: ['a', 'gap'] });
  });
});

describe('attention', () => {
  const mention = { roleId: ROLE, minUsdc: 500, cooldownSeconds: 600 };

  it('mentions the role for a total that reaches its least, once in its cooldown', () => {
    const fills = [fillAlert('a', { usdc: 300 }), fillAlert('b', { usdc: 200 })];
    expect(noiseOf(fills, { mention })).toEqual({
      noise: { roleIds: [ROLE], isSilent: false },
      mentioned: [WALLET_A],
    });
    expect(noiseOf(fills.slice(1), { mention }).noise.roleIds).toEqual([]);
    const remembered = (agoMs: number) =>
      addCooldowns(NO_COOLDOWNS, { markets: {}, mentions: [WALLET_A] }, NOW_MS - agoMs);
    expect(noiseOf(fills, { mention }, remembered(599_000)).noise.roleIds).toEqual([]);
    expect(noiseOf(fills, { mention }, remembered(600_000)).noise.roleIds).toEqual([ROLE]);
    expect(noiseOf([gap], { mention: { ...mention, minUsdc: 0 } }).noise.roleIds).toEqual([]);
  });

  it('is spared where all that is sent is small, and nothing else stands beside it', () => {
    const small = [fillAlert('a', { usdc: 99 }), deposit('d', 99)];
    const silent = (waiting: readonly Alert[], settings: Partial<WatchSettings> = {}) =>
      noiseOf(waiting, { silentBelowUsdc: 100, ...settings }).noise.isSilent;
    expect(silent(small)).toBe(true);
    expect(silent([...small, fillAlert('b')])).toBe(false);
    expect(silent([...small, deposit('e', 100)])).toBe(false);
    expect(silent([...small, gap])).toBe(false);
    expect(silent(small, { mention: { ...mention, minUsdc: 50 } })).toBe(false);
    expect(noiseOf(small, {}).noise.isSilent).toBe(false);
  });
});
