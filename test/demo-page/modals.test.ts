import { startDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { openSite } from '@walletbell/local-discord/site/site';
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  ModalBuilder,
  type ModalSubmitInteraction,
  StringSelectMenuBuilder,
} from 'discord.js';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { NO_RATE_LIMITS } from '../../packages/local-discord/test/unlimited.ts';
import { variants, within } from '../support/thorough.ts';
import { axeFindings, findChromium, openBrowser } from './browser.ts';
import { SIZES } from './stage.ts';

const chromiumPath = findChromium();
const isSkipped = chromiumPath === null && process.env['CI'] !== 'true';
const TOKEN = 'modals.token.of-the-local-discord';

const labelled = (label: string, component: object, description?: string) => ({
  type: 18,
  label,
  component,
  ...(description === undefined ? {} : { description }),
});
const kinds = ['buy', 'sell', 'redeem'].map((value) => ({
  label: `Every ${value}`,
  value,
  description: `All of a wallet’s ${value}s`,
}));
const none = { required: false, min_values: 0 };

/** Two modals with every kind of field that a settings form may have. */
const MODALS: Readonly<Record<string, object>> = {
  size: {
    custom_id: 'size',
    title: 'How large, and who is mentioned',
    components: [
      { type: 10, content: 'What is **smaller** is not posted.' },
      labelled('From $', { type: 4, custom_id: 'from', style: 1, value: '50', max_length: 6 }),
      labelled(
        'Which markets',
        { type: 4, custom_id: 'words', style: 2, required: false, placeholder: 'rain' },
        'One a line',
      ),
      labelled('Role', { type: 6, custom_id: 'role', ...none }, 'Nobody is mentioned without one'),
      labelled('Look', { type: 3, custom_id: 'look', options: kinds }),
    ],
  },
  kinds: {
    custom_id: 'kinds',
    title: 'What to alert on',
    components: [
      labelled('Kinds', { type: 22, custom_id: 'kinds', options: kinds, ...none }),
      labelled('Side', { type: 21, custom_id: 'side', options: kinds, required: false }),
      labelled('Results, too', { type: 23, custom_id: 'results', default: true }),
      labelled('Channels', { type: 8, custom_id: 'channels', ...none, max_values: 2 }),
      labelled('A list', { type: 19, custom_id: 'file', ...none, file_types: ['.csv'] }),
    ],
  },
};

const valuesOf = ({ components }: ModalSubmitInteraction) =>
  components.flatMap((one) => {
    if (!('component' in one)) return [];
    const { component } = one;
    return [
      component.type === 19 ? 'files' : 'value' in component ? component.value : component.values,
    ];
  });

describe.skipIf(isSkipped)('a modal on the page', { timeout: within(60_000) }, () => {
  let browser: Browser;

  beforeAll(async () => {
    if (chromiumPath === null) throw new Error('There is no Chromium.');
    browser = await openBrowser(chromiumPath);
  });
  afterAll(() => browser?.close());

  /** A page before a bot whose buttons open the modals and whose submits are answered so. */
  async function openPage(
    onSubmit: (submit: ModalSubmitInteraction) => unknown,
    look: { readonly size?: keyof typeof SIZES; readonly colorScheme?: 'light' | 'dark' } = {},
    ackMs = 30_000,
  ) {
    const discord = await startDiscord({ ...NO_RATE_LIMITS, token: TOKEN, ackMs });
    const { id: guildId } = discord.createGuild({ name: 'Desk' });
    const { id: channelId } = discord.createChannel(guildId, { name: 'alerts' });
    discord.createRole(guildId, { name: 'traders' });
    const ref = discord.createMember(guildId, { name: 'ada', admin: true });
    const client = new Client({
      intents: [GatewayIntentBits.Guilds],
      rest: { api: discord.apiUrl },
    });
    const site = await openSite({
      discord,
      guildId,
      people: [{ ref, role: 'admin' }],
      languages: [],
      title: 'Modals',
      port: 0,
      pageFolder: inject('pageFolder'),
      status: () => ({ figures: [], controls: [], reports: [] }),
      press: async () => '',
    });
    const buttons = new ActionRowBuilder<ButtonBuilder>().addComponents(
      Object.keys(MODALS).map((id) =>
        new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(ButtonStyle.Primary),
      ),
    );
    const menu = new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
      new StringSelectMenuBuilder()
        .setCustomId('menu')
        .setPlaceholder('Settings of…')
        .addOptions(kinds),
    );
    const handle = async (interaction: Interaction) => {
      const modal = (id: string) => new ModalBuilder(MODALS[id]);
      if (interaction.isButton()) await interaction.showModal(modal(interaction.customId));
      if (interaction.isStringSelectMenu()) await interaction.showModal(modal('kinds'));
      if (interaction.isChatInputCommand()) await interaction.showModal(modal('size'));
      if (interaction.isModalSubmit()) await onSubmit(interaction);
    };
    client.on(Events.InteractionCreate, (interaction) => void handle(interaction));
    const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
    await client.login(TOKEN);
    await ready;
    await client.application?.commands.set([{ name: 'settings', description: 'The settings' }]);
    const message = { content: 'The settings', components: [buttons, menu] };
    const channel = await client.channels.fetch(channelId);
    if (channel?.isSendable()) await channel.send(message);

    const complaints: string[] = [];
    const { size = 'desktop', colorScheme = 'dark' } = look;
    const context = await browser.newContext({ viewport: SIZES[size], colorScheme });
    const page = await context.newPage();
    page.on('console', (entry) => {
      if (['error', 'warning'].includes(entry.type())) complaints.push(entry.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(site.url);
    await page.getByText('The settings').waitFor();
    onTestFinished(async () => {
      await context.close();
      await site.close();
      await client.destroy();
      await discord.close();
    });
    const dialog = page.getByRole('dialog');
    const open = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await dialog.waitFor();
    };
    return { discord, channelId, page, dialog, open, complaints };
  }

  const isFocused = (locator: Locator) =>
    locator.and(locator.page().locator(':focus')).waitFor({ timeout: within(10_000) });

  it('is filled in, submitted by Enter, and gives the keys back', async () => {
    const seen: unknown[] = [];
    const { page, dialog, open, complaints, discord } = await openPage(async (submit) => {
      seen.push(valuesOf(submit));
      await submit.reply({ content: 'Changed', flags: 64 });
    });
    await open('size');
    await expect.poll(() => dialog.getAttribute('aria-labelledby')).toBe('modal-title');
    expect(await dialog.getByRole('heading').textContent()).toContain('How large');
    const from = dialog.getByLabel('From $');
    await isFocused(from);
    expect(await from.inputValue()).toBe('50');
    await from.fill(' 1,000');
    await dialog.getByLabel('Which markets').fill('rain');
    await dialog.getByLabel('Which markets').press('Enter');
    await dialog.getByLabel('Which markets').pressSequentially('snow');
    await dialog.getByLabel('Role').selectOption({ label: '@traders' });
    await dialog.getByLabel('Look').selectOption('sell');
    await from.press('Enter');
    await page.getByText('Changed').waitFor();
    expect(await dialog.count()).toBe(0);
    await isFocused(page.getByRole('button', { name: 'size', exact: true }));
    expect(seen).toEqual([[' 1,000', 'rain\nsnow', [expect.stringMatching(/^\d+$/)], ['sell']]]);
    expect(complaints).toEqual([]);
    expect(discord.rejections).toEqual([]);
  });

  it('has groups, checkboxes, channels and files', async () => {
    const seen: unknown[] = [];
    const { dialog, open, channelId, page } = await openPage(async (submit) => {
      seen.push([...valuesOf(submit), submit.fields.getUploadedFiles('file')?.first()?.name]);
      await submit.deferUpdate();
    });
    await open('kinds');
    const kindsGroup = dialog.getByRole('group', { name: 'Kinds' });
    await isFocused(kindsGroup.getByRole('checkbox', { name: 'Every buy' }));
    await kindsGroup.getByRole('checkbox', { name: 'Every sell' }).check();
    await kindsGroup.getByRole('checkbox', { name: 'Every redeem' }).check();
    const side = dialog.getByRole('radiogroup', { name: 'Side' });
    await side.getByRole('radio', { name: 'Every buy' }).check();
    await dialog.getByLabel('Results, too').uncheck();
    await dialog.getByRole('checkbox', { name: '#alerts' }).check();
    const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') };
    await dialog.getByLabel('A list').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open('kinds');
    const again = dialog.getByRole('radio', { name: 'Every buy' });
    await again.check();
    await dialog.getByRole('button', { name: 'Clear the choice' }).click();
    expect(await again.isChecked()).toBe(false);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(seen).toEqual([
      [['sell', 'redeem'], 'buy', false, [channelId], 'files', 'a.csv'],
      [[], null, true, [], 'files', undefined],
    ]);
    expect(await page.locator('.modal').count()).toBe(0);
  });

  it('says beside a field what is wrong, and keeps what was typed', async () => {
    const { dialog, open } = await openPage(() => {
      throw new Error('It was submitted.');
    });
    await open('size');
    const from = dialog.getByLabel('From $');
    await from.fill('1,000,000');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.getByText('Must be 6 or fewer characters.').waitFor();
    await dialog.getByText('This field is required.').waitFor();
    await isFocused(from);
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    const about = await from.getAttribute('aria-describedby');
    expect(await dialog.locator(`[id="${about}"]`).textContent()).toContain('6 or fewer');
    expect(await from.inputValue()).toBe('1,000,000');
  });

  it('is closed by Escape, Cancel, its cross or a press beside it: the bot learns nothing; and keeps Tab within it', async () => {
    let submits = 0;
    const { page, dialog, open, discord } = await openPage(() => {
      submits += 1;
    });
    const ways: readonly (() => Promise<unknown>)[] = [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
    ];
    for (const close of ways) {
      await open('size');
      await dialog.getByLabel('From $').fill('7');
      await close();
      await dialog.waitFor({ state: 'detached' });
      await isFocused(page.getByRole('button', { name: 'size', exact: true }));
    }
    await open('size');
    expect(await dialog.getByLabel('From $').inputValue(), 'as the bot has filled it in').toBe(
      '50',
    );
    expect(submits).toBe(0);
    expect(discord.rejections).toEqual([]);
    // Tab stays within it.
    await dialog.getByRole('button', { name: 'Submit' }).focus();
    await page.keyboard.press('Tab');
    await isFocused(dialog.getByRole('button', { name: 'Close' }));
    await page.keyboard.press('Shift+Tab');
    await isFocused(dialog.getByRole('button', { name: 'Submit' }));
    await page.keyboard.press('Shift+Tab');
    await isFocused(dialog.getByRole('button', { name: 'Cancel' }));
  });

  it('stays open where the bot does not answer, and is answered at the second try', async () => {
    let submits = 0;
    const { page, dialog, open } = await openPage(
      async (submit) => {
        submits += 1;
        if (submits > 1) await submit.reply('Changed at last');
      },
      {},
      3_000,
    );
    await open('size');
    await dialog.getByLabel('From $').fill('75');
    await dialog.getByLabel('Look').selectOption('buy');
    await dialog.getByLabel('From $').press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'Something went wrong' }).waitFor();
    expect(await dialog.getByLabel('From $').inputValue()).toBe('75');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Changed at last').waitFor();
    expect(submits).toBe(2);
  });

  it('opens at a command and at a menu; the menu does not send again what it shows as chosen', async () => {
    let presses = 0;
    const { page, dialog, discord } = await openPage(() => {});
    discord.events.on('interaction', ({ type, state }) => {
      if (type === 3 && state === 'waiting') presses += 1;
    });
    const line = page.locator('#composer');
    await line.fill('/settings');
    await line.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const menu = page.getByLabel('Settings of…');
    const choose = async (value: string) => {
      await menu.selectOption(value);
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    await choose('sell');
    await menu.selectOption('sell');
    await choose('buy');
    expect(presses).toBe(2);
    await page.reload();
    await choose('buy');
    expect(presses, 'a client that was started anew').toBe(3);
  });

  const looks = [
    ['phone', 'dark'],
    ['phone', 'light'],
    ['desktop', 'dark'],
    ['desktop', 'light'],
  ] as const;
  it.each(variants(looks, ([size, scheme]) => size === 'phone' && scheme === 'dark'))(
    'fits on a %s and is clean for axe in %s',
    async (size, colorScheme) => {
      const { page, dialog, open } = await openPage(() => {}, { size, colorScheme });
      for (const name of Object.keys(MODALS)) {
        await open(name);
        await dialog.getByRole('button', { name: 'Submit' }).click();
        if (name === 'size') {
          await dialog.getByText('This field is required.').waitFor();
          expect(await axeFindings(page)).toEqual([]);
          expect(await sideways(page)).toEqual([]);
          const box = await dialog.boundingBox();
          expect(box?.width).toBeLessThanOrEqual(SIZES[size].width);
          expect(box?.height).toBeLessThanOrEqual(SIZES[size].height);
          expect(await small(page), 'is easily touched').toEqual([]);
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        }
      }
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toEqual([]);
      expect(await small(page), 'is easily touched').toEqual([]);
    },
  );
});

/** What of the dialog is wider than its place. */
const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.modal, .modal :is(form, div, p, h2)')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1)
    .map((one) => one.tagName + '.' + one.className)`);

/** What of the dialog is pressed and lower than 44 px. */
const small = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.modal :is(button, select, textarea, .choice, input[type="text"])')]
    .filter((one) => one.getBoundingClientRect().height < 44)
    .map((one) => one.tagName + ' ' + one.textContent.trim())`);
