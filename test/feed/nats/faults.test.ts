import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NatsError } from '../../../src/feed/nats/address.ts';
import { openStream, STREAM } from '../../../src/feed/nats/stream.ts';
import {
  ask,
  PAGE_SUBJECTS,
  POLL_LIST,
  pageSubject,
  presenceSubject,
  STATE,
  UNCHANGED,
} from '../../../src/feed/nats/wire.ts';
import { MAY_MOUNT, smallDisk } from '../../support/full-disk.ts';
import { sampleTransfer } from '../../support/records.ts';
import { hasNats, PASSWORD, startNats } from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { IS_THOROUGH, within } from '../../support/thorough.ts';
import { WALLET_A as A, walletOf } from '../../support/wallets.ts';
import {
  connectTo,
  type FeedWorldOptions,
  openFeedWorld,
  openNats,
  shows,
  traded,
  watch,
} from '../feed-world.ts';

/** More than one message may hold, thirty times over in a thorough run. */
const WALLETS = IS_THOROUGH ? 100_000 : 20_000;

async function openTradedWorld(options: FeedWorldOptions = {}) {
  const world = await openFeedWorld('over NATS', options);
  world.venue.activity = [traded(1)];
  world.venue.transfers = [sampleTransfer()];
  return world;
}

describe.skipIf(!hasNats)('a feed and a bot over NATS', () => {
  it(
    'make up for a stream that was emptied, and for one that was deleted, while the bot was away',
    async () => {
      const world = await openTradedWorld();
      await watch(world, A);
      const manager = await jetstreamManager(await world.intruder());
      await world.whileBotIsAway([A], async () => {
        world.venue.activity = [traded(2), traded(1)];
        // It is published, and lost to the bot.
        await expect.poll(async () => (await manager.streams.info(STREAM)).state.messages).toBe(3);
        await manager.streams.purge(STREAM);
      });
      await world.page(shows(2));
      await world.whileBotIsAway([A], async () => {
        await manager.streams.delete(STREAM);
        world.venue.activity = [traded(3), traded(2), traded(1)];
      });
      expect((await world.page(shows(3))).items).toHaveLength(3);
    },
    within(90_000),
  );

  it(
    'log that NATS is away once, however much fails meanwhile, and that it is back with a count',
    async () => {
      const { nats } = await openNats();
      const world = await openTradedWorld({ natsServer: nats });
      const count = (event: string) => world.lines.filter((line) => line['event'] === event).length;
      world.venue.activity = [];
      const wallets = Array.from({ length: 20 }, (_, index) => walletOf(index));
      for (const wallet of wallets) world.feed.watch(wallet);
      for (const wallet of wallets)
        await world.page(
          (page) => page.wallet === wallet && page.endpoint === 'deposits-withdrawals',
        );
      world.lines.length = 0;
      await nats.kill();
      world.venue.transfers = [{ ...sampleTransfer(), amount: 251 }, sampleTransfer()];
      const asked = world.venue.requests.length;
      await expect.poll(() => count('poll.failed')).toBe(1);
      // By now many more have failed.
      await expect.poll(() => world.venue.requests.length - asked).toBeGreaterThan(60);
      await nats.start();
      for (const wallet of wallets)
        await world.page((page) => page.wallet === wallet && page.items.length === 2);
      await expect.poll(() => count('poll.works_again')).toBe(1);
      const over = world.lines.find(({ event }) => event === 'poll.works_again');
      expect(over).toMatchObject({ lastedSeconds: expect.any(Number) });
      // One failed when the outage began, the others meanwhile.
      expect(Number(over?.['failures'])).toBeGreaterThan(1);
      const counts: Record<string, number> = {};
      for (const { event } of world.lines) counts[String(event)] = (counts[String(event)] ?? 0) + 1;
      // Whatever is logged of it is logged once or twice, in the feed and in the bot.
      const often = Object.entries(counts).filter(([_event, times]) => times > 2);
      expect(often).toEqual([]);
    },
    within(90_000),
  );

  it('do not work with a stream that keeps something else, or otherwise, and say how to mend it', async () => {
    const { connection } = await openNats();
    const manager = await jetstreamManager(connection);
    const fault =
      /The stream walletbell_pages is not as it must be.*nats stream rm walletbell_pages/;
    const good = { subjects: [PAGE_SUBJECTS], storage: StorageType.File };
    for (const config of [
      { ...good, subjects: ['walletbell.>'] },
      { ...good, storage: StorageType.Memory },
      { ...good, retention: RetentionPolicy.Workqueue },
    ]) {
      await manager.streams.add({ name: STREAM, ...config });
      await expect(openStream(connection)).rejects.toThrow(NatsError);
      await expect(openStream(connection)).rejects.toThrow(fault);
      await manager.streams.delete(STREAM);
    }
    // How long and how much it keeps is the operator's to say.
    const limits = { max_bytes: 1_000_000, max_age: 60_000_000_000 };
    await manager.streams.add({ name: STREAM, subjects: [PAGE_SUBJECTS], ...limits });
    await openStream(connection);
    expect((await manager.streams.info(STREAM)).config).toMatchObject(limits);
  });

  it('need JetStream, and say so where NATS has none', async () => {
    await openStream((await openNats()).connection);
    const { connection } = await openNats(['-js=false']);
    const fault = /JetStream of NATS cannot be used .*-js and a store_dir/;
    await expect(openStream(connection)).rejects.toThrow(fault);
  });

  it.skipIf(!MAY_MOUNT)(
    'go on when the disk of NATS was full, with all that could not be written',
    async () => {
      const disk = smallDisk(16_384);
      const { nats, connection: operator } = await openNats(['-sd', disk.folder]);
      const noSpace = /JetStream of NATS cannot be used \(.*storage.*\).*store_dir with space/;
      await expect(openStream(operator)).rejects.toThrow(noSpace);
      const manager = await jetstreamManager(operator);
      await manager.streams.add({ name: STREAM, subjects: [PAGE_SUBJECTS], max_bytes: 8_000_000 });
      const world = await openTradedWorld({ natsServer: nats });
      await watch(world, A);
      disk.fill();
      const items = Array.from({ length: 100 }, (_, index) => traded(index - 200));
      // Until what is buffered somewhere is used up.
      const hasFailed = () => world.lines.some(({ event }) => event === 'poll.failed');
      for (let number = 2; !hasFailed() && number < 60; number += 1) {
        world.venue.activity = [traded(number), ...items.slice(0, 98)];
        const isDone = () => world.pages.some(shows(number)) || hasFailed();
        await expect.poll(isDone).toBe(true);
      }
      expect(hasFailed()).toBe(true);
      disk.free();
      world.venue.activity = [traded(90), traded(89)];
      await nats.kill();
      await nats.start();
      await world.page(shows(90));
      await expect.poll(() => world.lines.map(({ event }) => event)).toContain('poll.works_again');
    },
    within(120_000),
  );

  it(
    `work with a poll list of ${WALLETS} wallets, also after a restart of the feed`,
    async () => {
      const world = await openTradedWorld();
      const wallets = Array.from({ length: WALLETS }, (_, index) => walletOf(index));
      for (const wallet of wallets) world.feed.watch(wallet);
      await expect.poll(world.polled, { timeout: 60_000, interval: 100 }).toBe(wallets.length);
      const intruder = await world.intruder();
      const nothing = { entries: [], removed: [], received: 0 };
      const part = { index: 0, count: 1 };
      const copy = { bot: 'the-bot', instance: 'copy', isWorking: false, shards: null, part };
      const answered = async () =>
        (await ask(intruder, POLL_LIST, { ...copy, ...nothing }, 5_000)).answer;
      await world.whileFeedIsAway(async () => {});
      // The feed may not listen yet, and the bot that works may not have been heard yet.
      expect(await vi.waitFor(answered, { timeout: 20_000 })).not.toBe('taken');
      await expect.poll(answered).toBe('refused');
      await expect.poll(world.polled, { timeout: 60_000, interval: 100 }).toBe(wallets.length);
    },
    within(180_000),
  );

  it('need no more rights at NATS than those of ops/nats.conf, with which a bot writes into nobody’s channels', async () => {
    const shipped = readFileSync(new URL('../../../ops/nats.conf', import.meta.url), 'utf8');
    const configuration = join(temporaryFolder(), 'nats.conf');
    // In quotes, as compose.cluster.yaml hands them on; and what needs a later server than
    // Debian’s.
    writeFileSync(
      configuration,
      shipped
        .replace(/\$NATS_\w+_PASSWORD/g, `"${PASSWORD}"`)
        .replace(/(store_dir|sync_interval): .*/g, ''),
    );
    const nats = await startNats(['-c', configuration], []);
    onTestFinished(nats.stop);
    const natsUsers = { feed: 'feed', bot: 'bot' };
    const world = await openTradedWorld({ natsServer: nats, natsUsers });
    await watch(world, A);
    await world.feed.lookups.activity(A, { limit: 10 }, { priority: 'person' });
    await world.feed.awaitIdentify?.(0, new AbortController().signal);
    world.venue.activity = [traded(2), traded(1)];
    await world.page(shows(2));
    // The next run finds the one before gone.
    await world.restart([A]);
    world.venue.activity = [traded(3), traded(2), traded(1)];
    await world.page(shows(3));
    expect(world.lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);

    const thief = await connectTo(nats, 'bot');
    onTestFinished(() => thief.close());
    const refused: string[] = [];
    (async () => {
      for await (const status of thief.status())
        if (status.type === 'error') refused.push(String(status.error));
    })();
    const subjects = [
      pageSubject({ wallet: A, name: 'activity' }),
      STATE.subject,
      UNCHANGED.subject,
      presenceSubject('another'),
      '_INBOX.another',
      ...['DELETE', 'UPDATE', 'PURGE', 'MSG.DELETE'].map(
        (what) => `$JS.API.STREAM.${what}.${STREAM}`,
      ),
      '$JS.API.STREAM.CREATE.another',
    ];
    for (const subject of subjects) thief.publish(subject, '{}');
    const isRefused = (subject: string) =>
      refused.some((reason) => reason.includes(`"${subject}"`));
    await expect.poll(() => subjects.filter((subject) => !isRefused(subject))).toEqual([]);
  });
});
