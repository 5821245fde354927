import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { openDelayedBot } from '../later/delayed-bot.ts';
import { boughtFor, inMarket, redeemedFor, soldFor } from '../support/records.ts';
import { A, B, C, CHANNEL, D, START } from '../support/test-bot.ts';

const OUTAGE_SECONDS = 600;

const inGold = { ...inMarket(1), marketTitle: 'Will Gold close above $4,800?' };
const inRain = { ...inMarket(2), marketTitle: 'Will it rain in Paris?' };
const sideNo = { ...inGold, positionSide: 'No', outcomeIndex: 1, tokenId: '1-no' };

interface Outage {
  readonly wallets?: readonly (typeof A)[];
  /** Trades that the channel has read of before it. */
  readonly before?: readonly Partial<ActivityItem>[];
  /** Whether nothing could be polled either, so that all is found at once. */
  readonly isUnpolled?: boolean;
}

/** What a channel reads of trades in an outage, of each wallet the same. */
async function readAfter(
  trades: readonly Partial<ActivityItem>[],
  { wallets = [A], before = [], isUnpolled = false }: Outage = {},
) {
  const delayed = openDelayedBot();
  const { bot, shown } = delayed;
  for (const wallet of wallets) {
    await bot.watch(wallet, CHANNEL, {}, START);
    await bot.poll(wallet);
  }
  for (const one of before) for (const wallet of wallets) await bot.see(wallet, one);
  await delayed.deliver();
  const begun = shown.length;
  bot.nowSeconds += OUTAGE_SECONDS;
  for (const one of trades) {
    for (const wallet of wallets) {
      bot.trade(wallet, one);
      if (!isUnpolled) await bot.poll(wallet);
    }
    bot.nowSeconds += 1;
  }
  bot.nowSeconds += OUTAGE_SECONDS;
  for (const wallet of wallets) await bot.poll(wallet);
  await delayed.deliver();
  return shown.slice(begun).map(({ body }) => ({
    content: body.content ?? '',
    rows: (body.embeds?.[0]?.description ?? '').split('\n').slice(2),
  }));
}

describe('what a wallet did in an outage', () => {
  const bought = boughtFor(100, 50, inGold);
  const busy = [
    bought,
    boughtFor(100, 60, inGold),
    soldFor(200, 90, inGold),
    boughtFor(100, 20, inRain),
    soldFor(40, 10, inRain),
  ];

  it('is a message of its own, in which a market is one row that says what it came to', async () => {
    const messages = await readAfter(busy, { wallets: [A, B, C, D] });
    expect(messages).toHaveLength(4);
    for (const { content, rows } of messages) {
      expect(content).toMatch(/^⏱ \*\*0x.{9}\*\*: 5 late alerts · largest: BUY \*\*Yes \$110\*\*/);
      expect(rows).toEqual([
        expect.stringMatching(
          /^🔴 BUY \*\*Yes \$110\*\* .*\(2 fills\), SELL \*\*Yes \$90\.00\*\*.* · \*\*−\u2060\$20\.00\*\* \(−18\.2%\) · all sold · .*Will Gold/,
        ),
        expect.stringMatching(
          /^🔴 BUY \*\*Yes \$20\.00\*\*.*, SELL \*\*Yes \$10\.00\*\*.* · \*\*\+\u2060\$2\.00\*\* \(\+25%\) · 60 shares left · .*Will it rain/,
        ),
      ]);
    }
  });

  const others = [3, 4, 5].map((market) => boughtFor(1, 1, inMarket(market)));
  const rowAfter = async (trades: readonly Partial<ActivityItem>[], outage: Outage = {}) => {
    const [message] = await readAfter([...trades, ...others], outage);
    return message?.rows[0] ?? '';
  };

  it('says what was left only where that is sure', async () => {
    const rowOf = (...trades: readonly Partial<ActivityItem>[]) => rowAfter(trades);
    const sold = soldFor(40, 30, inGold);
    expect(await rowOf(bought, sold)).toContain('60 shares left');
    // What came last is a purchase, or in another outcome.
    expect(await rowOf(bought, sold, boughtFor(5, 3, inGold))).not.toContain('left');
    expect(await rowOf(bought, boughtFor(5, 3, sideNo), sold)).not.toContain('left');
    // A redemption has a gain of its own.
    expect(await rowOf(bought, sold, redeemedFor(60, 60, inGold))).not.toMatch(/left|all sold/);
  });

  it('says what was left also where all was found at once, unless a second had several trades', async () => {
    const sold = soldFor(100, 30, inGold);
    expect(await rowAfter([bought, sold], { isUnpolled: true })).toContain('· all sold ·');
    const time = START + OUTAGE_SECONDS + 1;
    const within = [bought, { ...sold, time }, { ...boughtFor(5, 3, inGold), time }];
    expect(await rowAfter(within, { isUnpolled: true })).not.toMatch(/left|all sold/);
  });

  it('says what is held on the other side of what was sold', async () => {
    const outage = { before: [boughtFor(30, 10, sideNo)] };
    const row = await rowAfter([bought, soldFor(100, 30, inGold)], outage);
    expect(row).toContain('· all sold · also holds 30 shares on the other side ·');
  });

  it('has the newest trade last', async () => {
    const row = await rowAfter([bought, soldFor(40, 30, inGold), boughtFor(10, 6, inGold)]);
    expect(row).toMatch(/^🟢 SELL \*\*Yes \$30\.00\*\*.*, BUY \*\*Yes \$56\.00\*\*.*\(2 fills\)/);
  });

  it('says what all sales and redemptions have gained, and nothing where that is not known of one', async () => {
    const sold = soldFor(40, 30, inGold);
    const redeemed = redeemedFor(60, 0, inGold);
    expect(await rowAfter([bought, sold, redeemed])).toMatch(
      /^📉 BUY .*, SELL .*, lost \*\*\$30\.00\*\* on \*\*Yes\*\* · \*\*−\u2060\$20\.00\*\* \(−40%\) · /,
    );
    // Nobody knows what the sold shares of the other outcome had cost.
    const row = await rowAfter([bought, sold, soldFor(10, 5, sideNo)]);
    expect(row).toMatch(/^🔴 BUY .*, SELL .*, SELL \*\*No \$5\.00\*\*/);
    expect(row).not.toContain('%');
  });

  it('says what came of a position that several sales have closed', async () => {
    const before = [bought, boughtFor(50, 20, sideNo)];
    const row = await rowAfter([soldFor(100, 60, inGold), soldFor(50, 5, sideNo)], { before });
    expect(row).toContain(' · position **−\u2060$5.00** (−7.1%) · ');
  });

  /** A bot that has to say what eleven wallets did, each of them more than one row. */
  const withElevenLists = async () => {
    const delayed = openDelayedBot();
    const { bot } = delayed;
    const wallets = Array.from(
      { length: 11 },
      (_, nth): typeof A => `0x${String(nth + 10).padEnd(40, '1')}` as typeof A,
    );
    for (const wallet of wallets) {
      await bot.watch(wallet, CHANNEL, {}, START);
      await bot.poll(wallet);
    }
    for (const one of busy) for (const wallet of wallets) await bot.see(wallet, one);
    bot.nowSeconds += 3_600;
    return delayed;
  };

  it('is a line with its sums as long as more than ten wallets have such a list', async () => {
    const delayed = await withElevenLists();
    await delayed.deliver();
    const [first, ...later] = delayed.shown.map(({ body }) => body.embeds?.[0]?.description ?? '');
    expect(first?.match(/5 late alerts/g)).toHaveLength(5);
    expect(delayed.shown[0]?.body.content).toContain('25 alerts of 5 wallets');
    // Those that are left are ten at the most.
    expect(later).toHaveLength(6);
    for (const description of later) expect(description).toContain('Will Gold');
  });

  it('is the same message when it is sent again, where five lists were one', async () => {
    const delayed = await withElevenLists();
    const { bot, shown } = delayed;
    bot.onFailpoint = (step) => {
      if (step === 'post.answered') delayed.kill();
    };
    await expect(delayed.deliver()).rejects.toThrow('killed');
    await delayed.restart();
    bot.nowSeconds += 10;
    await delayed.deliver();
    const ids = shown.flatMap(({ alerts }) => alerts.map(({ wallet, id }) => `${wallet} ${id}`));
    expect(ids).toHaveLength(11 * busy.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('dates what came of a position by its own last sale, not by that of what was not wanted', async () => {
    const delayed = openDelayedBot();
    const { bot, shown } = delayed;
    await bot.watch(A, CHANNEL, { minUsdc: 60 }, START);
    await bot.poll(A);
    await bot.see(A, boughtFor(300, 120, inGold));
    await delayed.deliver();
    bot.nowSeconds += 60;
    await bot.see(A, boughtFor(100, 40, sideNo));
    const closing = await bot.see(A, soldFor(300, 250, inGold));
    bot.nowSeconds += 60;
    await bot.see(A, soldFor(100, 50, sideNo));
    bot.nowSeconds += OUTAGE_SECONDS;
    await delayed.deliver();
    bot.nowSeconds += 60;
    await delayed.deliver();
    const closedSeconds = shown
      .flatMap(({ alerts }) => alerts)
      .flatMap(({ event }) => (event.kind === 'result' ? event.result.closedSeconds : []));
    expect(closedSeconds).toEqual([closing.time]);
  });
});
