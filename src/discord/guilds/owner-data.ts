import type { DeliveryWorker } from '../../delivery/worker.ts';
import type { WalletAddress } from '../../domain/address.ts';
import type { AnyCollection } from '../../store/collection.ts';
import type { Registry } from '../../watches/registry.ts';

/**
 * Creates access to everything stored about servers, people and channels.
 *
 * @param parts `collections`: all except the persons' own; `pruneWallet` removes data about
 *   channels that no longer watch a wallet from its document
 */
export function createOwnerData(parts: {
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
    /** Returns the servers and people with stored data that does not expire by itself. */
    owners: (): ReadonlySet<string> =>
      new Set([...registry.owners(), ...collections.flatMap((collection) => collection.owners())]),
    /** Returns the channels of a server, or of a person, with stored data. */
    channelsOf,
    /** Deletes all stored data of a channel. */
    endChannel,
    /** Deletes all stored data of a server, or of a person, and of the channels. */
    async endOwner(ownerId: string, channelIds = channelsOf(ownerId)): Promise<void> {
      const wallets = new Set(registry.keptOfOwner(ownerId).map(({ wallet }) => wallet));
      await registry.deleteSuspended(ownerId);
      for (const channelId of channelIds) await endChannel(channelId);
      for (const wallet of wallets) if (registry.isNeeded(wallet)) await pruneWallet(wallet);
      for (const collection of collections) await collection.forget({ ownerId });
    },
  };
}

export type OwnerData = ReturnType<typeof createOwnerData>;
