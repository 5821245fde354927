import { dirname, join } from 'node:path';
import { REST } from 'discord.js';
import type { Browser, Page } from 'playwright-core';
import { programFile } from '../../src/build/state.js';
import { createSender } from '../../src/delivery/sender.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { type FakeDiscord, type MemberRef, startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { readPage } from '../../src/sandbox/site/bundle.ts';
import type { PageStatus, PageTrader, SiteEvent } from '../../src/sandbox/site/protocol.ts';
import type { SiteRequest } from '../../src/sandbox/site/requests.ts';
import { startSiteServer } from '../../src/sandbox/site/server.ts';
import { createView } from '../../src/sandbox/site/view.ts';
import { UsageError } from '../bench/usage.ts';
import { findChromium, openBrowser } from './browser.ts';

const TOKEN = 'stage.token.of-the-local-discord';
const UNLIMITED = { limit: 100_000, windowMs: 1000 };
/** A phone's width, and that of a small window on a desktop. */
export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

/** The sandbox's page before a local Discord whose clock stands still, without a bot: what is shown is what is posted. */
export interface Stage {
  readonly discord: FakeDiscord;
  /** The person who looks. */
  readonly person: MemberRef;
  /** The API as a bot uses it. */
  readonly rest: REST;
  /** What the bot sends, as it sends it. */
  readonly send: ReturnType<typeof createSender>['send'];
  /** Makes a channel, and gives its id. */
  channel(name: string): string;
  /** Its clock, epoch milliseconds. */
  nowMs(): number;
  forward(ms: number): void;
  /** Opens the page, with the same clock, and resolves when it shows the first channel. */
  open(size: keyof typeof SIZES, colorScheme: 'light' | 'dark'): Promise<Page>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** Epoch milliseconds of its first moment. */
  readonly startMs: number;
  readonly traders?: readonly PageTrader[];
  readonly status?: PageStatus;
  /** Does what is asked for on the page; nothing can be done there if left out. */
  readonly act?: (request: SiteRequest) => Promise<unknown>;
}

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

/** @throws UsageError when there is no Chromium */
export async function openStage({ startMs, traders = [], status = QUIET, act = refuse }: StageOptions): Promise<Stage> {
  const chromium = findChromium();
  if (chromium === null) throw new UsageError('There is no Chromium: install one, or set CHROMIUM_PATH');
  let nowMs = startMs;
  const names = ['message.create', 'message.edit', 'message.delete', 'message.read', 'webhook', 'other'] as const;
  const discord = await startDiscord({
    token: TOKEN,
    now: () => nowMs,
    globalLimit: UNLIMITED,
    rateLimits: Object.fromEntries(names.map((name) => [name, UNLIMITED])),
    webhookMinuteLimit: UNLIMITED.limit,
  });
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
    person: me.ref,
    rest,
    ...createSender({ rest, selfId: () => discord.bot.id, canReadHistory: () => true }),
    channel: (name) => discord.createChannel(guild.id, { name }).id,
    nowMs: () => nowMs,
    forward: (ms) => {
      nowMs += ms;
    },
    async open(size, colorScheme) {
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
