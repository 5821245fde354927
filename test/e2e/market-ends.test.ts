import { expect, it } from 'vitest';
import { buy, nowSeconds, sell } from '../support/records.ts';
import { openFixture } from './fixture.ts';

const HOUR = 3_600;
const [EARLY, LATE] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const SNOW = {
  tokenId: '7',
  conditionId: '0x7',
  marketId: '77',
  marketSlug: 'snow',
  marketTitle: 'Snow?',
  fee: 0,
};

it('/market says what wallets gained, however long ago they left the market', async () => {
  const fixture = await openFixture();
  const { trades, say } = fixture;
  const now = nowSeconds();
  const left = [
    [EARLY, now - 2 * HOUR],
    [LATE, now - HOUR / 2],
  ] as const;
  for (const [trader, leftAt] of left) {
    const sold = sell(1_000, 90, { ...SNOW, trader, time: leftAt });
    await trades(buy(1_000, 40, { ...SNOW, trader, time: now - 24 * HOUR }), sold);
  }
  await say('watch add', { wallet: EARLY, label: 'Early' });
  await say('watch add', { wallet: LATE, label: 'Late' });
  await trades(buy(10, 50, { trader: EARLY }), buy(10, 50, { trader: LATE }));
  await fixture.alerted(2);
  const { embeds } = await fixture.sayAs(fixture.member, 'market', { market: '77' });
  const said = embeds[0]?.description ?? '';
  expect(said).not.toContain('Nothing held');
  for (const name of ['Early', 'Late'])
    expect(said).toMatch(
      new RegExp(
        `${name}\\]\\(\\S+\\)\\*\\* out <t:\\d+:R> · \\*\\*\\+\u2060\\$500\\.00\\*\\* \\(\\+125%\\)`,
      ),
    );
});
