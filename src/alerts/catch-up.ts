import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../domain/address.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { BegunWatch } from '../watches/registry.ts';
import { namesOf } from './decisions.ts';
import { kindOf } from './kinds/kinds.ts';
import type { OutboxParts } from './outbox-parts.ts';
import {
  markedDelayed,
  type NewAlert,
  OUTBOX_LIMIT,
  RECENT_MS,
  type WalletDocument,
} from './wallets/wallet-document.ts';

/** Maximum number of recent alerts kept in memory for all wallets together. */
const RECENT_LIMIT = 5_000;

/**
 * Gives channels recently committed alerts that were not committed for them. A watch begins with a
 * command, and pages are processed before the watch is known.
 */
export function createCatchUp(
  { log, onFailpoint }: Machine,
  { documents, waiting, walletIndex, builder, receiverOutbox }: OutboxParts,
) {
  /** Recently committed alerts, including those no channel wanted; oldest first. */
  const recent = new LRUCache<WalletAddress, readonly NewAlert[]>({
    maxSize: RECENT_LIMIT,
    sizeCalculation: ({ length }) => length,
    ttl: RECENT_MS,
  });

  /**
   * Returns the wallet's recently committed alerts, each with the channels that want it and have
   * not received it.
   */
  const missedBy = (wallet: WalletAddress, begun: readonly BegunWatch[]): NewAlert[] =>
    (recent.get(wallet) ?? []).map((alert) => {
      const channels: string[] = [];
      for (const each of begun) {
        const { channelId } = each.watch;
        const isGiven = alert.channels.includes(channelId);
        if (!isGiven && builder.isMissed(each, alert)) channels.push(channelId);
      }
      return markedDelayed({ ...alert, channels }, builder.isLater);
    });

  /** Records which channels have now received recently committed alerts. */
  const noteGiven = (wallet: WalletAddress, alerts: readonly NewAlert[]): void => {
    const lately = recent.get(wallet);
    if (lately !== undefined) recent.set(wallet, lately.map(withChannelsOf(alerts)));
    const given = alerts.filter(({ channels }) => channels.length > 0);
    if (given.length === 0) return;
    const channels = [...new Set(given.flatMap((alert) => alert.channels))];
    log.info({ event: 'watch.caught_up', wallet, channels, alerts: given.length });
  };

  /**
   * Stores alerts for the channels whose watches begin.
   * @returns the new document, or null if nothing changes
   */
  const write = async (
    wallet: WalletAddress,
    alerts: readonly NewAlert[],
    begun: readonly BegunWatch[],
  ): Promise<WalletDocument | null> => {
    const { state: before, outbox } = await documents.read(wallet);
    const watches = begun.map(({ watch }) => watch);
    const followed = builder.afterCatchUp(before, alerts, begun);
    const state = receiverOutbox.add(wallet, followed, { alerts }, watches);
    const isForNobody = alerts.every(({ channels }) => channels.length === 0);
    if (state === before && isForNobody) return null;
    const ids = new Set(outbox.map(({ id }) => id));
    const all = outbox.map(withChannelsOf(alerts));
    for (const alert of alerts) {
      const isWanted = alert.channels.length > 0;
      if (isWanted && !ids.has(alert.id)) all.push(alert);
    }
    all.sort((a, b) => a.seenAtMs - b.seenAtMs);
    const written = { state, outbox: all };
    await documents.write(wallet, written);
    walletIndex.noteUnannounced(wallet, state);
    return written;
  };

  return {
    /**
     * Remembers alerts that have been committed.
     * @param inContext adds to an alert what has become known since
     */
    noteCommitted(
      wallet: WalletAddress,
      alerts: readonly NewAlert[],
      inContext: (alert: NewAlert) => NewAlert,
    ): void {
      const oldestMs = (alerts[0]?.seenAtMs ?? 0) - RECENT_MS;
      // A channel that joins later gets no earlier result or consensus, because these are made for
      // one channel each.
      const given = alerts.filter(({ event }) => kindOf(event).isForNewcomer !== undefined);
      // Without this filter, older alerts would displace others, because the entry of a wallet that
      // trades constantly never expires.
      const lately = [...(recent.get(wallet) ?? []), ...given]
        .filter(({ seenAtMs }) => seenAtMs >= oldestMs)
        .slice(-OUTBOX_LIMIT);
      if (lately.length > 0) recent.set(wallet, lately.map(inContext).map(asAmended(alerts)));
    },
    forget: (wallet: WalletAddress): void => void recent.delete(wallet),
    /**
     * Gives the channels of new watches the alerts they missed. The alerts are stored first, then
     * the watches, and nothing is committed for the wallets in between. If the process ends between
     * the two writes, the command has failed and the alerts of the missing watch are dropped.
     * @param storeWatches stores the watches and registers them, so that the next commit includes
     *   them
     */
    give: (begun: readonly BegunWatch[], storeWatches: () => Promise<void>): Promise<void> =>
      documents.runAll(
        begun.map(({ watch }) => watch.wallet),
        async () => {
          const missed = missedByWallet(begun, missedBy);
          const written = new Map<WalletAddress, WalletDocument>();
          try {
            for (const { wallet, own, alerts } of missed) {
              const document = await write(wallet, alerts, own);
              if (document !== null) written.set(wallet, document);
            }
            onFailpoint('missed.stored');
            await storeWatches();
            onFailpoint('watch.stored');
            for (const { wallet, alerts } of missed) noteGiven(wallet, alerts);
          } finally {
            // Not earlier, because alerts without a watch are dropped as soon as they are to be
            // sent.
            for (const [wallet, { outbox }] of written) waiting.set(wallet, outbox);
            waiting.announce([...written.values()].flatMap(({ outbox }) => outbox));
            for (const [wallet, { state }] of written) receiverOutbox.notify(wallet, state);
          }
        },
      ),
  };
}
export type CatchUp = ReturnType<typeof createCatchUp>;

/** Returns the wallets of new watches for which something was committed recently. */
function missedByWallet(
  begun: readonly BegunWatch[],
  missedBy: (wallet: WalletAddress, own: readonly BegunWatch[]) => readonly NewAlert[],
) {
  const missed = [];
  for (const [wallet, own] of groupBy(begun, ({ watch }) => watch.wallet)) {
    const alerts = missedBy(wallet, own);
    if (alerts.length > 0) missed.push({ wallet, own, alerts });
  }
  return missed;
}

/**
 * Returns a function that updates alerts to the records as the venue lists them now. It removes
 * their context, because the position may have changed with the record.
 * @param committed alerts, some of which report changed records
 */
function asAmended(committed: readonly NewAlert[]): (alert: NewAlert) => NewAlert {
  const changed = committed.flatMap(({ event }) => (event.kind === 'amended' ? [event] : []));
  if (changed.length === 0) return (alert) => alert;
  return (alert) => {
    const { event } = alert;
    if (event.kind !== 'activity') return alert;
    const names = namesOf(event);
    const found = changed.find(({ identities, before, item }) => {
      const isSame = identities.some((identity) => names.includes(identity));
      return isSame && before.quantity === event.item.quantity && item.txHash === event.item.txHash;
    });
    return found === undefined
      ? alert
      : { ...alert, event: { kind: 'activity', item: found.item } };
  };
}

/** Returns a function that adds to an alert the channels it has in another list. */
function withChannelsOf(given: readonly NewAlert[]): (alert: NewAlert) => NewAlert {
  const givenById = new Map(given.map((alert) => [alert.id, alert]));
  return (alert) => {
    const more = givenById.get(alert.id);
    const channels = [...new Set([...alert.channels, ...(more?.channels ?? [])])];
    const delayed = new Set([...(alert.delayed ?? []), ...(more?.delayed ?? [])]);
    return markedDelayed({ ...alert, channels }, (channelId) => delayed.has(channelId));
  };
}
