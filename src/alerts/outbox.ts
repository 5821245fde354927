import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { Committed } from '../feed/interface.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import { createAcknowledge } from './acknowledge.ts';
import type { Alert } from './alert.ts';
import type { Learn } from './builder/build.ts';
import type { CatchUp } from './catch-up.ts';
import { createCommit } from './commit.ts';
import type { OutboxParts } from './outbox-parts.ts';
import { wholeAtStart } from './wallets/posted.ts';
import type { PostedDocuments } from './wallets/posted-documents.ts';
import {
  channelsById,
  type NewAlert,
  readWalletDocument,
  WALLET_PREFIX,
  type WalletState,
  withoutChannels,
} from './wallets/wallet-document.ts';
import type { WalletDocuments } from './wallets/wallet-documents.ts';

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Commits the changes that a page, an answer or a delivery brings, and queues the alerts for their
 * channels. A wallet's reading position and its undelivered alerts are in one document, so both
 * change in one write: a crash before it repeats the poll, a crash after it repeats the delivery.
 */
export function createOutbox(
  machine: Machine,
  parts: OutboxParts & { readonly catchUp: CatchUp; readonly posted: PostedDocuments },
) {
  const { log, onFailpoint } = machine;
  const { documents, posted, waiting, catchUp, walletIndex, builder, receiverOutbox } = parts;
  const commit = createCommit(machine, parts);
  const acknowledge = createAcknowledge(parts);

  documents.listen(({ wallet, document: { state, outbox }, isUnexpected, isFirst }) => {
    if (!isUnexpected) return walletIndex.noteRecord(wallet, state);
    // Memory takes over the store's contents. All channels are named, because alerts waiting for
    // any of them may be gone.
    waiting.set(wallet, outbox, isFirst ? [] : waiting.channels());
    waiting.announce(outbox);
    walletIndex.noteStored(wallet, state);
    receiverOutbox.notify(wallet, state);
  });

  /**
   * Stores new knowledge about a wallet, for example an answer of the venue, with the resulting
   * alerts.
   * @returns true if something was stored
   */
  const learn = (wallet: WalletAddress, change: Learn): Promise<boolean> =>
    commit(wallet, (state) => builder.learned(wallet, state, change));

  /** Returns channels with posts about a wallet that they no longer watch. */
  const unwatchedIn = (wallet: WalletAddress): readonly string[] =>
    posted.channels(wallet).filter((channelId) => !builder.isRemembered(channelId, wallet));

  /** Removes data about channels that no longer watch the wallet. */
  const prune = async (wallet: WalletAddress): Promise<void> => {
    await documents.run(wallet, () => documents.takeUp(wallet, unwatchedIn(wallet)));
    await learn(wallet, (knowledge) => builder.withoutUnwatched(wallet, knowledge));
  };

  /** Prunes a wallet if there are posts about it in a channel that no longer watches it. */
  const forgetUnwatched = async (wallet: WalletAddress): Promise<void> => {
    if (unwatchedIn(wallet).length > 0) await prune(wallet);
  };
  posted.onForget(forgetUnwatched);

  /**
   * Loads a wallet's document that was read at the start. Its channels' documents must be loaded
   * already.
   * @returns null if it is not a wallet's document
   */
  const load = (key: string, stored: unknown) => {
    const loaded = readWalletDocument(stored);
    const { data: wallet } = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
    if (loaded === null || wallet === undefined) return null;
    const { document, toQuarantine } = loaded;
    const ofChannels = posted.loadedOf(wallet);
    const { state, outbox, followed, damaged } = wholeAtStart(document, ofChannels);
    waiting.set(wallet, outbox, ofChannels.keys());
    walletIndex.load(wallet, state, followed);
    receiverOutbox.notify(wallet, state);
    const committed = committedIn(document.state);
    return { wallet, committed, isDamaged: toQuarantine.length + damaged.size > 0 };
  };

  return {
    load,
    /**
     * Notes wallets whose documents are not read at the start but by `readFirst` or on first use.
     */
    leaveUnread: documents.leaveUnread,
    /**
     * Reads a wallet's documents that the start left unread, and keeps in memory what is needed
     * without them. Unreadable parts are quarantined.
     * @returns pollIds of the last accepted pages
     */
    readFirst: (wallet: WalletAddress): Promise<Committed> =>
      documents.run(wallet, async () => {
        let committed: Committed | undefined;
        await documents.readFirst(wallet, (key, stored) => {
          const loaded = load(key, stored);
          committed = loaded?.committed;
          return loaded !== null && !loaded.isDamaged;
        });
        // The document has been read in the meantime, or had to be repaired.
        return committed ?? committedIn((await documents.read(wallet)).state);
      }),
    /** Reads a wallet's stored state, without its alerts. Unreadable parts are quarantined. */
    stateOf: (wallet: WalletAddress): Promise<WalletState> =>
      documents.run(wallet, async () => (await documents.read(wallet)).state),
    /** Reads the alerts of a wallet that are still to be moved to delayed channels. */
    moving: (wallet: WalletAddress): Promise<readonly Alert[]> =>
      documents.run(wallet, async () => {
        const { outbox } = await documents.read(wallet);
        return onTheirWay(wallet, outbox);
      }),
    commit,
    learn,
    prune,
    forgetUnwatched,
    acknowledge,
    /**
     * Moves alerts to delayed channels. A move is not a delivery. The channels' documents are
     * written without the wallet's lock, because there may be hundreds of them; the wallet's pages
     * and acknowledgements are committed in the meantime.
     * @param how `isReady`: whether an alert may be moved now; `isKept`: whether its channel's
     *   documents already hold it, for example after an interrupted move; `keep`: stores a
     *   channel's remaining alerts, possibly none, in its documents before they are all removed
     *   here. A crash between the two repeats the move
     */
    async moveOn(
      wallet: WalletAddress,
      how: {
        readonly isReady: (alert: Alert) => boolean;
        readonly isKept: (alert: Alert) => boolean;
        readonly keep: (channelId: string, alerts: readonly Alert[]) => Promise<void>;
      },
    ): Promise<void> {
      const { ready, kept } = await documents.run(wallet, async () => {
        const { outbox } = await documents.read(wallet);
        const ready = onTheirWay(wallet, outbox).filter(how.isReady);
        // Checked under the lock, because an alert kept by now may be delivered, acknowledged and
        // removed before `keep` gets to it, and must not be kept again.
        return { ready, kept: new Set(ready.filter(how.isKept)) };
      });
      if (ready.length === 0) return;
      for (const [channelId, alerts] of groupBy(ready, (alert) => alert.channelId)) {
        await how.keep(
          channelId,
          alerts.filter((alert) => !kept.has(alert)),
        );
      }
      onFailpoint('later.stored');
      await takeOutMoved(documents, wallet, ready);
      onFailpoint('later.taken_out');
    },
    /** Deletes everything about a wallet, unless a watch of it has begun by then. */
    forget: (wallet: WalletAddress, isWatched: () => boolean): Promise<void> =>
      documents.run(wallet, async () => {
        if (isWatched()) return;
        await documents.delete(wallet);
        waiting.set(wallet, [], waiting.channels());
        catchUp.forget(wallet);
        log.debug({ event: 'wallet.forgotten', wallet });
      }),
    pending: waiting.pending,
    channels: waiting.channels,
    reconsider: waiting.reconsider,
    listen: waiting.listen,
    listenLater: waiting.listenLater,
    listenForReceivers: receiverOutbox.listen,
    /** Number of messages to receivers dropped because too many were waiting for a wallet. */
    droppedForReceivers: receiverOutbox.dropped,
    /** Resolves when no write is in progress. */
    idle: documents.idle,
  };
}

/** Returns the pollIds of the last accepted pages. */
export function committedIn(state: Pick<WalletState, EndpointName>): Committed {
  const committed: { [Name in EndpointName]?: number } = {};
  for (const name of ENDPOINT_NAMES) {
    const pollId = state[name]?.pollId;
    if (pollId !== undefined) committed[name] = pollId;
  }
  return committed;
}

/** Returns the alerts that are still to be moved to delayed channels, one for each channel. */
function onTheirWay(wallet: WalletAddress, outbox: readonly NewAlert[]): Alert[] {
  const alerts: Alert[] = [];
  for (const { id, event, seenAtMs, delayed = [] } of outbox) {
    for (const channelId of delayed) alerts.push({ id, wallet, channelId, event, seenAtMs });
  }
  return alerts;
}

/** Removes moved alerts from the wallet's document, if they are still in it. */
async function takeOutMoved(
  documents: WalletDocuments,
  wallet: WalletAddress,
  moved: readonly Alert[],
): Promise<void> {
  await documents.run(wallet, async () => {
    const { state, outbox } = await documents.read(wallet);
    const gone = moved.map(({ id, channelId }) => ({ id, channels: [channelId] }));
    const left = withoutChannels(outbox, channelsById(gone));
    // If the wallet's document was deleted in the meantime, it is not created again.
    const isSame = left.length === outbox.length && left.every((one, at) => one === outbox[at]);
    if (!isSame) await documents.write(wallet, { state, outbox: left });
  });
}
