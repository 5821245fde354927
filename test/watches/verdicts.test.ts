import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAlerts } from '../../src/alerts/alerts.ts';
import { judgeDaily } from '../../src/alerts/scheduled/daily-verdicts.ts';
import { postedKind } from '../../src/alerts/wallets/posted-documents.ts';
import { WALLET_PREFIX } from '../../src/alerts/wallets/wallet-document.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import type { FirstPurchase } from '../../src/portfolio/record/first-purchase.ts';
import { EMPTY_RECORD, type WalletRecord } from '../../src/portfolio/record/record.ts';
import { newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { channelSettingsKind, defaultChannelSettings } from '../../src/watches/channel-settings.ts';
import { personOwner } from '../../src/watches/owner.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { createVerdicts, verdictKind } from '../../src/watches/verdicts.ts';
import { WATCH_PREFIX, type Watch } from '../../src/watches/watch.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const DAY = 86_400;
/** The first second of a day (UTC). */
const START = 1_790_000_000 - (1_790_000_000 % DAY);
const WALLET = walletOfDigit('1');
const CHANNEL = '100000000000000002';
const OTHER_CHANNEL = '100000000000000009';

/**
 * One market a day at 50 cents from `START` on, each closed within an hour.
 *
 * @param won how many of each ten were won
 */
function bought(markets: number, won: number, wonLater = won): WalletRecord {
  const first = (index: number): FirstPurchase => {
    const atSeconds = START + index * DAY;
    const isWon = index % 10 < (index < 40 ? won : wonLater);
    return {
      ...{
        market: `m${index}`,
        event: `e${index}`,
        outcome: 'yes',
        txHash: `0x${index}`,
        atSeconds,
      },
      ...{
        closedSeconds: atSeconds + 3_600,
        shares: 10,
        left: 0,
        grossUsdc: 5,
        paidUsdc: 5,
        backUsdc: isWon ? 10 : 0,
      },
    };
  };
  return { ...EMPTY_RECORD, markets: Array.from({ length: markets }, (_, index) => first(index)) };
}

type Documents = ReturnType<typeof documentStore>;

/** The same where what is stored of a wallet is read before what is stored of its watches. */
function withWatchesLast({ documents }: Documents): Documents {
  const watchesLast = documentStore();
  const isWatch = ([key]: readonly [string, unknown]) => key.startsWith(WATCH_PREFIX);
  const inOrder = [...documents].toSorted((a, b) => Number(isWatch(a)) - Number(isWatch(b)));
  for (const [key, document] of inOrder) watchesLast.documents.set(key, document);
  return watchesLast;
}

/** A bot on a store, as far as it judges wallets, at a time that the test sets. */
async function openChannel(store: Documents, nowSeconds: number) {
  const clock = { seconds: nowSeconds };
  const ending = new AbortController();
  /** Ends the rest of what runs daily. */
  let wake = () => {};
  const sleep = () => new Promise<void>((resolve) => (wake = resolve));
  const machine = testMachine({ nowMs: () => clock.seconds * 1000, sleep });
  const registry = createRegistry(machine, store);
  const channelSettings = channelSettingsKind.open(machine, store);
  const documents = verdictKind.open(machine, store);
  const verdicts = createVerdicts(machine, documents);
  const venueNowSeconds = () => clock.seconds;
  const { walletIndex, outbox } = createAlerts(machine, {
    store,
    posted: postedKind.open(store),
    ...{ registry, channelSettings, verdicts, venueNowSeconds },
    isGone: () => false,
  });
  for (const [key, document] of store.documents) {
    if (key.startsWith(WATCH_PREFIX)) registry.load(key, document);
    else if (key.startsWith(WALLET_PREFIX)) outbox.load(key, document);
    else
      for (const kind of [channelSettings, documents])
        if (kind.holds(key)) kind.load(key, document);
  }
  registry.listen({ watchEnding: (watch) => verdicts.forget(watch) });
  const feed = { budget: { venueNowMs: () => clock.seconds * 1000 } };
  const judging = judgeDaily(machine, {
    feed,
    registry,
    walletIndex,
    outbox,
    signal: ending.signal,
  });
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  };
  const shownTo = async (watch: Watch) => {
    const { knowledge } = await outbox.stateOf(watch.wallet);
    return knowledge === undefined ? null : walletIndex.recordFor(knowledge, watch);
  };
  /** The same from memory; undefined where the document has to be read. */
  const keptFor = (watch: Watch) =>
    walletIndex.keptRecordFor(watch, walletIndex.rankedIn(watch.channelId));
  return {
    ...{
      registry,
      channelSettings,
      documents,
      walletIndex,
      outbox,
      clock,
      settled,
      shownTo,
      keptFor,
    },
    async write(record: WalletRecord, wallet = WALLET): Promise<void> {
      await outbox.commit(wallet, () => ({
        state: { knowledge: { ...newKnowledge(newPortfolio(START, true)), record } },
        alerts: [],
      }));
      await settled();
    },
    /** Reads the clock at a time, as it is read every minute. */
    async at(seconds: number): Promise<void> {
      clock.seconds = seconds;
      wake();
      await settled();
    },
    async close(): Promise<void> {
      ending.abort();
      wake();
      await judging;
    },
  };
}

const watch = (given: Partial<Watch> = {}) => watchOf({ sinceSeconds: START, ...given });

/** A bot that watches the wallet and has judged all that it knows. */
async function openWatched(store: Documents, nowSeconds: number, record?: WalletRecord) {
  const channel = await openChannel(store, nowSeconds);
  await channel.settled();
  await channel.registry.add(watch());
  if (record !== undefined) await channel.write(record);
  return channel;
}

const ranked = (channelId: string, rankedBefore: number) => ({
  ...defaultChannelSettings('100000000000000001', channelId),
  rankedBefore,
});

describe('what a channel finds of a wallet', () => {
  it('is stored when it changes, is there after a restart, and no answer changes it', async () => {
    const store = documentStore();
    const channel = await openWatched(store, START + 60 * DAY, bought(40, 8));
    expect(await channel.shownTo(watch())).toMatchObject({
      verdict: 'better',
      since: { markets: 40, edgeCents: 30 },
    });
    expect(channel.walletIndex.isBetterThanLuck(CHANNEL, WALLET)).toBe(true);
    const stored = store.documents.get(`verdict:${CHANNEL}:${WALLET}`);
    expect(stored).toMatchObject({ state: 'better', among: 1, changedSeconds: START + 60 * DAY });

    // Below what luck alone reaches it goes on, until it is half an error below the plain rule.
    await channel.write(bought(60, 8, 2));
    const lower = await channel.shownTo(watch());
    expect(lower?.verdict).toBe('better');
    expect(lower?.since.edgeCents).toBeLessThan(lower?.luckCents ?? 0);
    expect(store.documents.get(`verdict:${CHANNEL}:${WALLET}`)).toBe(stored);
    await channel.close();

    const again = await openChannel(store, START + 60 * DAY);
    expect(await again.shownTo(watch()), 'before anything is judged').toMatchObject({
      verdict: 'better',
    });
    await again.write(bought(60, 8, 0));
    expect(await again.shownTo(watch())).toMatchObject({ verdict: 'none' });
    expect(store.documents.get(`verdict:${CHANNEL}:${WALLET}`)).toMatchObject({ state: 'ended' });
    await again.close();
  });

  it('is judged anew on the next day (UTC), when markets have matured that nothing was written of', async () => {
    const channel = await openWatched(documentStore(), START + 10 * DAY, bought(20, 10));
    expect(await channel.shownTo(watch())).toMatchObject({ verdict: 'none' });
    await channel.at(START + 21 * DAY - 60);
    expect(await channel.shownTo(watch()), 'a day is not over').toMatchObject({
      since: { isRanked: true },
    });
    await channel.at(START + 21 * DAY + 60);
    expect(await channel.shownTo(watch())).toMatchObject({ verdict: 'better' });
    await channel.close();
  });

  it('is found by each channel for itself, by how many wallets it compares, also in a direct message', async () => {
    const store = documentStore();
    const channel = await openChannel(store, START + 60 * DAY);
    await channel.channelSettings.set(OTHER_CHANNEL, ranked(OTHER_CHANNEL, 400));
    const own = watch();
    const other = watch({ channelId: OTHER_CHANNEL });
    const direct = watch({
      channelId: '100000000000000007',
      ownerId: personOwner('200000000000000001'),
    });
    for (const each of [own, other, direct]) await channel.registry.add(each);
    await channel.write(bought(40, 8));
    const found = await Promise.all(
      [own, other, direct].map(async (each) => (await channel.shownTo(each))?.verdict),
    );
    expect(found).toEqual(['better', 'none', 'better']);
    expect(channel.documents.owners()).toContain(direct.ownerId);
    await channel.documents.forget({ ownerId: direct.ownerId });
    await channel.documents.forget({ channelId: CHANNEL });
    expect(channel.documents.all()).toEqual([]);
    await channel.close();
  });

  it('ends where more wallets are compared, and says so', async () => {
    const channel = await openWatched(documentStore(), START + 60 * DAY, bought(40, 7));
    expect(await channel.shownTo(watch())).toMatchObject({ verdict: 'better' });
    await channel.channelSettings.set(CHANNEL, ranked(CHANNEL, 5_000));
    expect(await channel.shownTo(watch()), 'until it is judged').toMatchObject({
      verdict: 'better',
    });
    await channel.at(START + 61 * DAY);
    expect(await channel.shownTo(watch())).toMatchObject({ verdict: 'moreCompared' });
    await channel.close();
  });

  it('is not known before all records of the channel were counted after a start', async () => {
    const store = documentStore();
    const channel = await openChannel(store, START + 60 * DAY);
    await channel.settled();
    // Of ten wallets one has an edge that is beyond luck for one wallet, and not for ten.
    const wallets = Array.from({ length: 10 }, (_, digit) => walletOfDigit(digit.toString(16)));
    for (const wallet of wallets) await channel.registry.add(watch({ wallet }));
    for (const wallet of wallets.slice(1)) await channel.write(bought(40, 5), wallet);
    await channel.write(bought(40, 7), wallets[0]);
    expect(channel.documents.all()).toEqual([]);
    await channel.close();
    const again = await openChannel(withWatchesLast(store), START + 60 * DAY + 60);
    await again.write(bought(41, 7), wallets[0]);
    expect(again.documents.all()).toEqual([]);
    await again.close();
  });

  it('goes with the watch, and a wallet that is added again begins without', async () => {
    const store = documentStore();
    const channel = await openWatched(store, START + 60 * DAY, bought(40, 8));
    const left = [...store.documents].find(([key]) => key.startsWith('verdict:'));
    await channel.registry.remove(CHANNEL, WALLET);
    await channel.settled();
    expect(channel.documents.all()).toEqual([]);
    await channel.close();

    // The process ended before it was deleted.
    if (left === undefined) throw new Error('It was stored.');
    store.documents.set(...left);
    const again = await openChannel(store, START + 61 * DAY);
    const anew = watch({ sinceSeconds: START + 61 * DAY });
    await again.registry.add(anew);
    await again.settled();
    expect(await again.shownTo(anew)).toMatchObject({ verdict: 'none' });
    await again.close();
  });

  it('is answered from memory with what the document says, or not at all: at the start, and where a write was in doubt', async () => {
    const store = documentStore();
    const channel = await openWatched(store, START + 60 * DAY);
    const isAsStored = async ({
      shownTo,
      keptFor,
    }: Pick<typeof channel, 'shownTo' | 'keptFor'>) => {
      const kept = keptFor(watch());
      expect(await shownTo(watch())).toMatchObject({ ...kept });
      return kept !== undefined;
    };
    expect(await isAsStored(channel), 'nothing is known').toBe(false);
    await channel.write(bought(65, 8));
    expect(await isAsStored(channel)).toBe(true);
    await channel.at(START + 60 * DAY + 3_600);
    expect(await isAsStored(channel)).toBe(true);
    channel.clock.seconds = START + 61 * DAY;
    expect(await isAsStored(channel), 'a market has matured').toBe(false);
    await channel.at(START + 61 * DAY + 60);
    expect(await isAsStored(channel), 'all are judged').toBe(true);

    // It is kept although it was said to have failed, and nothing is written after it.
    const { set } = store;
    store.set = async (key, document) => {
      await set(key, document);
      throw new Error('the connection broke');
    };
    await expect(channel.write(bought(66, 2))).rejects.toThrow();
    store.set = set;
    await channel.outbox.stateOf(WALLET);
    expect(await isAsStored(channel)).toBe(true);
    expect(channel.keptFor(watch())?.since.edgeCents).toBeLessThan(20);
    await channel.close();

    const again = await openChannel(withWatchesLast(store), START + 61 * DAY + 60);
    expect(again.keptFor(watch())).toBeUndefined();
    await again.settled();
    expect(await isAsStored(again)).toBe(true);
    await again.close();
  });
});
