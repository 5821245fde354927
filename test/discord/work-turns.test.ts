import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWorkTurns } from '../../src/discord/quotas/work-turns.ts';

/** Work that notes when it begins and ends. */
function notedWork() {
  const { inTurn } = createWorkTurns();
  const begun: string[] = [];
  let underWay = 0;
  let most = 0;
  const work = (payer: string, owner: string, person: string) => {
    const account = { payer, owner, weight: 1 };
    return inTurn(account, person, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      begun.push(`${owner} ${person}`);
      await nextTurn();
      underWay -= 1;
      return person;
    });
  };
  return { begun, most: () => most, work };
}

it('does one after the other, payers in turn, within a payer its servers, within a server its people', async () => {
  const { begun, most, work } = notedWork();
  const all: Promise<string>[] = [];
  for (let server = 0; server < 100; server += 1) {
    for (const person of ['a', 'a', 'b']) all.push(work('flood', `flood ${server}`, person));
  }
  all.push(work('flood', 'flood 0', 'c'), work('honest', 'honest', 'd'));
  expect((await Promise.all(all)).at(-1)).toBe('d');
  expect(most()).toBe(1);
  expect(begun).toHaveLength(all.length);
  // The first one had begun, and one more of the flood has its turn before.
  expect(begun.indexOf('honest d')).toBeLessThanOrEqual(2);
  const firstRound = begun.slice(0, 101).filter((each) => each.startsWith('flood'));
  expect(new Set(firstRound.map((each) => each.split(' ')[1])).size).toBe(100);
  const ofServer = begun.filter((each) => each.startsWith('flood 0 '));
  expect(ofServer.slice(0, 3).map((each) => each.at(-1))).toEqual(['a', 'b', 'c']);
});

it('goes on after work that fails, and lets whoever asked for it know', async () => {
  const { inTurn } = createWorkTurns();
  const account = { payer: 'p', owner: 'o', weight: 1 };
  const failing = inTurn(account, 'a', () => Promise.reject(new Error('broken')));
  const next = inTurn(account, 'a', async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
