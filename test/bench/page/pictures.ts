import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createChartRenderer } from '../../../src/charts/render.ts';
import { AUDIBLE } from '../../../src/delivery/plan/mentions.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { openStage, type Stage, settled } from '../../demo-page/stage.ts';
import { DEFAULTS } from '../defaults.ts';
import { readOptions } from '../usage.ts';
import { cardOf } from './card.ts';
import {
  AT_SECONDS,
  context,
  KINDS,
  type Kind,
  type Market,
  marketOf,
  messageOf,
  randomPurchase,
} from './messages.ts';
import { withPalette } from './palette.ts';
import { scoresOf } from './scores.ts';

const MINUTE_MS = 60_000;
/** Time from an event to its message. */
const AGE_SECONDS = 8;
const RAIN = 'Will it rain in Paris on May 1?';
const BITCOIN = 'Will Bitcoin close May above $120,000?';
const OTHERS = [BITCOIN, 'Harbor City vs. Northfield: will Northfield win?'];

/** The alert that is shown enlarged, with consistent figures. */
const PURCHASE: Kind = {
  events: (market: Market) => [
    {
      kind: 'activity',
      item: randomPurchase(market, {
        price: 63.6,
        quantity: 1_234.5,
        grossValue: 785.14,
        fee: 1.22,
        transferNetAmount: 786.36,
      }),
      context: context(market, {
        sharesAfter: '2234.5',
        entryCents: 58.2,
      }),
      size: { usdc: 785.14, median: 186.5, p95: 900.5, trades: 200 },
    },
  ],
};
/** The purchase that the result refers to; both state the same cost. */
const BOUGHT: Kind = {
  events: (market: Market) => [
    {
      kind: 'activity',
      item: randomPurchase(market, {
        price: 58,
        quantity: 3_447.07,
        grossValue: 1_999.3,
        fee: 1.2,
        transferNetAmount: 2_000.5,
      }),
      context: context(market, { sharesBefore: '0', sharesAfter: '3447.07', entryCents: 58 }),
      size: { usdc: 1_999.3, median: 186.5, p95: 900.5, trades: 200 },
    },
  ],
};
const MARGIN_PX = 8;
const ALERT_WIDTH_PX = 760;
/** A viewport that is high enough for any answer. */
const TALL = { width: 390, height: 1_400 };

const WHALE = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const signed = (secondsAgo: number, type: 'trade' | 'deposit' | 'result') => ({
  atMs: (AT_SECONDS - secondsAgo) * 1000,
  alert: { type, wallet: WHALE, isLate: false },
  isRepeated: false,
});

/** The demo's state after it has run for a while. */
const DEMO = {
  bot: 'running',
  venue: 'up',
  requests: 1_204,
  lastAnswer: { limit: 60, remaining: 39, resetSeconds: AT_SECONDS + 45 },
  alerts: 57,
  duplicates: 0,
  waiting: 0,
  lastDelaySeconds: 1.8,
  traders: [
    {
      handle: 'Whale',
      address: WHALE,
      pace: 'fast',
      style: 'even stakes, held to the end',
      edgeCents: 0,
    },
    {
      handle: 'Night owl',
      address: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
      pace: 'slow',
      style: 'cuts losers, lets winners run',
      edgeCents: 0,
    },
  ],
  received: {
    alerts: 61,
    repeated: 0,
    refused: 0,
    newest: [
      signed(4, 'trade'),
      signed(604, 'deposit'),
      signed(1_804, 'result'),
      signed(3_604, 'trade'),
    ],
  },
} as const;

/**
 * Takes the pictures of the pages in docs/. Every run with the same browser produces the same
 * pictures.
 */
export async function run(args: string[]): Promise<void> {
  const { to } = readOptions(args, DEFAULTS.pictures);
  await mkdir(to, { recursive: true });
  const stage = await openStage({ startMs: (AT_SECONDS - 3_600) * 1000, shown: DEMO });
  try {
    await fillChannels(stage);
    for (const scheme of ['dark', 'light'] as const) {
      for (const size of ['desktop', 'phone'] as const) {
        const page = await stage.open(size, scheme);
        const save = async (name: string, png: Buffer) => {
          await writeFile(join(to, `${name}-${scheme}.png`), withPalette(png));
        };
        await save(`page-${size}`, await page.screenshot());
        const box = await page.locator('.message').last().boundingBox();
        if (size === 'desktop' && box !== null) {
          const [x, y] = [box.x, box.y - MARGIN_PX];
          const clip = { x, y, width: ALERT_WIDTH_PX, height: box.height + 2 * MARGIN_PX };
          await save('alert', await page.screenshot({ clip }));
        }
        await page.context().close();
      }
    }
    await saveAnswers(stage, to);
  } finally {
    await stage.close();
  }
}

/** Saves the card of a wallet and the scores of a channel, as shown on a phone. */
async function saveAnswers(stage: Stage, to: string): Promise<void> {
  const charts = createChartRenderer();
  const scores = await scoresOf('#whales', ENGLISH, { seed: 'pictures', charts });
  const card = { embeds: [cardOf([RAIN, ...OTHERS], ENGLISH)] };
  for (const [name, body] of Object.entries({ card, scores })) {
    const channelId = stage.channel(name);
    await stage.send(channelId, { body, noise: AUDIBLE, nonce: name });
    const page = await stage.open('phone', 'dark');
    await page.setViewportSize(TALL);
    await page.getByRole('navigation').getByRole('button', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await settled(page);
    await writeFile(
      join(to, `${name}.png`),
      withPalette(await page.locator('.message').last().screenshot()),
    );
    await page.context().close();
  }
}

/** Posts an hour of a channel: a purchase, its result, a transfer, and a current event. */
async function fillChannels(stage: Stage): Promise<void> {
  const channelId = stage.channel('whales');
  stage.channel('all-wallets');
  const send = (kind: Kind, title: string, replyTo: string | null = null) => {
    const atSeconds = stage.nowMs() / 1000 - AGE_SECONDS;
    const market = marketOf(title, OTHERS, { seed: `pictures ${title}`, atSeconds });
    const body = { ...messageOf(kind, market, ENGLISH, AGE_SECONDS), replyTo };
    const noise = { roleIds: [], isSilent: replyTo !== null };
    return stage.send(channelId, { body, noise, nonce: String(stage.nowMs()) });
  };
  const bought = await send(BOUGHT, RAIN);
  stage.forward(30 * MINUTE_MS);
  await send(KINDS.result, RAIN, bought);
  stage.forward(20 * MINUTE_MS);
  await send(KINDS.transfer, RAIN);
  stage.forward(10 * MINUTE_MS);
  await send(PURCHASE, BITCOIN);
  stage.forward(4_000);
}
