/** With whom a document goes when the servers of some shards get a store of their own. */
export type Owner =
  /** With a server. */
  | { readonly of: 'guild'; readonly guildId: string }
  /** With the server of a channel. */
  | { readonly of: 'channel'; readonly channelId: string }
  /** With each server that watches the wallet, or for which something of it waits. */
  | { readonly of: 'wallet'; readonly wallet: string }
  /** With shard 0, whose process gets direct messages. */
  | { readonly of: 'person' }
  /** With every part. */
  | { readonly of: 'all' }
  /** Names no server. */
  | { readonly of: 'nobody' }
  /** With none: it is of the store that it is in. */
  | { readonly of: 'store' };

/** What a document says of itself. */
export interface Description {
  readonly owner: Owner;
  /** The owners of channels, as far as it names both: servers, and persons of their direct messages. */
  readonly channels?: readonly { readonly channelId: string; readonly ownerId: string }[];
  /** The watch that it is. */
  readonly watch?: { readonly wallet: string; readonly ownerId: string };
  /** Given for a document of which servers get parts; others go as they are. */
  readonly parts?: Parts;
}

/** A document of which each server gets what is of its channels. */
export interface Parts {
  /** The document without what cannot be read; undefined if all of it can. */
  readonly sound: unknown;
  /** What of it cannot be read. */
  readonly faults: readonly string[];
  /** The channels that it names. */
  readonly channels: ReadonlySet<string>;
  /** The document without what cannot be read, and of these channels alone. */
  of(channels: ReadonlySet<string>): unknown;
}
