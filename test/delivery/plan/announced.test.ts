import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/alerts/alert.ts';
import type { AlertGroup } from '../../../src/alerts/alert-group.ts';
import { type NonEmptyAlerts, purchaseKey } from '../../../src/alerts/group.ts';
import {
  type AnnouncedPurchase,
  continuing,
  EDIT_SPACING_MS,
  EDITABLE_MS,
  fillAlerts,
  growingIn,
  isEditable,
  JOIN_WINDOW_MS,
  splitJoining,
  stillNeeded,
  withFills,
  withoutMessage,
  withSent,
} from '../../../src/delivery/plan/announced.ts';
import { NO_COOLDOWNS } from '../../../src/delivery/plan/cooldowns.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { activityItem, transferItem, WALLET } from '../../venue/samples.ts';

const NOW_MS = 1_800_000_000_000;
const CHANNEL = '100000000000000001';
const ROLE = '100000000000000009';
const loud = { roleIds: [], isSilent: false };

function fill(id: string, { usdc = 1, seenAtMs = NOW_MS, market = 0 } = {}): Alert {
  const item = { ...activityItem(), transferNetAmount: usdc, marketId: `${market}`, conditionId: `0x${market}` };
  return { id, wallet: WALLET, channelId: CHANNEL, event: { kind: 'activity', item }, seenAtMs };
}

function fills(count: number, of: Parameters<typeof fill>[1] = {}): NonEmptyAlerts {
  const [first, ...others] = Array.from({ length: count }, (_, index) => fill(`f${of.market ?? 0}-${index}`, of));
  if (first === undefined) throw new Error('There is none.');
  return [first, ...others];
}

const group = (alerts: NonEmptyAlerts, earlierUsdc?: string): AlertGroup => ({ kind: 'alert', alerts, earlierUsdc });
const deposit: Alert = { ...fill('d'), event: { kind: 'transfer', item: transferItem() } };

/** The purchases after messages with one group each, of so many fills. */
function sentOne(sizes: readonly { readonly count: number; readonly ageMs: number }[]): AnnouncedPurchase[] {
  return sizes.reduce<AnnouncedPurchase[]>((announced, { count, ageMs }, market) => {
    const times = { seenAtMs: NOW_MS - ageMs, market };
    const sent = { messageId: `m${market}`, sentAtMs: NOW_MS - ageMs, noise: loud };
    return withSent(announced, [group(fills(count, times))], sent);
  }, []);
}

function contextOf(announced: readonly AnnouncedPurchase[], settings: Partial<WatchSettings> = {}) {
  return {
    nowMs: NOW_MS,
    settingsOf: () => ({ ...DEFAULT_SETTINGS, ...settings }),
    cooldowns: NO_COOLDOWNS,
    announced,
  };
}

function split(waiting: readonly Alert[], context: ReturnType<typeof contextOf>, overtaken = new Set<string>()) {
  const { joining, others, keys, nextDueMs } = splitJoining(waiting, context, continuing(context), overtaken);
  return {
    joining: joining.map(({ messageId, alerts }) => [messageId, ...alerts.map(({ id }) => id)]),
    others: others.map(({ id }) => id),
    keys: keys.size,
    waitsMs: nextDueMs === null ? null : nextDueMs - NOW_MS,
  };
}

describe('the purchase that an alert goes on with', () => {
  const mention = { roleId: ROLE, minUsdc: 100, cooldownSeconds: 0 };
  const [purchase] = sentOne([{ count: 1, ageMs: 0 }]);
  if (purchase === undefined) throw new Error('There is none.');
  const relation = (changes: Partial<AnnouncedPurchase>, settings: Partial<WatchSettings>, alert: Alert) => {
    const found = continuing(contextOf([{ ...purchase, ...changes }], settings))(alert);
    return found === undefined ? 'none' : found.isRest ? 'rest' : 'continued';
  };
  const later = (delayMs: number) => fill('later', { seenAtMs: NOW_MS + delayMs });

  it('is one that was first announced less than two minutes before', () => {
    expect(relation({ message: null }, {}, later(JOIN_WINDOW_MS))).toBe('rest');
    expect(relation({ message: null }, {}, later(JOIN_WINDOW_MS + 1))).toBe('none');
    expect(relation({ sentAtMs: 0, seenAtMs: 0 }, {}, later(JOIN_WINDOW_MS))).toBe('rest');
    expect(relation({ sentAtMs: 0, seenAtMs: 0 }, {}, later(JOIN_WINDOW_MS + 1))).toBe('none');
    expect(relation({ sentAtMs: 0, seenAtMs: 0, message: null }, {}, later(0))).toBe('none');
  });

  it('is one whose last fill is as young, while it has not come to the amount of its mention, or else its sound', () => {
    const old = { sentAtMs: 0, message: null };
    for (const settings of [{ mention }, { silentBelowUsdc: 100 }, { mention, silentBelowUsdc: 5 }]) {
      expect(relation({ ...old, usdc: '99.99' }, settings, later(JOIN_WINDOW_MS))).toBe('continued');
      expect(relation({ ...old, usdc: '99.99' }, settings, later(JOIN_WINDOW_MS + 1))).toBe('none');
      expect(relation({ ...old, usdc: '100' }, settings, later(0))).toBe('none');
    }
  });

  it('is of the same wallet, market, outcome and action, and none where each fill is alone or nothing is wanted', () => {
    expect(relation({}, {}, fill('other', { market: 1 }))).toBe('none');
    expect(relation({}, {}, { ...deposit })).toBe('none');
    expect(relation({}, { style: 'each' }, later(0))).toBe('none');
    const context = { announced: [purchase], settingsOf: () => undefined };
    expect(continuing(context)(later(0))).toBeUndefined();
  });
});

describe('what is remembered of a message', () => {
  const sent = { messageId: 'm', sentAtMs: NOW_MS, noise: loud };

  it('is each purchase with its sum and times, and the message if it shows that one alone', () => {
    const alerts = [fill('a', { usdc: 0.1, seenAtMs: NOW_MS - 7 }), fill('b', { usdc: 0.2, seenAtMs: NOW_MS - 9 })];
    const own = group(alerts as NonEmptyAlerts);
    const [alone, ...none] = withSent([], [own], sent);
    expect(none).toEqual([]);
    expect(alone).toMatchObject({ usdc: '0.3', sentAtMs: NOW_MS, seenAtMs: NOW_MS - 7 });
    expect(alone?.message).toMatchObject({
      id: 'm',
      wallet: WALLET,
      sentAtMs: NOW_MS,
      changedAtMs: NOW_MS,
      noise: loud,
    });
    expect(fillAlerts(CHANNEL, alone?.message as never)).toEqual(alerts);
    expect(withSent([], [own], { ...sent, messageId: null })).toEqual([{ ...alone, message: null }]);

    const mixed = withSent([], [own, group(fills(1, { market: 1 })), group([deposit])], sent);
    expect(mixed).toMatchObject([{ key: alone?.key, usdc: '0.3' }, { usdc: '1' }]);
    expect(mixed.map(({ message }) => message)).toEqual([null, null]);
    expect(withSent([], [group([deposit])], sent)).toEqual([]);
    expect(withSent([], [own, group([deposit])], sent)).toEqual([{ ...alone, message: null }]);
  });

  it('is each of several purchases that come late together, with its own sum', () => {
    const [first, ...others] = [...fills(2, { market: 1, usdc: 3 }), ...fills(1, { market: 2 }), deposit];
    const late: AlertGroup = { kind: 'late', alerts: [first as Alert, ...others] };
    expect(withSent([], [late], sent)).toMatchObject([
      { usdc: '6', message: null },
      { usdc: '1', message: null },
    ]);
  });

  it('begins the two minutes of its rest anew where it is no rest itself, and is the newest in any case', () => {
    const before = sentOne([
      { count: 1, ageMs: 1_000 },
      { count: 1, ageMs: 500 },
    ]);
    const [, other] = before;
    const next = (seenAtMs: number, earlierUsdc?: string) =>
      withSent(before, [group(fills(1, { usdc: 2, seenAtMs }), earlierUsdc)], sent);
    const end = NOW_MS - 1_000 + JOIN_WINDOW_MS;
    expect(next(end, '1')).toMatchObject([other, { usdc: '3', sentAtMs: NOW_MS - 1_000, seenAtMs: end }]);
    expect(next(end + 1, '1')).toMatchObject([other, { usdc: '3', sentAtMs: NOW_MS }]);
    expect(next(end)).toMatchObject([other, { usdc: '2', sentAtMs: NOW_MS }]);
    expect(next(end, '1')[1]?.message).toMatchObject({ id: 'm', earlierUsdc: '1', sentAtMs: NOW_MS });
  });

  it('grows with what is added to it', () => {
    const [purchase] = sentOne([{ count: 1, ageMs: 60_000 }]);
    const growing = growingIn([purchase as AnnouncedPurchase], 'm0');
    if (growing === undefined) throw new Error('It does not grow.');
    const added: NonEmptyAlerts = [fill('b', { usdc: 0.1 }), fill('c', { usdc: 0.2, seenAtMs: NOW_MS - 1 })];
    const after = withFills(growing, added, NOW_MS + 5);
    expect(after).toMatchObject({ usdc: '1.3', sentAtMs: NOW_MS - 60_000, seenAtMs: NOW_MS });
    expect(after.message).toMatchObject({ sentAtMs: NOW_MS - 60_000, changedAtMs: NOW_MS + 5 });
    expect(after.message?.fills.map(({ id }) => id)).toEqual(['f0-0', 'b', 'c']);
    expect(withFills(growing, fills(1, { seenAtMs: 0 }), NOW_MS).seenAtMs).toBe(NOW_MS - 60_000);
    expect(withoutMessage([after], 'm0')).toEqual([{ ...after, message: null }]);
    expect(withoutMessage([after], 'm1')).toEqual([after]);
    expect(growingIn([after], 'm1')).toBeUndefined();
  });
});

describe('what is kept of purchases', () => {
  const keep = { nowMs: NOW_MS, edit: null, waiting: [] };

  it('is the newest thousand of five minutes', () => {
    const purchases = sentOne(Array.from({ length: 1_001 }, () => ({ count: 1, ageMs: 0 })));
    expect(stillNeeded(purchases, keep).announced.map(({ key }) => key)).toEqual(
      purchases.slice(1).map(({ key }) => key),
    );
    const [one] = sentOne([{ count: 1, ageMs: 0 }]);
    if (one === undefined) throw new Error('There is none.');
    for (const nowMs of [NOW_MS + EDITABLE_MS, NOW_MS - EDITABLE_MS]) {
      expect(stillNeeded([one], { ...keep, nowMs })).toEqual({
        announced: [one],
        nextDueMs: NOW_MS + EDITABLE_MS + 1,
      });
    }
    expect(stillNeeded([one], { ...keep, nowMs: NOW_MS + EDITABLE_MS + 1 })).toEqual({
      announced: [],
      nextDueMs: null,
    });
    const times = (changes: Partial<AnnouncedPurchase>) =>
      stillNeeded([{ ...one, sentAtMs: 0, seenAtMs: 0, message: null, ...changes }], keep).nextDueMs;
    expect(times({ sentAtMs: NOW_MS })).toBe(NOW_MS + EDITABLE_MS + 1);
    expect(times({ seenAtMs: NOW_MS })).toBe(NOW_MS + EDITABLE_MS + 1);
    expect(times({ message: one.message })).toBe(NOW_MS + EDITABLE_MS + 1);
    expect(times({})).toBeNull();
  });

  it('is looked at again when the first of them is too old', () => {
    const purchases = sentOne([100, 300, 200].map((ageMs) => ({ count: 1, ageMs })));
    expect(stillNeeded(purchases, keep).nextDueMs).toBe(NOW_MS - 300 + EDITABLE_MS + 1);
  });

  it('is what an alert waits for, or is being edited, however old, and no reason to look again', () => {
    const old = sentOne([0, 1, 2].map(() => ({ count: 60, ageMs: EDITABLE_MS + 1 })));
    const waiting = [deposit, fill('w', { market: 1 })];
    const { announced, nextDueMs } = stillNeeded(old, { ...keep, waiting, edit: { messageId: 'm2' } });
    expect(announced).toEqual([{ ...old[1], message: null }, old[2]]);
    expect(nextDueMs).toBeNull();
  });

  it('keeps to the times that the guide names', () => {
    expect([JOIN_WINDOW_MS, EDIT_SPACING_MS, EDITABLE_MS]).toEqual([2 * 60_000, 5_000, 5 * 60_000]);
  });

  it('has the newest messages that may grow: twenty, of fifty fills at the most, of a hundred together', () => {
    const size = fc.record({
      count: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 2, 2, 9, 20, 49, 50, 51),
      ageMs: fc.constantFrom(0, EDITABLE_MS, EDITABLE_MS + 1),
    });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 40, size: 'max' }), fc.option(fc.nat(39)), (sizes, edited) => {
        const purchases = sentOne(sizes);
        const edit = edited === null ? null : { messageId: `m${edited}` };
        const kept = stillNeeded(purchases, {
          ...keep,
          edit,
          waiting: purchases.map((_, market) => fill('w', { market })),
        });
        expect(kept.announced.map(({ key }) => key)).toEqual(purchases.map(({ key }) => key));
        const room = { messages: 20, fills: 100 };
        for (let index = sizes.length - 1; index >= 0; index -= 1) {
          const { count = 0, ageMs = 0 } = sizes[index] ?? {};
          const isKept = count <= 50 && ageMs <= EDITABLE_MS && room.messages >= 1 && room.fills >= count;
          if (isKept && index !== edited) {
            room.messages -= 1;
            room.fills -= count;
          }
          expect(kept.announced[index]?.message?.id).toBe(isKept || index === edited ? `m${index}` : undefined);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('fills that join a message', () => {
  const aged = (...agesMs: readonly number[]) => sentOne(agesMs.map((ageMs) => ({ count: 1, ageMs })));

  it('are those that may, once it is time; the first of the others says when', () => {
    const announced = aged(EDIT_SPACING_MS, EDIT_SPACING_MS - 1, 1_000, JOIN_WINDOW_MS, JOIN_WINDOW_MS + 1, 0);
    const waiting = [0, 1, 2, 3, 4].map((market) => fill(`w${market}`, { market }));
    expect(split([...waiting, deposit], contextOf(announced))).toEqual({
      joining: [
        ['m0', 'w0'],
        ['m3', 'w3'],
      ],
      others: ['w4', 'd'],
      keys: 4,
      waitsMs: 1,
    });
    expect(split(waiting.slice(2, 3), contextOf(announced)).waitsMs).toBe(EDIT_SPACING_MS - 1_000);
    expect(split([deposit], contextOf(announced))).toEqual({ joining: [], others: ['d'], keys: 0, waitsMs: null });
  });

  it('are not those of a message that is too old, is overtaken, or does not grow', () => {
    const old = contextOf(aged(EDITABLE_MS + 1));
    const waiting = [fill('w', { seenAtMs: NOW_MS - EDITABLE_MS })];
    expect(split(waiting, old).others).toEqual(['w']);
    expect(split(waiting, contextOf(aged(EDITABLE_MS))).others).toEqual([]);
    const young = contextOf(aged(60_000));
    expect(split(waiting, young, new Set([purchaseKey(fill('w')) ?? ''])).others).toEqual(['w']);
    const still = contextOf(aged(60_000).map((purchase) => ({ ...purchase, message: null })));
    expect(split(waiting, still)).toEqual({ joining: [], others: ['w'], keys: 0, waitsMs: null });
    expect([isEditable({ sentAtMs: 0 }, EDITABLE_MS), isEditable({ sentAtMs: 0 }, EDITABLE_MS + 1)]).toEqual([
      true,
      false,
    ]);
    // The purchase's rest is longer than the message's if the message came before.
    const later = contextOf(aged(JOIN_WINDOW_MS + 1).map((purchase) => ({ ...purchase, sentAtMs: NOW_MS })));
    expect(split([fill('w')], later).others).toEqual(['w']);
  });

  it('are fifty with what is there, all or none', () => {
    const announced = sentOne([{ count: 20, ageMs: 60_000 }]);
    expect(split(fills(30), contextOf(announced)).others).toEqual([]);
    expect(split(fills(31), contextOf(announced)).others).toHaveLength(31);
  });

  it('are none that make noise which the message has not made, with what was before', () => {
    const settings = { silentBelowUsdc: 50, mention: { roleId: ROLE, minUsdc: 1_000, cooldownSeconds: 0 } };
    const join = (usdc: number, noise: { roleIds: string[]; isSilent: boolean }, before: string) => {
      const announced = aged(60_000).map((purchase) => ({
        ...purchase,
        usdc: before,
        message: purchase.message && { ...purchase.message, noise },
      }));
      return split([fill('w', { usdc })], contextOf(announced, settings)).others.length === 0;
    };
    const silent = { roleIds: [], isSilent: true };
    expect([join(9, silent, '40'), join(10, silent, '40'), join(10, loud, '40'), join(1, silent, '50')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    const called = { roleIds: [ROLE], isSilent: false };
    expect([join(9, loud, '990'), join(10, loud, '990'), join(10, called, '990'), join(9, loud, '1000')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});
