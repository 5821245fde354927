import { personOf } from '../../watches/owner.ts';
import type { Description, Owner } from './description.ts';

/** Some of the servers, and whether the persons go with them. */
export interface Selection {
  hasGuild(guildId: string): boolean;
  readonly hasPersons: boolean;
}

/** Where channels and wallets belong, from all documents of a store. */
export interface Directory {
  add(description: Description): void;
  /** The server or the person of a channel; undefined if no document names it. */
  ownerOf(channelId: string): string | undefined;
  /** The servers and persons that watch a wallet. */
  ownersOf(wallet: string): ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export function createDirectory(): Directory {
  const ownerOfChannel = new Map<string, string>();
  const ownersOfWallet = new Map<string, Set<string>>();
  return {
    add({ channels = [], watch }) {
      for (const { channelId, ownerId } of channels) ownerOfChannel.set(channelId, ownerId);
      if (watch === undefined) return;
      const owners = ownersOfWallet.get(watch.wallet);
      if (owners === undefined) ownersOfWallet.set(watch.wallet, new Set([watch.ownerId]));
      else owners.add(watch.ownerId);
    },
    ownerOf: (channelId) => ownerOfChannel.get(channelId),
    ownersOf: (wallet) => ownersOfWallet.get(wallet) ?? NONE,
  };
}

/** What a selection of servers gets of a document. */
export interface Share {
  /** `whole`: the document as it is; `part`: {@link Share.document}; `none`: nothing; `unassigned`: it names no server. */
  readonly kind: 'whole' | 'part' | 'none' | 'unassigned';
  readonly document?: unknown;
  /** How many channels, of which nobody knows the server, it names. */
  readonly unassignedChannels: number;
}

/**
 * What a selection of servers gets of a document. The shares of selections that divide the servers have together all of
 * it, and what is of a channel is in one of them alone.
 *
 * @param keepsUnassigned whether what is of channels whose server nobody knows is in the share
 */
export function shareOf(
  { owner, parts }: Description,
  directory: Pick<Directory, 'ownerOf' | 'ownersOf'>,
  selection: Selection,
  keepsUnassigned: boolean,
): Share {
  const channels = parts?.channels ?? NONE;
  const belongs = belongsTo(owner, channels, directory, selection);
  if (belongs === null) return { kind: 'unassigned', unassignedChannels: 0 };
  if (!belongs) return { kind: 'none', unassignedChannels: 0 };
  if (parts === undefined) return { kind: 'whole', unassignedChannels: 0 };
  const kept = new Set<string>();
  let unassignedChannels = 0;
  for (const channelId of channels) {
    const ownerId = directory.ownerOf(channelId);
    if (ownerId === undefined) unassignedChannels += 1;
    if (ownerId === undefined ? keepsUnassigned : hasOwner(selection, ownerId)) kept.add(channelId);
  }
  const isWhole = parts.faults.length === 0 && kept.size === channels.size;
  return isWhole
    ? { kind: 'whole', unassignedChannels }
    : { kind: 'part', document: parts.of(kept), unassignedChannels };
}

/** Whether a document goes with the selected servers; null if that cannot be told. @param channels that it names */
function belongsTo(
  owner: Owner,
  channels: ReadonlySet<string>,
  { ownerOf, ownersOf }: Pick<Directory, 'ownerOf' | 'ownersOf'>,
  selection: Selection,
): boolean | null {
  switch (owner.of) {
    case 'guild':
      return selection.hasGuild(owner.guildId);
    case 'channel': {
      const ownerId = ownerOf(owner.channelId);
      return ownerId === undefined ? null : hasOwner(selection, ownerId);
    }
    case 'wallet': {
      // What waits for a channel may be of a watch that has been removed.
      const owners = [...ownersOf(owner.wallet), ...[...channels].flatMap((channelId) => ownerOf(channelId) ?? [])];
      return owners.length === 0 ? null : owners.some((ownerId) => hasOwner(selection, ownerId));
    }
    case 'person':
      return selection.hasPersons;
    case 'all':
      return true;
    case 'nobody':
      return null;
    case 'store':
      return false;
  }
}

function hasOwner(selection: Selection, ownerId: string): boolean {
  return personOf(ownerId) === null ? selection.hasGuild(ownerId) : selection.hasPersons;
}
