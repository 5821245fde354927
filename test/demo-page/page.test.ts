import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openSite, type Site } from '../../src/demo/site.ts';
import { IS_THOROUGH, within } from '../support/thorough.ts';
import { axeFindings, findChromium, openBrowser } from './browser.ts';

const chromiumPath = findChromium();
const isCi = process.env['CI'] === 'true';
if (chromiumPath === null && !isCi) {
  console.warn(
    'The page is not tested: no Chromium in the usual places. Install one, or set CHROMIUM_PATH.',
  );
}

/** Where the bot waits longer and longer between attempts, a busy machine may need this. */
const WAIT_MS = IS_THOROUGH ? 60_000 : 25_000;

describe.skipIf(chromiumPath === null && !isCi)(
  'the sandbox page in Chromium',
  { timeout: within(60_000) },
  () => {
    let site: Site;
    let browser: Browser;
    let page: Page;
    const complaints: string[] = [];
    const foreign: string[] = [];

    async function openPage(
      width: number,
      height: number,
      colorScheme: 'light' | 'dark',
    ): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        locale: 'en-US',
      });
      const opened = await context.newPage();
      opened.setDefaultTimeout(WAIT_MS);
      opened.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      opened.on('pageerror', (error) => complaints.push(String(error)));
      opened.on('request', (request) => {
        if (!request.url().startsWith(site.url)) foreign.push(request.url());
      });
      await opened.goto(site.url);
      await opened.getByRole('heading', { level: 1 }).waitFor();
      return opened;
    }

    const messages = () => page.getByRole('log', { name: 'Messages in' });
    const embeds = (text: string | RegExp) =>
      messages().locator('.embed').filter({ hasText: text });
    const status = async (name: string, value: string | RegExp) =>
      page.locator(`[data-status="${name}"] dd`).filter({ hasText: value }).waitFor();
    const listed = (name: string | RegExp) =>
      page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name });
    const marked = (name: string | RegExp) =>
      page.getByRole('option', { name, selected: true }).and(page.locator('#suggestions *'));
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

    const line = () => page.locator('#composer');
    /** Types a line and sends it. */
    async function send(text: string): Promise<void> {
      await line().fill(text);
      await line().press('Enter');
    }

    beforeAll(async () => {
      if (chromiumPath === null)
        throw new Error('There is no Chromium: install one, or set CHROMIUM_PATH.');
      [site, browser] = await Promise.all([
        openSite({
          port: 0,
          historyHours: 1,
          botMain: inject('botMain'),
          pageFolder: inject('pageFolder'),
          say: () => {},
          complain: () => {},
        }),
        openBrowser(chromiumPath),
      ]);
      await site.sandbox.open();
      page = await openPage(1280, 800, 'dark');
    });

    afterAll(async () => {
      await browser?.close();
      await site?.close();
    });

    it('runs a command with autocomplete, and turns the page of its answer with Next', async () => {
      await line().fill('/act');
      await marked('/activity').waitFor();
      await line().press('Enter');
      await line().pressSequentially('quick');
      await marked(/quickdraw/).waitFor();
      await line().press('Tab');
      await expect
        .poll(() => line().inputValue(), { timeout: WAIT_MS })
        .toMatch(/^\/activity wallet:quickdraw .*0x[0-9a-f]{4}…[0-9A-Fa-f]{4}.* $/i);
      await page.locator('#composer:focus').press('Enter');
      await embeds(/Page 1, newest first/).waitFor();
      await page.getByRole('button', { name: 'Next' }).last().click();
      await embeds(/Page 2, newest first/).waitFor();
      expect(await embeds(/Page 1, newest first/).count()).toBe(0);
    });

    it('lets the keys choose among suggestions as Discord does, and what is typed anywhere go into the line', async () => {
      await messages().focus();
      await page.keyboard.type('/');
      await listed('/activity').waitFor();
      await line().fill('/watch ');
      await listed('/activity').waitFor({ state: 'detached' });
      await marked('/watch add').waitFor();
      expect(await line().getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('ArrowUp');
      expect(await listed(/./).last().getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await marked('/watch edit').waitFor();
      const id = await line().getAttribute('aria-activedescendant');
      expect(await page.locator(`#${id}`).getAttribute('aria-selected')).toBe('true');
      // What was suggested for the line before is not picked for this one.
      let isHeld = true;
      await page.route('**/act', (route) =>
        isHeld && /suggest/.test(route.request().postData() ?? '') ? {} : route.continue(),
      );
      await page.keyboard.type('s');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'No such command here' }).waitFor();
      isHeld = false;
      await page.keyboard.type('c');
      await marked('/watch scores').waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => line().inputValue(), { timeout: WAIT_MS }).toBe('/watch scores ');
      await listed('channel:').waitFor();
      expect(
        await line().getAttribute('aria-activedescendant'),
        'an option that may be left out',
      ).toBeNull();
      await page.keyboard.press('Escape');
      await listed(/./).first().waitFor({ state: 'detached' });
      expect(await line().inputValue()).toBe('/watch scores ');
      await page.keyboard.press('Enter');
      await messages().locator('.answered', { hasText: '/watch scores' }).waitFor();
    });

    it('shows an alert the moment it arrives, without a reload', async () => {
      await page.evaluate('window.isTheSame = true');
      const deposits = messages().locator('.message', { hasText: / deposited / });
      const before = await deposits.count();
      await press('Deposit');
      const alert = deposits.nth(before);
      await alert.waitFor();
      await press('Buy');
      await status('Last delay', /\d s/);
      expect(await page.evaluate('window.isTheSame')).toBe(true);
      await alert.hover();
      await alert.getByRole('button', { name: 'Apps: Look up wallets' }).click();
      await messages().locator('.message.ephemeral .embed', { hasText: 'quickdraw' }).waitFor();
    });

    it('says of each trader how it trades, and what the bot is to find out of it', async () => {
      const traders = page.getByRole('region', { name: 'A wallet' });
      await traders.getByText('round trips: in and soon out again · no edge').waitFor();
      await page.locator('#wallet').selectOption({ label: 'copperline (brisk)' });
      await traders.getByText('· true edge 15¢ a share').waitFor();
      await page.locator('#wallet').selectOption({ label: 'quickdraw (fast)' });
    });

    it('shows the error for a bad address to the person who typed it alone', async () => {
      await send('/watch add wallet:0x1234');
      const error = messages().locator('.message.ephemeral', {
        hasText: '0x followed by 40 hex digits',
      });
      await error.waitFor();
      await error.getByText('Only you can see this').waitFor();
      await page.locator('#person').selectOption({ label: 'bob (member)' });
      await error.waitFor({ state: 'detached' });
    });

    it('lists what reached the receiver of signed alerts, of whom, and that its signature is right', async () => {
      const report = page.getByRole('region', { name: /^Signed alerts: [1-9]/ });
      await report
        .getByRole('listitem')
        .filter({ hasText: /(trade|deposit) · \w+ signature verified/ })
        .first()
        .waitFor();
      expect(await report.textContent()).toContain('0 repeated · 0 refused');
    });

    it('offers a member only what a member may use', async () => {
      await line().fill('/');
      await listed('/activity').waitFor();
      expect(await listed('/watch').count()).toBe(0);
      await send('/watch list');
      await page.getByRole('alert').filter({ hasText: 'No such command here' }).waitFor();
      await line().fill('');
      await page.locator('#person').selectOption({ label: 'ada (admin)' });
    });

    it('speaks the language that a person chooses: commands, options, suggestions and answers', async () => {
      await page.locator('#language').selectOption({ label: 'Deutsch' });
      await line().fill('/');
      await listed('/beobachten hinzufügen').waitFor();
      expect(await listed('/watch').count()).toBe(0);
      await line().fill('/aktivität wallet:quick');
      await listed(/quickdraw/).waitFor();
      await line().fill('/aktivität wallet:quickdraw aktion:k');
      await listed(/^Kauf/).waitFor();
      await send('/beobachten hinzufügen wallet:0x1234');
      await messages()
        .locator('.message.ephemeral', { hasText: 'gefolgt von 40 Hexziffern' })
        .waitFor();
      await page.locator('#language').selectOption({ label: 'English' });
      await line().fill('/watch');
      await listed('/watch add').waitFor();
      await line().fill('');
    });

    it('does as the chosen person what is done while that person’s server is still on its way', async () => {
      const ada = await page.locator('#person').inputValue();
      await page.locator('#person').selectOption({ label: 'bob (member)' });
      await line().fill('/');
      await listed('/activity').waitFor();
      await expect.poll(() => listed('/watch').count(), { timeout: WAIT_MS }).toBe(0);
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const holdEvents = async (route: Route) => {
        await released;
        await route.continue();
      };
      await page.route('**/events?*', holdEvents, { times: 1 });
      await page.locator('#person').selectOption({ label: 'ada (admin)' });
      const asked = page.waitForRequest('**/act');
      await page.locator('#language').selectOption({ label: 'Deutsch' });
      expect((await asked).postDataJSON()).toEqual({ do: 'language', as: ada, locale: 'de' });
      release();
      await line().fill('/');
      await listed('/beobachten hinzufügen').waitFor();
      await page.locator('#language').selectOption({ label: 'English' });
      await line().fill('');
    });

    it('shows no double and no loss when the bot is killed and started again', async () => {
      await status('On the way', '0');
      await press('Kill it');
      await status('Bot', 'not running');
      // A message of its own in any case: a purchase of the market bought last would be one more
      // line of its alert.
      const deposits = messages().locator('.message', { hasText: / deposited / });
      const before = await deposits.count();
      await messages().locator('.byline', { hasText: 'offline' }).first().waitFor();
      await send('/watch list');
      const unanswered = messages().locator('.message', {
        hasText: 'The application did not respond',
      });
      await unanswered.filter({ hasText: 'used /watch list' }).waitFor();
      await unanswered.getByRole('button', { name: 'Dismiss message' }).click();
      await messages().locator('.row button').last().click();
      await messages().getByText('This interaction failed').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await press('Deposit');
      await status('On the way', /[1-9]/);
      await press('Start it');
      await status('Bot', 'running');
      await status('On the way', /^0$/);
      await status('Duplicates', /^0$/);
      await deposits.nth(before).waitFor();
      await messages().locator('.byline', { hasText: 'offline' }).first().waitFor({
        state: 'detached',
      });
    });

    it('takes the venue down and brings it back, and the alert comes', async () => {
      await press('Down');
      await status('Venue', 'down');
      await press('Sell');
      await status('On the way', /[1-9]/);
      await press('Answers');
      await status('Venue', 'answers');
      await status('On the way', /^0$/);
    });

    it('shows in red what Discord refuses', async () => {
      site.sandbox.discord.faults.refuseRest({
        status: 500,
        route: 'POST /channels/:channel/messages',
      });
      await press('Deposit');
      const refused = page.getByRole('log', { name: 'Complaints' }).getByRole('listitem');
      await refused.filter({ hasText: 'POST /channels/' }).waitFor();
      expect(await refused.first().getAttribute('class')).toBe('rejected');
      await status('On the way', /^0$/);
    });

    it('shows that the bot may not write, and the alert when it may again', async () => {
      await page.getByLabel('The bot here').selectOption('send');
      await page.getByTitle('The bot may not write here').waitFor();
      await press('Withdraw');
      await status('On the way', /[1-9]/);
      await page.getByLabel('The bot here').selectOption('nothing');
      await status('On the way', /^0$/);
    });

    it('makes a channel, watches a wallet there by a suggestion, and deletes it', async () => {
      await press('New channel');
      await page.getByRole('button', { name: 'channel-1' }).waitFor();
      await line().fill('/watch add wallet:quickdraw channel:#ch');
      await listed('#channel-1').click();
      await press('Send');
      await embeds('Watching').filter({ hasText: 'channel-1' }).waitFor();
      await page.getByRole('button', { name: 'channel-1' }).click();
      await press('Deposit');
      await embeds('quickdraw').or(embeds('0x16c6')).first().waitFor();
      await status('On the way', /^0$/);
      await status('Duplicates', /^0$/);
      await page.reload();
      await press('New channel');
      await page.getByRole('button', { name: 'channel-2' }).waitFor();
      await page.getByRole('button', { name: 'channel-1' }).click();
      await press('Delete the channel');
      await press('Really delete #channel-1');
      await page.getByRole('button', { name: 'channel-1' }).waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1, name: 'whales' }).waitFor();
    });

    it('shows ada’s direct message with the bot: a private watch, its alerts, and messages that are closed and opened again', async () => {
      await page.getByRole('button', { name: 'walletbell (direct message)' }).click();
      await page.getByRole('heading', { level: 1, name: 'walletbell' }).waitFor();
      const { address } = site.sandbox.simulator.traders.find(
        ({ handle }) => handle === 'quickdraw',
      ) ?? { address: '' };
      await send(`/watch add wallet:${address} label:Mine`);
      await embeds('Watching').filter({ hasText: 'this DM' }).waitFor();
      await messages().getByText('Your private alerts will arrive here').waitFor();
      await press('Deposit');
      await messages()
        .getByText(/Mine deposited/)
        .first()
        .waitFor();
      await press('Closed');
      await page.getByRole('button', { name: 'Closed', pressed: true }).waitFor();
      await press('Withdraw');
      await page.getByText('Cannot send messages to this user').first().waitFor();
      await press('Open');
      await send('/watch list');
      await messages()
        .getByText(/Mine withdrew/)
        .first()
        .waitFor();
      await status('On the way', /^0$/);
      await status('Duplicates', /^0$/);
      await page.getByRole('button', { name: 'whales' }).click();
      await page.getByRole('heading', { level: 1, name: 'whales' }).waitFor();
    });

    it('has no finding of axe-core, dark and light, wide and on a phone, with its controls', async () => {
      await line().fill('/');
      await listed(/./).first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const wide = await openPage(1280, 800, 'light');
      await wide.locator('.embed').first().waitFor();
      expect(await axeFindings(wide)).toEqual([]);
      for (const scheme of ['light', 'dark'] as const) {
        const phone = await openPage(390, 844, scheme);
        await phone.locator('.embed').first().waitFor();
        expect(await axeFindings(phone)).toEqual([]);
        await phone.getByRole('button', { name: 'Controls' }).click();
        await phone.getByRole('heading', { name: /^Signed alerts: / }).waitFor();
        expect(await axeFindings(phone)).toEqual([]);
        const width: unknown = await phone.evaluate('document.documentElement.scrollWidth');
        expect(width, 'nothing is wider than the phone').toBe(390);
      }
    });

    it('leaves the console clean and asks nothing of anybody else', () => {
      expect(complaints).toEqual([]);
      expect(foreign).toEqual([]);
    });
  },
);
