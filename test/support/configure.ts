import type { LanguageTag } from '../../src/language/language.ts';
import { openStore } from '../../src/store/store.ts';
import { channelSettingsKind, defaultChannelSettings } from '../../src/watches/channel-settings.ts';
import { WATCH_PREFIX, watchSchema } from '../../src/watches/watch.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { testMachine } from './machine.ts';

export interface ChannelWishes {
  /** Settings of every watch of a channel, by channel. */
  readonly settings?: Readonly<Record<string, Partial<WatchSettings>>>;
  readonly compactChannels?: readonly string[];
  readonly languages?: Readonly<Record<string, LanguageTag>>;
}

/** Writes channels' settings into a store while the bot is not running. */
export async function configureStore(
  path: string,
  { settings = {}, compactChannels = [], languages = {} }: ChannelWishes,
): Promise<void> {
  const store = await openStore(`sqlite://${path}`);
  const channelSettings = channelSettingsKind.open(testMachine(), store);
  const changes: (() => Promise<void>)[] = [];
  for await (const [key, document] of store.entries()) {
    if (!key.startsWith(WATCH_PREFIX)) continue;
    const watch = watchSchema.parse(document);
    const { channelId, ownerId } = watch;
    const wish = settings[channelId];
    if (wish !== undefined)
      changes.push(() => store.set(key, { ...watch, settings: { ...watch.settings, ...wish } }));
    const view = compactChannels.includes(channelId) ? 'compact' : 'full';
    const language = languages[channelId] ?? null;
    if (view === 'compact' || language !== null) {
      changes.push(() =>
        channelSettings.set(channelId, {
          ...defaultChannelSettings(ownerId, channelId),
          view,
          language,
        }),
      );
    }
  }
  for (const change of changes) await change();
  await store.close();
}
