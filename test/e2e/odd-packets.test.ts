import { once } from 'node:events';
import { GatewayDispatchEvents } from 'discord.js';
import { expect, it } from 'vitest';
import { oddPacket } from '../support/odd-packets.ts';
import { seededRandom } from '../support/random.ts';
import { inMarket, nowSeconds, trade } from '../support/records.ts';
import { IS_THOROUGH, within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, type Fixture, openFixture } from './fixture.ts';

const SEED = Number(process.env['WALLETBELL_TEST_SEED'] ?? 47);
/** Odd packets of each type. */
const CASES = IS_THOROUGH ? 200 : 12;
/** Of interactions, which have the most to be odd in. */
const INTERACTIONS = CASES * 12;
/** So many packets are sent before a command has to be answered. */
const BATCH = 100;

/** Frames that are no packet of Discord's. */
const FRAMES = [
  'no JSON',
  '',
  'null',
  '5',
  '[]',
  '{}',
  '{"op":0}',
  '{"op":0,"t":null,"s":null,"d":null}',
  '{"op":0,"t":"error","s":1,"d":{}}',
  '{"op":0,"t":"__proto__","s":1,"d":{}}',
  '{"op":0,"t":"READY","s":1,"d":null}',
  '{"op":0,"t":"GUILD_CREATE","s":"99999999999999999999","d":{}}',
  '{"op":9,"d":null}',
  '{"op":99,"d":{}}',
];

/** All that the double sends while people use the bot in a server, by type, and its first READY. */
async function truePackets(fixture: Fixture, there: ReturnType<typeof elsewhere>) {
  const { discord } = fixture;
  const { guildId, channelId, admin, say } = there;
  const seen = new Map<string, unknown[]>();
  discord.faults.alterPackets((event, data) => {
    seen.set(event, [...(seen.get(event) ?? []), structuredClone(data)]);
    return data;
  });
  await say('watch add', { wallet: WALLET, label: 'Odd' });
  await say('watch list');
  await say('watch status');
  await say('activity', { wallet: WALLET });
  await say('watch import', { file: { filename: 'w.csv', data: Buffer.from(WALLET) } });
  await discord.autocomplete(admin, channelId, 'watch edit', { wallet: 'O' }, 'wallet');
  await fixture.trades(trade({ time: nowSeconds() }));
  await fixture.alerted(1, channelId);
  await fixture.press(admin, fixture.posted(channelId)[0], 'details');
  discord.say(admin, channelId, `see ${WALLET}`);
  const said = discord.messages(channelId).at(-1);
  if (said !== undefined) await discord.useOnMessage(admin, said.id);
  const { id: more } = discord.createChannel(guildId, { name: 'more' });
  discord.setOverwrite(more, { id: admin.userId, type: 1, allow: 0n, deny: 1n });
  const thread = discord.createChannel(guildId, { name: 'thread', type: 11, parentId: more });
  discord.setThread(thread.id, { archived: true });
  const role = discord.createRole(guildId, { name: 'role' });
  discord.setRole(guildId, role.id, { name: 'another' });
  discord.setServerChannels(guildId, { systemChannelId: more });
  discord.timeoutBot(guildId, Date.now() + 1_000);
  discord.timeoutBot(guildId, null);
  discord.deleteChannel(more);
  discord.setGuildUnavailable(guildId, true);
  discord.setGuildUnavailable(guildId, false);
  const { id: gone } = discord.createGuild({ name: 'Gone' });
  discord.kickBot(gone);
  discord.faults.alterPackets((_event, data) => data);
  return seen;
}

/** Data with the fields that packets have which the double never sends. */
function anyData(guildId: string, channelId: string, userId: string): Record<string, unknown> {
  const user = { id: userId, username: 'odd', discriminator: '0', avatar: null };
  const member = { user, roles: [], joined_at: new Date(0).toISOString(), flags: 0 };
  const entity = { id: '1', name: 'odd', guild_id: guildId, channel_id: channelId, user, member };
  return {
    ...entity,
    user_id: userId,
    application_id: userId,
    type: 0,
    status: 1,
    content: 'odd',
    author: user,
    timestamp: new Date(0).toISOString(),
    message_id: '1',
    ids: ['1', '2'],
    members: [member],
    threads: [{ ...entity, type: 11, parent_id: channelId }],
    channel_ids: [channelId],
    added_members: [{ ...member, user_id: userId }],
    removed_member_ids: [userId],
    member_count: 1,
    emojis: [entity],
    emoji: { id: null, name: 'x' },
    stickers: [entity],
    soundboard_sounds: [{ sound_id: '1', name: 'x', volume: 1 }],
    sound_id: '1',
    role: { ...entity, permissions: '0' },
    role_id: '1',
    action: { type: 1, metadata: {} },
    rule_id: '1',
    action_type: 1,
    code: 'odd',
    activities: [{ name: 'x', type: 0 }],
    client_status: { web: 'online' },
    last_pin_timestamp: new Date(0).toISOString(),
    embeds: [],
    attachments: [],
    mentions: [user],
    mention_roles: ['1'],
    components: [],
    opcode: 8,
    retry_after: 1,
    meta: {},
  };
}

it('no packet and no frame of the gateway ends the process, and what is not odd is served meanwhile', {
  timeout: within(600_000),
}, async () => {
  const random = seededRandom(SEED);
  const fixture = await openFixture({ asProcess: true, environment: { HTTP_PORT: '0' } });
  const { discord, bot, say } = fixture;
  const { url } = await fixture.logged('http.listening');
  const there = elsewhere(fixture);
  const packets = await truePackets(fixture, there);
  await say('watch add', { wallet: WALLET, label: 'Here' });
  let isEnded = false;
  const ended = once(bot.process, 'close').then(() => {
    isEnded = true;
  });

  const other = anyData(there.guildId, there.channelId, there.admin.userId);
  let id = BigInt(discord.bot.id) + (1n << 62n);
  const queue = Object.values(GatewayDispatchEvents)
    // READY is tested at the log-in that it belongs to, RESUMED where there is something to resume.
    .filter((type) => type !== 'READY')
    .flatMap((type) => {
      const known = packets.get(type) ?? [other];
      const isInteraction = type === GatewayDispatchEvents.InteractionCreate;
      return Array.from({ length: isInteraction ? INTERACTIONS : CASES }, () => {
        const base = structuredClone(known[Math.floor(random() * known.length)]);
        id += 1n << 22n;
        // The bot answers each interaction once.
        if (isInteraction) Object.assign(base as object, { id: String(id) });
        return { type, data: oddPacket(random, base) };
      });
    });
  expect(new Set(queue.map(({ type }) => type)).size).toBeGreaterThan(60);

  /** The bot answers: it has handled what was sent before. */
  const answers = async () => {
    const isAnswered = say('watch status').then(({ embeds }) => embeds.length > 0);
    const isSo = await Promise.race([isAnswered, ended.then(() => 'ended')]);
    const crash = fixture.logLines.find(({ event }) => event === 'crashed');
    expect([isSo, isEnded, crash], `seed ${SEED}`).toEqual([true, false, undefined]);
  };
  for (let from = 0; from < queue.length; from += BATCH) {
    for (const { type, data } of queue.slice(from, from + BATCH)) {
      discord.faults.sendPacket(type, data);
    }
    await answers();
  }
  for (const frame of FRAMES) {
    discord.faults.sendText(frame);
    await answers();
  }

  await fixture.trades(trade({ ...inMarket(7), time: nowSeconds() }));
  await Promise.race([fixture.alerted(1), ended]);
  await answers();
  const faults = fixture.logLines.filter(({ event }) => event === 'discord.gateway_fault');
  const kinds = faults.map(({ packet, listener, err }) =>
    JSON.stringify([
      packet,
      listener,
      (err as Error).stack?.split('\n').find((line) => /^\s+at /.test(line)),
    ]),
  );
  expect(kinds.length).toBeGreaterThan(10);
  expect(new Set(kinds).size, 'each kind is logged once').toBe(kinds.length);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counted = Number(/^walletbell_gateway_faults_total (\d+)$/m.exec(metrics)?.[1]);
  expect(counted).toBeGreaterThan(kinds.length);
});
