import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { checksummed, type WalletAddress } from '../../src/domain/address.ts';
import {
  hash32,
  ROW_WALLET,
  type SourceRow,
  sourceMarket,
  sourceRedeem,
  sourceTrade,
  sourceTransfer,
  startSource,
  tokensOf,
} from '../support/polymarket-source.ts';
import { IS_THOROUGH, within } from '../support/thorough.ts';
import { type Fixture, openFixture, textOf } from './fixture.ts';

/** A source that has listed nothing, and a bot that follows it without a key. */
async function openPolymarket() {
  const source = await startSource();
  onTestFinished(source.stop);
  const environment = {
    VENUE_BASE_URL: 'polymarket',
    VENUE_API_KEY: '',
    POLYMARKET_DATA_URL: source.url,
    POLYMARKET_GAMMA_URL: source.url,
    POLYMARKET_REQUESTS_PER_MINUTE: '6000',
  };
  const fixture = await openFixture({ asProcess: true, environment });
  return { source, fixture };
}

/** Says the proxy wallet to whoever takes the address that signs, and asks for none beside records. */
async function namesProxy(
  source: Awaited<ReturnType<typeof startSource>>,
  fixture: Fixture,
): Promise<void> {
  const signer = `0x${'2'.repeat(40)}`;
  source.addProxy(signer, ROW_WALLET);
  const shown = `trades under another address, its proxy wallet: \`${checksummed(ROW_WALLET as WalletAddress)}\``;
  const told = async (command: string, wallet: string) =>
    textOf(await fixture.say(command, { wallet }));
  for (const command of ['watch add', 'activity', 'flows'])
    expect(await told(command, signer), command).toContain(shown);
  const asked = () =>
    source.requests.filter(({ pathname }) => pathname === '/public-profile').length;
  const askedOfSigner = asked();
  await fixture.say('watch remove', { wallet: ROW_WALLET });
  for (const command of ['watch add', 'activity', 'flows'])
    expect(await told(command, ROW_WALLET), command).not.toContain('proxy wallet');
  expect(asked(), 'a wallet with records').toBe(askedOfSigner);
}

const ACTIVITY = /\/activity$/;
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const gatewayPid = (fixture: Fixture) =>
  Number(fixture.logLines.findLast(({ event }) => event === 'polymarket.listening')?.['pid']);

it(
  'follows wallets of Polymarket without a key, over kills of gateway and bot: each record once; names proxy wallets, and says how late the lists are',
  async () => {
    const { source, fixture } = await openPolymarket();
    // One of each: further purchases in a market would grow the message of the first.
    const markets = [1, 2, 3, 4, 5].map((n) => sourceMarket(n));
    source.addMarkets(...markets);
    const added = await fixture.say('watch add', { wallet: ROW_WALLET, label: 'Whale' });
    expect(JSON.stringify(added.embeds)).toContain('Polymarket has no records of this wallet yet');
    let count = 0;
    const listed = async (...rows: SourceRow[]) => {
      source.list(...rows);
      count += rows.length;
      await fixture.alerted(count);
    };
    const marketOf = (n: number) => markets[n - 1] ?? sourceMarket(n);
    const buy = (n: number, over: Partial<SourceRow> = {}) =>
      sourceTrade(marketOf(n), {
        timestamp: nowSeconds(),
        transaction_hash: hash32(1_000 + n),
        ...over,
      });
    await listed(buy(1));
    expect(fixture.posted()[0]?.content).toContain('Will number 1 come up?');
    // A row whose labels are filled in while the bot watches.
    const late = buy(2, { token_id: '', outcome: '', outcome_index: 999 });
    await listed(late);
    source.amend(late, {
      token_id: tokensOf(marketOf(2))[1] ?? '',
      outcome: 'No',
      outcome_index: 1,
    });
    await listed(sourceTransfer({ timestamp: nowSeconds(), usdc_size: 77 }));

    process.kill(gatewayPid(fixture), 'SIGKILL');
    await fixture.logged('polymarket.ended');
    await listed(buy(3));

    const ended = once(fixture.bot.process, 'close');
    fixture.bot.process.kill('SIGKILL');
    await ended;
    source.list(buy(4));
    count += 1;
    await fixture.startBot({}, { asProcess: true });
    await fixture.alerted(count);
    source.resolve(marketOf(1), [1_000_000, 0]);
    await listed(
      sourceRedeem(marketOf(1), 40, { timestamp: nowSeconds(), transaction_hash: hash32(3) }),
    );
    expect(fixture.alerts()).toHaveLength(count);
    await namesProxy(source, fixture);
    source.setAge(300);
    await expect
      .poll(async () => textOf(await fixture.say('watch status')))
      .toContain('lists trades 5 min late');
    expect(await fixture.bot.stop()).toBe(0);
  },
  within(120_000),
);

// The longest pause is ten seconds.
it.runIf(IS_THOROUGH)(
  'brings each record once through all that the source does wrong, and no result that is not so',
  async () => {
    const { source, fixture } = await openPolymarket();
    source.setAge(300);
    const both = sourceMarket(2, { positionIds: '["71", "72"]' });
    const [half, twins, last] = [sourceMarket(1), sourceMarket(3), sourceMarket(4)];
    source.addMarkets(half, both, twins, last);
    await fixture.say('watch add', { wallet: ROW_WALLET, label: 'Whale' });
    const hashes = Array.from({ length: 9 }, (_, n) => hash32(5_000 + n));
    const at = (over: Partial<SourceRow> = {}) => ({
      timestamp: nowSeconds(),
      transaction_hash: hashes.pop() ?? '',
      ...over,
    });
    const saysAll = (...texts: readonly string[]) =>
      fixture.until(() => {
        const shown = fixture.posted().map((message) => `${message.content}\n${textOf(message)}`);
        return texts.every((text) => shown.join('\n').includes(text));
      });
    const killGateway = async () => {
      const pid = gatewayPid(fixture);
      fixture.logLines.length = 0;
      process.kill(pid, 'SIGKILL');
      await fixture.logged('polymarket.listening');
    };
    const killBot = async () => {
      const ended = once(fixture.bot.process, 'close');
      fixture.bot.process.kill('SIGKILL');
      await ended;
      await fixture.startBot({}, { asProcess: true });
    };
    // Two fills that are equal to the letter, and two tokens of one outcome.
    const twin = sourceTrade(twins, at({ size: 11, price: 0.5, usdc_size: 5.5 }));
    source.list(twin, { ...twin });
    source.list(sourceTrade(both, at({ size: 100, price: 0.4, usdc_size: 40 })));
    await saysAll('number 2', 'number 3');
    source.fail(
      { path: ACTIVITY, status: 429, body: '{"error":"wait"}', headers: { 'Retry-After': '1' } },
      { path: ACTIVITY, status: 503, body: '{"error":"load"}', headers: { 'Retry-After': '1' } },
      { path: ACTIVITY, status: 503, body: '<html>' },
      { path: ACTIVITY, status: 400, body: '{"error":"malformed cursor"}' },
    );
    source.list(sourceTrade(both, at({ size: 100, price: 0.6, usdc_size: 60, token_id: '71' })));
    await killGateway();
    // Two deposits of one second without a hash.
    const deposit = sourceTransfer({ timestamp: nowSeconds(), size: 77, usdc_size: 77 });
    source.list(deposit, { ...deposit });
    source.list(sourceTrade(half, at({ size: 50, price: 0.3, usdc_size: 15 })));
    await saysAll('number 1');
    await killBot();
    // Without its hint of how long to wait a 429 is waited out for ten seconds.
    source.fail({ path: ACTIVITY, status: 429, body: '<html>Too Many Requests' });
    source.resolve(half, [500_000, 500_000]);
    source.resolve(both, [1_000_000, 0]);
    source.list(sourceRedeem(half, 25, at()), sourceRedeem(both, 200, at()));
    await killGateway();
    source.list(sourceTrade(last, at({ size: 99, price: 0.1, usdc_size: 9.9 })));
    // The second of the equal fills is added to its message once the pause between two edits is over.
    await saysAll('number 4', '$200', '22 shares');
    // The other endpoint is polled by itself.
    await fixture.until(() => fixture.lines().length >= 8);
    const shown = fixture.posted().map((message) => `${message.content}\n${textOf(message)}`);
    expect(fixture.lines().toSorted()).toEqual([
      'Whale BUY 200 Yes',
      'Whale BUY 22 Yes',
      'Whale BUY 50 Yes',
      'Whale BUY 99 Yes',
      'Whale REDEEM 0 unknown outcome',
      'Whale REDEEM 200 Yes',
      'Whale deposited $77.00',
      'Whale deposited $77.00',
    ]);
    expect(shown.find((text) => text.includes('$200'))).toMatch(/\*\*\+\u2060?\$100\*\*/u);
    // Of a market that paid both sides it says neither a result nor how many shares.
    expect(shown.find((text) => text.includes('$25.00'))).not.toMatch(/share|position|paid|[+−]/);
    expect(await fixture.bot.stop()).toBe(0);
  },
  within(120_000),
);
