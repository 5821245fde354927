import fc from 'fast-check';
import { expect, it } from 'vitest';
import { A, TestBot } from '../support/test-bot.ts';
import { randomRuns, within } from '../support/thorough.ts';
import { CHANNELS, historySteps, openHistory } from './posted-history.ts';

/** Steps of one history. */
const STEPS = 40;

const byChannel = (list: readonly { readonly channelId: string }[]) =>
  CHANNELS.map((channelId) => list.filter((one) => one.channelId === channelId));

/** What a bot knows of its channels, once what its start has found wrong is mended. */
async function known(bot: TestBot) {
  const { knowledge } = await bot.parts.outbox.stateOf(A);
  return {
    positions: byChannel(knowledge?.alertedPositions ?? []),
    waiting: waitingIn(bot),
    unannounced: CHANNELS.map((channelId) =>
      (knowledge?.unannounced ?? [])
        .filter(({ channels }) => channels.includes(channelId))
        .map(({ outcome }) => outcome),
    ),
  };
}

const waitingIn = (bot: TestBot) =>
  CHANNELS.map((channelId) => bot.allWaiting(channelId).map(({ id }) => id));

it(
  'a start finds after each step what memory has, and nothing that a channel has got or that was dropped',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(historySteps, { minLength: STEPS, maxLength: STEPS }),
        async (steps) => {
          const { bot, done, take } = await openHistory();
          for (const step of steps) {
            await take(step);
            const now = await known(bot);
            const { disk, nowSeconds } = bot;
            const started = new TestBot({ disk, nowSeconds });
            expect(waitingIn(started), 'before anything is read again').toEqual(now.waiting);
            expect(await known(started)).toEqual(now);
            const later = new TestBot({ disk, nowSeconds, readsLater: true });
            await later.parts.firstReading.run();
            expect(waitingIn(later), 'read beside the work').toEqual(waitingIn(started));
            expect(await known(later)).toEqual(now);
            for (const [index, channelId] of CHANNELS.entries()) {
              const got = now.waiting[index]?.filter((id) => done.get(channelId)?.has(id));
              expect(got, channelId).toEqual([]);
            }
          }
        },
      ),
      randomRuns(64),
    );
  },
  within(120_000),
);
