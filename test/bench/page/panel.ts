import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openSite } from '@walletbell/local-discord/site/site';
import { type APIApplicationCommandOption, ApplicationCommandOptionType } from 'discord.js';
import type { Locator, Page } from 'playwright-core';
import { SLASH_COMMANDS } from '../../../commands/slash-commands.ts';
import { programFile } from '../../../src/build/state.js';
import { LANGUAGES } from '../../../src/demo/site.ts';
import { findChromium, openBrowser } from '../../demo-page/browser.ts';
import { SIZES, settled } from '../../demo-page/stage.ts';
import { startBotHere } from '../../support/bot-here.ts';
import { nowSeconds, trade } from '../../support/records.ts';
import { WALLET } from '../../support/wallets.ts';
import { openWorld } from '../../support/world.ts';
import { DEFAULTS } from '../defaults.ts';
import { print } from '../figures.ts';
import { readOptions, UsageError } from '../usage.ts';
import { withPalette } from './palette.ts';

const WAIT_MS = 60_000;
/** The same three settings by options. */
const TYPED = '/watch edit wallet: Whale min-usdc: 50 mention: @traders cooldown: 10m';
const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;

/** What a person does on the page. */
interface Figures {
  /** Presses, texts and choices. */
  readonly actions: number;
  /** Touches: a field is touched before it is typed in, a menu opens with one. */
  readonly taps: number;
  readonly keys: number;
  readonly pastes: number;
  readonly seconds: number;
}

/** Counts what a person does on a page. */
function createFingers() {
  const done = { actions: 0, taps: 0, keys: 0, pastes: 0 };
  const beganMs = performance.now();
  const tap = async (what: Locator) => {
    done.actions += 1;
    done.taps += 1;
    await what.click();
  };
  return {
    tap,
    async type(field: Locator, text: string) {
      await tap(field);
      done.keys += text.length;
      await field.pressSequentially(text);
    },
    async paste(field: Locator, text: string) {
      await tap(field);
      done.pastes += 1;
      await field.fill(text);
    },
    /** Opens a menu and takes one of its options. */
    async choose(menu: Locator, label: string) {
      done.actions += 1;
      done.taps += 2;
      await menu.selectOption({ label });
    },
    figures: (): Figures => ({ ...done, seconds: (performance.now() - beganMs) / 1_000 }),
  };
}

/** Counts the options of all commands, and the words that describe them. */
function describedOptions() {
  const counted = { commands: 0, options: 0, words: 0 };
  const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length;
  const count = (option: APIApplicationCommandOption) => {
    counted.words += wordsIn(option.description);
    const isPath = option.type === Subcommand || option.type === SubcommandGroup;
    if (option.type === Subcommand) counted.commands += 1;
    else if (!isPath) counted.options += 1;
    if (isPath) for (const inner of option.options ?? []) count(inner);
  };
  for (const { definition } of SLASH_COMMANDS) {
    const { options = [], description } = definition.toJSON();
    counted.words += wordsIn(description);
    if (!options.some(({ type }) => type === Subcommand)) counted.commands += 1;
    for (const option of options) count(option);
  }
  return counted;
}

/**
 * Goes a person's way on a phone's page, before a bot that runs: from the invitation to an example of
 * an alert, then three settings by the panel, and back.
 *
 * @param to a folder for pictures of the panel and of a form; empty: none are taken
 * @throws UsageError when there is no Chromium
 */
export async function goFirstWay(to: string) {
  const chromium = findChromium();
  if (chromium === null)
    throw new UsageError('There is no Chromium: install one, or set CHROMIUM_PATH');
  const world = await openWorld('panel');
  const { discord, ledger } = world;
  const item = trade({ trader: WALLET, time: nowSeconds() - 180 });
  await ledger.addAll([{ kind: 'activity', wallet: WALLET, block: 1, item }]);
  const { id: guildId } = discord.createGuild({ name: 'Copy traders', withBot: false });
  discord.createChannel(guildId, { name: 'whales' });
  discord.createRole(guildId, { name: 'traders', mentionable: true });
  const ref = discord.createMember(guildId, { name: 'ada', admin: true });
  const ready = once(discord.events, 'commands');
  const variables = { ...world.environment, POLL_CRON: '* * * * * *' };
  const { bot, started } = startBotHere(variables, () => {});
  const browser = await openBrowser(chromium);
  const site = await openSite({
    discord,
    guildId,
    people: [{ ref, role: 'admin' }],
    languages: LANGUAGES,
    title: 'walletbell sandbox',
    port: 0,
    pageFolder: join(dirname(programFile('demo')), 'page'),
    status: () => ({ figures: [], controls: [], reports: [] }),
    press: async () => '',
  });
  try {
    await Promise.all([started, ready]);
    const context = await browser.newContext({
      viewport: SIZES.phone,
      colorScheme: 'dark',
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(site.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const first = await toExample(page, () => discord.inviteBot(guildId));
    const set = await setThree(page, to);
    const undone = await undo(page);
    if (discord.rejections.length > 0) throw new Error(JSON.stringify(discord.rejections));
    return { first, set, undone };
  } finally {
    await browser.close();
    await site.close();
    await bot.stop();
    await world.close();
  }
}

const buttonOn = (page: Page) => (name: string) =>
  page.getByRole('button', { name, exact: true }).last();
const messageWith = (page: Page, text: string | RegExp) =>
  page.locator('.message').filter({ hasText: text }).last();

/** From the invitation to a watch that has shown an alert. */
async function toExample(page: Page, invite: () => void): Promise<Figures> {
  const fingers = createFingers();
  const button = buttonOn(page);
  const form = page.getByRole('dialog');
  // The invitation is given elsewhere.
  invite();
  await fingers.tap(button('Add a wallet'));
  await fingers.paste(form.getByLabel('Address (0x…) or link of the wallet'), WALLET);
  await fingers.type(form.getByLabel('Name'), 'Whale');
  await fingers.tap(form.getByRole('button', { name: 'Submit' }));
  await fingers.tap(button('Show me how that looks'));
  await messageWith(page, 'Example · ').getByText('BUY').first().waitFor();
  return fingers.figures();
}

/** A minimum, a role and a cooldown, each by a form of the panel. */
async function setThree(page: Page, to: string): Promise<Figures> {
  const button = buttonOn(page);
  const form = page.getByRole('dialog');
  const submit = form.getByRole('button', { name: 'Submit' });
  await button('Settings').click();
  await messageWith(page, 'Settings of Whale').waitFor();
  const fingers = createFingers();
  await fingers.tap(button('How large'));
  await fingers.type(form.getByLabel('From, in $', { exact: true }), '50');
  if (to !== '') {
    await settled(page);
    await writeFile(join(to, 'panel-form.png'), withPalette(await form.screenshot()));
  }
  await fingers.tap(submit);
  await messageWith(page, 'from $50').waitFor();
  await fingers.tap(button('Who is mentioned'));
  await fingers.choose(form.getByLabel('Role'), '@traders');
  await fingers.tap(submit);
  await messageWith(page, 'mentions @traders').waitFor();
  await fingers.tap(button('How often'));
  await fingers.choose(form.getByLabel('One alert per market in'), '10m');
  await fingers.tap(submit);
  const panel = messageWith(page, 'at most one alert per market every 10m');
  await panel.waitFor();
  const figures = fingers.figures();
  if (to !== '') {
    await settled(page);
    await writeFile(join(to, 'panel.png'), withPalette(await panel.screenshot()));
  }
  return figures;
}

/** Takes the last of the three back. */
async function undo(page: Page): Promise<Figures> {
  const fingers = createFingers();
  await fingers.tap(buttonOn(page)('Undo'));
  const panel = messageWith(page, 'Undone, as far as');
  await panel.getByText('mentions').first().waitFor();
  return fingers.figures();
}

/** Prints how many options there are, and what a person does on a phone without any of them. */
export async function run(args: string[]): Promise<void> {
  const { to } = readOptions(args, DEFAULTS.panel);
  print({ measured: 'commands', ...describedOptions(), typed: TYPED.length });
  for (const [way, figures] of Object.entries(await goFirstWay(to))) {
    print({ measured: way, ...figures });
  }
}
