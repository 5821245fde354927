import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ENGLISH } from '../../../src/language/language.ts';
import { openStage, type Stage } from '../../sandbox-page/stage.ts';
import { AT_SECONDS, KINDS, marketOf, messageOf, walletOf } from './messages.ts';

const FOLDER = 'docs/images';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const RAIN = 'Will it rain in Paris on May 1?';
const BITCOIN = 'Will Bitcoin close May above $120,000?';
const OTHERS = [BITCOIN, 'Harbor City vs. Northfield: will Northfield win?'];
const LOUD = { roleIds: [], isSilent: false };

/** What somebody who opens the demo sees after a while. */
const DEMO = {
  traders: [
    { handle: 'Whale', address: walletOf('a'), pace: 'fast' },
    { handle: 'Night owl', address: walletOf('b'), pace: 'slow' },
  ],
  status: {
    bot: 'running',
    venue: 'up',
    budget: { used: 21, limit: 60, resetAtMs: (AT_SECONDS + 45) * 1000 },
    requests: 1_204,
    alerts: 57,
    lastDelaySeconds: 1.8,
    duplicates: 0,
    waiting: 0,
  },
} as const;

/** Takes the pictures of the pages in docs/: the same at each run with the same browser. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { to: { type: 'string', default: FOLDER } } });
  await mkdir(values.to, { recursive: true });
  const stage = await openStage({ startMs: (AT_SECONDS - 3_600) * 1000, ...DEMO });
  try {
    await fillChannels(stage);
    for (const scheme of ['dark', 'light'] as const) {
      for (const size of ['desk', 'phone'] as const) {
        const page = await stage.open(size, scheme);
        await page.screenshot({ path: join(values.to, `page-${size}-${scheme}.png`) });
        if (size === 'desk') {
          const alert = page.locator('.message').filter({ hasText: BITCOIN }).first();
          await alert.screenshot({ path: join(values.to, `alert-${scheme}.png`) });
        }
        await page.context().close();
      }
    }
  } finally {
    await stage.close();
  }
}

/** An hour of a channel: a purchase, what came of it, a transfer, and what happens now. */
async function fillChannels(stage: Stage): Promise<void> {
  const channelId = stage.channel('whales');
  stage.channel('all-desks');
  const bodyOf = (kind: keyof typeof KINDS, title: string) =>
    messageOf(KINDS[kind], marketOf(title, OTHERS, `pictures ${kind}`), ENGLISH);
  const bought = await stage.send(channelId, { body: bodyOf('fills', RAIN), noise: LOUD, nonce: '1' });
  stage.forward(30 * MINUTE_MS);
  const ended = { ...bodyOf('result', RAIN), replyTo: bought };
  await stage.send(channelId, { body: ended, noise: { ...LOUD, isSilent: true }, nonce: '2' });
  stage.forward(29 * MINUTE_MS);
  await stage.send(channelId, { body: bodyOf('transfer', RAIN), noise: LOUD, nonce: '3' });
  stage.forward(MINUTE_MS + 8 * SECOND_MS);
  await stage.send(channelId, { body: bodyOf('trade', BITCOIN), noise: LOUD, nonce: '4' });
  stage.forward(4 * SECOND_MS);
}
