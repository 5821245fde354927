import { alertSeconds } from '../alert-parser.ts';
import type { SeenMessage } from '../discord/events.ts';
import { createSandbox, type Sandbox } from '../sandbox.ts';
import { act } from './act.ts';
import { readPage } from './bundle.ts';
import type { PageStatus, SiteEvent } from './protocol.ts';
import { startSiteServer } from './server.ts';
import { createView, type Person } from './view.ts';

const STATUS_INTERVAL_MS = 500;

/** The sandbox with its page. */
export interface Site {
  readonly url: string;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Of the page; 0 picks a free one. */
  readonly port: number;
  readonly historyHours: number;
  /** The bot's program, dist/main.js. */
  readonly botMain: string;
  /** The page as the build has made it, dist/page. */
  readonly pageFolder: string;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** Serves the page; `site.sandbox.open()` then starts the bot, and the page can be watched meanwhile. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const assets = await readPage(options.pageFolder);
  let lastDelaySeconds: number | null = null;
  const pages = new Set<{ readonly person: Person; readonly notify: (event: SiteEvent) => void }>();
  const broadcast = (event: SiteEvent) => {
    for (const { notify } of pages) notify(event);
  };

  const sandbox = await createSandbox({
    discordPort: 0,
    historyHours: options.historyHours,
    botMain: options.botMain,
    say: options.say,
    complain: options.complain,
    onBotState: () => sendStatus(),
    onBotLine: ({ event, wallet, channel }) => {
      if (typeof wallet !== 'string' || typeof channel !== 'string') return;
      if (event === 'watch.added') sandbox.account.watchBegun(wallet, channel, Date.now() / 1000);
      if (event === 'watch.changed') sandbox.account.watchChanged(wallet, channel);
      if (event === 'watch.removed') sandbox.account.watchEnded(wallet, channel);
    },
  });
  const { discord, account } = sandbox;
  const people: readonly [Person, Person] = [
    { ref: sandbox.admin, role: 'admin', directId: sandbox.directId },
    { ref: sandbox.member, role: 'member' },
  ];
  const view = createView({ discord, guildId: sandbox.guildId, people, traders: sandbox.simulator.traders });

  function status(): PageStatus {
    const { lastAnswer } = sandbox.venue;
    const { alerts, duplicates, lost } = account.balance();
    return {
      bot: sandbox.bot.state,
      venue: sandbox.venue.mode,
      budget:
        lastAnswer === null
          ? null
          : {
              used: lastAnswer.limit - lastAnswer.remaining,
              limit: lastAnswer.limit,
              resetAtMs: lastAnswer.resetSeconds * 1000,
            },
      requests: sandbox.venue.requests,
      alerts,
      lastDelaySeconds,
      duplicates,
      waiting: lost,
    };
  }

  let lastStatus = '';
  function sendStatus(): void {
    if (pages.size === 0) return;
    const now = status();
    const text = JSON.stringify(now);
    if (text === lastStatus) return;
    lastStatus = text;
    broadcast({ kind: 'status', status: now });
  }
  const statusTimer = setInterval(sendStatus, STATUS_INTERVAL_MS);

  function sendMessage(seen: SeenMessage): void {
    for (const { person, notify } of pages) {
      const message = view.message(person, seen);
      if (message !== null) notify({ kind: 'message', message });
    }
  }

  discord.events.on('message', (seen) => {
    const timeSeconds = alertSeconds(seen);
    if (timeSeconds !== undefined) lastDelaySeconds = Math.max(0, seen.createdAtMs / 1000 - timeSeconds);
    sendMessage(seen);
  });
  discord.events.on('edit', sendMessage);
  discord.events.on('delete', ({ id }) => broadcast({ kind: 'deleted', messageId: id }));
  discord.events.on('rejected', (entry) => broadcast({ kind: 'complaint', complaint: view.rejection(entry) }));
  discord.events.on('warning', (entry) => broadcast({ kind: 'complaint', complaint: view.warning(entry) }));
  discord.events.on('world', () => {
    for (const { person, notify } of pages) notify({ kind: 'world', world: view.world(person) });
  });

  const server = await startSiteServer({
    port: options.port,
    assets,
    mediaRoot: new URL(discord.apiUrl).origin,
    act: async (request) => {
      const result = await act({ sandbox, people, view }, request);
      sendStatus();
      return result;
    },
    follow(personId, notify) {
      const person = personId === null ? people[0] : people.find(({ ref }) => ref.userId === personId);
      if (!person) return null;
      const page = { person, notify };
      pages.add(page);
      const complaints = [...discord.rejections.map(view.rejection), ...discord.warnings.map(view.warning)];
      notify({
        kind: 'snapshot',
        world: view.world(person),
        messages: view.messages(person),
        complaints: complaints.sort((a, b) => a.atMs - b.atMs),
        status: status(),
      });
      return () => void pages.delete(page);
    },
  }).catch(async (error: unknown) => {
    clearInterval(statusTimer);
    await sandbox.close();
    throw error;
  });

  return {
    url: server.url,
    sandbox,
    async close() {
      clearInterval(statusTimer);
      await sandbox.close();
      await server.close();
    },
  };
}
