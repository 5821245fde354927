import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { expect, it } from 'vitest';
import { buy, nowSeconds, sell } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

const DAY = 86_400;
const MARKETS = 120;

/** The two records of a market: bought at 50¢, sold an hour later for 60¢. */
const market = (nth: number) => {
  const common = { conditionId: `0x${nth}`, tokenId: `${nth}`, eventSlug: `event-${nth}` };
  const time = nowSeconds() - (MARKETS + 5 - nth) * DAY;
  return [buy(10, 50, { ...common, time }), sell(10, 60, { ...common, time: time + 3_600 })];
};

it('what a wallet did before it was watched is read back for its record, also over a restart, and stands apart from what came since', async () => {
  const fixture = await openFixture({ keys: [{ ...DEMO_KEY, limit: 60_000 }] });
  await fixture.trades(...Array.from({ length: MARKETS }, (_, nth) => market(nth)).flat());
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await fixture.bot.stop();
  await fixture.startBot();
  await fixture.logged('wallet.read_back');
  const activity = await fixture.say('activity', { wallet: WALLET });
  const record = activity.embeds[0]?.description?.split('\n');
  expect(record?.[0]).toMatch(/^\*\*Too early to say\*\* · 0 markets/);
  expect(record?.[1]).toMatch(/before you watched it: \*\*\+10¢\*\* a share · 120 markets$/);
});
