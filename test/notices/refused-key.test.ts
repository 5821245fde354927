import { DEMO_KEY, type VenueKey } from '@walletbell/venue-server/keys';
import { openLedger } from '@walletbell/venue-server/ledger';
import { startVenue } from '@walletbell/venue-server/venue';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openUnlimitedFixture, TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { createPost } from '../../src/delivery/post.ts';
import { createSender } from '../../src/delivery/sender.ts';
import { createRest } from '../../src/discord/client.ts';
import type { EndpointName } from '../../src/domain/records.ts';
import { createFeed } from '../../src/feed/feed.ts';
import { ENGLISH } from '../../src/language/language.ts';
import {
  endpointNoticeKind,
  endpointOutageKind,
  nextEndpointOutage,
  nextOutage,
  noticeKind,
  outageKind,
} from '../../src/notices/outage.ts';
import { createNoticeRunner } from '../../src/notices/runner.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { createVenueClient } from '../../src/venue/client.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { documentStore } from '../support/documents.ts';
import { every } from '../support/every.ts';
import { testMachine } from '../support/machine.ts';
import { trade } from '../support/records.ts';
import { SoakClock } from '../support/soak/clock.ts';
import { temporaryFolder } from '../support/temp.ts';
import { walletOf } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';
import { budgetIn } from '../venue/rate-limit/simulated-venue.ts';

const MINUTE_MS = 60_000;
const WALLETS = [walletOf(1), walletOf(2), walletOf(3)];
const BOTH: readonly EndpointName[] = ['activity', 'deposits-withdrawals'];

/** A feed and its notices between a real venue and a local Discord, in virtual time. */
async function openWorld(endpoints: readonly EndpointName[]) {
  const log = pino({ level: 'silent' });
  const clock = new SoakClock(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS);
  const nowMs = () => clock.nowMs;
  const ledger = await openLedger({ path: `${temporaryFolder()}/venue.sqlite` });
  const key: VenueKey = { ...DEMO_KEY, limit: 6_000, endpoints };
  const refusalsMs: number[] = [];
  const venue = await startVenue({
    ledger,
    keys: [key],
    log,
    now: nowMs,
    onAnswer: ({ status }) => void (status === 401 && refusalsMs.push(clock.nowMs)),
  });
  const { discord, guildId } = await openUnlimitedFixture({ now: nowMs });
  const { id: channelId } = discord.createChannel(guildId, { name: 'alerts' });
  const sleep = (delayMs: number, signal: AbortSignal) => clock.sleep(delayMs, signal);
  const machine = testMachine({ nowMs, monotonicMs: nowMs, sleep, random: () => 0.5 });
  const store = documentStore();
  const budget = budgetIn(clock, { share: 0.9, random: machine.random });
  const client = createVenueClient(machine, { baseUrl: venue.url, apiKey: DEMO_KEY.key, budget });
  const feed = createFeed(machine, {
    client: {
      ...client,
      unread: (...call) => clock.during(client.unread(...call)),
    } as typeof client,
    budget,
    schedule: createSchedule({ pollMinSeconds: 10 }),
    store,
    cronTimer: every(5_000, clock),
    pollMinMs: 10_000,
    ops: { polled() {}, ticked() {} },
  });
  const registry = createRegistry(testMachine(), documentStore());
  for (const wallet of WALLETS) {
    await registry.add(watchOf({ ownerId: guildId, channelId, wallet, sinceSeconds: 0 }));
    feed.watch(wallet);
  }
  const rest = createRest({ apiUrl: discord.apiUrl, token: TOKEN });
  const sender = createSender({ rest, selfId: () => discord.bot.id, canReadHistory: () => true });
  const shared = {
    registry,
    availability: feed.availability,
    sender,
    post: createPost(machine, sender),
    languageOf: () => ENGLISH,
    venueNowMs: nowMs,
  };
  const runners = (
    [
      [outageKind, noticeKind, nextOutage],
      [endpointOutageKind, endpointNoticeKind, nextEndpointOutage],
    ] as const
  ).map(([outages, notices, next]) =>
    createNoticeRunner(machine, {
      ...shared,
      outages: outages.open(machine, store),
      notices: notices.open(machine, store),
      nextOutage: next,
    }),
  );
  /** When pages with trades came, ms. */
  const tradesMs: number[] = [];
  feed.start({
    async takePage(page) {
      if (page.endpoint === 'activity' && page.items.length > 0) tradesMs.push(clock.nowMs);
      return { isOpen: false, pollId: page.pollId };
    },
    unchanged: () => true,
  });
  onTestFinished(async () => {
    const stopped = feed.stop();
    await clock.runUntil(clock.nowMs + MINUTE_MS);
    await stopped;
    await venue.close();
    await ledger.close();
  });
  const beganMs = clock.nowMs;
  return {
    venue,
    key,
    refusalsMs,
    tradesMs,
    /** Minutes since the beginning. */
    minutes: () => (clock.nowMs - beganMs) / MINUTE_MS,
    notices: () => discord.messages(channelId).map(({ embeds }) => embeds[0]?.description ?? ''),
    /** A time as a notice shows it, to the minute. */
    at: (minutes: number) => Math.floor((beganMs + minutes * MINUTE_MS) / 1000),
    trade: () =>
      ledger.addAll(
        WALLETS.map((trader) => ({
          kind: 'activity' as const,
          wallet: trader,
          block: 1,
          item: trade({ trader, time: Math.floor(clock.nowMs / 1000) }),
        })),
      ),
    async pass(minutes: number) {
      for (let looks = 0; looks < minutes * 6; looks += 1) {
        await clock.runUntil(clock.nowMs + MINUTE_MS / 6);
        for (const { look, next } of runners) {
          await look();
          const step = await next(channelId);
          if (typeof step !== 'number') await step.send();
        }
      }
    },
  };
}

const KEY =
  /^⚠️ No alerts since <t:\d+:f>: the exchange refuses the bot’s key\. Its operator has to act\./;

it('tells a channel of a key that is refused for ten minutes, tries it once within each minute, and brings the first alert within one of its return', async () => {
  const { venue, key, pass, notices, trade, tradesMs, refusalsMs, at } = await openWorld(BOTH);
  await pass(2);
  venue.setKeys([]);
  await pass(4);
  expect(notices()).toEqual([]);
  const triedAfter = refusalsMs.length;
  await pass(6);
  expect(notices()).toEqual([expect.stringMatching(KEY)]);
  const since = Number(/<t:(\d+):f>/.exec(notices()[0] ?? '')?.[1]);
  expect(Math.abs(since - at(2))).toBeLessThan(60);
  const tries = refusalsMs.length - triedAfter;
  expect([tries >= 6, tries <= 8], `${tries} tries in six minutes`).toEqual([true, true]);
  await trade();
  venue.setKeys([key]);
  await pass(1);
  // Of each wallet, whichever was tried with.
  expect(tradesMs).toHaveLength(WALLETS.length);
  await pass(2);
  expect(notices()).toEqual([
    expect.stringMatching(/^✅ No alerts for trades, redemptions, .*They’re back; you’ll get what/),
  ]);
});

it('says nothing of an endpoint that the plan never had, and does of one that answered before', async () => {
  const never = await openWorld(['activity']);
  await never.pass(12);
  expect(never.notices()).toEqual([]);
  // A refusal of the other one is one of the key.
  never.venue.setKeys([{ ...never.key, endpoints: [] }]);
  await never.pass(7);
  expect(never.notices()).toEqual([expect.stringMatching(KEY)]);

  const lost = await openWorld(BOTH);
  await lost.pass(2);
  lost.venue.setKeys([{ ...lost.key, endpoints: ['activity'] }]);
  await lost.pass(7);
  expect(lost.notices()).toEqual([
    expect.stringMatching(/^⚠️ No alerts for deposits and withdrawals since <t:\d+:f>/),
  ]);
  // A later outage of the key has a notice of its own, and leaves this one.
  lost.venue.setKeys([]);
  await lost.pass(7);
  lost.venue.setKeys([{ ...lost.key, endpoints: ['activity'] }]);
  await lost.pass(3);
  expect(lost.notices()).toEqual([
    expect.stringMatching(/^⚠️ No alerts for deposits and withdrawals since/),
    expect.stringMatching(/^✅ No alerts for trades and redemptions came from/),
  ]);
  lost.venue.setKeys([lost.key]);
  await lost.pass(3);
  expect(lost.notices()[0]).toMatch(/^✅ No alerts for deposits and withdrawals came from/);
});
