import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import { createAlerts } from '../../src/alerts/alerts.ts';
import { createIntake } from '../../src/alerts/intake.ts';
import { createReceiverRouting } from '../../src/alerts/receiver-outbox.ts';
import {
  createPositionAsker,
  type FeedQuestions,
  readBackWallets,
  settleMarkets,
} from '../../src/alerts/scheduled/ask-feed.ts';
import { createFirstReading } from '../../src/alerts/wallets/first-reading.ts';
import { type Posted, readPosted, wholeWallet } from '../../src/alerts/wallets/posted.ts';
import { postedKind } from '../../src/alerts/wallets/posted-documents.ts';
import { walletsWithAlerts } from '../../src/alerts/wallets/waiting-search.ts';
import {
  readWalletDocument,
  type WalletDocument,
} from '../../src/alerts/wallets/wallet-document.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { createVenueAvailability } from '../../src/feed/availability.ts';
import type { AnyPolledPage, Feed } from '../../src/feed/interface.ts';
import { createPoller } from '../../src/feed/poller.ts';
import type { Machine } from '../../src/lib/machine.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import type { PollReport } from '../../src/poll-policy/types.ts';
import type { ConsensusNews } from '../../src/portfolio/consensus.ts';
import type { UnreadPage } from '../../src/venue/client.ts';
import { createBudget } from '../../src/venue/rate-limit/budget.ts';
import type { VenuePage } from '../../src/venue/read.ts';
import {
  type ChannelSettings,
  channelSettingsKind,
  defaultChannelSettings,
} from '../../src/watches/channel-settings.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { createVerdicts, verdictKind } from '../../src/watches/verdicts.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { settingsSchema, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { collectingLog } from './log.ts';
import { testMachine } from './machine.ts';
import { sampleTrade } from './records.ts';

export const START = 1_790_000_000;
export const GUILD = '100000000000000001';
export const [CHANNEL, OTHER] = ['200000000000000001', '200000000000000002'];
export const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map(
  (digit) => `0x${digit.repeat(40)}`,
) as [WalletAddress, WalletAddress, WalletAddress, WalletAddress, WalletAddress];
const PAGE = 100;

type Venue = Pick<FeedQuestions, 'signal'> &
  Pick<Machine, 'sleep'> & { readonly feed: Omit<FeedQuestions['feed'], 'settlements'> };
type Of<Kind extends WalletEvent['kind']> = Extract<WalletEvent, { readonly kind: Kind }>;

const unasked = () => Promise.reject(new Error('nobody asks for it here'));

/** Traders, the bot from the poller to the outbox, and a disk that survives restarts. */
export class TestBot {
  /** Channels that were notified of waiting alerts. */
  readonly announced: string[] = [];
  /** Wallets in the order in which they were read in the background. */
  readonly known: WalletAddress[] = [];
  /** Endpoints of the counted gaps. */
  readonly gaps: string[] = [];
  nowSeconds: number;
  readonly disk: Map<string, string>;
  /** Delivered alerts, in order. */
  readonly delivered: Alert[] = [];
  /** Number of upcoming writes that will fail. */
  failures = 0;
  /** Hooks that run before each read, each write, and each query of market outcomes. */
  onRead: (key: string) => Promise<unknown> | undefined = () => undefined;
  onWrite: (key: string) => Promise<unknown> | undefined = () => undefined;
  onEndings: () => Promise<unknown> | undefined = () => undefined;
  /** Uncertainty of the venue's clock, in seconds. */
  doubtSeconds = 0;
  /** Whether alerts of all owners are also delivered outside of Discord. */
  hasReceiver = false;
  /** Whether a start leaves the wallets' documents to be read in the background. */
  readsLater: boolean;
  /** Called at each step of an alert's processing. */
  onFailpoint: Machine['onFailpoint'] = () => {};
  /** Whether every response of the venue differs from the others. */
  isRestless = false;
  /** Number of pages that were read. */
  reads = 0;
  /** Reports of polls to the schedule. */
  readonly reports: PollReport[] = [];
  readonly #log = collectingLog();
  readonly #ledger = new Map<WalletAddress, ActivityItem[]>();
  #parts;
  #messages = 0;

  /** Starts the bot, on what an earlier one has stored. */
  constructor({
    disk = new Map(),
    nowSeconds = START,
    readsLater = false,
  }: Partial<Pick<TestBot, 'disk' | 'nowSeconds' | 'readsLater'>> = {}) {
    this.disk = new Map(disk);
    this.nowSeconds = nowSeconds;
    this.readsLater = readsLater;
    this.#parts = this.#start();
  }

  /** Ends the bot like a crash, and starts it again. */
  restart(): void {
    this.#parts = this.#start();
  }

  get registry() {
    return this.#parts.registry;
  }

  /** The bot's parts, for tests that deliver with them. */
  get parts() {
    return this.#parts;
  }

  /** The bot's log. */
  get lines() {
    return this.#log.lines;
  }

  async watch(
    wallet: WalletAddress,
    channelId: string,
    settings: Partial<WatchSettings> = {},
    sinceSeconds = this.nowSeconds,
    ownerId = GUILD,
  ): Promise<void> {
    const place = { ownerId, channelId, wallet, label: null, addedBy: GUILD };
    const since = { sinceSeconds, knownIdentities: [], pause: null };
    await this.#parts.registry.add({
      ...place,
      ...since,
      settings: settingsSchema.parse(settings),
    });
  }

  /** Reads the wallets' earlier activity until stopped. */
  readBack(venue: Venue): Promise<void> {
    const feed = { ...venue.feed, settlements: unasked };
    return readBackWallets(testMachine({ log: this.#log.log, sleep: venue.sleep }), {
      ...this.#parts,
      ...venue,
      feed,
    });
  }

  /** Queries the venue about positions until stopped. */
  askPositions(venue: Venue): Promise<void> {
    const machine = testMachine({ sleep: venue.sleep, log: this.#log.log });
    const feed = { ...venue.feed, settlements: unasked };
    return createPositionAsker(machine, { ...this.#parts, ...venue, feed }).run();
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await this.#parts.outbox.idle();
  }

  setConsensus(channelId: string, consensus: ChannelSettings['consensus']): Promise<void> {
    return this.setChannel(channelId, { consensus });
  }

  async setChannel(channelId: string, settings: Partial<ChannelSettings>): Promise<void> {
    await this.#parts.channelSettings.set(channelId, {
      ...defaultChannelSettings(GUILD, channelId),
      ...settings,
    });
  }

  /** Changes a watch like a command does. */
  async change(wallet: WalletAddress, channelId: string, changes: Partial<Watch>): Promise<void> {
    const watch = this.#parts.registry.get(channelId, wallet);
    if (watch === undefined) throw new Error('The wallet is not watched there.');
    await this.#parts.registry.update({ ...watch, ...changes }, null);
  }

  /**
   * Whether the channel has had no alert about the position of a trade that the wallet opened while
   * being watched there.
   */
  isUnannounced({ channelId, wallet, event }: Alert): boolean {
    return (
      event.kind === 'activity' &&
      this.#parts.walletIndex.isUnannounced(channelId, wallet, event.item)
    );
  }

  /** Returns a consensus updated with the sales since it was found. */
  consensusNow(news: ConsensusNews): ConsensusNews {
    return this.#parts.alertBuilder.consensusNow(news);
  }

  /** Adds a trade of the wallet, a second later or at another time. */
  trade(wallet: WalletAddress, changes: Partial<ActivityItem> = {}): ActivityItem {
    this.nowSeconds += 1;
    const txHash = `0x${this.nowSeconds.toString(16).padStart(64, '0')}`;
    const item = { ...sampleTrade(), trader: wallet, time: this.nowSeconds, txHash, ...changes };
    this.#ledger.set(wallet, [...(this.#ledger.get(wallet) ?? []), item]);
    return item;
  }

  /** Replaces the venue's list of the wallet's activity. */
  list(wallet: WalletAddress, items: readonly ActivityItem[]): void {
    this.#ledger.set(wallet, [...items]);
  }

  /** Returns the time of the last page that was accepted or unchanged. */
  pageSeconds(wallet: WalletAddress): number | null {
    return this.#parts.intake.pageSeconds(wallet, 'activity');
  }

  async poll(wallet: WalletAddress): Promise<void> {
    await this.#parts.poller.poll({ wallet, name: 'activity' }, new AbortController().signal);
  }

  /** Returns the venue's current page of the wallet, as a feed delivers it. */
  pageOf(
    wallet: WalletAddress,
    pollId: number,
    changes: Partial<AnyPolledPage> = {},
  ): AnyPolledPage {
    const { items, hasMore } = this.#page(wallet);
    const now = this.nowSeconds;
    const times = {
      fromSeconds: null,
      venueSeconds: now,
      earliestSeconds: now,
      latestSeconds: now,
    };
    const page = { endpoint: 'activity', wallet, pollId, items, hasMore, unreadable: [] };
    return { ...page, ...times, ...changes } as AnyPolledPage;
  }

  take(page: AnyPolledPage): Promise<{ readonly isOpen: boolean }> {
    return this.#parts.intake.takePage(page);
  }

  abandon(page: AnyPolledPage): Promise<void> {
    return this.#parts.intake.abandon(page);
  }

  /** Returns the waiting alerts of a channel, of every kind. */
  allWaiting(channelId: string): readonly Alert[] {
    return this.#parts.outbox.pending(channelId);
  }

  /** Adds a trade and polls at once. */
  async see(wallet: WalletAddress, changes: Partial<ActivityItem> = {}): Promise<ActivityItem> {
    const item = this.trade(wallet, changes);
    await this.poll(wallet);
    return item;
  }

  /** Removes data about channels that no longer watch the wallet from its document. */
  async prune(wallet: WalletAddress): Promise<void> {
    await this.#parts.outbox.prune(wallet);
  }

  /** Lets hours pass in which the bot asks a feed for the outcomes of open markets. */
  async passHours(count: number, feed: Pick<Feed, 'settlements'>): Promise<void> {
    const endSeconds = this.nowSeconds + count * 3_600;
    const ending = new AbortController();
    const sleep = async (delayMs: number) => {
      this.nowSeconds += delayMs / 1000;
      if (this.nowSeconds >= endSeconds) ending.abort();
    };
    await settleMarkets(testMachine({ random: () => 0, sleep, log: this.#log.log }), {
      ...this.#parts,
      feed: {
        ...feed,
        lookups: { activity: unasked, transfers: unasked },
        availability: createVenueAvailability(testMachine(), () => {}),
        budget: {
          ...createBudget(testMachine(), { share: 1 }),
          venueNowMs: () => this.nowSeconds * 1000,
        },
      },
      signal: ending.signal,
    });
    this.nowSeconds = Math.ceil(this.nowSeconds);
  }

  /** Delivers the channel's waiting alerts as one message, or drops them. */
  async deliver(
    channelId: string,
    isWanted: (alert: Alert) => boolean = () => true,
    isDelivered = true,
  ): Promise<string> {
    this.#messages += 1;
    const messageId = `m${this.#messages}`;
    const waiting = this.#parts.outbox.pending(channelId).filter(isWanted);
    await this.#parts.outbox.acknowledge(channelId, waiting, isDelivered ? { messageId } : null);
    if (isDelivered) this.delivered.push(...waiting);
    return messageId;
  }

  waiting<Kind extends WalletEvent['kind']>(channelId: string, kind: Kind): Of<Kind>[] {
    const events = this.#parts.outbox.pending(channelId).map(({ event }) => event);
    return events.filter((event): event is Of<Kind> => event.kind === kind);
  }

  /** Returns the results of the channel's alerts, and the messages that the results reply to. */
  results(channelId = CHANNEL): [paid: string, received: string, messageId: string | null][] {
    const results = this.waiting(channelId, 'result').map(({ result }) => result);
    return results.map(({ paid, received, messageId }) => [paid, received, messageId]);
  }

  /** Returns the stored knowledge about a wallet. */
  knowledge(wallet: WalletAddress): Record<string, unknown> {
    return JSON.parse(JSON.stringify(this.stored(wallet)?.state.knowledge ?? {}));
  }

  /** Returns everything stored about a wallet, merged; null if nothing readable is stored. */
  stored(wallet: WalletAddress): WalletDocument | null {
    const loaded = readWalletDocument(JSON.parse(this.disk.get(`wallet:${wallet}`) ?? 'null'));
    if (loaded === null) return null;
    const posted = new Map<string, Posted>();
    for (const [key, text] of this.disk) {
      const read = readPosted(key, JSON.parse(text));
      if (read?.wallet === wallet) posted.set(read.channelId, read);
    }
    return wholeWallet(loaded.document, { posted, unreadable: [] }).document;
  }

  #start() {
    const { log } = this.#log;
    const store = {
      get: async (key: string) => {
        await this.onRead(key);
        return JSON.parse(this.disk.get(key) ?? 'null') ?? undefined;
      },
      set: async (key: string, document: unknown) => {
        await this.onWrite(key);
        if (this.failures > 0) {
          this.failures -= 1;
          throw new Error('the disk is full');
        }
        this.disk.set(key, JSON.stringify(document));
      },
      delete: async (key: string) => void this.disk.delete(key),
      endings: async (keys: readonly string[], length: number) => {
        await this.onEndings();
        const found = keys.filter((key) => this.disk.has(key));
        return new Map(found.map((key) => [key, this.disk.get(key)?.slice(-length) ?? '']));
      },
    };
    const registry = createRegistry(testMachine({ log }), store);
    const channelSettings = channelSettingsKind.open(testMachine(), store);
    const venueNowSeconds = () => this.nowSeconds;
    const nowMs = () => this.nowSeconds * 1000;
    const onFailpoint: Machine['onFailpoint'] = (step) => this.onFailpoint(step);
    const machine = testMachine({ nowMs, monotonicMs: nowMs, log, onFailpoint });
    const isGone = () => false;
    const verdicts = createVerdicts(machine, verdictKind.open(testMachine(), store));
    const posted = postedKind.open(store);
    const { walletIndex, alertBuilder, decisions, catchUp, outbox } = createAlerts(machine, {
      store,
      posted,
      registry,
      channelSettings,
      verdicts,
      isGone,
      venueNowSeconds,
      routeToReceivers: createReceiverRouting({
        watchesOf: registry.ofWallet,
        keptOwnersOf: (wallet) => new Set(registry.ofWallet(wallet).map(({ ownerId }) => ownerId)),
        isMeant: () => this.hasReceiver,
        isBetterThanLuck: () => false,
        lateAfterMs: 60_000,
        venueNowSeconds,
      }),
    });
    outbox.listen((channelIds) => this.announced.push(...channelIds));
    const { signal } = new AbortController();
    const firstReading = createFirstReading(
      { ...machine, sleep: async () => {} },
      {
        registry,
        channelSettings,
        outbox,
        walletIndex,
        findWaiting: (wallets) => walletsWithAlerts(store, wallets),
        signal,
      },
    );
    const committed: number[] = [];
    for (const [key, text] of this.disk) {
      if (this.readsLater) posted.noteKey(key);
      else if (posted.holds(key)) posted.load(key, JSON.parse(text));
    }
    const unread = new Set(posted.wallets());
    for (const [key, text] of this.disk) {
      const document: unknown = JSON.parse(text);
      if (key.startsWith('watch:') && !registry.load(key, document)) registry.loadUnreadable(key);
      if (key.startsWith('channel:')) channelSettings.load(key, document);
      if (!key.startsWith('wallet:')) continue;
      if (this.readsLater) unread.add(key.slice('wallet:'.length) as WalletAddress);
      else committed.push(...Object.values(outbox.load(key, document)?.committed ?? {}));
    }
    if (this.readsLater) firstReading.leaveUnread(unread);
    registry.listen({
      walletAdded: () => {},
      walletRemoved(wallet) {
        walletIndex.evict(wallet);
        void outbox.forget(wallet, () => registry.isNeeded(wallet));
      },
      beginWatches: (begun, store) => catchUp.give(begun, store),
    });
    const onGap = ({ endpoint }: { readonly endpoint: string }) => this.gaps.push(endpoint);
    const { whenKnown } = firstReading;
    const intake = createIntake(machine, { registry, alertBuilder, outbox, whenKnown, onGap });
    const answer = (wallet: WalletAddress) => this.#answer(wallet);
    const poller = createPoller(machine, {
      client: {
        async unread(name, wallet) {
          if (name !== 'activity') throw new Error('nobody asks for transfers here');
          return answer(wallet) as UnreadPage<never>;
        },
      },
      watched: { has: (wallet) => registry.ofWallet(wallet).length > 0 },
      sink: () => intake,
      schedule: {
        ...createSchedule({ isInTurn: true }),
        polled: (_endpoint, report) => void this.reports.push(report),
      },
      learning: { changed() {} },
      availability: createVenueAvailability(machine, () => {}),
      nowSeconds: venueNowSeconds,
      onRecords: {},
      onOutcome() {},
    });
    for (const pollId of committed) poller.raisePollId(pollId);
    firstReading.listen((wallet, taken) => {
      this.known.push(wallet);
      for (const pollId of Object.values(taken)) poller.raisePollId(pollId);
    });
    return {
      store,
      posted,
      registry,
      channelSettings,
      walletIndex,
      alertBuilder,
      decisions,
      outbox,
      firstReading,
      poller,
      intake,
    };
  }

  #answer(wallet: WalletAddress): UnreadPage<ActivityItem> {
    const page = this.#page(wallet);
    const { items, hasMore } = page;
    return {
      listingDelaySeconds: 0,
      venueNowMs: this.nowSeconds * 1000,
      earliestNowMs: (this.nowSeconds - this.doubtSeconds) * 1000,
      latestNowMs: this.nowSeconds * 1000,
      hash: () =>
        JSON.stringify({ items, hasMore, ...(this.isRestless ? { at: this.reports.length } : {}) }),
      read: () => {
        this.reads += 1;
        return page;
      },
    };
  }

  #page(wallet: WalletAddress): VenuePage<ActivityItem> {
    const newestFirst = (this.#ledger.get(wallet) ?? []).toSorted((a, b) => b.time - a.time);
    return {
      items: newestFirst.slice(0, PAGE),
      skipped: [],
      hasMore: newestFirst.length > PAGE,
      nextCursor: null,
    };
  }
}

/** Creates a bot whose channels watch these wallets. */
export async function watchingBot(
  wallets: readonly WalletAddress[] = [A],
  channelIds: readonly string[] = [CHANNEL],
) {
  const bot = new TestBot();
  for (const channelId of channelIds)
    for (const wallet of wallets) await bot.watch(wallet, channelId);
  return bot;
}
