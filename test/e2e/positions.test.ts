import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { variants } from '../support/thorough.ts';
import { type Fixture, nowSeconds, openFixture, sale, trade, txHash, WALLET } from './fixture.ts';

const DAY = 86_400;
const SNOW = { tokenId: '7', conditionId: '0x7', marketId: '77', marketTitle: 'Snow?', fee: 0 };
/** What stands before the venue does with a question. */
const MOODS = ['silent', 'a page of another market', 'a row is missing', 'HTML'] as const;
const ELSEWHERE = { tokenId: '8', conditionId: '0x8', marketId: '88', marketTitle: 'Fog?' };

/** A room that watches a wallet whose 10,100 shares were bought long before its newest hundred records. */
async function openRoom() {
  const fixture = await openFixture({ keys: [{ ...DEMO_KEY, limit: 60_000 }], withoutBot: true });
  const { ledger } = fixture;
  let block = 0;
  const add = (item: ReturnType<typeof trade>) => {
    block += 1;
    return ledger.addActivity(WALLET, block, item);
  };
  const buy = (quantity: number, price: number, changes: object = {}) => {
    const usdc = (quantity * price) / 100;
    return add(trade({ ...SNOW, quantity, price, grossValue: usdc, transferNetAmount: usdc, ...changes }));
  };
  const sell = (quantity: number, price: number) => {
    const usdc = (quantity * price) / 100;
    return add(sale({ ...SNOW, quantity, price, grossValue: usdc, transferNetAmount: -usdc }));
  };
  await buy(10_000, 40, { time: nowSeconds() - 90 * DAY });
  await buy(100, 80, { time: nowSeconds() - 80 * DAY });
  for (let nth = 0; nth < 150; nth += 1) await add(trade({ time: nowSeconds() - 50 * DAY + nth }));
  return { fixture, add, buy, sell };
}

/** Has the fixture's channel watch the wallet. */
async function watch(
  fixture: Fixture,
  { environment = {}, language = 'en-US' }: { environment?: Record<string, string>; language?: string } = {},
) {
  await fixture.startBot(environment);
  if (fixture.discord.commands().length === 0) await once(fixture.discord.events, 'commands');
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await fixture.say('watch channel', { language });
}

/** The newest alert whose text or title holds all of these. */
async function alertWith(fixture: Fixture, ...texts: readonly string[]): Promise<string> {
  const find = () =>
    fixture.discord
      .messages(fixture.channelId)
      .map(
        ({ content, embeds }) =>
          `${content}\n${embeds.map(({ title, description }) => `${title}\n${description}`).join('\n')}`,
      )
      .findLast((shown) => texts.every((text) => shown.includes(text)));
  await fixture.discord.waitForMessage(fixture.channelId, () => find() !== undefined, 20_000);
  return find() ?? '';
}

/** Of how many markets the bot has had an answer, whatever it was. */
function answeredMarkets({ logLines }: Fixture): number {
  const answers = logLines.filter(({ event }) => event === 'positions.answered');
  return answers.reduce((count, { markets }) => count + Number(markets), 0);
}

/** Stands before the venue, and answers in its place what it is asked of single markets. */
async function standBefore(venueUrl: string) {
  const state: { mood: (typeof MOODS)[number] | 'served'; asked: number } = { mood: 'served', asked: 0 };
  const held = new Set<() => void>();
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '', venueUrl);
    const isQuestion = url.searchParams.has('marketIds');
    if (isQuestion) state.asked += 1;
    const { mood } = state;
    if (isQuestion && mood === 'silent') return void held.add(() => outgoing.destroy());
    if (isQuestion && mood === 'HTML') {
      outgoing.writeHead(200, { 'content-type': 'text/html' });
      return void outgoing.end('<html>');
    }
    if (isQuestion && mood === 'a page of another market') url.searchParams.delete('marketIds');
    const upstream = request(url, { headers: incoming.headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        let text = Buffer.concat(parts).toString();
        if (isQuestion && mood === 'a row is missing') {
          const envelope = JSON.parse(text);
          envelope.data.items.shift();
          text = JSON.stringify(envelope);
        }
        const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        outgoing.end(text);
      });
    });
    upstream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const end of held) end();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => void (await close()));
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release() {
      for (const end of held) end();
    },
  };
}

// An alert waits 1.5 s for the answer: a machine that has too much to do gets another try.
describe('an alert of a holding that is older than the newest hundred records', { timeout: 60_000, retry: 2 }, () => {
  it.each([
    ['en-US', '10,100 → 10,150 shares, avg 40.49¢', '+$20.48'],
    ['de', '10.150', '+20,48'],
  ])('says exactly what a purchase adds to it and what a sale takes, in %s', async (language, added, gained) => {
    const { fixture, buy, sell } = await openRoom();
    await watch(fixture, { language });
    await buy(50, 60);
    expect(await alertWith(fixture, 'Snow?')).toContain(added);
    await sell(105, 60);
    expect(await alertWith(fixture, gained)).toContain(gained);
  });

  it('is left out for what it does to the position once the venue has said that', async () => {
    const { fixture, buy, sell, add } = await openRoom();
    const { admin, discord } = fixture;
    await watch(fixture);
    discord.setLocale(admin.userId, 'de');
    const refused = await fixture.say('watch edit', { wallet: WALLET, kinds: 'Eröffnung, Ausstieg' });
    expect(refused.content).toMatch(/`arten` kann nicht `Eröffnung, Ausstieg` sein\..*`Schließung`.*nichts geändert/);
    const edited = await fixture.say('watch edit', { wallet: WALLET, kinds: 'Eröffnungen und SCHLIESSUNGEN' });
    expect(edited.embeds[0]?.description).toContain('nur Eröffnungen und Schließungen');
    discord.setLocale(admin.userId, 'en-US');
    // First contact: an alert of it would pass if it were not for the answer.
    await buy(50, 60);
    await add(trade({ ...ELSEWHERE, quantity: 3 }));
    await alertWith(fixture, 'Fog?', 'New position: 3 shares');
    await sell(100, 60);
    await sell(10_050, 60);
    expect(await alertWith(fixture, 'Snow?')).toContain(' · closed');
    const shown = fixture.alerts().map(({ line }) => line);
    expect(shown).toEqual([expect.stringContaining('BUY 3 Yes'), expect.stringMatching(/SELL 10[01]50 Yes/)]);
    const shownNow = await fixture.say('watch edit', { wallet: WALLET });
    expect(shownNow.embeds[0]?.description).toContain('only openings and closings');
  });

  it('grows with a purchase in pieces', async () => {
    const { fixture, buy } = await openRoom();
    await watch(fixture);
    const hash = txHash();
    await buy(50, 60, { txHash: hash });
    await alertWith(fixture, 'Snow?', '10,150');
    await buy(70, 60, { txHash: hash });
    await alertWith(fixture, 'Snow?', '10,100 → 10,220');
  });

  it.each(variants(MOODS, (mood) => mood !== 'silent' && mood !== 'HTML'))(
    'says nothing of the position where the answer is: %s; and all of it once the venue answers',
    async (mood) => {
      const { fixture, buy, sell, add } = await openRoom();
      const before = await standBefore(fixture.venue.url);
      await watch(fixture, { environment: { VENUE_BASE_URL: before.url, LOG_LEVEL: 'debug' } });
      before.state.mood = mood;
      await buy(50, 60);
      expect(await alertWith(fixture, 'Snow?')).not.toMatch(/Now|→|shares,|position/);
      expect(before.state.asked).toBeGreaterThan(0);
      // What it does elsewhere waits for nobody.
      await add(trade({ ...ELSEWHERE }));
      await alertWith(fixture, 'Fog?');
      // What was no answer closes a question, which is asked again when the market is met again; else it stays open.
      const isWaiting = mood === 'silent' || mood === 'HTML';
      const areClosed = () =>
        expect.poll(() => answeredMarkets(fixture), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
      if (!isWaiting) await areClosed();
      before.state.mood = 'served';
      before.release();
      if (isWaiting) await areClosed();
      await sell(105, 60);
      await alertWith(fixture, 'Snow?', '+$20.48');
    },
  );
});
