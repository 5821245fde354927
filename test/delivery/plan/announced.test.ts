import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Alert,
  type AlertGroup,
  type NonEmptyAlerts,
  purchaseKey,
} from '../../../src/alerts/alert.ts';
import { findGroups, storedGroups } from '../../../src/delivery/channel-queue.ts';
import {
  type Announced,
  type AnnouncedPurchase,
  continuing,
  EDIT_SPACING_MS,
  EDITABLE_MS,
  groupsWith,
  growingMessageSchema,
  isEditable,
  JOIN_WINDOW_MS,
  splitJoining,
  stillNeeded,
  withFills,
  withSent,
} from '../../../src/delivery/plan/announced.ts';
import { NO_COOLDOWNS } from '../../../src/delivery/plan/cooldowns.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { resultOf } from '../../embeds/result-of.ts';
import { sampleTrade } from '../../support/records.ts';
import { randomRuns } from '../../support/thorough.ts';
import { WALLET_A } from '../../support/wallets.ts';
import { CHANNEL, deposit, type Fill, fillAlert, NOW_MS, ROLE } from '../channel.ts';

const loud = { roleIds: [], isSilent: false };
const NOTHING: Announced = { announced: [], growing: [] };

function fills(count: number, of: Fill = {}): NonEmptyAlerts {
  const nth = (index: number) => fillAlert(`f${of.market ?? 0}-${index}`, of);
  return [nth(0), ...Array.from({ length: count - 1 }, (_, index) => nth(index + 1))];
}

const sent = { messageId: 'm', sentAtMs: NOW_MS, noise: loud };
const group = (alerts: NonEmptyAlerts, earlierUsdc?: string): AlertGroup => ({
  kind: 'alert',
  alerts,
  earlierUsdc,
});
const paidIn = deposit('d');

/** The purchases after messages with one group each, of so many fills. */
function sentOne(sizes: readonly { readonly count: number; readonly ageMs: number }[]): Announced {
  return sizes.reduce<Announced>((announced, { count, ageMs }, market) => {
    const message = { ...sent, messageId: `m${market}`, sentAtMs: NOW_MS - ageMs };
    return withSent(announced, [group(fills(count, { ageMs, market }))], message);
  }, NOTHING);
}

/** The same of one fill each. */
const aged = (...agesMs: readonly number[]) =>
  sentOne(agesMs.map((ageMs) => ({ count: 1, ageMs })));

const withPurchases = (announced: Announced, changes: Partial<AnnouncedPurchase>): Announced => ({
  ...announced,
  announced: announced.announced.map((purchase) => ({ ...purchase, ...changes })),
});

function contextOf(announced: Announced, settings: Partial<WatchSettings> = {}) {
  return {
    nowMs: NOW_MS,
    settingsOf: () => ({ ...DEFAULT_SETTINGS, ...settings }),
    cooldowns: NO_COOLDOWNS,
    isQuietAt: (_atMs: number) => false,
    takesEdits: true,
    ...announced,
  };
}

function split(
  waiting: readonly Alert[],
  context: ReturnType<typeof contextOf>,
  overtaken = new Set<string>(),
) {
  const { joining, others, keys, nextDueMs } = splitJoining(
    waiting,
    context,
    continuing(context),
    overtaken,
  );
  return {
    joining: joining.map(({ messageId, alerts }) => [messageId, ...alerts.map(({ id }) => id)]),
    others: others.map(({ id }) => id),
    keys: keys.size,
    waitsMs: Number.isFinite(nextDueMs) ? nextDueMs - NOW_MS : null,
  };
}

it('shows again what was said beside a purchase, in a repeat of its message and in an edit', () => {
  const alsoHere = { wallets: [{ wallet: WALLET_A, held: [] }], more: 3 };
  const shown: AlertGroup = { ...group(fills(2)), alsoHere };
  const kept = (value: unknown) => JSON.parse(JSON.stringify(value));
  expect(findGroups(kept(storedGroups([shown])), fills(2))).toEqual([
    { ...shown, earlierUsdc: undefined },
  ]);
  const message = growingMessageSchema.parse(kept(withSent(NOTHING, [shown], sent).growing[0]));
  expect(groupsWith(CHANNEL, message, [fillAlert('later')])).toMatchObject([
    { alsoHere, alerts: [{}, {}, { id: 'later' }] },
  ]);
});

describe('the purchase that an alert goes on with', () => {
  const mention = { roleId: ROLE, minUsdc: 100, cooldownSeconds: 0 };
  const one = aged(0);
  const relation = (
    changes: Partial<AnnouncedPurchase>,
    settings: Partial<WatchSettings>,
    alert: Alert,
  ) => {
    const found = continuing(contextOf(withPurchases(one, changes), settings))(alert);
    return found === undefined ? 'none' : found.belongsToSentPurchase ? 'rest' : 'continued';
  };
  const later = (delayMs: number) => fillAlert('later', { ageMs: -delayMs });

  it('is one that was first announced less than two minutes before', () => {
    expect(relation({ messageId: null }, {}, later(JOIN_WINDOW_MS))).toBe('rest');
    expect(relation({ messageId: null }, {}, later(JOIN_WINDOW_MS + 1))).toBe('none');
    expect(relation({ sentAtMs: 0, seenAtMs: 0 }, {}, later(JOIN_WINDOW_MS))).toBe('rest');
    expect(relation({ sentAtMs: 0, seenAtMs: 0 }, {}, later(JOIN_WINDOW_MS + 1))).toBe('none');
    expect(relation({ sentAtMs: 0, seenAtMs: 0, messageId: null }, {}, later(0))).toBe('none');
  });

  it('is one whose last fill is as young, while it has not come to the amount of its mention, or else its sound', () => {
    const old = { sentAtMs: 0, messageId: null };
    for (const settings of [
      { mention },
      { silentBelowUsdc: 100 },
      { mention, silentBelowUsdc: 5 },
    ]) {
      expect(relation({ ...old, usdc: '99.99' }, settings, later(JOIN_WINDOW_MS))).toBe(
        'continued',
      );
      expect(relation({ ...old, usdc: '99.99' }, settings, later(JOIN_WINDOW_MS + 1))).toBe('none');
      expect(relation({ ...old, usdc: '100' }, settings, later(0))).toBe('none');
    }
  });

  it('is of the same wallet, market, outcome and action, and none where each fill is alone or nothing is wanted', () => {
    expect(relation({}, {}, fillAlert('other', { market: 1 }))).toBe('none');
    expect(relation({}, {}, { ...paidIn })).toBe('none');
    expect(relation({}, { style: 'each' }, later(0))).toBe('none');
    const context = { ...one, settingsOf: () => undefined };
    expect(continuing(context)(later(0))).toBeUndefined();
  });
});

describe('what is remembered of a message', () => {
  it('is each purchase with its sum and times, and the message with all that it shows', () => {
    const alerts = [
      fillAlert('a', { usdc: 0.1, ageMs: 9 }),
      fillAlert('b', { usdc: 0.2, ageMs: 7 }),
    ];
    const own = group(alerts as NonEmptyAlerts);
    const { announced, growing } = withSent(NOTHING, [own], sent);
    expect(announced).toMatchObject([
      { usdc: '0.3', sentAtMs: NOW_MS, seenAtMs: NOW_MS - 7, messageId: 'm' },
    ]);
    expect(growing).toMatchObject([
      { id: 'm', sentAtMs: NOW_MS, changedAtMs: NOW_MS, noise: loud },
    ]);
    expect(groupsWith(CHANNEL, growing[0] as never, [])).toEqual([own]);
    expect(withSent(NOTHING, [own], { ...sent, messageId: null })).toEqual({
      announced: announced.map((purchase) => ({ ...purchase, messageId: null })),
      growing: [],
    });

    const several = [own, group(fills(1, { market: 1 }), '7'), group([paidIn])];
    const mixed = withSent(NOTHING, several, sent);
    expect(mixed.announced).toMatchObject([
      { key: announced[0]?.key, usdc: '0.3', messageId: 'm' },
      { usdc: '8', messageId: 'm' },
    ]);
    expect(groupsWith(CHANNEL, mixed.growing[0] as never, [])).toEqual(several);
    expect(withSent(NOTHING, [group([paidIn])], sent).announced).toEqual([]);
  });

  it('is each of several purchases that come late together, with its own sum: they do not grow', () => {
    const [first, ...others] = [
      ...fills(2, { market: 1, usdc: 3 }),
      ...fills(1, { market: 2 }),
      paidIn,
    ];
    const late: AlertGroup = { kind: 'late', alerts: [first as Alert, ...others] };
    expect(withSent(NOTHING, [late], sent).announced).toMatchObject([
      { usdc: '6', messageId: null },
      { usdc: '1', messageId: null },
    ]);
  });

  it('begins the two minutes of its rest anew where it is no rest itself, and is the newest in any case', () => {
    const before = aged(1_000, 500);
    const [, other] = before.announced;
    const next = (seenAtMs: number, earlierUsdc?: string) =>
      withSent(before, [group(fills(1, { usdc: 2, ageMs: NOW_MS - seenAtMs }), earlierUsdc)], sent)
        .announced;
    const end = NOW_MS - 1_000 + JOIN_WINDOW_MS;
    expect(next(end, '1')).toMatchObject([
      other,
      { usdc: '3', sentAtMs: NOW_MS - 1_000, seenAtMs: end },
    ]);
    expect(next(end + 1, '1')).toMatchObject([other, { usdc: '3', sentAtMs: NOW_MS }]);
    expect(next(end)).toMatchObject([other, { usdc: '2', sentAtMs: NOW_MS }]);
    expect(next(end, '1')[1]?.messageId).toBe('m');
  });

  it('grows with what is added to it, each fill in the line of its purchase', () => {
    const groups = [group([paidIn]), group(fills(1), '5'), group(fills(1, { market: 1 }))];
    const before = withSent(NOTHING, groups, { ...sent, sentAtMs: NOW_MS - 60_000 });
    const [message] = before.growing;
    if (message === undefined) throw new Error('It does not grow.');
    const added = [
      fillAlert('b', { usdc: 0.1 }),
      fillAlert('c', { usdc: 0.2, ageMs: -1 }),
      fillAlert('d', { market: 1 }),
    ];
    const after = withFills(before, message, added, { changedAtMs: NOW_MS + 5, editedAtMs: 7 });
    expect(after.announced).toMatchObject([
      { usdc: '6.3', sentAtMs: NOW_MS - 60_000, seenAtMs: NOW_MS + 1 },
      { usdc: '2', sentAtMs: NOW_MS - 60_000, seenAtMs: NOW_MS },
    ]);
    expect(after.growing).toMatchObject([
      { sentAtMs: NOW_MS - 60_000, changedAtMs: NOW_MS + 5, editedAtMs: 7 },
    ]);
    const shown = groupsWith(CHANNEL, after.growing[0] as never, []);
    expect(shown).toEqual(groupsWith(CHANNEL, message, added));
    expect(
      shown.map(({ alerts, earlierUsdc }) => [earlierUsdc, ...alerts.map(({ id }) => id)]),
    ).toEqual([
      [undefined, 'd'],
      ['5', 'f0-0', 'b', 'c'],
      [undefined, 'f1-0', 'd'],
    ]);
    const earlier = withFills(before, message, fills(1, { ageMs: NOW_MS }), {
      changedAtMs: NOW_MS,
      editedAtMs: 7,
    });
    expect(earlier.announced[0]?.seenAtMs).toBe(NOW_MS);
  });

  it('shows fills in the order in which they were found, whenever they get into the message', () => {
    const { growing } = withSent(NOTHING, [group([fillAlert('found last')])], sent);
    const [shown] = groupsWith(CHANNEL, growing[0] as never, [
      fillAlert('found first', { ageMs: 1_000 }),
      fillAlert('with it', { ageMs: 1_000 }),
    ]);
    expect(shown?.alerts.map(({ id }) => id)).toEqual(['found first', 'with it', 'found last']);
  });

  it('shows a sale with the older result of its position as before, where another purchase grows', () => {
    const closed: Alert = {
      ...fillAlert('closed', { ageMs: 1_000 }),
      event: resultOf(sampleTrade()),
    };
    const sold = group([fillAlert('sold', { action: 'Sell', market: 1 }), closed]);
    const { growing } = withSent(NOTHING, [group([fillAlert('a')]), sold], sent);
    const shown = groupsWith(CHANNEL, growing[0] as never, [fillAlert('b')]);
    expect(shown.map(({ alerts }) => alerts.map(({ id }) => id))).toEqual([
      ['a', 'b'],
      ['sold', 'closed'],
    ]);
  });

  it('shows a fill once where several lines are of one purchase, for each was announced alone', () => {
    const each = withSent(NOTHING, [group([fillAlert('a')]), group([fillAlert('b')])], sent);
    const shown = groupsWith(CHANNEL, each.growing[0] as never, [fillAlert('c')]);
    expect(shown.map(({ alerts }) => alerts.map(({ id }) => id))).toEqual([['a'], ['b', 'c']]);
  });
});

describe('what is kept of purchases', () => {
  const keep = { nowMs: NOW_MS, edit: null, waiting: [] };

  it('is the newest thousand of five minutes', () => {
    const purchases = aged(...Array.from({ length: 1_001 }, () => 0));
    expect(stillNeeded(purchases, keep).announced).toEqual(purchases.announced.slice(1));
    const one = aged(0);
    for (const nowMs of [NOW_MS + EDITABLE_MS, NOW_MS - EDITABLE_MS]) {
      expect(stillNeeded(one, { ...keep, nowMs })).toEqual({
        ...one,
        nextDueMs: NOW_MS + EDITABLE_MS + 1,
      });
    }
    const nowMs = NOW_MS + EDITABLE_MS + 1;
    expect(stillNeeded(one, { ...keep, nowMs })).toEqual({
      ...NOTHING,
      nextDueMs: Number.POSITIVE_INFINITY,
    });
    const times = (changes: Partial<AnnouncedPurchase>) =>
      stillNeeded(
        withPurchases(one, { sentAtMs: 0, seenAtMs: 0, messageId: null, ...changes }),
        keep,
      ).nextDueMs;
    expect(times({ sentAtMs: NOW_MS })).toBe(NOW_MS + EDITABLE_MS + 1);
    expect(times({ seenAtMs: NOW_MS })).toBe(NOW_MS + EDITABLE_MS + 1);
    expect(times({ messageId: 'm0' })).toBe(NOW_MS + EDITABLE_MS + 1);
    expect(times({})).toBe(Number.POSITIVE_INFINITY);
  });

  it('is looked at again when the first of them is too old', () => {
    const purchases = aged(100, 300, 200);
    expect(stillNeeded(purchases, keep).nextDueMs).toBe(NOW_MS - 300 + EDITABLE_MS + 1);
  });

  it('is what an alert waits for, or is being edited, however old, and no reason to look again', () => {
    const old = sentOne([0, 1, 2].map(() => ({ count: 60, ageMs: EDITABLE_MS + 1 })));
    const waiting = [paidIn, fillAlert('w', { market: 1 })];
    const { announced, growing, nextDueMs } = stillNeeded(old, {
      ...keep,
      waiting,
      edit: { messageId: 'm2' },
    });
    expect(announced).toEqual(old.announced.slice(1));
    expect(growing).toEqual(old.growing.slice(2));
    expect(nextDueMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('has no message that a newer one of all its purchases has followed', () => {
    const first = withSent(NOTHING, [group(fills(1)), group(fills(1, { market: 1 }))], {
      ...sent,
      messageId: 'a',
    });
    const second = withSent(first, [group(fills(1))], { ...sent, messageId: 'b' });
    const third = withSent(second, [group(fills(1, { market: 1 }))], { ...sent, messageId: 'c' });
    const kept = (announced: Announced) => stillNeeded(announced, keep).growing.map(({ id }) => id);
    expect([first, second, third].map(kept)).toEqual([['a'], ['a', 'b'], ['b', 'c']]);
  });

  it('keeps to the times that the guide names', () => {
    expect([JOIN_WINDOW_MS, EDIT_SPACING_MS, EDITABLE_MS]).toEqual([2 * 60_000, 5_000, 5 * 60_000]);
  });

  it('is at a message a second enough for all that two minutes bring', () => {
    const seconds = Array.from({ length: 121 }, (_, second) => second);
    const sizes = seconds.map((second) => ({
      count: 1 + (second % 2),
      ageMs: (120 - second) * 1_000,
    }));
    const kept = stillNeeded(sentOne(sizes), keep).growing.map(({ id }) => id);
    expect(kept).toEqual(seconds.slice(1).map((second) => `m${second}`));
  });

  it('has the newest messages that may grow: 120, of fifty alerts at the most, of three hundred together', () => {
    const size = fc.record({
      count: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 2, 2, 9, 20, 49, 50, 51),
      ageMs: fc.constantFrom(0, EDITABLE_MS, EDITABLE_MS + 1),
    });
    fc.assert(
      fc.property(
        fc.array(size, { maxLength: 60, size: 'max' }),
        fc.option(fc.nat(59)),
        (sizes, edited) => {
          const purchases = sentOne(sizes);
          const edit = edited === null ? null : { messageId: `m${edited}` };
          const kept = stillNeeded(purchases, {
            ...keep,
            edit,
            waiting: purchases.announced.map((_, market) => fillAlert('w', { market })),
          });
          expect(kept.announced.map(({ key }) => key)).toEqual(
            purchases.announced.map(({ key }) => key),
          );
          const ids = new Set(kept.growing.map(({ id }) => id));
          const left = { messages: 120, fills: 300 };
          for (let index = sizes.length - 1; index >= 0; index -= 1) {
            const { count = 0, ageMs = 0 } = sizes[index] ?? {};
            const isKept =
              count <= 50 && ageMs <= EDITABLE_MS && left.messages >= 1 && left.fills >= count;
            if (isKept && index !== edited) {
              left.messages -= 1;
              left.fills -= count;
            }
            expect(ids.has(`m${index}`)).toBe(isKept || index === edited);
          }
        },
      ),
      randomRuns(300),
    );
  });
});

describe('fills that join a message', () => {
  it('are those that may, once it is time; the first of the others says when', () => {
    const announced = aged(
      EDIT_SPACING_MS,
      EDIT_SPACING_MS - 1,
      1_000,
      JOIN_WINDOW_MS,
      JOIN_WINDOW_MS + 1,
      0,
    );
    const waiting = [0, 1, 2, 3, 4].map((market) => fillAlert(`w${market}`, { market }));
    expect(split([...waiting, paidIn], contextOf(announced))).toEqual({
      joining: [
        ['m0', 'w0'],
        ['m3', 'w3'],
      ],
      others: ['w4', 'd'],
      keys: 4,
      waitsMs: 1,
    });
    expect(split(waiting.slice(2, 3), contextOf(announced)).waitsMs).toBe(EDIT_SPACING_MS - 1_000);
    expect(split([paidIn], contextOf(announced))).toEqual({
      joining: [],
      others: ['d'],
      keys: 0,
      waitsMs: null,
    });
  });

  it('are not those of a message that is too old, is overtaken, or does not grow', () => {
    const old = contextOf(aged(EDITABLE_MS + 1));
    const waiting = [fillAlert('w', { ageMs: EDITABLE_MS })];
    expect(split(waiting, old).others).toEqual(['w']);
    expect(split(waiting, contextOf(aged(EDITABLE_MS))).others).toEqual([]);
    const young = contextOf(aged(60_000));
    expect(split(waiting, young, new Set([purchaseKey(fillAlert('w')) ?? ''])).others).toEqual([
      'w',
    ]);
    const still = contextOf({ ...aged(60_000), growing: [] });
    expect(split(waiting, still)).toEqual({ joining: [], others: ['w'], keys: 0, waitsMs: null });
    const editable = [EDITABLE_MS, EDITABLE_MS + 1].map((nowMs) =>
      isEditable({ sentAtMs: 0 }, nowMs),
    );
    expect(editable).toEqual([true, false]);
    // The purchase's rest is longer than the message's if the message came before.
    const later = contextOf(withPurchases(aged(JOIN_WINDOW_MS + 1), { sentAtMs: NOW_MS }));
    expect(split([fillAlert('w')], later).others).toEqual(['w']);
  });

  it('are fifty with what is there, all or none', () => {
    const announced = sentOne([{ count: 20, ageMs: 60_000 }]);
    expect(split(fills(30), contextOf(announced)).others).toEqual([]);
    expect(split(fills(31), contextOf(announced)).others).toHaveLength(31);
  });

  it('are those of all purchases that a message shows, in one edit, as far as it has room', () => {
    const groups = [
      group(fills(20)),
      group(fills(20, { market: 1 })),
      group(fills(1, { market: 2 })),
    ];
    const announced = withSent(NOTHING, groups, {
      messageId: 'm',
      sentAtMs: NOW_MS - 60_000,
      noise: loud,
    });
    const [first, second, third] = [
      fillAlert('a'),
      fillAlert('b', { market: 1 }),
      fillAlert('c', { market: 2 }),
    ];
    expect(split([third, first, second], contextOf(announced))).toEqual({
      joining: [['m', 'a', 'b', 'c']],
      others: [],
      keys: 3,
      waitsMs: null,
    });
    expect(split([third, first, ...fills(9, { market: 1 })], contextOf(announced))).toMatchObject({
      joining: [['m', 'a', 'c']],
      keys: 2,
    });
  });

  it('are none that make noise which the message has not made, with what was before', () => {
    const settings = {
      silentBelowUsdc: 50,
      mention: { roleId: ROLE, minUsdc: 1_000, cooldownSeconds: 0 },
    };
    const join = (
      usdc: number,
      noise: { roleIds: string[]; isSilent: boolean },
      before: string,
    ) => {
      const { announced, growing } = withPurchases(aged(60_000), { usdc: before });
      const sentWith = { announced, growing: growing.map((message) => ({ ...message, noise })) };
      return split([fillAlert('w', { usdc })], contextOf(sentWith, settings)).others.length === 0;
    };
    const silent = { roleIds: [], isSilent: true };
    const heard = [
      join(9, silent, '40'),
      join(10, silent, '40'),
      join(10, loud, '40'),
      join(1, silent, '50'),
    ];
    expect(heard).toEqual([true, false, true, true]);
    const called = { roleIds: [ROLE], isSilent: false };
    const mentions = [
      join(9, loud, '990'),
      join(10, loud, '990'),
      join(10, called, '990'),
      join(9, loud, '1000'),
    ];
    expect(mentions).toEqual([true, false, true, true]);
  });
});
