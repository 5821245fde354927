import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { buy, nowSeconds, sell, trade } from '../support/records.ts';
import { openFixture } from './fixture.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const [WHALE, SHARK, MINNOW, DOLPHIN, PAUSED] = ['1', '2', '3', '4', '5'].map(
  (digit) => `0x${digit.repeat(40)}`,
) as [string, string, string, string, string];
const SNOW = {
  tokenId: '7',
  conditionId: '0x7',
  marketId: '77',
  marketSlug: 'snow',
  marketTitle: 'Snow?',
  fee: 0,
};
const FOG = {
  tokenId: '8',
  conditionId: '0x8',
  marketId: '88',
  marketSlug: 'fog',
  marketTitle: 'Fog?',
};

describe('who else is in a market', () => {
  it('stands in alerts and is answered by /market: what is known, what the venue tells, and what nobody knows', async () => {
    const fixture = await openFixture();
    const { discord, guildId, channelId, trades, say } = fixture;
    /** The wallet trades; gives the last of so many alerts. */
    const play = async (trader: string, item: ActivityItem, alerts: number) => {
      await trades({ ...item, trader });
      await fixture.alerted(alerts);
      return fixture.alerts()[alerts - 1]?.description ?? '';
    };
    /** What `/market` answers a member of the server. */
    const marketOf = async (
      values: Record<string, string>,
      who = fixture.member,
      where = channelId,
    ) => {
      const { embeds, content, ephemeralFor } = await fixture.sayAs(who, 'market', values, where);
      const said = `${embeds[0]?.title ?? ''}\n${embeds[0]?.description ?? content}`;
      return {
        // A sign is kept together with its amount.
        said: said.replaceAll('\u2060', ''),
        ephemeralFor,
      };
    };
    await trades(
      buy(1_000, 40, { ...SNOW, trader: DOLPHIN, time: nowSeconds() - 90 * DAY }),
      ...Array.from({ length: 150 }, (_, nth) =>
        trade({ ...FOG, time: nowSeconds() - 50 * DAY + nth, trader: DOLPHIN }),
      ),
    );
    for (const [wallet, label] of [
      [WHALE, 'Whale'],
      [SHARK, '**Shark** @everyone'],
      [MINNOW, 'Minnow'],
      [DOLPHIN, 'Dolphin'],
      [PAUSED, 'Sleeper'],
    ] as const) {
      await say('watch add', { wallet, label });
    }

    await say('watch channel', { results: 'off' });
    expect(await play(SHARK, buy(4_000, 55), 1)).not.toContain('also here');
    await play(SHARK, sell(900, 65), 2);
    await play(MINNOW, buy(100, 50), 3);
    await play(MINNOW, sell(100, 60), 4);
    await play(PAUSED, buy(9_000, 50), 5);
    await say('watch pause', { wallet: PAUSED });
    const shark = '\\*\\*Shark\\*\\* @\u200beveryone';
    const bought = await play(WHALE, buy(1_000, 60), 6);
    expect(bought).toContain(`also here: ${shark} **$1,705** Yes at 55¢ · Minnow out\n-# `);
    await say('watch channel', { language: 'de' });
    const sold = await play(WHALE, sell(400, 70), 7);
    expect(sold.replaceAll('\u00a0', ' ')).toContain(
      `auch hier: ${shark} **1.705 $** Yes zu 55 ¢ · Minnow ausgestiegen\n-# `,
    );

    // Named as it is suggested: by its title, its id or its slug. That Dolphin holds nothing the
    // venue tells.
    const offered = await discord.autocomplete(
      fixture.member,
      channelId,
      'market',
      { market: 'paris' },
      'market',
    );
    expect(offered[0]).toEqual({ name: 'Will it rain in Paris?', value: '501' });
    for (const market of ['501', 'rain-in-paris', 'RAIN IN']) {
      const { said, ephemeralFor } = await marketOf({ market });
      expect(ephemeralFor).toBeNull();
      expect(said).toMatch(/^Will it rain in Paris\?\n/);
      expect(said).toContain('**Yes** **$2,065** · 3,700 shares at 55.81¢ · 2 wallets');
      expect(said).toMatch(
        /Shark.*\*\*\$1,705\*\* Yes at 55¢ · since <t:\d+:d> · 900 of 4,000 sold · \*\*\+\$90.00\*\* \(\+18\.2%\)/,
      );
      expect(said).toMatch(
        /Whale\]\(\S+\)\*\* \*\*\$360\*\* Yes at 60¢ · since <t:\d+:d> · 400 of 1,000 sold · \*\*\+\$40.00\*\*/,
      );
      expect(said).toMatch(/Minnow\]\(\S+\)\*\* out <t:\d+:R> · \*\*\+\$10\.00\*\* \(\+20%\)/);
      expect(said).toContain('-# Paused, not counted: 1');
      expect(said).not.toMatch(/Not known|Sleeper/);
    }
    const { said: gesagt } = await marketOf({ market: '501' }, fixture.german);
    expect(gesagt.replaceAll('\u00a0', ' ')).toContain('**1.705 $** Yes zu 55 ¢ · seit');
    expect(gesagt).toContain('900 von 4.000 verkauft');

    const { said: most } = await marketOf({});
    expect(most).toMatch(
      /^Markets held here\n• \[Will it rain in Paris\?\]\(\S+\) · \*\*Yes\*\* \*\*\$2,065\*\* · 2 wallets\n/,
    );
    expect(most).toContain('Positions that I know for certain');

    // Of what is older than the newest hundred records the venue is asked.
    const { said: snow } = await marketOf({ market: '77' });
    expect(snow).toMatch(/^Snow\?\n\*\*Yes\*\* \*\*\$400\*\* · 1,000 shares at 40¢ · 1 wallet\n/);
    expect(snow).toMatch(/Dolphin\]\(\S+\)\*\* \*\*\$400\*\* Yes at 40¢ · since <t:\d+:d>\n/);
    expect(snow).toContain(`-# Nothing held: Whale, ${shark}, Minnow`);
    const { said: nobody } = await marketOf({ market: '999' });
    expect(nobody).toMatch(
      /^Market 999\nNo wallet here is known to hold anything in this market\.\n/,
    );
    expect(nobody).toContain(`-# Nothing held: Whale, ${shark}, Minnow, Dolphin`);
    const unknown = await marketOf({ market: 'no such @everyone' });
    expect(unknown.said).toContain('isn’t a market id or slug');
    expect(unknown.ephemeralFor).toBe(fixture.member.userId);

    const other = discord.createChannel(guildId, { name: 'other' });
    expect((await marketOf({}, fixture.member, other.id)).said).toContain(
      'No wallets are watched in',
    );

    // In a thread without watches those of its channel count; with some, those alone.
    const { id: thread } = discord.createChannel(guildId, {
      name: 'talk',
      type: 11,
      parentId: channelId,
    });
    const inThread = () => marketOf({}, fixture.member, thread);
    expect((await inThread()).said).toBe(most);
    await say('watch add', { wallet: MINNOW, label: 'Own' }, thread);
    expect((await inThread()).said).toContain('I don’t know any open position here for certain.');
    await say('watch remove', { wallet: MINNOW }, thread);
    expect((await inThread()).said, 'removed, while that can be undone').toBe(most);

    // Another market of the same title: by the title alone nobody can tell which is meant.
    const twin = { marketId: '502', marketSlug: 'rain-again', tokenId: '2', conditionId: '0x2' };
    await play(WHALE, buy(10, 50, twin), 8);
    expect((await marketOf({ market: 'will it rain in paris?' })).said).toContain(
      'pick one from the list',
    );
    expect((await marketOf({ market: 'rain-again' })).said).toContain(
      '**Yes** **$5.00** · 10 shares',
    );

    // Absence must not read as "holds nothing".
    await fixture.venue.close();
    const { said: away } = await marketOf({ market: '77' });
    expect(away).toContain(`-# Nothing held: Whale, ${shark}, Minnow\n⚠️ Not known: Dolphin\n-# `);
    expect(away).not.toContain('Minnow, Dolphin');
    // What is known may be old by now.
    const old501 = async () => (await marketOf({ market: '501' })).said;
    await expect
      .poll(old501)
      .toMatch(/^Will it rain in Paris\?\n⚠️ .*You’ll get the alerts when .*<t:\d+:R>/);
    const known = await old501();
    expect(known).toContain('**$1,705** Yes at 55¢');
    expect(known).toContain('⚠️ Not known: Dolphin');
    expect(discord.rejections.filter(({ status }) => status !== 429)).toEqual([]);
  });

  it('is said with what wallets gained, however long ago they left it', async () => {
    const fixture = await openFixture();
    const { trades, say } = fixture;
    const now = nowSeconds();
    const left = [
      [WHALE, now - 2 * HOUR],
      [SHARK, now - HOUR / 2],
    ] as const;
    for (const [trader, leftAt] of left) {
      const sold = sell(1_000, 90, { ...SNOW, trader, time: leftAt });
      await trades(buy(1_000, 40, { ...SNOW, trader, time: now - 24 * HOUR }), sold);
    }
    await say('watch add', { wallet: WHALE, label: 'Early' });
    await say('watch add', { wallet: SHARK, label: 'Late' });
    await trades(buy(10, 50, { trader: WHALE }), buy(10, 50, { trader: SHARK }));
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
});
