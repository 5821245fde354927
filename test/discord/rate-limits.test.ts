import { once } from 'node:events';
import { Routes } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { openFixture, TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { classifyFailure } from '../../src/delivery/failures.ts';
import { createSender } from '../../src/delivery/sender.ts';
import { createRest } from '../../src/discord/client.ts';

const noise = { roleIds: [], isSilent: false };

/** The bot's way to a channel with one message, and the statuses of what it asks from then on. */
async function openWay() {
  const { discord, channelId } = await openFixture();
  const rest = createRest({ apiUrl: discord.apiUrl, token: TOKEN });
  onTestFinished(() => rest.clearHandlerSweeper());
  const sender = createSender({ rest, selfId: () => discord.bot.id, canReadHistory: () => true });
  const send = (content: string) =>
    sender.send(channelId, { body: { content }, noise, nonce: content });
  const messageId = await send('one');
  const edit = (content: string) => sender.edit(channelId, messageId, { body: { content }, noise });
  const statuses: number[] = [];
  discord.events.on('request', ({ status }) => statuses.push(status));
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => classifyFailure(error),
    );
  return { discord, channelId, messageId, rest, sender, send, edit, statuses, failureOf };
}

it('gives an edit up at once that Discord holds back, whether the header or the body alone says for how long', async () => {
  const { discord, edit, statuses, failureOf } = await openWay();
  const held = [
    () => discord.faults.limitEdits({ retryAfterMs: 1_163_097 }),
    () => discord.faults.limitEdits({ retryAfterMs: 30_000 }),
    () => discord.faults.limitEdits({ code: 20022, retryAfterMs: 1_000 }),
    () => discord.faults.rateLimit({ scope: 'shared', retryAfterMs: 22_000, route: 'PATCH' }),
  ];
  for (const hold of held) {
    hold();
    const failure = await failureOf(edit('two'));
    expect(failure, JSON.stringify(failure)).toMatchObject({ kind: 'rejected' });
  }
  // None was repeated.
  expect(statuses).toEqual([429, 429, 429, 429]);
});

it('leaves a short wait for an edit, and a long one for any message, to whoever sends', async () => {
  const { discord, channelId, edit, send, statuses, failureOf } = await openWay();
  discord.faults.limitEdits({ retryAfterMs: 4_000 });
  const short = await failureOf(edit('two'));
  expect(short).toMatchObject({ kind: 'retry', status: 0 });
  expect(short?.kind === 'retry' && short.pauseMs).toBeGreaterThanOrEqual(4_000);
  discord.faults.rateLimit({ scope: 'shared', retryAfterMs: 20_000 });
  const long = await failureOf(send('two'));
  expect(long?.kind === 'retry' && long.pauseMs).toBeGreaterThanOrEqual(20_000);
  expect(statuses).toEqual([429, 429]);
  expect(discord.messages(channelId).map(({ content }) => content)).toEqual(['one']);
});

it('knows by Discord’s clock whether an edit has been taken, also one whose answer was lost', async () => {
  const { discord, channelId, messageId, rest, sender, edit, failureOf } = await openWay();
  expect(await sender.editedAtMs(channelId, messageId)).toBe(0);
  const editedMs = await edit('two');
  expect(await sender.editedAtMs(channelId, messageId)).toBe(editedMs);
  discord.faults.cutAfterAccept({ route: 'PATCH' });
  const edited = once(discord.events, 'edit');
  expect(await failureOf(edit('three'))).toMatchObject({ kind: 'retry', status: 0, pauseMs: null });
  await edited;
  expect(await sender.editedAtMs(channelId, messageId)).toBe(
    discord.message(messageId)?.editedAtMs,
  );
  const blind = createSender({ rest, selfId: () => null, canReadHistory: () => false });
  expect(await blind.editedAtMs(channelId, messageId)).toBeNull();
  discord.faults.refuseRest({ status: 403, code: 50013, route: 'GET' });
  expect(await sender.editedAtMs(channelId, messageId)).toBeNull();
  await rest.delete(Routes.channelMessage(channelId, messageId));
  expect(await failureOf(sender.editedAtMs(channelId, messageId))).toEqual({ kind: 'messageGone' });
});
