import { openStore } from '../../src/store/store.ts';
import { createRooms } from '../../src/watch/rooms.ts';
import type { WatchSettings } from '../../src/watch/settings.ts';
import { WATCH_PREFIX, watchSchema } from '../../src/watch/watch.ts';

export interface RoomWishes {
  /** Settings of every watch of a channel. */
  readonly settings?: Readonly<Record<string, Partial<WatchSettings>>>;
  readonly compactChannels?: readonly string[];
}

/** Writes into a store what rooms have chosen, while the bot is away. */
export async function configureStore(path: string, { settings = {}, compactChannels = [] }: RoomWishes): Promise<void> {
  const store = await openStore(`sqlite://${path}`);
  const rooms = createRooms(store);
  const changes: (() => Promise<void>)[] = [];
  for await (const [key, document] of store.entries()) {
    if (!key.startsWith(WATCH_PREFIX)) continue;
    const watch = watchSchema.parse(document);
    const { channelId, guildId } = watch;
    const wish = settings[channelId];
    if (wish !== undefined) changes.push(() => store.set(key, { ...watch, settings: { ...watch.settings, ...wish } }));
    if (compactChannels.includes(channelId)) {
      changes.push(() => rooms.set({ version: 1, guildId, channelId, view: 'compact' }));
    }
  }
  for (const change of changes) await change();
  await store.close();
}
