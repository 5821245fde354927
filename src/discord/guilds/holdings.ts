import type { DeliveryWorker } from '../../delivery/worker.ts';
import type { WalletAddress } from '../../domain/address.ts';
import type { AnyCollection } from '../../store/collection.ts';
import type { Registry } from '../../watches/registry.ts';

/**
 * Everything that is stored of servers, people and channels, whatever it is.
 *
 * @param parts `collections`: all but that of the persons themselves; `pruneWallet` takes what is
 *   of channels that no longer watch a wallet out of its document
 */
export function createHoldings(parts: {
  readonly registry: Registry;
  readonly collections: readonly AnyCollection[];
  readonly deliveryWorker: Pick<DeliveryWorker, 'forget'>;
  readonly pruneWallet: (wallet: WalletAddress) => Promise<unknown>;
}) {
  const { registry, collections, deliveryWorker, pruneWallet } = parts;
  const channelsOf = (ownerId: string): ReadonlySet<string> =>
    new Set([
      ...registry.keptOfOwner(ownerId).map(({ channelId }) => channelId),
      ...collections.flatMap((collection) => collection.channelsOf(ownerId)),
    ]);
  const endChannel = async (channelId: string): Promise<void> => {
    for (const { wallet } of registry.ofChannel(channelId)) {
      await registry.remove(channelId, wallet);
    }
    await registry.forgetUnreadable(channelId);
    await deliveryWorker.forget(channelId);
    for (const collection of collections) await collection.forget({ channelId });
  };
  return {
    /** Servers and people of which something is stored that does not go by itself. */
    owners: (): ReadonlySet<string> =>
      new Set([...registry.owners(), ...collections.flatMap((collection) => collection.owners())]),
    /** The channels of a server, or of a person, of which something is stored. */
    channelsOf,
    /** Deletes all that is stored of a channel. */
    endChannel,
    /** Deletes all that is stored of a server, or of a person, and of the channels. */
    async endOwner(ownerId: string, channelIds = channelsOf(ownerId)): Promise<void> {
      const wallets = new Set(registry.keptOfOwner(ownerId).map(({ wallet }) => wallet));
      await registry.endResting(ownerId);
      for (const channelId of channelIds) await endChannel(channelId);
      for (const wallet of wallets) if (registry.isNeeded(wallet)) await pruneWallet(wallet);
      for (const collection of collections) await collection.forget({ ownerId });
    },
  };
}

export type Holdings = ReturnType<typeof createHoldings>;
