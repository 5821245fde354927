import { dirname, join } from 'node:path';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { startDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { readPage } from '@walletbell/local-discord/site/bundle';
import type { SiteEvent } from '@walletbell/local-discord/site/protocol';
import type { SiteRequest } from '@walletbell/local-discord/site/requests';
import { startSiteServer } from '@walletbell/local-discord/site/server';
import { createView } from '@walletbell/local-discord/site/view';
import { REST } from 'discord.js';
import type { Browser, Page } from 'playwright-core';
import { NO_RATE_LIMITS } from '../../packages/local-discord/test/unlimited.ts';
import { programFile } from '../../src/build/state.js';
import { createSender } from '../../src/delivery/sender.ts';
import { showWorld } from '../../src/demo/panel.ts';
import { LANGUAGES } from '../../src/demo/site.ts';
import { UsageError } from '../bench/usage.ts';
import { findChromium, openBrowser } from './browser.ts';

type ShownWorld = Parameters<typeof showWorld>[0];

const TOKEN = 'stage.token.of-the-local-discord';
/** A phone's width, and that of a small window on a desktop. */
export const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;

const QUIET: ShownWorld = {
  bot: 'running',
  venue: 'up',
  requests: 0,
  lastAnswer: null,
  alerts: 0,
  duplicates: 0,
  waiting: 0,
  lastDelaySeconds: null,
  traders: [],
  received: { alerts: 0, repeated: 0, refused: 0, newest: [] },
};

const refuse = () => Promise.reject(new Error('Nothing can be done here: this page only shows.'));

export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * The sandbox's page before a local Discord whose clock stands still, without a bot: what is shown
 * is what is posted.
 *
 * @param options.startMs epoch milliseconds of its first moment
 * @param options.act does what is asked for on the page; nothing can be done there if left out
 * @throws UsageError when there is no Chromium
 */
export async function openStage(options: {
  readonly startMs: number;
  readonly shown?: ShownWorld;
  readonly act?: (request: SiteRequest) => Promise<unknown>;
}) {
  const { startMs, shown = QUIET, act = refuse } = options;
  const chromium = findChromium();
  if (chromium === null)
    throw new UsageError('There is no Chromium: install one, or set CHROMIUM_PATH');
  let nowMs = startMs;
  const discord = await startDiscord({ ...NO_RATE_LIMITS, token: TOKEN, now: () => nowMs });
  const guild = discord.createGuild({ name: 'Copy traders' });
  const me = { ref: discord.createMember(guild.id, { name: 'ada', admin: true }), role: 'admin' };
  const view = createView({
    discord,
    guildId: guild.id,
    people: [me],
    title: 'walletbell sandbox',
    languages: LANGUAGES,
    isBotOnline: () => true,
  });
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
      notify({
        kind: 'snapshot',
        world: view.world(me),
        messages: view.messages(me),
        complaints: [],
        status: showWorld(shown),
      });
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
