import { openSite as openLocalSite } from '@walletbell/local-discord/site/site';
import { LANGUAGE_TAGS, languageFor } from '../language/language.ts';
import { NO_PROGRESS, type Progress } from '../lib/progress.ts';
import { alertSeconds } from './alert-parser.ts';
import { createPanel } from './panel.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** The bot's languages. */
export const LANGUAGES = LANGUAGE_TAGS.map((locale) => ({
  locale,
  name: languageFor(locale).texts.commands.languageName,
}));

/** The sandbox with its page. */
export interface Site {
  readonly url: string;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Port of the page; 0 picks a free one. */
  readonly port: number;
  readonly historyHours: number;
  /** The bot's program, dist/main.js. */
  readonly botMain: string;
  /** The built page, dist/page. */
  readonly pageFolder: string;
  readonly progress?: Progress;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** Options of `/watch channel` that change which alerts are posted, or when. */
const HOLDING = ['words', 'consensus-only', 'delay'];

/**
 * Serves the page; `site.sandbox.open()` then starts the bot, while the page is already visible.
 */
export async function openSite(options: SiteOptions): Promise<Site> {
  const {
    port,
    historyHours,
    botMain,
    pageFolder,
    progress = NO_PROGRESS,
    say,
    complain,
  } = options;
  let sendStatus = () => {};
  const sandbox = await createSandbox({
    discordPort: 0,
    historyHours,
    botMain,
    progress,
    say,
    complain,
    onBotState: () => sendStatus(),
    onBotLine: ({ event, wallet, channel, parts }) => {
      if (typeof channel !== 'string') return;
      const isHeld = Array.isArray(parts) && HOLDING.some((part) => parts.includes(part));
      if (event === 'channel.changed' && isHeld) sandbox.account.channelChanged(channel);
      if (typeof wallet !== 'string') return;
      if (event === 'watch.added') sandbox.account.watchBegun(wallet, channel, Date.now() / 1000);
      if (event === 'watch.changed') sandbox.account.watchChanged(wallet, channel);
      if (event === 'watch.removed') sandbox.account.watchEnded(wallet, channel);
    },
  });
  const { discord, guildId } = sandbox;
  let lastDelaySeconds: number | null = null;
  discord.events.on('message', (seen) => {
    const timeSeconds = alertSeconds(seen);
    if (timeSeconds !== undefined) {
      lastDelaySeconds = Math.max(0, seen.createdAtMs / 1000 - timeSeconds);
    }
  });
  let channelIds = channelsOf(sandbox);
  discord.events.on('world', () => {
    const present = channelsOf(sandbox);
    for (const id of channelIds) if (!present.has(id)) sandbox.account.channelGone(id);
    channelIds = present;
  });
  const panel = createPanel(sandbox, () => lastDelaySeconds);
  try {
    const site = await openLocalSite({
      discord,
      guildId,
      people: [
        { ref: sandbox.admin, role: 'admin', directId: sandbox.directId },
        { ref: sandbox.member, role: 'member' },
      ],
      languages: LANGUAGES,
      title: 'walletbell sandbox',
      port,
      pageFolder,
      ...panel,
    });
    sendStatus = site.sendStatus;
    return {
      url: site.url,
      sandbox,
      async close() {
        await sandbox.close();
        await site.close();
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function channelsOf({
  discord,
  guildId,
}: Pick<Sandbox, 'discord' | 'guildId'>): ReadonlySet<string> {
  return new Set(discord.guild(guildId)?.channels.keys());
}
