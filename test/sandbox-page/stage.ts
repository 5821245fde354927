import { dirname, join } from 'node:path';
import { REST } from 'discord.js';
import type { Browser, Page } from 'playwright-core';
import { programFile } from '../../src/build/state.js';
import { createSender } from '../../src/delivery/sender.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { readPage } from '../../src/sandbox/site/bundle.ts';
import type { PageStatus, PageTrader, SiteEvent } from '../../src/sandbox/site/protocol.ts';
import type { SiteRequest } from '../../src/sandbox/site/requests.ts';
import { startSiteServer } from '../../src/sandbox/site/server.ts';
import { createView } from '../../src/sandbox/site/view.ts';
import { UsageError } from '../bench/usage.ts';
import { NO_RATE_LIMITS } from '../sandbox/unlimited.ts';
import { findChromium, openBrowser } from './browser.ts';

const TOKEN = 'stage.token.of-the-local-discord';
/** A phone's width, and that of a small window on a desktop. */
export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

const QUIET: PageStatus = {
  bot: 'running',
  venue: 'up',
  budget: null,
  requests: 0,
  alerts: 0,
  lastDelaySeconds: null,
  duplicates: 0,
  waiting: 0,
};

const refuse = () => Promise.reject(new Error('Nothing can be done here: this page only shows.'));

export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * The sandbox's page before a local Discord whose clock stands still, without a bot: what is shown is what is posted.
 *
 * @param options.startMs epoch milliseconds of its first moment
 * @param options.act does what is asked for on the page; nothing can be done there if left out
 * @throws UsageError when there is no Chromium
 */
export async function openStage(options: {
  readonly startMs: number;
  readonly traders?: readonly PageTrader[];
  readonly status?: PageStatus;
  readonly act?: (request: SiteRequest) => Promise<unknown>;
}) {
  const { startMs, traders = [], status = QUIET, act = refuse } = options;
  const chromium = findChromium();
  if (chromium === null) throw new UsageError('There is no Chromium: install one, or set CHROMIUM_PATH');
  let nowMs = startMs;
  const discord = await startDiscord({ ...NO_RATE_LIMITS, token: TOKEN, now: () => nowMs });
  const guild = discord.createGuild({ name: 'Copy traders' });
  const me = { ref: discord.createMember(guild.id, { name: 'ada', admin: true }), role: 'admin' };
  const view = createView({ discord, guildId: guild.id, people: [me], traders });
  const pages = new Set<(event: SiteEvent) => void>();
  const show = (seen: SeenMessage) => {
    const message = view.message(me, seen);
    if (message !== null) for (const notify of pages) notify({ kind: 'message', message });
  };
  discord.events.on('message', show).on('edit', show);
  const server = await startSiteServer({
    port: 0,
    assets: await readPage(join(dirname(programFile('demo')), 'page')),
    mediaRoot: new URL(discord.apiUrl).origin,
    act,
    follow(_, notify) {
      notify({ kind: 'snapshot', world: view.world(me), messages: view.messages(me), complaints: [], status });
      pages.add(notify);
      return () => void pages.delete(notify);
    },
  });
  const rest = new REST({ api: discord.apiUrl }).setToken(TOKEN);
  let browser: Browser | null = null;
  return {
    discord,
    /** Who looks. */
    person: me.ref,
    /** The API as a bot uses it; `send` sends as the bot does. */
    rest,
    ...createSender({ rest, selfId: () => discord.bot.id, canReadHistory: () => true }),
    /** Makes a channel, and gives its id. */
    channel: (name: string) => discord.createChannel(guild.id, { name }).id,
    /** Its clock, epoch milliseconds. */
    nowMs: () => nowMs,
    forward: (ms: number) => {
      nowMs += ms;
    },
    /** Opens the page, with the same clock, and resolves when it shows the first channel. */
    async open(size: keyof typeof SIZES, colorScheme: 'light' | 'dark'): Promise<Page> {
      browser ??= await openBrowser(chromium);
      const context = await browser.newContext({
        viewport: SIZES[size],
        colorScheme,
        locale: 'en-US',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.clock.setFixedTime(nowMs);
      await page.goto(server.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      return page;
    },
    async close() {
      await browser?.close();
      await server.close();
      await discord.close();
    },
  };
}

/** Resolves when letters and pictures of what is shown are there. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await frame();
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await frame();
  })()`);
}
