import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { JOIN_WINDOW_MS } from '../../src/delivery/plan/announced.ts';
import { GROUPING_WINDOW_MS } from '../../src/delivery/plan/plan.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { randomRuns } from '../support/thorough.ts';
import { CHANNEL, eachAfter, type Fill, fillAlert, openChannel, ROLE } from './channel.ts';

const mention = { roleId: ROLE, minUsdc: 10_000, cooldownSeconds: 0 };

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** A channel with one wallet that is polled all the time. */
function openPolledChannel(settings: Partial<WatchSettings>) {
  const channel = openChannel(settings);
  const { world } = channel;
  world.isPolled = true;
  let ids = 0;
  /** Fills that one poll has found: f1, f2 and so on. */
  const found = (...fills: readonly Fill[]) =>
    channel.found(
      ...fills.map((changes) => {
        ids += 1;
        return fillAlert(`f${ids}`, changes);
      }),
    );
  return {
    ...channel,
    found,
    foundEach: eachAfter<Fill>(found, channel.wait),
    /** The program ends when it has taken so many steps more, whatever it is about. */
    kill(steps: number) {
      channel.run.stepsToLive = steps;
    },
    calls: () =>
      world.posted.filter(({ roleIds }) => roleIds.length > 0).map(({ alerts }) => alerts),
    sounds: () => world.posted.filter(({ isSilent }) => !isSilent).map(({ alerts }) => alerts),
    /**
     * What is known to have been found of the purchase: a poll whose write did not happen is
     * repeated by the next one.
     */
    bought: () =>
      [...world.written].flatMap(([id, event]) =>
        event.kind === 'activity' && event.item.marketId === '0'
          ? [{ id, usdc: event.item.transferNetAmount }]
          : [],
      ),
    pending: () => channel.run.outbox.pending(CHANNEL).map(({ id }) => id),
  };
}

const pieces = fc.array(
  fc.record({
    usdc: fc.integer({ min: 1, max: 6_000 }),
    pauseMs: fc.constantFrom(0, 1_000, 6_000, 10_000),
  }),
  { minLength: 1, maxLength: 10 },
);
const trouble = fc.constantFrom('none', 'restart', 'kill', 'deleted', 'lost answer', 'away');
/** Pieces of a purchase, fewer than 80 s from the first to the last, with what happens meanwhile. */
const inPieces = fc
  .array(fc.tuple(pieces, fc.integer({ min: 0, max: 4 }), trouble), { minLength: 1, maxLength: 3 })
  .filter((parts) => sumOf(parts.flatMap(([some]) => some.map((one) => one.pauseMs))) < 80_000);
type Pieces = typeof inPieces extends fc.Arbitrary<infer Value> ? Value : never;

/** Buys in pieces, and waits until nothing waits any more. */
async function buy(bot: ReturnType<typeof openPolledChannel>, parts: Pieces): Promise<void> {
  for (const [some, besides, what] of parts) {
    if (what === 'kill') bot.kill(besides * 3 + 2);
    if (what === 'lost answer') bot.world.fates = ['lostAfter'];
    if (what === 'away') bot.world.fates = ['serverError', 'serverError'];
    await Promise.race([
      bot.found(
        ...Array.from({ length: besides }, (_, index) => ({ usdc: 1, market: 1 + index })),
        ...some.slice(0, 1),
      ),
      bot.wait(0),
    ]);
    if (what === 'kill' || what === 'restart') {
      await bot.wait(500);
      bot.restart();
    }
    for (const { usdc, pauseMs } of some.slice(1)) {
      await bot.wait(pauseMs);
      await bot.found({ usdc });
    }
    const last = bot.world.posted.at(-1);
    if (what === 'deleted' && last !== undefined) last.isDeleted = true;
  }
  await bot.wait(200_000);
}

describe('the noise of a purchase in pieces', () => {
  it('is decided by all that has been found of it: by a message of its own where it reaches the amount, once', async () => {
    const { foundEach, shown, calls, sounds, world } = openPolledChannel({
      mention,
      silentBelowUsdc: 10_000,
    });
    for (let piece = 0; piece < 9; piece += 1) {
      await foundEach(6_000, { usdc: 2_000 });
    }
    expect(shown()).toEqual(['f1 f2 f3 f4', 'f5 f6 f7 f8 f9']);
    expect(calls()).toEqual([['f5', 'f6', 'f7', 'f8', 'f9']]);
    expect(sounds()).toEqual(calls());
    expect(world.posted.map(({ earlierUsdc }) => earlierUsdc)).toEqual([[undefined], ['8000']]);
  });

  it('is made also where its pieces come minutes apart, and one message after the other shows them', async () => {
    const { foundEach, calls } = openPolledChannel({ mention });
    for (let piece = 0; piece < 9; piece += 1) {
      await foundEach(JOIN_WINDOW_MS - 10_000, { usdc: 2_000 });
    }
    expect(calls()).toEqual([['f5', 'f6']]);
    await foundEach(JOIN_WINDOW_MS + 1, { usdc: 9_999 });
    await foundEach(JOIN_WINDOW_MS, { usdc: 9_999 });
    expect(calls()).toHaveLength(2);
  });

  it('does not count what came long before', async () => {
    const { foundEach, calls } = openPolledChannel({ mention });
    await foundEach(JOIN_WINDOW_MS + 1, { usdc: 9_999 });
    await foundEach(JOIN_WINDOW_MS, { usdc: 9_999 });
    expect(calls()).toEqual([]);
    await foundEach(JOIN_WINDOW_MS, { usdc: 1 });
    expect(calls()).toEqual([['f3']]);
  });

  it('is each fill’s own where each is announced alone', async () => {
    const { foundEach, calls } = openPolledChannel({ mention, style: 'each' });
    await foundEach(6_000, { usdc: 9_000 }, { usdc: 9_000 }, { usdc: 10_000 });
    expect(calls()).toEqual([['f3']]);
  });

  it('is spent where the mention’s cooldown kept it at that moment', async () => {
    const { foundEach, found, calls } = openPolledChannel({
      mention: { ...mention, cooldownSeconds: 60 },
    });
    await found({ usdc: 10_000, market: 1 });
    await foundEach(6_000, { usdc: 9_000 });
    await foundEach(60_000, { usdc: 9_000 }, { usdc: 1 });
    expect(calls()).toEqual([['f1']]);
  });

  it('is made exactly once if the whole reaches the amount, and not otherwise, however it comes in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(inPieces, async (parts) => {
        const bot = openPolledChannel({ mention, silentBelowUsdc: 10_000 });
        await buy(bot, parts);
        const usdc = sumOf(bot.bought().map((piece) => piece.usdc));
        expect(bot.pending()).toEqual([]);
        expect(bot.calls()).toHaveLength(usdc >= 10_000 ? 1 : 0);
        // What is worth a sound by itself makes one also where the purchase has made one.
        expect(bot.sounds().length > 0).toBe(usdc >= 10_000);
      }),
      randomRuns(240),
    );
  });
});

describe('the minimum of a purchase in pieces', () => {
  it('counts all of it: the channel gets the whole, each piece once, or nothing', async () => {
    await fc.assert(
      fc.asyncProperty(inPieces, async (parts) => {
        const bot = openPolledChannel({ minUsdc: 10_000 });
        await buy(bot, parts);
        expect(bot.pending()).toEqual([]);
        const shown = bot.world.posted.flatMap(({ alerts }) => alerts);
        const bought = bot.bought();
        const isEnough = sumOf(bought.map(({ usdc }) => usdc)) >= 10_000;
        const expected = isEnough ? bought.map(({ id }) => id) : [];
        expect(shown.toSorted()).toEqual(expected.toSorted());
      }),
      randomRuns(240),
    );
  });
});

describe('a piece that comes too late for the message of its purchase', () => {
  it('does not overtake one that waits for an edit of it: both are in the next message', async () => {
    const { foundEach, wait, shown } = openPolledChannel({});
    await foundEach(JOIN_WINDOW_MS - 2_000, { usdc: 1 });
    await foundEach(0, { usdc: 1 });
    await foundEach(1_000, { usdc: 1 });
    expect(shown()).toEqual(['f1 f2']);
    await wait(2_000);
    await foundEach(10_000, { usdc: 1 });
    expect(shown()).toEqual(['f1 f2', 'f3 f4']);
  });

  it('does not keep it from the message where a cooldown holds the later one', async () => {
    const { foundEach, shown } = openPolledChannel({ cooldownSeconds: 600 });
    await foundEach(JOIN_WINDOW_MS - 2_000, { usdc: 1 });
    await foundEach(0, { usdc: 1 });
    await foundEach(3_000, { usdc: 1 });
    await foundEach(10_000, { usdc: 1 });
    expect(shown()).toEqual(['f1 f2 f3']);
  });
});

describe('the rest of a purchase', () => {
  const settings = { minUsdc: 500, cooldownSeconds: 3_600 };
  /** Long enough for what is below the minimum to be dropped. */
  const LATER_MS = 2 * GROUPING_WINDOW_MS;

  it('joins its line where the message of the purchase shows something else as well', async () => {
    const { foundEach, found, wait, shown, world } = openPolledChannel(settings);
    await found({ usdc: 600 }, { usdc: 600, market: 1 }, { usdc: 600, market: 2 });
    await wait(20_000);
    await foundEach(LATER_MS, { usdc: 300 });
    expect(shown()).toEqual(['f1 f4 f2 f3']);
    expect(world.posted).toHaveLength(1);
  });

  it('is announced where the message has too many fills, or is deleted', async () => {
    for (const count of [1, 51]) {
      const { foundEach, found, wait, shown, world } = openPolledChannel(settings);
      await found(...Array.from({ length: count }, () => ({ usdc: 600 })));
      await wait(20_000);
      for (const message of world.posted) message.isDeleted = true;
      await foundEach(LATER_MS, { usdc: 300 });
      expect(shown().slice(1)).toEqual([`f${count + 1}`]);
    }
  });

  it('is announced where very many purchases came at once', async () => {
    const { found, wait, shown } = openPolledChannel(settings);
    for (const usdc of [600, 3]) {
      await found(...Array.from({ length: 120 }, (_, market) => ({ usdc, market })));
      for (let message = 0; message < 40; message += 1) await wait(100);
    }
    await wait(LATER_MS);
    expect(shown().flatMap((text) => text.split(' '))).toHaveLength(240);
  });

  it('is announced where the channel could not be written for long', async () => {
    const { foundEach, found, wait, shown, world } = openPolledChannel(settings);
    await found({ usdc: 600 }, { usdc: 600, market: 1 });
    await wait(20_000);
    world.fates = Array.from({ length: 20 }, () => 'serverError');
    await foundEach(2_000, { usdc: 600, market: 2 });
    await foundEach(20 * 60_000, { usdc: 300 });
    expect(shown()).toEqual(['f1 f2', 'f3', 'f4']);
  });

  it('is what comes within two minutes of its first message: a wallet that goes on and on is not beyond the minimum', async () => {
    const { found, wait, shown } = openPolledChannel({ minUsdc: 500 });
    await found({ usdc: 600 }, { usdc: 600, market: 1 });
    for (let minute = 0; minute < 10; minute += 1) {
      await wait(60_000);
      await found({ usdc: 3 }, { usdc: 3, market: 1 });
    }
    await wait(LATER_MS);
    expect(shown()).toEqual(['f1 f3 f5 f2 f4 f6']);
  });
});

describe('a new position that is shown fill by fill', () => {
  const settings: Partial<WatchSettings> = { style: 'each', kinds: ['opens'] };
  /** Fills of one transaction, of a share each. */
  const fillOf = (nth: number, txHash: string): Alert => {
    const alert = fillAlert(`f${nth}`);
    if (alert.event.kind !== 'activity') throw new Error('a fill is expected');
    const context = {
      sharesBefore: `${nth}`,
      sharesAfter: `${nth + 1}`,
      isClosed: false,
      entryCents: 50,
      realized: null,
      costOfSold: '0',
      oppositeShares: '0',
      isFirstInMarket: false,
    };
    return {
      ...alert,
      event: { ...alert.event, item: { ...alert.event.item, quantity: 1, txHash }, context },
    };
  };
  const opening = [0, 1, 2, 3, 4, 5, 6].map((nth) => fillOf(nth, '0xa'));

  it('is shown whole, in as many messages as it takes, wherever a crash comes; what adds to it is not', async () => {
    let isOver = false;
    for (let steps = 0; !isOver; steps += 1) {
      const channel = openChannel(settings);
      await channel.found(...opening);
      channel.run.stepsToLive = steps;
      await channel.wait(30_000);
      isOver = channel.run.stepsToLive > 0;
      channel.restart();
      await channel.wait(30_000);
      expect(channel.shown(), `a crash after ${steps} steps`).toEqual([
        'f0 f1 f2',
        'f3 f4 f5',
        'f6',
      ]);
      await channel.found(fillOf(7, '0xb'));
      await channel.wait(30_000);
      expect(channel.shown()).toHaveLength(3);
    }
  });
});
