import type { WalletAddress } from '../../domain/address.ts';
import type { Committed } from '../../feed/interface.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { committedIn, type Outbox } from '../outbox.ts';
import type { WalletIndex } from './wallet-index.ts';

/** Documents that are read at the same time: one is parsed while the store looks for the others. */
const READ_AT_ONCE = 4;
/** Pause after a wallet that could not be read, ms: the store is away. */
const RETRY_MS = 1_000;
/** Failed readings of a wallet after which work that needs all wallets begins without it. */
const TRIES_LIMIT = 20;

/**
 * Reads the wallets' documents after the start, beside the work: those first that a page or a
 * command waits for, then those of channels for which an alert waits. Until a wallet's own document
 * is known, none of its pages is taken; until those of all wallets of a channel are, nothing is
 * posted there, because an alert says how a wallet compares with the channel's others.
 *
 * @param parts `findWaiting`: finds wallets for which alerts may wait, among some; what it misses
 *   is posted later
 */
export function createFirstReading(
  machine: Machine,
  parts: {
    readonly registry: Pick<
      Registry,
      'ofChannel' | 'ofOwner' | 'ofWallet' | 'unreadableIn' | 'unreadableChannels' | 'isNeeded'
    >;
    readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
    readonly outbox: Pick<
      Outbox,
      'leaveUnread' | 'readFirst' | 'stateOf' | 'forgetUnwatched' | 'pending'
    >;
    readonly walletIndex: Pick<WalletIndex, 'evict'>;
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

  /** Reads other wallets of channels first in which an alert of the wallet's waits. */
  const hurryWaiting = (wallet: WalletAddress): void => {
    for (const channelId of channelsOf(wallet)) {
      if (order.isHurried(channelId)) continue;
      if (outbox.pending(channelId).length > 0) hurry(channelId);
    }
  };

  /** @param isUsed whether its document is used at once, and is kept until then */
  const read = async (wallet: WalletAddress, isUsed: boolean): Promise<void> => {
    const committed = isUsed
      ? committedIn(await outbox.stateOf(wallet))
      : await outbox.readFirst(wallet);
    // What was posted in channels that no longer watch it goes.
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

  /** Reads some wallets, a few at a time: one may agree with a thousand others. */
  const readThese = async (wallets: Iterable<WalletAddress>): Promise<void> => {
    if (unread.size === 0) return;
    const left = wallets[Symbol.iterator]();
    const readNext = async () => {
      for (let next = left.next(); next.done !== true; next = left.next()) {
        if (unread.has(next.value)) await readOnce(next.value);
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, readNext));
  };

  /** Reads one wallet after the other, and those again that could not be read. */
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
      // The last ones are being read by others.
      await Promise.allSettled(reading.values());
    }
  };

  /** Looks for wallets with alerts, to read them first. */
  const searchWaiting = async (): Promise<void> => {
    try {
      for await (const wallet of findWaiting([...unread])) {
        if (signal.aborted) return;
        order.expect(wallet);
      }
    } catch (error) {
      // What waits is found all the same, once its wallet is read.
      if (!signal.aborted) log.warn({ event: 'wallets.not_searched', err: error });
    }
  };

  return {
    /**
     * Leaves the documents of wallets unread for now.
     *
     * @param sending channels to which a message is on its way: their wallets are read first
     */
    leaveUnread(wallets: Iterable<WalletAddress>, sending: Iterable<string> = []): void {
      for (const wallet of wallets) unread.add(wallet);
      outbox.leaveUnread(unread);
      for (const channelId of sending) hurry(channelId);
    },
    /** Calls back with each wallet once it is known, with the pollIds of its last pages. */
    listen(listener: typeof onRead): void {
      onRead = listener;
    },
    /** Count of the wallets that are not known yet. */
    left: (): number => unread.size,
    /** Count of the wallets of a server, or a person, that are not known yet. */
    leftOf(ownerId: string): number {
      if (unread.size === 0) return 0;
      const own = new Set(registry.ofOwner(ownerId).map(({ wallet }) => wallet));
      return [...own].filter((wallet) => unread.has(wallet)).length;
    },
    isWalletKnown,
    /** True while wallets are left of channels for which an alert waits. */
    isHurrying: order.isHurrying,
    /** Whether all wallets of a channel are known, also those whose watches cannot be read. */
    isKnown(channelId: string): boolean {
      return unread.size === 0 || walletsOf(channelId).every(isWalletKnown);
    },
    /**
     * Resolves once a page of the wallet may be taken: it is known, and those that may agree with it
     * in its channels. Rejects if the store does.
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
    /** Resolves once all wallets of a server, or a person, are known. Rejects if the store does. */
    whenOwnerKnown: (ownerId: string): Promise<void> =>
      readThese(new Set(registry.ofOwner(ownerId).map(({ wallet }) => wallet))),
    /**
     * Resolves once all wallets are known but those, if any, that the store has failed to give back
     * again and again.
     */
    whenReadableKnown: (): Promise<void> => failures.onlyLeft,
    /** Reads all that is left. Resolves when nothing is, or the signal is aborted. */
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
 * Order in which wallets are read.
 *
 * @param unread those that are left, as they are read by and by
 */
function createReadingOrder(unread: ReadonlySet<WalletAddress>) {
  /** Channels whose wallets are read before all others. */
  const hurried = new Set<string>();
  const urgent = new Set<WalletAddress>();
  /** Wallets that come next, because alerts of theirs may wait. */
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
    /** Gives wallets in their order; some of them have been read meanwhile. */
    *inOrder(): Iterable<WalletAddress> {
      for (const wallet of unread) {
        for (let first = takeFirst(); first !== undefined; first = takeFirst()) yield first;
        yield wallet;
      }
    },
  };
}

/**
 * Tells when no wallets are left but those that cannot be read.
 *
 * @param unread those that are left
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
