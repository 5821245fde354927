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

/**
 * Reads the wallets' documents after the start, beside the work: those first that somebody waits
 * for. Until a wallet's own document is known, none of its pages is taken; until those of all
 * wallets of a channel are, nothing is posted there, and no command is answered about them.
 *
 * @param parts `onRead`: called with each wallet once it is known
 */
export function createFirstReading(
  machine: Pick<Machine, 'log' | 'monotonicMs' | 'sleep'>,
  parts: {
    readonly registry: Pick<
      Registry,
      'ofChannel' | 'ofOwner' | 'ofWallet' | 'unreadableIn' | 'isNeeded'
    >;
    readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
    readonly outbox: Pick<Outbox, 'leaveUnread' | 'readFirst' | 'stateOf' | 'forgetUnwatched'>;
    readonly walletIndex: Pick<WalletIndex, 'evict'>;
    readonly signal: AbortSignal;
  },
) {
  const { log, monotonicMs, sleep } = machine;
  const { registry, channelSettings, outbox, walletIndex, signal } = parts;
  const unread = new Set<WalletAddress>();
  const reading = new Map<WalletAddress, Promise<void>>();
  let onRead: (wallet: WalletAddress, committed: Committed) => void = () => {};
  const trouble = createTroubleLog(machine, 'warn', { event: 'wallet.not_read' });

  /** @param isUsed whether its document is used at once, and is kept until then */
  const read = async (wallet: WalletAddress, isUsed: boolean): Promise<void> => {
    const committed = isUsed
      ? committedIn(await outbox.stateOf(wallet))
      : await outbox.readFirst(wallet);
    // What was posted in channels that no longer watch it goes.
    if (registry.isNeeded(wallet)) await outbox.forgetUnwatched(wallet);
    if (registry.ofWallet(wallet).length === 0) walletIndex.evict(wallet);
    unread.delete(wallet);
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
      for (const wallet of unread) {
        if (signal.aborted) return;
        if (reading.has(wallet)) continue;
        try {
          await readOnce(wallet);
        } catch (error) {
          trouble.failed(wallet, { wallet, err: error });
          await sleep(RETRY_MS, signal);
        }
      }
      // The last ones are being read by others.
      await Promise.allSettled(reading.values());
    }
  };

  const isWalletKnown = (wallet: WalletAddress): boolean => !unread.has(wallet);

  return {
    /**
     * Leaves the documents of wallets unread for now.
     *
     * @param wallets those first that are to be read first
     */
    leaveUnread(wallets: Iterable<WalletAddress>): void {
      for (const wallet of wallets) unread.add(wallet);
      outbox.leaveUnread(unread);
    },
    /** Calls back with each wallet once it is known, with the pollIds of its last pages. */
    listen(listener: typeof onRead): void {
      onRead = listener;
    },
    /** Count of the wallets that are not known yet. */
    left: (): number => unread.size,
    isWalletKnown,
    /** Whether all wallets of a channel are known, also those whose watches cannot be read. */
    isKnown(channelId: string): boolean {
      if (unread.size === 0) return true;
      return (
        registry.ofChannel(channelId).every(({ wallet }) => isWalletKnown(wallet)) &&
        registry.unreadableIn(channelId).every(isWalletKnown)
      );
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
    /** Reads all that is left. Resolves when nothing is, or the signal is aborted. */
    async run(): Promise<void> {
      const wallets = unread.size;
      const beganMs = monotonicMs();
      await Promise.all(Array.from({ length: READ_AT_ONCE }, readOthers));
      if (signal.aborted) return;
      const seconds = Math.round((monotonicMs() - beganMs) / 100) / 10;
      log.info({ event: 'wallets.read', wallets, seconds });
    },
  };
}
