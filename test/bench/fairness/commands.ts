import { createWorkTurns } from '../../../src/discord/quotas/work-turns.ts';
import { SoakClock } from '../../support/soak/clock.ts';
import { mean, print } from '../figures.ts';
import { WORLDS, type World } from './worlds.ts';

const LENGTH_MS = 10 * 60_000;
/** Processor time of a command. */
const WORK_MS = 30;
const HONEST_EVERY_MS = 10_000;
/** Default number of commands that a server may send at once, and per minute. */
const AT_ONCE = 15;
const A_MINUTE = 30;

/**
 * Measures in simulated time how long commands of an honest server wait and run while other servers
 * send as many as allowed.
 */
export async function compareCommands(): Promise<void> {
  for (const [world, servers] of Object.entries(WORLDS)) {
    const answeredMs = await answerIn(servers);
    print({
      what: 'commands',
      world,
      commands: answeredMs.length,
      meanMs: mean(answeredMs),
      mostMs: Math.max(...answeredMs),
    });
  }
}

async function answerIn({ floods, honest }: World): Promise<readonly number[]> {
  const world = new SoakClock(0);
  const { inTurn } = createWorkTurns();
  const work = () => new Promise<void>((resolve) => world.at(world.nowMs + WORK_MS, resolve));
  for (const account of floods) {
    for (let index = 0; index < AT_ONCE; index += 1) void inTurn(account, '', work);
    for (let atMs = 0; atMs < LENGTH_MS; atMs += 60_000 / A_MINUTE) {
      world.at(atMs, () => void inTurn(account, '', work));
    }
  }
  const answeredMs: number[] = [];
  for (let atMs = HONEST_EVERY_MS; atMs < LENGTH_MS; atMs += HONEST_EVERY_MS) {
    world.at(
      atMs,
      () => void inTurn(honest, '', work).then(() => answeredMs.push(world.nowMs - atMs)),
    );
  }
  await world.runUntil(LENGTH_MS);
  return answeredMs;
}
