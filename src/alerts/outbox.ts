import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import { createAcknowledge } from './acknowledge.ts';
import type { Alert } from './alert.ts';
import type { AlertBuilder, Learn } from './build/build.ts';
import type { CatchUp } from './catch-up.ts';
import { createCommit } from './commit.ts';
import type { Decisions } from './decisions.ts';
import type { HandingOn } from './hand-on.ts';
import type { WaitingAlerts } from './waiting-alerts.ts';
import {
  type NewAlert,
  onlyFor,
  readWalletDocument,
  WALLET_PREFIX,
  type WalletState,
} from './wallets/wallet-document.ts';
import type { WalletDocuments } from './wallets/wallet-documents.ts';
import type { WalletIndex } from './wallets/wallet-index.ts';

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Commits what follows from a page, an answer or a delivery, and queues the alerts for their
 * channels. How far a wallet has been read and what has not been delivered is one document, so that
 * both change in one write: a crash before it repeats the poll, a crash after it repeats the
 * delivery.
 *
 * @param parts `builder` says what follows from a delivery; it stores and notes nothing
 */
export function createOutbox(
  machine: Pick<Machine, 'log' | 'onFailpoint'>,
  parts: {
    readonly documents: WalletDocuments;
    readonly waiting: WaitingAlerts;
    readonly catchUp: Pick<CatchUp, 'noteCommitted' | 'forget'>;
    readonly walletIndex: Pick<
      WalletIndex,
      'load' | 'notePurchases' | 'noteStored' | 'noteRecord' | 'noteUnannounced'
    >;
    readonly builder: Pick<
      AlertBuilder,
      'learned' | 'afterDelivery' | 'afterTelling' | 'withoutUnwatched'
    >;
    readonly decisions: Pick<Decisions, 'held'>;
    readonly handingOn: HandingOn;
    /** Tells whether a channel hears later. */
    readonly isLater: (channelId: string) => boolean;
  },
) {
  const { log, onFailpoint } = machine;
  const { documents, waiting, catchUp, walletIndex, builder, handingOn } = parts;
  const commit = createCommit(machine, parts);
  const acknowledge = createAcknowledge(parts);

  documents.listen(({ wallet, document: { state, outbox }, isUnexpected }) => {
    if (!isUnexpected) return walletIndex.noteRecord(wallet, state);
    // Memory takes what the store holds. All channels: alerts may be gone that waited for others.
    waiting.set(wallet, outbox, waiting.channels());
    waiting.announce(outbox);
    walletIndex.noteStored(wallet, state);
    handingOn.tell(wallet, state);
  });

  /**
   * Stores new knowledge of a wallet, such as an answer of the venue, with the alerts that follow.
   *
   * @returns whether there is something
   */
  const learn = (wallet: WalletAddress, change: Learn): Promise<boolean> =>
    commit(wallet, (state) => builder.learned(wallet, state, change));

  return {
    /** Takes a document that was read at the start. @returns null if it is no wallet's document */
    load(key: string, stored: unknown) {
      const loaded = readWalletDocument(stored);
      const { data: wallet } = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
      if (loaded === null || wallet === undefined) return null;
      const { document, aside } = loaded;
      waiting.set(wallet, document.outbox);
      walletIndex.load(wallet, document.state);
      handingOn.tell(wallet, document.state);
      const committed: { [Name in EndpointName]?: number } = {};
      for (const name of ENDPOINT_NAMES) {
        const endpoint = document.state[name];
        if (endpoint) committed[name] = endpoint.pollId;
      }
      return { wallet, committed, isDamaged: aside.length > 0 };
    },
    /** Reads what is kept of the wallet beside its alerts. What cannot be read is put aside. */
    stateOf: (wallet: WalletAddress): Promise<WalletState> =>
      documents.run(wallet, async () => (await documents.read(wallet)).state),
    commit,
    learn,
    /** Takes what is of channels that no longer watch the wallet out of what is known of it. */
    prune: (wallet: WalletAddress) =>
      learn(wallet, (knowledge) => builder.withoutUnwatched(wallet, knowledge)),
    acknowledge,
    /**
     * Moves alerts on that are on their way to channels that hear later. A move is no delivery.
     *
     * @param isReady whether an alert may be moved now
     * @param keep stores alerts where they wait; called before they are taken out here, so that a
     *   crash between the two repeats it
     */
    moveOn: (
      wallet: WalletAddress,
      isReady: (alert: Alert) => boolean,
      keep: (channelId: string, alerts: readonly Alert[]) => Promise<void>,
    ): Promise<void> =>
      documents.run(wallet, async () => {
        const { state, outbox } = await documents.read(wallet);
        const ready = onTheirWay(wallet, outbox).filter(isReady);
        const byChannel = groupBy(ready, ({ channelId }) => channelId);
        if (byChannel.size === 0) return;
        for (const [channelId, alerts] of byChannel) await keep(channelId, alerts);
        onFailpoint('later.stored');
        const isLeft = (channelId: string, alertId: string) => {
          const moved = byChannel.get(channelId) ?? [];
          return !moved.some(({ id }) => id === alertId);
        };
        const left = outbox
          .map((alert) => onlyFor(alert, (channelId) => isLeft(channelId, alert.id)))
          .filter(({ channels }) => channels.length > 0);
        await documents.write(wallet, { state, outbox: left });
        onFailpoint('later.taken_out');
      }),
    /** Forgets a wallet altogether, unless a watch of it has begun by the time that it can. */
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
    listenHandedOn: handingOn.listen,
    /** Resolves when no write is under way. */
    idle: documents.idle,
  };
}

/** Alerts that are on their way to channels that hear later, one for each channel. */
function onTheirWay(wallet: WalletAddress, outbox: readonly NewAlert[]): Alert[] {
  const alerts: Alert[] = [];
  for (const { id, event, seenAtMs, later = [] } of outbox) {
    for (const channelId of later) alerts.push({ id, wallet, channelId, event, seenAtMs });
  }
  return alerts;
}
