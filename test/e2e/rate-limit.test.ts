import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startHostileVenue } from '../support/hostile-venue.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

const POLL_MIN_MS = 500;

it('is not asked more often than it may be, and a pause of forty days is said, by the log, /readyz and /watch status', async () => {
  const venue = await startHostileVenue();
  onTestFinished(() => venue.close());
  const environment = {
    VENUE_BASE_URL: venue.url,
    HTTP_PORT: '0',
    WALLETBELL_TEST_POLL_MIN_SECONDS: String(POLL_MIN_MS / 1000),
  };
  const fixture = await openFixture({ environment });
  await fixture.say('watch add', { wallet: WALLET });
  // The first ones may be those of the command. Polls tell nobody outside: they are counted until
  // there are enough.
  while (venue.askedMs.length < 8) await delay(50);
  const [first = 0, last = 0] = [venue.askedMs[2], venue.askedMs[7]];
  // 600 requests a minute would be nine a second. The slack is for a test process that is held up.
  expect(last - first).toBeGreaterThan(5 * POLL_MIN_MS - 700);

  venue.mood = 'paused';
  expect(await fixture.logged('venue.rate_limited')).toMatchObject({
    status: 429,
    pauseMs: expect.any(Number),
  });
  const { pauseMs } = await fixture.logged('venue.rate_limited');
  expect(Number(pauseMs)).toBeGreaterThan(14 * 60_000);
  expect(Number(pauseMs)).toBeLessThanOrEqual(15 * 60_000 + 1_000);
  const ready = await fixture.served('/readyz');
  expect(ready.status).toBe(503);
  expect(ready.text).toMatch(/"venue":\{"ok":false,.*rate limit is used up\. Next try: 20/);
  const said = (await fixture.say('watch status')).embeds[0];
  expect(said?.title).toBe('⚠️ Something is wrong');
  expect(said?.description).toMatch(/Exchange: The exchange’s rate limit is used up/);
});
