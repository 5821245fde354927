import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { expect, it } from 'vitest';
import { limitsOfAll } from '../support/limits-file.ts';
import { longestHold, MEASURE_HOLDS, tooLongTwice } from '../support/loop-holds.ts';
import { trade, transfer } from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture, postButton } from './fixture.ts';

const WATCHES = 1_000;
/** What one list keeps at the most, and a little more. */
const RECORDS = 2_100;
const NOON = 1_795_255_200;

const watchLines = Array.from({ length: WATCHES }, (_, index) =>
  [
    `0x${String(index).padStart(40, '0')}`,
    `"Wallet *number* ${index} of the desk, with a long name"`,
    '"buy, sell"',
    index,
    '"only-this-market the-other-market and-a-third-one and-a-fourth-one"',
    '10m',
  ].join(','),
);
const WATCHES_FILE = `wallet,label,kinds,minUsdc,onlyMarkets,silentBelowUsdc\n${watchLines.join('\n').replaceAll(',10m', ',25')}`;

/** Uses commands at size in a bot of its own, and returns how long each blocked the loop. */
async function useAll() {
  const fixture = await openFixture({
    asProcess: true,
    environment: {
      NODE_OPTIONS: MEASURE_HOLDS,
      WATCHES_PER_GUILD: String(WATCHES),
      POLL_CRON: '0 0 1 1 *',
      ...limitsOfAll(temporaryFolder(), { lookupShare: 1 }),
    },
  });
  const { discord, ledger, channelId, admin, member } = fixture;
  const records = Array.from({ length: RECORDS }, (_, n): LedgerRecord[] => {
    const of = {
      tokenId: `${n % 300}`,
      conditionId: `${n % 300}`,
      marketTitle: `Will it rain? ${'x'.repeat(n % 100)}`,
      time: NOON - n * 600,
      grossValue: 50 + (n % 97) + 0.13,
    };
    const moved = { time: NOON - n * 600, amount: 10 + n, type: n % 3 ? 'deposit' : 'withdrawal' };
    return [
      { kind: 'activity', wallet: WALLET, block: 1, item: trade(of) },
      { kind: 'transfer', wallet: WALLET, item: transfer(moved) },
    ];
  });
  await ledger.addAll(records.flat());
  const holds: Record<string, number> = {};
  const held = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    await longestHold(fixture);
    const result = await work();
    holds[name] = Math.max(holds[name] ?? 0, await longestHold(fixture));
    return result;
  };
  const say = (line: string, values: Record<string, string> = {}) =>
    held(line, () => fixture.say(line, values));
  const send = (name: string, text: string) =>
    held(name, async () => {
      const file = { filename: 'watches.csv', data: Buffer.from(text) };
      return (await discord.command(admin, channelId, 'watch import', { file })).reply();
    });
  const press = async (name: string, message: SeenMessage, customId: string, who = member) =>
    held(name, async () => (await discord.press(who, message.id, customId)).reply());

  // What runs for the first time is not translated yet.
  for (const line of ['activity', 'flows']) {
    await fixture.say(line, { wallet: WALLET });
    await fixture.say(line, { wallet: WALLET });
  }

  const plan = await send('watch import', WATCHES_FILE);
  const apply =
    /watch:import:apply:\d+/.exec(JSON.stringify(plan.components))?.[0] ?? JSON.stringify(plan);
  await press('import applied', plan, apply, admin);
  await send('import of the same', WATCHES_FILE);
  const bombs = {
    letters: `wallet\n${'a\n'.repeat(500_000)}`,
    quotes: '""\n'.repeat(340_000),
    lists: JSON.stringify([{ wallet: Array.from({ length: 340_000 }, () => []) }]),
    objects: `[${Array.from({ length: 1_000 }, () => `{"wallet":[${'{},'.repeat(340)}{}]}`).join(',')}]`,
    depth: '['.repeat(1_000_000),
    lines: `wallet\n${'\n'.repeat(1_000_000)}`,
    columns: `wallet\n${`${'a,'.repeat(500)}\n`.repeat(1_000)}`,
    keys: `[${Array.from({ length: 50 }, (_o, o) => `{${Array.from({ length: 990 }, (_, n) => `"k${o}-${n}":1`)}}`)}]`,
    row: `wallet${',a'.repeat(500_000)}`,
  };
  for (const [name, text] of Object.entries(bombs)) await send(`import of ${name}`, text);

  const list = await say('watch list');
  await press('turn of the list', list, 'watch:list:10', admin);
  await say('watch export');
  await say('watch export', { format: 'json' });
  await fixture.say('watch scores');
  await say('watch scores');
  await say('market');
  await say('market', { market: '77' });
  await say('watch status');
  await say('watch edit', { wallet: `0x${'0'.repeat(40)}`, label: 'Other' });
  await say('watch pause', { for: '1h' });
  await say('watch resume');
  await say('watch channel', { view: 'compact' });
  await say('watch digest', { every: 'day' });
  await say('watch remove', { wallet: `0x${'0'.repeat(40)}` });
  await say('watch add', { wallet: WALLET });
  await say('watch remove', { wallet: WALLET });
  await held('suggestions', () =>
    discord.autocomplete(member, channelId, 'activity', { wallet: 'desk' }, 'wallet'),
  );

  for (const line of ['activity', 'flows']) {
    // The first call of code compiles it; what the size of a list costs shows from the second on.
    await fixture.say(line, { wallet: `0x${'0'.repeat(39)}1` });
    const { components } = await say(line, { wallet: WALLET });
    const id = new RegExp(`${line}:(\\d+):1:`).exec(JSON.stringify(components))?.[1] ?? 'none';
    const pressAny = async (name: string, customId: string) =>
      press(name, await postButton(fixture, customId), customId);
    for (let n = 0; n < 7; n += 1) await pressAny(`${line} far on`, `${line}:${id}:199:1990`);
    await pressAny(`${line} back to page one`, `${line}:${id}:0:0`);
    await pressAny(`${line} as a file`, `${line}:${id}:csv`);
  }
  await fixture.bot.stop();
  return { holds, rejections: discord.rejections };
}

it('no command holds the event loop for longer than fifteen times what a file is parsed in, with the largest lists, files and numbers of watches', {
  timeout: within(120_000),
}, async () => {
  const { holds, rejections } = await useAll();
  const tooLong = await tooLongTwice(holds, async () => (await useAll()).holds);
  expect(tooLong, JSON.stringify(holds)).toEqual([]);
  expect(rejections).toEqual([]);
});
