import type { SeenMessage } from '../discord/events.ts';
import type { FakeDiscord } from '../discord/fake-discord.ts';
import { type ActDeps, act } from './act.ts';
import { readPage } from './bundle.ts';
import { createModals } from './modals.ts';
import type { PageLanguage, PageStatus, SiteEvent } from './protocol.ts';
import { startSiteServer } from './server.ts';
import { createView, type Person } from './view.ts';

const STATUS_INTERVAL_MS = 500;

export type Site = Awaited<ReturnType<typeof openSite>>;

export interface SiteOptions {
  readonly discord: FakeDiscord;
  /** The server that the page shows. */
  readonly guildId: string;
  /** Members who can be played; the first one is selected initially. */
  readonly people: readonly [Person, ...Person[]];
  /** Languages to which a person's Discord can be set: those that the bot supports. */
  readonly languages: readonly PageLanguage[];
  readonly title: string;
  /** Port of the page; 0 picks a free port. */
  readonly port: number;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** Returns the strip and the panel; called twice a second while a page is open. */
  readonly status: () => PageStatus;
  readonly press: ActDeps['press'];
}

/**
 * Serves a page on which one can act as people of the local Discord.
 *
 * @throws Error if the port cannot be bound
 */
export async function openSite(options: SiteOptions) {
  const { discord, guildId, people, languages, title, status, press } = options;
  const assets = await readPage(options.pageFolder);
  const pages = new Set<{ readonly person: Person; readonly notify: (event: SiteEvent) => void }>();
  const broadcast = (event: SiteEvent) => {
    for (const { notify } of pages) notify(event);
  };
  const view = createView({ discord, guildId, people, languages, title });
  const modals = createModals();

  let lastStatus = '';
  const sendStatus = (): void => {
    if (pages.size === 0) return;
    const now = status();
    const text = JSON.stringify(now);
    if (text === lastStatus) return;
    lastStatus = text;
    broadcast({ kind: 'status', status: now });
  };
  const statusTimer = setInterval(sendStatus, STATUS_INTERVAL_MS);

  const sendMessage = (seen: SeenMessage): void => {
    for (const { person, notify } of pages) {
      const message = view.message(person, seen);
      if (message !== null) notify({ kind: 'message', message });
    }
  };

  discord.events.on('message', sendMessage);
  discord.events.on('edit', sendMessage);
  discord.events.on('delete', ({ id }) => broadcast({ kind: 'deleted', messageId: id }));
  discord.events.on('rejected', (entry) =>
    broadcast({ kind: 'complaint', complaint: view.rejection(entry) }),
  );
  discord.events.on('warning', (entry) =>
    broadcast({ kind: 'complaint', complaint: view.warning(entry) }),
  );
  const sendWorld = (): void => {
    for (const { person, notify } of pages) notify({ kind: 'world', world: view.world(person) });
  };
  // The page shows next to the bot's name whether it is connected.
  discord.events.on('world', sendWorld).on('gateway', sendWorld);

  const server = await startSiteServer({
    port: options.port,
    assets,
    mediaRoot: new URL(discord.apiUrl).origin,
    act: async (request) => {
      const deps = { discord, guildId, people, languages, view, modals, press };
      const result = await act(deps, request);
      sendStatus();
      return result;
    },
    follow(personId, notify) {
      const person =
        personId === null ? people[0] : people.find(({ ref }) => ref.userId === personId);
      if (!person) return null;
      discord.reload(person.ref);
      const page = { person, notify };
      pages.add(page);
      const complaints = [
        ...discord.rejections.map(view.rejection),
        ...discord.warnings.map(view.warning),
      ];
      notify({
        kind: 'snapshot',
        world: view.world(person),
        messages: view.messages(person),
        complaints: complaints.sort((a, b) => a.atMs - b.atMs),
        status: status(),
      });
      return () => void pages.delete(page);
    },
  }).catch((error: unknown) => {
    clearInterval(statusTimer);
    throw error;
  });

  return {
    url: server.url,
    /** Sends the current status to the open pages at once. */
    sendStatus,
    async close(): Promise<void> {
      clearInterval(statusTimer);
      await server.close();
    },
  };
}
