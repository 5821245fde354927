import { expect, it } from 'vitest';
import { walletsWithAlerts } from '../../../src/alerts/wallets/waiting-search.ts';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { inMarket } from '../../support/records.ts';
import { A, B, C, CHANNEL, GUILD, OTHER, TestBot, watchingBot } from '../../support/test-bot.ts';
import { walletOf } from '../../support/wallets.ts';

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

/** Wallets with a channel and a server each, then A and B in one channel, where A's alert waits. */
async function crowdedBot(): Promise<TestBot> {
  const bot = await watchingBot([]);
  for (let index = 0; index < 60; index += 1) {
    const id = String(200_000_000_000_000_000n + BigInt(index));
    await bot.watch(walletOf(index), id, {}, bot.nowSeconds, id);
    await bot.poll(walletOf(index));
  }
  for (const wallet of [B, A]) {
    await bot.watch(wallet, CHANNEL);
    await bot.poll(wallet);
  }
  await bot.see(A, inMarket(1));
  return bot;
}

/** Wallets that are read before all of the channel are. */
async function readBefore(bot: TestBot): Promise<number> {
  const { firstReading } = restart(bot);
  let before = 0;
  firstReading.listen(() => {
    if (!firstReading.isKnown(CHANNEL)) before += 1;
  });
  await firstReading.run();
  expect(firstReading.left()).toBe(0);
  return before;
}

it('the wallets of a channel for which an alert waits are read before all others', async () => {
  const bot = await crowdedBot();
  // Those that are begun with before it is known what waits, and the other one of the channel.
  expect(await readBefore(bot)).toBeLessThan(10);
  await bot.deliver(CHANNEL);
  await bot.poll(A);
  expect(await readBefore(bot)).toBeGreaterThan(50);
});

it('an alert that a release before format 12 has stored is read first as well', async () => {
  const bot = await crowdedBot();
  for (const [key, text] of bot.disk) {
    if (!key.startsWith('wallet:')) continue;
    const { revision: _, ...older } = JSON.parse(text);
    bot.disk.set(key, JSON.stringify({ v: 11, value: older }));
  }
  const wallets = [...bot.parts.registry.wallets()];
  expect(await waitingOn(bot, wallets)).toEqual([A]);
});

it('where the store cannot be searched, all is read all the same, and the log says so', async () => {
  const bot = await crowdedBot();
  bot.onEndings = () => Promise.reject(new Error('the store is away'));
  await readBefore(bot);
  expect(waitingIn(bot, CHANNEL)).toEqual([A]);
  expect(bot.lines.filter(({ event }) => event === 'wallets.not_searched')).toHaveLength(1);
});

/** Finds wallets with alerts, as the start does. */
async function waitingOn(bot: TestBot, wallets: readonly WalletAddress[]) {
  const { store } = bot.parts;
  const found: WalletAddress[] = [];
  for await (const wallet of walletsWithAlerts(store, wallets)) found.push(wallet);
  return found;
}

it('whatever write a crash comes after, no wallet with an alert is missed', async () => {
  const bot = await watchingBot([A, B], [CHANNEL, OTHER]);
  const disks: (readonly (readonly [string, string])[])[] = [];
  bot.onWrite = () => void disks.push([...bot.disk]);
  for (const wallet of [A, B]) await bot.poll(wallet);
  for (const number of [1, 2]) {
    for (const wallet of [A, B]) await bot.see(wallet, inMarket(number));
    // The position is closed: a result follows from the delivery.
    await bot.see(A, { ...inMarket(number), action: 'Sell' });
    for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
  }
  bot.onWrite = () => undefined;
  let withAlerts = 0;
  let withResults = 0;
  for (const disk of disks) {
    bot.disk.clear();
    for (const [key, text] of disk) bot.disk.set(key, text);
    const { firstReading } = restart(bot);
    const found = await waitingOn(bot, [A, B]);
    await firstReading.run();
    const waiting = new Set([CHANNEL, OTHER].flatMap((channelId) => waitingIn(bot, channelId)));
    withAlerts += waiting.size;
    withResults += bot.results().length;
    expect(found).toEqual(expect.arrayContaining([...waiting]));
  }
  expect([withAlerts > 10, withResults > 0]).toEqual([true, true]);
});

it('a wallet that the store never gives back holds up its own channel alone', async () => {
  const bot = await waitingBot();
  const { firstReading } = restart(bot);
  let isAway = true;
  const error = new Error('the row is damaged');
  bot.onRead = (key) => (isAway && key === `wallet:${B}` ? Promise.reject(error) : undefined);
  const all = firstReading.run();
  await firstReading.whenReadableKnown();
  expect([CHANNEL, OTHER].map(firstReading.isKnown)).toEqual([false, true]);
  expect([GUILD, OTHER_GUILD].map(firstReading.leftOf)).toEqual([1, 0]);
  isAway = false;
  await all;
  expect(firstReading.isKnown(CHANNEL)).toBe(true);
  expect(waitingIn(bot, CHANNEL)).toEqual([A, B]);
});

it('where no wallet is stored, nothing is waited for', async () => {
  const { firstReading } = restart(new TestBot());
  await firstReading.run();
  await firstReading.whenReadableKnown();
});

it('nothing gives way any more once commands have read what was to be read first', async () => {
  const bot = await waitingBot();
  const { firstReading } = restart(bot);
  firstReading.leaveUnread([], [CHANNEL]);
  expect(firstReading.isHurrying()).toBe(true);
  for (const ownerId of [GUILD, OTHER_GUILD]) await firstReading.whenOwnerKnown(ownerId);
  await firstReading.run();
  expect(firstReading.isHurrying()).toBe(false);
});
