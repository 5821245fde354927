import type { DeliveryWorker } from '../../delivery/worker.ts';
import type { DetailsRecords } from '../../details/records.ts';
import type { DigestDocuments } from '../../digests/documents.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';

export interface ChannelEndDeps {
  readonly registry: Pick<Registry, 'ofChannel' | 'remove' | 'forgetUnreadable' | 'ofOwner' | 'restingOf'>;
  readonly channelSettings: ChannelSettingsStore;
  readonly digests: DigestDocuments;
  readonly detailsRecords: Pick<DetailsRecords, 'forget'>;
  readonly deliveryWorker: Pick<DeliveryWorker, 'forget'>;
}

/** Removes all that is stored of a channel. */
export async function endChannel(
  { registry, channelSettings, digests, detailsRecords, deliveryWorker }: ChannelEndDeps,
  channelId: string,
): Promise<void> {
  for (const { wallet } of registry.ofChannel(channelId)) await registry.remove(channelId, wallet);
  await registry.forgetUnreadable(channelId);
  await deliveryWorker.forget(channelId);
  await channelSettings.forget(channelId);
  await digests.change(channelId, () => undefined);
  await detailsRecords.forget({ channelId });
}

/** The channels of a server, or of a person alone, of which something is stored. */
export function channelsOf(
  { registry, channelSettings, digests }: Pick<ChannelEndDeps, 'registry' | 'channelSettings' | 'digests'>,
  ownerId: string,
): ReadonlySet<string> {
  const isOwners = (document: { readonly ownerId: string }) => document.ownerId === ownerId;
  const documents = [
    ...registry.ofOwner(ownerId),
    ...registry.restingOf(ownerId),
    ...digests.all().filter(isOwners),
    ...channelSettings.all().filter(isOwners),
  ];
  return new Set(documents.map(({ channelId }) => channelId));
}
