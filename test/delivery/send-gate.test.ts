import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSendGate, type SendPermit } from '../../src/delivery/send-gate.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { randomRuns } from '../support/thorough.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

const MINUTE_MS = 60_000;
const banned = (pauseMs: number | null = null) =>
  ({ kind: 'banned', reason: 'Cloudflare', pauseMs }) as const;
const doubted = (isOutage: boolean) =>
  ({ kind: 'suspected', reason: 'Missing Access', isOutage }) as const;
const noAnswer = { kind: 'retry', reason: 'fetch failed', status: 0, pauseMs: null } as const;
const serverError = {
  kind: 'retry',
  reason: 'Internal Server Error',
  status: 500,
  pauseMs: null,
} as const;

function openGate() {
  const time = createVirtualTime();
  const { log, lines } = collectingLog();
  let draws = 0;
  const random = () => {
    draws += 1;
    return (draws * 0.618) % 1;
  };
  const gate = createSendGate(
    testMachine({ monotonicMs: time.now, sleep: time.sleep, random, log }),
  );
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const entered: {
    readonly atMs: number;
    readonly who: string;
    readonly permit: SendPermit | null;
  }[] = [];
  const enter = (who: string, signal = stop.signal) =>
    void gate.enter(signal).then((permit) => entered.push({ atMs: time.now(), who, permit }));
  const last = () => entered.at(-1)?.permit;
  return { time, lines, stop, entered, enter, last };
}

describe('the gate', () => {
  it('lets a single request probe during a ban, later and later, and then the others one after the other', async () => {
    const { time, entered, enter, last, lines } = openGate();
    enter('first');
    await time.pass(0);
    last()?.end(banned());
    const startMs = time.now();
    const others = Array.from({ length: 50 }, (_, index) => `${index}`);
    for (const who of others) enter(who);
    entered.length = 0;
    for (const [probes, waitedMinutes] of [1, 2, 4, 8, 10, 10].entries()) {
      await time.pass(waitedMinutes * MINUTE_MS - 1);
      expect(entered).toHaveLength(probes);
      await time.pass(1);
      expect(entered.at(-1)?.who).toBe(`${probes}`);
      if (probes < 5) last()?.end(banned());
    }
    // The probe is under way: nobody else goes.
    await time.pass(MINUTE_MS);
    expect(entered).toHaveLength(6);
    const overMs = time.now();
    last()?.end(null);
    await time.pass(MINUTE_MS);
    const freed = entered.slice(6);
    expect(freed.map(({ who }) => who).toSorted()).toEqual(others.slice(6).toSorted());
    expect(new Set(freed.map(({ atMs }) => atMs)).size).toBe(freed.length);
    expect(Math.max(...freed.map(({ atMs }) => atMs)) - overMs).toBeLessThanOrEqual(
      freed.length * 100,
    );
    expect(overMs - startMs).toBe(36 * MINUTE_MS);
    expect(lines.map(({ event }) => event)).toEqual([
      ...Array.from({ length: 6 }, () => 'discord.banned'),
      'discord.ban_over',
    ]);
  });

  it('takes no answer for a sign that the ban is over, nor one to a request from before it', async () => {
    const { time, entered, enter } = openGate();
    for (const who of ['a', 'b', 'c']) enter(who);
    await time.pass(0);
    const [a, b, c] = entered.splice(0).map(({ permit }) => permit);
    a?.end(banned());
    b?.end(null);
    for (const who of ['d', 'e', 'f', 'g']) enter(who);
    await time.pass(MINUTE_MS);
    c?.end(banned());
    expect(entered.map(({ who }) => who)).toEqual(['d']);
    entered[0]?.permit?.end(noAnswer);
    await time.pass(MINUTE_MS);
    expect(entered.map(({ who }) => who)).toEqual(['d', 'e']);
    entered[1]?.permit?.release();
    await time.pass(0);
    entered[2]?.permit?.end(serverError);
    await time.pass(MINUTE_MS);
    expect(entered.map(({ who }) => who)).toEqual(['d', 'e', 'f', 'g']);
  });

  it('closes while Discord refuses everything, asks each half a minute, and opens when it takes a message', async () => {
    const { time, entered, enter, last, lines } = openGate();
    enter('single');
    await time.pass(0);
    last()?.end(doubted(false));
    for (const who of ['first', 'under way']) enter(who);
    await time.pass(0);
    const [, first, underWay] = entered.splice(0);
    first?.permit?.end(doubted(true));
    underWay?.permit?.end(doubted(false));
    for (const who of ['a', 'b', 'c']) enter(who);
    for (const count of [1, 2, 3]) {
      await time.pass(30_000 - 1);
      expect(entered).toHaveLength(count - 1);
      await time.pass(1);
      expect(entered).toHaveLength(count);
      last()?.end(count === 3 ? null : doubted(false));
    }
    enter('d');
    await time.pass(0);
    expect(entered).toHaveLength(4);
    expect(lines.map(({ event }) => event)).toEqual([
      ...Array(3).fill('discord.refuses_all'),
      'discord.takes_again',
    ]);
  });

  it('takes a refusal of a channel for a sign that a ban is over, unless Discord refuses everything by then', async () => {
    for (const isOutage of [false, true]) {
      const { time, entered, enter, last, lines } = openGate();
      enter('first');
      await time.pass(0);
      last()?.end(banned());
      for (const who of ['probe', 'other']) enter(who);
      await time.pass(MINUTE_MS);
      last()?.end(doubted(isOutage));
      await time.pass(1_000);
      expect(entered).toHaveLength(isOutage ? 2 : 3);
      expect(lines.at(-1)?.['event']).toBe(isOutage ? 'discord.refuses_all' : 'discord.ban_over');
    }
  });

  it('lets those go who stop waiting, and probes with the next', async () => {
    const { time, entered, enter, last } = openGate();
    enter('first');
    await time.pass(0);
    last()?.end(banned());
    const own = new AbortController();
    enter('impatient', own.signal);
    enter('patient');
    own.abort();
    await time.pass(MINUTE_MS);
    expect(entered.slice(1).map(({ who, permit }) => [who, permit === null])).toEqual([
      ['impatient', true],
      ['patient', false],
    ]);
  });

  it('begins no second request while it knows of a ban, and in the end lets everybody through', async () => {
    const window = fc.record({ fromMs: fc.nat(60 * MINUTE_MS), lastsMs: fc.nat(30 * MINUTE_MS) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(window, { maxLength: 3 }),
        fc.array(fc.nat(60 * MINUTE_MS), { minLength: 1, maxLength: 20 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        fc.constantFrom(null, MINUTE_MS, 20 * MINUTE_MS),
        async (bans, arrivals, losses, statedMs) => {
          const time = createVirtualTime(0);
          const { log } = collectingLog();
          const gate = createSendGate(
            testMachine({ monotonicMs: time.now, sleep: time.sleep, random: () => 0.5, log }),
          );
          const { signal } = new AbortController();
          setMaxListeners(0, signal);
          const isBanned = () =>
            bans.some(
              ({ fromMs, lastsMs }) => time.now() >= fromMs && time.now() < fromMs + lastsMs,
            );
          const lost = [...losses];
          let isKnown = false;
          let probes = 0;
          let through = 0;
          const deliver = async (atMs: number) => {
            await time.sleep(atMs, signal);
            for (let isThrough = false; !isThrough; ) {
              const permit = await gate.enter(signal);
              const isProbe = isKnown;
              probes += isProbe ? 1 : 0;
              expect(probes).toBeLessThanOrEqual(1);
              await time.sleep(200, signal);
              probes -= isProbe ? 1 : 0;
              const failure = isBanned() ? banned(statedMs) : lost.pop() === true ? noAnswer : null;
              if (failure?.kind === 'banned') isKnown = true;
              else if (failure === null && isProbe) isKnown = false;
              permit?.end(failure);
              isThrough = failure === null;
              if (failure?.kind === 'retry') await time.sleep(1_000, signal);
            }
            through += 1;
          };
          const all = Promise.all(arrivals.map(deliver));
          await time.pass(48 * 60 * MINUTE_MS);
          expect(through).toBe(arrivals.length);
          await all;
        },
      ),
      randomRuns(300),
    );
  });
});
