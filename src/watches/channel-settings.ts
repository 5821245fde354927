import { z } from 'zod';
import { LANGUAGE_TAGS, type Language, languageFor } from '../language/language.ts';
import type { Store } from '../store/store.ts';
import { snowflake } from './watch.ts';

/** The longest time over which a room may look for consensus. */
export const CONSENSUS_HOURS_LIMIT = 72;

export const ROOM_PREFIX = 'room:';

const roomSchema = z.object({
  version: z.literal(1),
  guildId: snowflake,
  channelId: snowflake,
  /** `compact`: one line an alert, several in one embed. */
  view: z.enum(['full', 'compact']).default('full'),
  /** How many of the watched wallets within how many hours on one outcome are told of; null: none. */
  consensus: z
    .object({ wallets: z.int().min(2).max(50), hours: z.number().positive().max(CONSENSUS_HOURS_LIMIT) })
    .nullable()
    .default(null),
  /** What its alerts and digests are written in; null: what the server speaks. */
  language: z.enum(LANGUAGE_TAGS).nullable().default(null),
});

/** How a channel wants its alerts to look. */
export type Room = z.infer<typeof roomSchema>;

/** A channel that has chosen nothing. */
export function newRoom(guildId: string, channelId: string): Room {
  return roomSchema.parse({ version: 1, guildId, channelId });
}

/** What channels have chosen: in memory, each in the store as a document of its own. */
export interface Rooms {
  /** Takes a document that was read at the start. False if it is not a room. */
  load(key: string, document: unknown): boolean;
  /** The channel's choices; undefined if it has made none. */
  get(channelId: string): Room | undefined;
  all(): readonly Room[];
  /** Stores first, then knows it. */
  set(room: Room): Promise<void>;
  /** Forgets a channel that is gone. */
  forget(channelId: string): Promise<void>;
}

export function createRooms(store: Pick<Store, 'set' | 'delete'>): Rooms {
  const byChannel = new Map<string, Room>();
  return {
    load(key, document) {
      const parsed = roomSchema.safeParse(document);
      if (!parsed.success || ROOM_PREFIX + parsed.data.channelId !== key) return false;
      byChannel.set(parsed.data.channelId, parsed.data);
      return true;
    },
    get: (channelId) => byChannel.get(channelId),
    all: () => [...byChannel.values()],
    async set(room) {
      await store.set(ROOM_PREFIX + room.channelId, room);
      byChannel.set(room.channelId, room);
    },
    async forget(channelId) {
      if (!byChannel.has(channelId)) return;
      await store.delete(ROOM_PREFIX + channelId);
      byChannel.delete(channelId);
    },
  };
}

/**
 * What a channel's alerts and digests are written in: its own choice, or else what its server speaks.
 *
 * @param serverLocale Discord's name for the language of a channel's server; undefined if it is not known
 */
export function roomLanguages(
  rooms: Pick<Rooms, 'get'>,
  serverLocale: (channelId: string) => string | undefined,
): (channelId: string) => Language {
  return (channelId) => languageFor(rooms.get(channelId)?.language ?? serverLocale(channelId));
}
