import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import { createAlerts } from '../../src/alerts/alerts.ts';
import { createHandOn } from '../../src/alerts/hand-on.ts';
import { createIntake } from '../../src/alerts/intake.ts';
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

/** Traders, the bot from the poller to the outbox, and a disk that outlives it. */
export class TestBot {
  /** Channels that were told of what waits for them. */
  readonly announced: string[] = [];
  /** Wallets in the order in which they were read beside the work. */
  readonly known: WalletAddress[] = [];
  /** Endpoints of the gaps that were counted. */
  readonly gaps: string[] = [];
  nowSeconds = START;
  readonly disk = new Map<string, string>();
  /** What has been delivered, by channel, in its order. */
  readonly delivered: Alert[] = [];
  /** Writes that fail from now on. */
  failures = 0;
  /** Are called before each read and write. */
  onRead: (key: string) => Promise<unknown> | undefined = () => undefined;
  onWrite: (key: string) => Promise<unknown> | undefined = () => undefined;
  onEndings: () => Promise<unknown> | undefined = () => undefined;
  /** So far the venue's clock may be from its true time, seconds. */
  doubtSeconds = 0;
  /** Whether alerts go out of Discord, of all owners. */
  handsOn = false;
  /** Whether a start leaves the wallets' documents to be read beside the work. */
  readsLater = false;
  /** Is called at each step on an alert's way. */
  onFailpoint: Machine['onFailpoint'] = () => {};
  /** Whether no two answers of the venue are the same to the byte. */
  isRestless = false;
  /** Pages that were read. */
  reads = 0;
  /** What the schedule was told of polls. */
  readonly reports: PollReport[] = [];
  readonly #log = collectingLog();
  readonly #ledger = new Map<WalletAddress, ActivityItem[]>();
  #parts = this.#start();
  #messages = 0;

  /** Ends the bot as a crash would and starts it again. */
  restart(): void {
    this.#parts = this.#start();
  }

  get registry() {
    return this.#parts.registry;
  }

  /** What the bot consists of, for those who deliver with it. */
  get parts() {
    return this.#parts;
  }

  /** What the bot has logged. */
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

  /** Reads back what the wallets did before, until it is ended. */
  readBack(venue: Venue): Promise<void> {
    const feed = { ...venue.feed, settlements: unasked };
    return readBackWallets(
      { log: this.#log.log, sleep: venue.sleep },
      { ...this.#parts, ...venue, feed },
    );
  }

  /** Asks the venue what is to be asked, until it is ended. */
  askPositions(venue: Venue): Promise<void> {
    const machine = testMachine({ sleep: venue.sleep, log: this.#log.log });
    const feed = { ...venue.feed, settlements: unasked };
    return createPositionAsker(machine, { ...this.#parts, ...venue, feed }).run();
  }

  /** Resolves when no write is under way. */
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

  /** Changes a watch, as a command does. */
  async change(wallet: WalletAddress, channelId: string, changes: Partial<Watch>): Promise<void> {
    const watch = this.#parts.registry.get(channelId, wallet);
    if (watch === undefined) throw new Error('The wallet is not watched there.');
    await this.#parts.registry.update({ ...watch, ...changes }, null);
  }

  /**
   * Whether the channel has been told nothing of the position of a trade, which the wallet opened
   * while it watched.
   */
  isUnannounced({ channelId, wallet, event }: Alert): boolean {
    return (
      event.kind === 'activity' &&
      this.#parts.walletIndex.isUnannounced(channelId, wallet, event.item)
    );
  }

  /** A consensus with what was sold since it was found. */
  consensusNow(news: ConsensusNews): ConsensusNews {
    return this.#parts.alertBuilder.consensusNow(news);
  }

  /** The wallet trades a second later, or at another time. */
  trade(wallet: WalletAddress, changes: Partial<ActivityItem> = {}): ActivityItem {
    this.nowSeconds += 1;
    const txHash = `0x${this.nowSeconds.toString(16).padStart(64, '0')}`;
    const item = { ...sampleTrade(), trader: wallet, time: this.nowSeconds, txHash, ...changes };
    this.#ledger.set(wallet, [...(this.#ledger.get(wallet) ?? []), item]);
    return item;
  }

  /** What the venue has of the wallet from now on. */
  list(wallet: WalletAddress, items: readonly ActivityItem[]): void {
    this.#ledger.set(wallet, [...items]);
  }

  /** When a page was taken, or found to be the same. */
  pageSeconds(wallet: WalletAddress): number | null {
    return this.#parts.intake.pageSeconds(wallet, 'activity');
  }

  async poll(wallet: WalletAddress): Promise<void> {
    await this.#parts.poller.poll({ wallet, name: 'activity' }, new AbortController().signal);
  }

  /** What the venue shows of the wallet now, as a feed hands it on. */
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

  /** What waits for a channel, of every kind. */
  allWaiting(channelId: string): readonly Alert[] {
    return this.#parts.outbox.pending(channelId);
  }

  /** Trades and looks at once. */
  async see(wallet: WalletAddress, changes: Partial<ActivityItem> = {}): Promise<ActivityItem> {
    const item = this.trade(wallet, changes);
    await this.poll(wallet);
    return item;
  }

  /** Takes what is of channels that no longer watch the wallet out of its document. */
  async prune(wallet: WalletAddress): Promise<void> {
    await this.#parts.outbox.prune(wallet);
  }

  /** So many hours pass, in which the bot asks a feed how open markets ended. */
  async passHours(count: number, feed: Pick<Feed, 'settlements'>): Promise<void> {
    const endSeconds = this.nowSeconds + count * 3_600;
    const ending = new AbortController();
    const sleep = async (delayMs: number) => {
      this.nowSeconds += delayMs / 1000;
      if (this.nowSeconds >= endSeconds) ending.abort();
    };
    await settleMarkets(
      { random: () => 0, sleep, log: this.#log.log },
      {
        ...this.#parts,
        feed: {
          ...feed,
          lookUps: { activity: unasked, transfers: unasked },
          availability: createVenueAvailability(testMachine(), () => {}),
          budget: {
            ...createBudget(testMachine(), { share: 1 }),
            venueNowMs: () => this.nowSeconds * 1000,
          },
        },
        signal: ending.signal,
      },
    );
    this.nowSeconds = Math.ceil(this.nowSeconds);
  }

  /** What waits for the channel is delivered as one message, or is dropped. */
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

  /** What came of the channel's alerts, and the messages that are answered with it. */
  results(channelId = CHANNEL): [paid: string, received: string, messageId: string | null][] {
    const results = this.waiting(channelId, 'result').map(({ result }) => result);
    return results.map(({ paid, received, messageId }) => [paid, received, messageId]);
  }

  /** What is stored of what was seen of a wallet. */
  knowledge(wallet: WalletAddress): Record<string, unknown> {
    return JSON.parse(JSON.stringify(this.stored(wallet)?.state.knowledge ?? {}));
  }

  /** All that is stored of a wallet, put together; null: nothing that can be read. */
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
    const registry = createRegistry({ log }, store);
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
      handOn: createHandOn({
        watchesOf: registry.ofWallet,
        isMeant: () => this.handsOn,
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

/** A bot whose channels watch these wallets. */
export async function watchingBot(
  wallets: readonly WalletAddress[] = [A],
  channelIds: readonly string[] = [CHANNEL],
) {
  const bot = new TestBot();
  for (const channelId of channelIds)
    for (const wallet of wallets) await bot.watch(wallet, channelId);
  return bot;
}
