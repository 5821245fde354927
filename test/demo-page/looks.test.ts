import type { SiteRequest } from '@walletbell/local-discord/site/requests';
import { type RawFile, Routes } from 'discord.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createChartRenderer } from '../../src/charts/render.ts';
import { within } from '../support/thorough.ts';
import { axeFindings, findChromium } from './browser.ts';
import { openStage, type Stage, settled } from './stage.ts';

const isSkipped = findChromium() === null && process.env['CI'] !== 'true';
const NOW_MS = Date.UTC(2026, 4, 1, 14, 13);
const MINUTE_MS = 60_000;
const idSchema = z.object({ id: z.string() });

const row = (...components: object[]) => ({ type: 1, components });
const ALERT = {
  content: '🟢 Whale BUY **Yes** $786.34 at 63.6¢ · Will it rain?',
  embeds: [
    {
      author: { name: 'Whale', url: 'https://venue.example/wallet' },
      title: `Will it rain? ${'And will it rain on the day after, and on the day after that? '.repeat(2)}`,
      url: 'https://venue.example/market',
      description: `${'Now 2,234.5 shares, bought for 58.2¢ on average. '.repeat(4)}\n-# 14 fills`,
      thumbnail: { url: 'https://venue.example/logo.png' },
      footer: { text: '8 s after the trade' },
      timestamp: new Date(NOW_MS - 8_000).toISOString(),
      color: 0x2ecc71,
    },
    { title: 'The same address: never shown', url: 'https://venue.example/market' },
  ],
  components: [
    row(
      { type: 2, style: 5, label: 'View market', url: 'https://venue.example/market' },
      { type: 2, style: 2, label: 'Details', custom_id: 'details' },
    ),
  ],
};
const MENU = {
  content: 'Four alerts at once',
  components: [
    row({
      type: 3,
      custom_id: 'menu',
      placeholder: 'Details or mute…',
      options: [
        { label: 'Buy', value: 'first', description: 'Will it rain?', emoji: { name: '🟢' } },
        { label: 'Sell', value: 'second' },
      ],
    }),
  ],
};

/** What is wider than its place on the screen, for eyes. */
const SIDEWAYS = `[...document.querySelectorAll('html, body, body *')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1)
  .filter((one) => !/inline|contents|none/.test(getComputedStyle(one).display) || one.tagName === 'HTML')
  .filter((one) => one.tagName !== 'OPTION' && one.tagName !== 'SELECT')
  .map((one) => one.tagName + '.' + one.className + ' ' + one.scrollWidth + ' > ' + one.clientWidth)`;
const LIST = `document.querySelector('.messages')`;

describe.skipIf(isSkipped)('messages on the page', { timeout: within(60_000) }, () => {
  let stage: Stage;
  let channelId: string;
  const asked: SiteRequest[] = [];
  const post = async (body: object, to = channelId, files: RawFile[] = []) =>
    idSchema.parse(await stage.rest.post(Routes.channelMessages(to), { body, files })).id;
  const message = (page: Page, id: string) => page.locator(`[data-message-id="${id}"]`);

  const open = async (...looks: Parameters<Stage['open']>): Promise<Page> => {
    const page = await stage.open(...looks);
    onTestFinished(() => page.context().close());
    return page;
  };

  beforeAll(async () => {
    stage = await openStage({
      startMs: NOW_MS,
      act: async (request) => {
        asked.push(request);
        return { unanswered: null, modal: null };
      },
    });
    channelId = stage.channel('whales');
  });

  afterAll(() => stage?.close());

  it('are followed to their end when one is sent, also where a picture comes late, and not while earlier ones are read', async () => {
    const channel = stage.channel('long');
    const postHere = (body: object, data?: Buffer) =>
      post(body, channel, data === undefined ? [] : [{ name: 'chart.png', data }]);
    for (let index = 0; index < 60; index += 1) await postHere({ content: `Message ${index}` });
    const page = await open('desktop', 'dark');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/chart\.png/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'long' }).click();
    const list = page.getByRole('log', { name: 'Messages in #long' });
    await list.getByText('Message 59').waitFor();
    const gap = () =>
      page.evaluate(`${LIST}.scrollHeight - ${LIST}.scrollTop - ${LIST}.clientHeight`);
    await expect.poll(gap).toBeLessThan(1);

    // The browser says that somebody has scrolled only after something was drawn: that takes nobody
    // back.
    await page.evaluate(`window.late = (event) => event.stopPropagation();
      window.addEventListener('scroll', window.late, true);
      ${LIST}.scrollTo(0, 0);
      ${LIST}.dispatchEvent(new Event('load'))`);
    await settled(page);
    await page.evaluate(`window.removeEventListener('scroll', window.late, true)`);
    await postHere({ content: 'While you read' });
    await list.getByText('While you read').waitFor();
    await settled(page);
    expect(await gap()).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Jump to present' }).click();
    await expect.poll(gap).toBeLessThan(1);
    await page.getByRole('button', { name: 'Jump to present' }).waitFor({ state: 'detached' });
    await page.evaluate(`${LIST}.scrollTo(0, 0)`);
    await page.getByRole('button', { name: 'Jump to present' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    asked.splice(0);

    await page.locator('#composer').fill('/activity');
    await page.locator('#composer').press('Enter');
    await expect
      .poll(() => asked.splice(0))
      .toEqual(
        expect.arrayContaining([expect.objectContaining({ do: 'send', text: '/activity' })]),
      );
    await expect.poll(gap).toBeLessThan(1);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><rect width="1200" height="900"/></svg>';
    const picture = message(
      page,
      await postHere({ content: 'A chart' }, await createChartRenderer().png(svg)),
    );
    await picture.waitFor();
    await expect.poll(gap).toBeLessThan(1);
    release();
    await expect.poll(async () => (await picture.boundingBox())?.height).toBeGreaterThan(200);
    await expect.poll(gap).toBeLessThan(1);
    asked.splice(0);
  });

  it('have the measures and the parts that Discord gives them', async () => {
    const id = await post(ALERT);
    for (const size of ['desktop', 'phone'] as const) {
      const page = await open(size, 'dark');
      const shown = message(page, id);
      const embed = shown.locator('.embed');
      expect(await embed.count()).toBe(1);
      const box = await embed.boundingBox();
      expect(box?.width).toBe(size === 'desktop' ? 436 : 390 - 64 - 12);
      const text = await shown.innerText();
      const parts = [
        'walletbell',
        '2:13 PM',
        'BUY Yes',
        'Will it rain? And',
        '14 fills',
        '8 s after the trade • Today at 2:12 PM',
      ];
      const places = parts.map((part) => text.indexOf(part));
      expect(places.every((place) => place >= 0)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(await shown.locator('small.subtext').innerText()).toBe('14 fills');
      expect(await embed.locator('.title a').getAttribute('href')).toBe(
        'https://venue.example/market',
      );
      expect(await embed.locator('.author a').getAttribute('href')).toBe(
        'https://venue.example/wallet',
      );
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('.embed')).borderLeftColor"),
      ).toBe('rgb(46, 204, 113)');
    }
  });

  it('give the text of an embed all the width that its thumbnail leaves', async () => {
    const [alert] = ALERT.embeds;
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"/>';
    const logo = [{ name: 'logo.png', data: await createChartRenderer().png(svg) }];
    const near = { ...alert, thumbnail: { url: 'attachment://logo.png' } };
    const withPicture = await post({ embeds: [near] }, channelId, logo);
    // What is on no server that the page knows is left out, as in Discord.
    const unreached = await post({ embeds: [alert] });
    const page = await open('desktop', 'dark');
    const widthOf = async (id: string) =>
      (await message(page, id).locator('.description').boundingBox())?.width;
    // Bar, border and padding take 33 px, the thumbnail and its margin 96.
    expect(await widthOf(unreached)).toBe(436 - 33);
    expect(await widthOf(withPicture)).toBe(436 - 33 - 96);
  });

  it('give bold print, figures and links of an embed’s field one line', async () => {
    const value = '**Yes $786** · [Will it rain?](https://venue.example/market)';
    const id = await post({ embeds: [{ fields: [{ name: 'Open', value }] }] });
    const page = await open('desktop', 'dark');
    const field = message(page, id).locator('.embed .field');
    const [bold, link] = [field.locator('strong'), field.locator('a')];
    const topOf = async (part: typeof bold) => (await part.boundingBox())?.y ?? Number.NaN;
    expect(await topOf(link)).toBeCloseTo(await topOf(bold), 0);
  });

  it('lead out of Discord by a button that opens a page of its own, and asks nothing of the bot', async () => {
    const page = await open('desktop', 'dark');
    const link = page.getByRole('link', { name: 'View market' }).last();
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await link.locator('svg').count()).toBe(1);
    await page.getByRole('button', { name: 'Details' }).last().click();
    await expect.poll(() => asked.splice(0)).toMatchObject([{ do: 'press', customId: 'details' }]);
  });

  it('ask for what is chosen in a menu, as Discord does', async () => {
    const id = await post(MENU);
    const page = await open('desktop', 'dark');
    const menu = message(page, id).getByRole('combobox', { name: 'Details or mute…' });
    expect(await menu.locator('option').allInnerTexts()).toEqual([
      'Details or mute…',
      '🟢 Buy — Will it rain?',
      'Sell',
    ]);
    await menu.selectOption('second');
    const as = stage.person.userId;
    await expect
      .poll(() => asked.splice(0))
      .toEqual([{ do: 'select', as, messageId: id, customId: 'menu', values: ['second'] }]);
  });

  it('say that they were edited, are silent, answer another, or that it is gone', async () => {
    stage.forward(10 * MINUTE_MS);
    const first = await post({ content: 'An alert with **figures**' });
    const answer = await post({
      content: 'How it ended',
      flags: 4096,
      message_reference: { message_id: first },
    });
    const below = await post({ content: 'A moment later' });
    stage.forward(8 * MINUTE_MS);
    const later = await post({ content: 'Much later' });
    const page = await open('desktop', 'dark');
    expect(await message(page, answer).locator('.answered').innerText()).toMatch(
      /@walletbell\s*An alert with figures/,
    );
    expect(await message(page, answer).getByRole('img', { name: 'Silent message' }).count()).toBe(
      1,
    );
    expect(await message(page, first).getByRole('img', { name: 'Silent message' }).count()).toBe(0);
    const heads = await Promise.all(
      [answer, below, later].map((id) => message(page, id).locator('.avatar').count()),
    );
    expect(heads).toEqual([1, 0, 1]);

    await stage.rest.patch(Routes.channelMessage(channelId, below), {
      body: { content: 'Other figures' },
    });
    await message(page, below).getByText('Other figures (edited)').waitFor();
    await stage.rest.delete(Routes.channelMessage(channelId, first));
    await page.reload();
    await message(page, answer).getByText('Original message was deleted').waitFor();
  });

  it('show emoji in colour, with letters that come along', async () => {
    const page = await open('desktop', 'dark');
    const greens: unknown =
      await page.evaluate(`['🟢', '🔴', '🏁', '📥', '📤', '⏱'].map((emoji) => {
      const canvas = document.createElement('canvas');
      const pen = canvas.getContext('2d');
      pen.font = '40px ' + getComputedStyle(document.body).fontFamily;
      pen.fillText(emoji, 0, 50);
      const { data } = pen.getImageData(0, 0, 80, 80);
      const colours = new Set();
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) colours.add(data.slice(at, at + 3).join());
      return colours.size > 5;
    })`);
    expect(greens).toEqual([true, true, true, true, true, true]);
  });

  it('come first on a phone, where the controls fold away', async () => {
    const page = await open('phone', 'light');
    const controls = page.getByRole('button', { name: 'Controls' });
    const trader = page.getByLabel('Trader');
    expect(await controls.getAttribute('aria-expanded')).toBe('false');
    expect(await trader.isVisible()).toBe(false);
    const box = await page.locator('.messages').boundingBox();
    expect(box?.height).toBeGreaterThan(600);
    await controls.click();
    await trader.waitFor();
    await page.getByLabel('You are').waitFor();
    expect(await page.locator('.messages').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back to the alerts' }).click();
    await page.locator('.messages').waitFor();
    await post({
      content: `${'unbroken'.repeat(40)} ${'🟢'.repeat(60)}\n\`\`\`\n${'code'.repeat(60)}\n\`\`\``,
    });
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 640 });
      for (const side of ['Controls', 'Back to the alerts']) {
        expect(await page.evaluate(SIDEWAYS), `${width} px, before ${side}`).toEqual([]);
        await page.getByRole('button', { name: side }).click();
      }
    }
  });
});
