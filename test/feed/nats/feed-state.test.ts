import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { describe, expect, it, vi } from 'vitest';
import { STREAM } from '../../../src/feed/nats/stream.ts';
import { PAGE_SUBJECTS, STATE, UNCHANGED } from '../../../src/feed/nats/wire.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { hasNats } from '../../support/servers.ts';
import { within } from '../../support/thorough.ts';
import { WALLET_A as A } from '../../support/wallets.ts';
import { openFeedWorld, shows, traded, watch } from '../feed-world.ts';

describe.skipIf(!hasNats)('what a feed says of itself once a second', () => {
  it('keeps bots to the clock of the venue, however wrong that of their machine is', async () => {
    for (const botClockOffsetMs of [-3 * 86_400_000, 3 * 86_400_000]) {
      const world = await openFeedWorld('over NATS', { botClockOffsetMs });
      await watch(world, A);
      const offMs = () => Math.abs(world.feed.budget.venueNowMs() - Date.now());
      await expect.poll(offMs).toBeLessThan(10_000);
      for (const { pollId, venueSeconds } of world.pages) {
        expect(Math.abs(pollId - Date.now())).toBeLessThan(60_000);
        expect(Math.abs(venueSeconds - Date.now() / 1000)).toBeLessThan(60);
      }
    }
  });

  it('is nothing while it cannot prove its store: it must be no rival of the one that has taken over', async () => {
    const world = await openFeedWorld('over NATS');
    await watch(world, A);
    const away = () => world.feed.availability.trouble('activity')?.sinceMs ?? null;
    world.isStoreLost = true;
    await expect.poll(away).not.toBeNull();
    world.isStoreLost = false;
    await expect.poll(away).toBeNull();
  });

  it('comes once after its store was silent for long, as soon as that answers', async () => {
    const world = await openFeedWorld('over NATS');
    await watch(world, A);
    const intruder = await world.intruder();
    let states = 0;
    intruder.subscribe(STATE.subject, {
      callback: () => {
        states += 1;
      },
    });
    const said = intruder.subscribe(UNCHANGED.subject)[Symbol.asyncIterator]();
    let answer = () => {};
    world.storeAnswers = new Promise((resolve) => {
      answer = resolve;
    });
    // Each is said a second after the one before.
    for (let seconds = 0; seconds < 4; seconds += 1) await said.next();
    states = 0;
    answer();
    await said.next();
    await expect.poll(() => states).toBeGreaterThan(0);
    expect(states).toBeLessThan(3);
  });

  it('does not hide that its pages cannot be read: for the bot it is away', async () => {
    let laterMs = 0;
    const world = await openFeedWorld('over NATS', {
      botMonotonicMs: () => performance.now() + laterMs,
    });
    await watch(world, A);
    const intruder = await world.intruder();
    const manager = await jetstreamManager(intruder);
    // Until it is faster than the feed, which makes the stream anew.
    const other = { name: STREAM, subjects: [PAGE_SUBJECTS], storage: StorageType.Memory };
    const replace = async () => {
      await manager.streams.delete(STREAM);
      await manager.streams.add(other);
    };
    await vi.waitFor(replace, { timeout: 20_000 });
    const events = () => world.lines.map(({ event }) => event);
    await expect.poll(events).toContain('nats.consumer_failed');
    laterMs = 11_000;
    let heard = 0;
    for await (const _state of intruder.subscribe(STATE.subject, { max: 2 })) heard += 1;
    expect(heard).toBe(2);
    expect(world.feed.trouble()).not.toBeNull();
    await manager.streams.delete(STREAM);
    await expect.poll(() => world.feed.trouble()).toBeNull();
  });

  it(
    'ends a second feed; and the bot says when it hears none',
    async () => {
      const world = await openFeedWorld('over NATS');
      await watch(world, A);
      const other = await world.startOtherFeed();
      await expect.poll(() => other.rivals, { timeout: 30_000 }).not.toEqual([]);
      expect(other.rivals[0]).toMatch(/began before this one.*STANDBY=true/);
      await other.stop();
      world.venue.activity = [traded(2), traded(1)];
      await world.page(shows(2));
      const away = () => world.feed.availability.trouble('activity')?.sinceMs ?? null;
      expect(away()).toBeNull();
      const goneMs = Date.now();
      await world.whileFeedIsAway(async () => {
        await expect.poll(away).not.toBeNull();
        expect(Math.abs((away() ?? 0) - goneMs)).toBeLessThan(5_000);
        const trouble = world.feed.availability.trouble('activity');
        expect(trouble?.kind).toBe('unreachable');
        expect(trouble?.say(ENGLISH)).toMatch(/^No data since /);
      });
      await expect.poll(away).toBeNull();
      expect(world.feed.availability.trouble('activity')).toBeNull();
      expect(world.unusable).toEqual([]);
    },
    within(90_000),
  );
});
