import type { WalletAddress } from '../../domain/address.ts';
import type { Committed } from '../../feed/interface.ts';
import { fewAtATime } from '../../lib/async/turns.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { committedIn, type Outbox } from '../outbox.ts';
import type { WalletIndex } from './wallet-index.ts';

/** Number of documents read at the same time: one is parsed while the store looks up the others. */
const READ_AT_ONCE = 4;
/** Pause after a wallet that could not be read, in ms, because the store is unavailable then. */
const RETRY_MS = 1_000;
/** Number of failed reads of a wallet after which work that needs all wallets starts without it. */
const TRIES_LIMIT = 20;

/**
 * Reads the wallets' documents after the start, alongside other work. Wallets that a page or a
 * command is waiting for come first, then wallets of channels that have waiting alerts. A wallet's
 * pages are not accepted until its own document has been read. Nothing is posted in a channel until
 * the documents of all its wallets have been read, because an alert compares a wallet with the
 * channel's others.
 * @param parts `findWaiting`: finds the wallets among the given ones that may have waiting alerts;
 *   alerts it misses are posted later
 */
export function createFirstReading(
  machine: Machine,
  parts: {
    readonly registry: Registry;
    readonly channelSettings: ChannelSettingsStore;
    readonly outbox: Outbox;
    readonly walletIndex: WalletIndex;
    readonly findWaiting: (wallets: readonly WalletAddress[]) => AsyncIterable<WalletAddress>;
    readonly signal: AbortSignal;
  },
) {
  const { log, monotonicMs, sleep } = machine;
  const { registry, channelSettings, outbox, walletIndex, findWaiting, signal } = parts;
  const unread = new Set<WalletAddress>();
  const reading = new Map<WalletAddress, Promise<void>>();
  const order = createReadingOrder(unread);
  const failures = createFailures(unread);
  let onRead: (wallet: WalletAddress, committed: Committed) => void = () => {};
  const trouble = createTroubleLog(machine, 'warn', { event: 'wallet.not_read' });

  const isWalletKnown = (wallet: WalletAddress): boolean => !unread.has(wallet);

  const walletsOf = (channelId: string): readonly WalletAddress[] => [
    ...registry.ofChannel(channelId).map(({ wallet }) => wallet),
    ...registry.unreadableIn(channelId),
  ];

  const channelsOf = (wallet: WalletAddress): readonly string[] => [
    ...registry.ofWallet(wallet).map(({ channelId }) => channelId),
    ...registry.unreadableChannels(wallet),
  ];

  const hurry = (channelId: string): void => order.hurry(channelId, walletsOf(channelId));

  /**
   * Gives priority to the other wallets of channels in which an alert about this wallet is waiting.
   */
  const hurryWaiting = (wallet: WalletAddress): void => {
    for (const channelId of channelsOf(wallet)) {
      if (order.isHurried(channelId)) continue;
      if (outbox.pending(channelId).length > 0) hurry(channelId);
    }
  };

  /**
   * @param isUsed whether the document is needed at once and therefore stays in memory until then
   */
  const read = async (wallet: WalletAddress, isUsed: boolean): Promise<void> => {
    const committed = isUsed
      ? committedIn(await outbox.stateOf(wallet))
      : await outbox.readFirst(wallet);
    // Removes data about channels that no longer watch the wallet.
    if (registry.isNeeded(wallet)) await outbox.forgetUnwatched(wallet);
    if (registry.ofWallet(wallet).length === 0) walletIndex.evict(wallet);
    unread.delete(wallet);
    failures.read(wallet);
    hurryWaiting(wallet);
    onRead(wallet, committed);
  };

  const readOnce = (wallet: WalletAddress, isUsed = false): Promise<void> => {
    const under = reading.get(wallet) ?? read(wallet, isUsed).finally(() => reading.delete(wallet));
    reading.set(wallet, under);
    return under;
  };

  /**
   * Reads some wallets, a few at a time, because a wallet may share channels with a thousand
   * others.
   */
  const readThese = async (wallets: Iterable<WalletAddress>): Promise<void> => {
    if (unread.size === 0) return;
    await fewAtATime(wallets, READ_AT_ONCE, async (wallet) => {
      if (unread.has(wallet)) await readOnce(wallet);
    });
  };

  /** Reads one wallet after another, and retries the wallets that could not be read. */
  const readOthers = async (): Promise<void> => {
    while (unread.size > 0 && !signal.aborted) {
      for (const wallet of order.inOrder()) {
        if (signal.aborted) return;
        if (!unread.has(wallet) || reading.has(wallet)) continue;
        try {
          await readOnce(wallet);
        } catch (error) {
          trouble.failed(wallet, { wallet, err: error });
          failures.failed(wallet);
          await sleep(RETRY_MS, signal);
        }
      }
      // Others are reading the last ones.
      await Promise.allSettled(reading.values());
    }
  };

  /** Searches for wallets with waiting alerts, to read them first. */
  const searchWaiting = async (): Promise<void> => {
    try {
      for await (const wallet of findWaiting([...unread])) {
        if (signal.aborted) return;
        order.expect(wallet);
      }
    } catch (error) {
      // Waiting alerts are found anyway once their wallets are read.
      if (!signal.aborted) log.warn({ event: 'wallets.not_searched', err: error });
    }
  };

  return {
    /**
     * Leaves the documents of wallets unread for now.
     * @param sending channels to which a message is being sent; their wallets are read first
     */
    leaveUnread(wallets: Iterable<WalletAddress>, sending: Iterable<string> = []): void {
      for (const wallet of wallets) unread.add(wallet);
      outbox.leaveUnread(unread);
      for (const channelId of sending) hurry(channelId);
    },
    /**
     * Calls back with each wallet once its document has been read, with the pollIds of its last
     * pages.
     */
    listen(listener: typeof onRead): void {
      onRead = listener;
    },
    /** Number of wallets not read yet. */
    left: (): number => unread.size,
    /** Number of wallets of a server or person not read yet. */
    leftOf(ownerId: string): number {
      if (unread.size === 0) return 0;
      const own = new Set(registry.ofOwner(ownerId).map(({ wallet }) => wallet));
      return [...own].filter((wallet) => unread.has(wallet)).length;
    },
    isWalletKnown,
    /** True while there are unread wallets of channels that have a waiting alert. */
    isHurrying: order.isHurrying,
    /**
     * Whether all wallets of a channel have been read, including those whose watches are
     * unreadable.
     */
    isKnown(channelId: string): boolean {
      return unread.size === 0 || walletsOf(channelId).every(isWalletKnown);
    },
    /**
     * Resolves once a page of the wallet may be accepted: the wallet has been read, and so have the
     * wallets that may form a consensus with it in its channels. Rejects if the store does.
     */
    async whenKnown(wallet: WalletAddress): Promise<void> {
      if (unread.size === 0) return;
      const agreeing = registry
        .ofWallet(wallet)
        .filter(({ channelId }) => (channelSettings.get(channelId)?.consensus ?? null) !== null)
        .flatMap(({ channelId }) => registry.ofChannel(channelId));
      await readThese(new Set(agreeing.map((watch) => watch.wallet)));
      if (unread.has(wallet)) await readOnce(wallet, true);
    },
    /**
     * Resolves once all wallets of a server or person have been read. Rejects if the store does.
     */
    whenOwnerKnown: (ownerId: string): Promise<void> =>
      readThese(new Set(registry.ofOwner(ownerId).map(({ wallet }) => wallet))),
    /**
     * Resolves once all wallets have been read, except those that the store has repeatedly failed
     * to return.
     */
    whenReadableKnown: (): Promise<void> => failures.onlyLeft,
    /** Reads all remaining wallets. Resolves when none is left or the signal is aborted. */
    async run(): Promise<void> {
      const wallets = unread.size;
      const beganMs = monotonicMs();
      failures.check();
      void searchWaiting();
      await Promise.all(Array.from({ length: READ_AT_ONCE }, readOthers));
      if (signal.aborted) return;
      const seconds = Math.round((monotonicMs() - beganMs) / 100) / 10;
      log.info({ event: 'wallets.read', wallets, seconds });
    },
  };
}

export type FirstReading = ReturnType<typeof createFirstReading>;

/**
 * Creates the order in which wallets are read.
 * @param unread the wallets not read yet, which shrinks as they are read
 */
function createReadingOrder(unread: ReadonlySet<WalletAddress>) {
  /** Channels whose wallets are read before all others. */
  const hurried = new Set<string>();
  const urgent = new Set<WalletAddress>();
  /** Wallets that come next because they may have waiting alerts. */
  const expected = new Set<WalletAddress>();

  const takeFirst = (): WalletAddress | undefined => {
    for (const wallets of [urgent, expected]) {
      for (const wallet of wallets) {
        wallets.delete(wallet);
        return wallet;
      }
    }
    return undefined;
  };

  return {
    // A command may have read the last of them.
    isHurrying: (): boolean => unread.size > 0 && urgent.size > 0,
    isHurried: (channelId: string): boolean => hurried.has(channelId),
    hurry(channelId: string, wallets: readonly WalletAddress[]): void {
      hurried.add(channelId);
      for (const wallet of wallets) if (unread.has(wallet)) urgent.add(wallet);
    },
    expect(wallet: WalletAddress): void {
      if (unread.has(wallet)) expected.add(wallet);
    },
    /** Yields wallets in order; some may have been read in the meantime. */
    *inOrder(): Iterable<WalletAddress> {
      for (const wallet of unread) {
        for (let first = takeFirst(); first !== undefined; first = takeFirst()) yield first;
        yield wallet;
      }
    },
  };
}

/**
 * Detects when only unreadable wallets are left.
 * @param unread the wallets not read yet
 */
function createFailures(unread: ReadonlySet<WalletAddress>) {
  const counts = new Map<WalletAddress, number>();
  /** Wallets that have reached the limit. */
  const failing = new Set<WalletAddress>();
  let resolve = () => {};
  const onlyLeft = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  const check = (): void => {
    if (unread.size <= failing.size) resolve();
  };

  return {
    onlyLeft,
    check,
    read(wallet: WalletAddress): void {
      counts.delete(wallet);
      failing.delete(wallet);
      check();
    },
    failed(wallet: WalletAddress): void {
      const count = (counts.get(wallet) ?? 0) + 1;
      counts.set(wallet, count);
      if (count >= TRIES_LIMIT) failing.add(wallet);
      check();
    },
  };
}
