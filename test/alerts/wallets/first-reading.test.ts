import { expect, it } from 'vitest';
import { inMarket } from '../../support/records.ts';
import {
  A,
  B,
  C,
  CHANNEL,
  GUILD,
  OTHER,
  type TestBot,
  watchingBot,
} from '../../support/test-bot.ts';

const OTHER_GUILD = '100000000000000009';

/** A bot with A and B in one channel and C in another server's, each with an alert that waits. */
async function waitingBot(): Promise<TestBot> {
  const bot = await watchingBot([A, B]);
  await bot.watch(C, OTHER, {}, bot.nowSeconds, OTHER_GUILD);
  for (const wallet of [A, B, C]) {
    await bot.poll(wallet);
    await bot.see(wallet, inMarket(1));
  }
  return bot;
}

/** Ends it as a crash would; the next start leaves the documents to be read beside the work. */
function restart(bot: TestBot): TestBot['parts'] {
  bot.readsLater = true;
  bot.restart();
  return bot.parts;
}

const waitingIn = (bot: TestBot, channelId: string) =>
  bot.allWaiting(channelId).map(({ wallet }) => wallet);

it('a channel is not known before all of its wallets are, and others do not wait for it', async () => {
  const bot = await waitingBot();
  const { firstReading } = restart(bot);
  expect(firstReading.left()).toBe(3);
  await firstReading.whenKnown(A);
  expect([CHANNEL, OTHER].map(firstReading.isKnown)).toEqual([false, false]);
  await firstReading.whenOwnerKnown(OTHER_GUILD);
  expect([CHANNEL, OTHER].map(firstReading.isKnown)).toEqual([false, true]);
  expect(bot.known).toEqual([A, C]);
  await firstReading.run();
  expect([CHANNEL, OTHER].map(firstReading.isKnown)).toEqual([true, true]);
  expect(waitingIn(bot, CHANNEL)).toEqual([A, B]);
  expect(waitingIn(bot, OTHER)).toEqual([C]);
  expect(bot.lines.filter(({ event }) => event === 'wallets.read')).toHaveLength(1);
});

it('a channel with a watch that cannot be read is not known before the wallet of that one is', async () => {
  const bot = await waitingBot();
  bot.disk.set(`watch:${CHANNEL}:${B}`, '"damaged"');
  const { firstReading } = restart(bot);
  await firstReading.whenKnown(A);
  // A message with an alert of B may be on its way there.
  expect(firstReading.isKnown(CHANNEL)).toBe(false);
  await firstReading.run();
  expect(firstReading.isKnown(CHANNEL)).toBe(true);
  expect(waitingIn(bot, CHANNEL)).toEqual([A, B]);
});

it('a command of a server waits for its wallets, and for none of others', async () => {
  const bot = await waitingBot();
  const { firstReading } = restart(bot);
  await firstReading.whenOwnerKnown(GUILD);
  expect(bot.known.toSorted()).toEqual([A, B]);
  expect(firstReading.left()).toBe(1);
});

it('a page that comes before doubles nothing, and its wallet is known with it', async () => {
  const bot = await waitingBot();
  const { firstReading } = restart(bot);
  bot.trade(A, inMarket(2));
  await bot.poll(A);
  expect(bot.known).toEqual([A]);
  expect(waitingIn(bot, CHANNEL)).toEqual([A, A]);
  await firstReading.run();
  expect(waitingIn(bot, CHANNEL).toSorted()).toEqual([A, A, B]);
  await bot.deliver(CHANNEL);
  restart(bot);
  await bot.parts.firstReading.run();
  expect(waitingIn(bot, CHANNEL)).toEqual([]);
});

it('a page that comes before finds the purchases of wallets that nobody has read yet', async () => {
  const bot = await watchingBot([A, B]);
  await bot.setConsensus(CHANNEL, { wallets: 2, hours: 24 });
  for (const wallet of [A, B]) await bot.poll(wallet);
  await bot.see(A, inMarket(1));
  restart(bot);
  await bot.see(B, inMarket(1));
  expect(bot.waiting(CHANNEL, 'consensus')).toHaveLength(1);
});

it('a damaged document that nobody has asked for is put aside and named, and its channel is told', async () => {
  const bot = await waitingBot();
  bot.disk.set(`wallet:${B}`, '"damaged"');
  const { firstReading } = restart(bot);
  await firstReading.run();
  expect(firstReading.left()).toBe(0);
  expect(bot.disk.get(`quarantine:wallet:${B}`)).toBe('"damaged"');
  expect(bot.lines).toContainEqual(
    expect.objectContaining({ event: 'store.quarantined', key: `wallet:${B}` }),
  );
  expect(bot.waiting(CHANNEL, 'gap').length).toBeGreaterThan(0);
  expect(waitingIn(bot, OTHER)).toEqual([C]);
});

it('while the store is away its page is not taken, and all is read once it is back', async () => {
  const bot = await waitingBot();
  const { firstReading } = restart(bot);
  let failures = 0;
  bot.onRead = (key) => {
    if (key !== `wallet:${B}` || failures === 2) return undefined;
    failures += 1;
    return Promise.reject(new Error('the store is away'));
  };
  await expect(firstReading.whenKnown(B)).rejects.toThrow('the store is away');
  expect(firstReading.isKnown(CHANNEL)).toBe(false);
  await firstReading.run();
  expect(failures).toBe(2);
  expect(waitingIn(bot, CHANNEL)).toEqual([A, B]);
  expect(bot.lines.filter(({ event }) => event === 'wallet.not_read')).toHaveLength(1);
});

it('a process that is killed while it reads leaves all to the next one', async () => {
  const bot = await waitingBot();
  const before = new Map(bot.disk);
  const { firstReading } = restart(bot);
  let isAsked = false;
  bot.onRead = (key) => {
    if (key !== `wallet:${B}`) return undefined;
    isAsked = true;
    return new Promise(() => {});
  };
  void firstReading.run();
  await firstReading.whenKnown(C);
  expect(isAsked).toBe(true);
  expect(new Map(bot.disk)).toEqual(before);
  bot.onRead = () => undefined;
  restart(bot);
  await bot.parts.firstReading.run();
  expect(waitingIn(bot, CHANNEL)).toEqual([A, B]);
  expect(waitingIn(bot, OTHER)).toEqual([C]);
});

it('a wallet that is removed before it is read stays removed', async () => {
  const bot = await waitingBot();
  const { firstReading } = restart(bot);
  await bot.registry.remove(OTHER, C);
  await bot.idle();
  await firstReading.run();
  expect(bot.disk.has(`wallet:${C}`)).toBe(false);
  expect(waitingIn(bot, OTHER)).toEqual([]);
});

it('a removal that was to end before its wallet is read ends once it is, so that it counts in the ranking', async () => {
  const bot = await waitingBot();
  await bot.change(B, CHANNEL, { leavesAtMs: bot.nowSeconds * 1000 });
  const { firstReading } = restart(bot);
  const end = () => bot.registry.endLeaving(bot.nowSeconds * 1000, firstReading.isWalletKnown);
  await end();
  expect(bot.registry.kept(CHANNEL, B)).toBeDefined();
  await firstReading.run();
  await end();
  expect(bot.registry.kept(CHANNEL, B)).toBeUndefined();
  await bot.idle();
});

it('what a channel has got does not wait again where its document is damaged and it hears later by now', async () => {
  const bot = await watchingBot([A], [CHANNEL, OTHER]);
  await bot.poll(A);
  await bot.see(A, inMarket(1));
  await bot.deliver(CHANNEL);
  await bot.setChannel(CHANNEL, { delay: { ms: 60_000, fromMs: 0 } });
  const key = `posted:${CHANNEL}:${A}`;
  const posted = JSON.parse(bot.disk.get(key) ?? '');
  bot.disk.set(key, JSON.stringify({ ...posted, revision: 1_000_000 }));
  await restart(bot).firstReading.run();
  expect(waitingIn(bot, CHANNEL)).toEqual([]);
  expect(waitingIn(bot, OTHER)).toEqual([A]);
});

it('the feed hears of the last pages also of wallets that others have read, or that were repaired', async () => {
  const bot = await waitingBot();
  await bot.deliver(CHANNEL);
  bot.disk.set(`posted:${CHANNEL}:${B}`, '"damaged"');
  const { firstReading, outbox } = restart(bot);
  const taken = new Map<string, unknown>();
  firstReading.listen((wallet, { activity }) => void taken.set(wallet, activity));
  await outbox.stateOf(A);
  await firstReading.run();
  const stored = [A, B, C].map((wallet) => [wallet, bot.stored(wallet)?.state.activity?.pollId]);
  expect([...taken].toSorted()).toEqual(stored);
});
