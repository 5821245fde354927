import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { describe, expect, it } from 'vitest';
import { buy, nowSeconds, sell, trade, txHash } from '../support/records.ts';
import { variants } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture, standBefore } from './fixture.ts';

const DAY = 86_400;
const SNOW = { tokenId: '7', conditionId: '0x7', marketId: '77', marketTitle: 'Snow?' };
const FOG = { tokenId: '8', conditionId: '0x8', marketId: '88', marketTitle: 'Fog?' };
/** What stands before the venue does with a question. */
const MOODS = ['silent', 'a page of another market', 'a row is missing', 'HTML'] as const;

/**
 * A channel that watches a wallet whose 10,100 shares were bought long before its newest hundred
 * records, and what stands before its venue, which answers what is asked of single markets.
 */
async function openChannel() {
  const fixture = await openFixture({ keys: [{ ...DEMO_KEY, limit: 60_000 }], withoutBot: true });
  const { posted, trades } = fixture;
  const door = { mood: 'served' as (typeof MOODS)[number] | 'served', asked: 0, release: () => {} };
  const released = new Promise<void>((resolve) => {
    door.release = resolve;
  });
  const url = await standBefore(fixture, async (asked, serve) => {
    if (!asked.searchParams.has('marketIds')) return serve();
    door.asked += 1;
    if (door.mood === 'silent') return released.then(() => null);
    if (door.mood === 'HTML')
      return new Response('<html>', { headers: { 'content-type': 'text/html' } });
    if (door.mood === 'a page of another market') asked.searchParams.delete('marketIds');
    if (door.mood !== 'a row is missing') return serve();
    const answer = await serve();
    const envelope = (await answer.json()) as { data: { items: unknown[] } };
    envelope.data.items.shift();
    return Response.json(envelope, answer);
  });
  await trades(
    buy(10_000, 40, { ...SNOW, time: nowSeconds() - 90 * DAY }),
    buy(100, 80, { ...SNOW, time: nowSeconds() - 80 * DAY }),
    ...Array.from({ length: 150 }, (_, nth) => trade({ time: nowSeconds() - 50 * DAY + nth })),
  );
  await fixture.startBot({ VENUE_BASE_URL: url, LOG_LEVEL: 'debug' });
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  /** The newest alert that says all of this. */
  const alertWith = async (...texts: readonly string[]) => {
    const shown = () =>
      posted()
        .map(
          ({ content, embeds }) =>
            `${content}\n${embeds.map(({ title, description }) => `${title}\n${description}`)}`,
        )
        .findLast((said) => texts.every((text) => said.includes(text)));
    await fixture.until(() => shown() !== undefined);
    return shown() ?? '';
  };
  return { fixture, trades, door, alertWith };
}

// An alert waits 1.5 s for the answer: a machine that has too much to do gets another try.
describe('an alert of a holding that is older than the newest hundred records', {
  retry: 2,
}, () => {
  it('says exactly what a purchase adds to it, growing with its pieces, and what a sale takes', async () => {
    const { fixture, trades, alertWith } = await openChannel();
    const hash = txHash();
    await trades(buy(50, 60, { ...SNOW, txHash: hash }));
    await alertWith('Snow?', '10,100 → 10,150 shares** · entry 40.49¢');
    await trades(buy(70, 60, { ...SNOW, txHash: hash }));
    await alertWith('Snow?', '10,100 → 10,220');
    await fixture.say('watch channel', { language: 'de' });
    await trades(sell(105, 60, SNOW));
    await alertWith('Snow?', '+20,34', '10.115');
  });

  it('opens the position for a channel with the first purchase that passes its other settings', async () => {
    const { fixture, trades } = await openChannel();
    await fixture.say('watch edit', { wallet: 'Whale', kinds: 'opens', 'max-price': 90 });
    await trades(buy(12, 95, FOG));
    await trades(buy(5_000, 50, FOG));
    await fixture.until(() => fixture.posted().length > 0);
    await trades(
      buy(9_000, 50, FOG),
      buy(70, 50, { tokenId: '9', conditionId: '0x9', marketId: '99' }),
    );
    await fixture.until(() => fixture.posted().length > 1);
    const said = fixture.posted().map(({ embeds: [embed] }) => embed?.description ?? '');
    expect(said).toEqual([
      expect.stringContaining('12 → 5,012 shares'),
      expect.stringContaining('New position'),
    ]);
  });

  it('is left out for what it does to the position once the venue has said that', async () => {
    const { fixture, trades, alertWith } = await openChannel();
    const refused = await fixture.sayAs(fixture.german, 'watch edit', {
      wallet: WALLET,
      kinds: 'Eröffnung, Ausstieg',
    });
    expect(refused.content).toMatch(
      /`Eröffnung, Ausstieg` passt nicht zu `ereignisse`\..*`Schließung`.*nichts geändert/,
    );
    const kinds = 'Eröffnungen und SCHLIESSUNGEN';
    const edited = await fixture.sayAs(fixture.german, 'watch edit', { wallet: WALLET, kinds });
    expect(edited.embeds[0]?.description).toContain('nur Eröffnungen und Schließungen');
    // First contact: an alert of it would pass if it were not for the answer.
    await trades(buy(50, 60, SNOW));
    await trades(trade({ ...FOG, quantity: 3 }));
    await alertWith('Fog?', 'New position: 3 shares');
    await trades(sell(100, 60, SNOW));
    await trades(sell(10_050, 60, SNOW));
    expect(await alertWith('Snow?')).toContain(' · all sold');
    expect(fixture.lines()).toEqual([
      expect.stringContaining('BUY 3 Yes'),
      expect.stringMatching(/SELL 10[01]50 Yes/),
    ]);
    const shownNow = await fixture.say('watch edit', { wallet: WALLET });
    expect(shownNow.embeds[0]?.description).toContain('only openings and closings');
  });

  it.each(variants(MOODS, (mood) => mood !== 'silent' && mood !== 'HTML'))(
    'says nothing of the position where the answer is: %s; and all of it once the venue answers',
    async (mood) => {
      const { fixture, trades, door, alertWith } = await openChannel();
      /** Of how many markets the bot has had an answer, whatever it was. */
      const answered = () =>
        fixture.logLines
          .filter(({ event }) => event === 'positions.answered')
          .reduce((count, { markets }) => count + Number(markets), 0);
      door.mood = mood;
      await trades(buy(50, 60, SNOW));
      expect(await alertWith('Snow?')).not.toMatch(/Now|→|shares,|position/);
      expect(door.asked).toBeGreaterThan(0);
      // What it does elsewhere waits for nobody.
      await trades(trade(FOG));
      await alertWith('Fog?');
      // What was no answer closes a question, which is asked again when the market is met again;
      // else it stays open.
      const isWaiting = mood === 'silent' || mood === 'HTML';
      const areClosed = () => expect.poll(answered, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
      if (!isWaiting) await areClosed();
      door.mood = 'served';
      door.release();
      if (isWaiting) await areClosed();
      await trades(sell(105, 60, SNOW));
      await alertWith('Snow?', '+\u2060$20.48');
    },
  );
});
