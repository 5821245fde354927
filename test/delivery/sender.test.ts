import type { FakeDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import {
  clock,
  openFixture,
  openUnlimitedFixture,
  TOKEN,
} from '../../packages/local-discord/test/fixture.ts';
import { createSender } from '../../src/delivery/sender.ts';
import { createRest } from '../../src/discord/client.ts';
import { alertReference } from '../../src/embeds/embed-parts.ts';

const WITHOUT_HISTORY =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks;

function messageOf(nonce: string, replyTo: string | null = null) {
  const embeds = [{ description: nonce, footer: { text: `#${nonce}` } }];
  return {
    body: { content: '', embeds, components: [], replyTo },
    noise: { roleIds: [], isSilent: false },
    nonce,
  };
}

function senderOf(discord: FakeDiscord, canReadHistory = (): boolean | null => true) {
  const rest = createRest({ apiUrl: discord.apiUrl, token: TOKEN });
  return createSender({ rest, selfId: () => discord.bot.id, canReadHistory });
}

describe('a message that answers another', () => {
  it('is a reply where the history may be read, and a message of its own where it may not, or the other is gone', async () => {
    const { discord, channelId } = await openUnlimitedFixture();
    let canReadHistory: boolean | null = true;
    const { send } = senderOf(discord, () => canReadHistory);
    const first = await send(channelId, messageOf('first'));
    const replyTo = async (nonce: string, to: string) => {
      const id = await send(channelId, messageOf(nonce, to));
      return discord.messages(channelId).find((seen) => seen.id === id)?.replyToId;
    };
    expect(await replyTo('answer', first)).toBe(first);
    expect(await replyTo('orphan', '123456789012345678')).toBeNull();
    expect(discord.rejections).toEqual([]);

    discord.setBotPermissions(channelId, WITHOUT_HISTORY);
    canReadHistory = false;
    expect(await replyTo('known', first)).toBeNull();
    expect(discord.rejections).toEqual([]);
    // The bot does not know yet that the permission is gone.
    canReadHistory = true;
    expect(await replyTo('surprise', first)).toBeNull();
    expect(discord.rejections.map(({ code }) => code)).toEqual([160_002]);
    expect(discord.messages(channelId)).toHaveLength(5);
  });
});

describe('a message that is changed', () => {
  it('shows what is new and the role that it mentioned, and calls nobody a second time', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const { id: roleId } = discord.createRole(guildId, { name: 'desk', mentionable: true });
    const { send, edit } = senderOf(discord);
    const noise = { roleIds: [roleId], isSilent: false };
    const messageId = await send(channelId, { ...messageOf('first'), noise });
    const before = discord.message(messageId);
    expect(before?.pings.roleIds).toEqual([roleId]);
    await edit(channelId, messageId, { body: messageOf('grown').body, noise });
    await edit(channelId, messageId, { body: messageOf('grown').body, noise });
    const after = discord.message(messageId);
    expect(after?.embeds.map(({ description }) => description)).toEqual(['grown']);
    expect([after?.content, after?.pings]).toEqual([`<@&${roleId}>`, before?.pings]);
    expect(after?.editedAtMs).not.toBeNull();
    expect(discord.messages(channelId)).toHaveLength(1);
    discord.deleteMessage(messageId);
    const late = edit(channelId, messageId, { body: messageOf('late').body, noise });
    await expect(late).rejects.toMatchObject({ code: 10_008, status: 404 });
    expect(discord.rejections.map(({ code }) => code)).toEqual([10_008]);
  });
});

describe('the text of a message', () => {
  it('comes first, then the roles that the channel has asked for, and nobody else is ever mentioned', async () => {
    const { discord, channelId, guildId } = await openFixture();
    const roleId = discord.createRole(guildId, { name: 'Desk', mentionable: true }).id;
    const { send } = senderOf(discord);
    const { body, noise } = messageOf('sent');
    const content = '🟢 Whale BUY **Yes** $5.00 · @everyone @here';
    await send(channelId, { body: { ...body, content }, noise, nonce: 'quiet' });
    await send(channelId, {
      body: { ...body, content },
      noise: { ...noise, roleIds: [roleId] },
      nonce: 'loud',
    });
    const [quiet, loud] = discord.messages(channelId);
    expect([quiet?.content, loud?.content]).toEqual([content, `${content} <@&${roleId}>`]);
    expect([quiet?.pings, loud?.pings]).toMatchObject([
      { everyone: false, roleIds: [] },
      { everyone: false, roleIds: [roleId] },
    ]);
  });
});

describe('a look into the history', () => {
  const MINUTE_MS = 60_000;
  const FOUND = new Map([['alert', expect.any(String)]]);

  async function openHistory() {
    const time = clock();
    const { discord, channelId, member } = await openUnlimitedFixture({ now: time.now });
    const sender = senderOf(discord);
    let reads = 0;
    discord.events.on('request', ({ method }) => {
      if (method === 'GET') reads += 1;
    });
    return {
      time,
      /** With its reference in a button, or in its footer. */
      send: (id: string, hasButton = true) => {
        const mute = {
          type: 2,
          style: 2,
          custom_id: `watch:mute:0x12:${id}`,
          label: 'Mute',
        } as const;
        const footer = hasButton ? {} : { footer: { text: alertReference(id) } };
        const components = hasButton ? [{ type: 1 as const, components: [mute] }] : [];
        const body = {
          content: '',
          embeds: [{ description: 'x', ...footer }],
          components,
          replyTo: null,
        };
        return sender.send(channelId, { ...messageOf(id), body });
      },
      sendMenu: (id: string) => {
        const options = [{ label: 'one', value: `details:w:${id}` }];
        const components = [
          { type: 1 as const, components: [{ type: 3 as const, custom_id: 'details', options }] },
        ];
        return sender.send(channelId, {
          ...messageOf(id),
          body: { content: 'menu', embeds: [], components, replyTo: null },
        });
      },
      chat(messages: number) {
        for (let index = 0; index < messages; index += 1)
          discord.say(member, channelId, `${index}`);
      },
      find: (id: string, sinceMs: number) => sender.findReferences(channelId, [id], sinceMs),
      reads: () => reads,
    };
  }

  it('finds an alert however much has been written since its first attempt', async () => {
    const { time, send, chat, find, reads } = await openHistory();
    chat(150);
    time.forward(MINUTE_MS * 60);
    const sinceMs = time.now();
    await send('alert');
    time.forward(MINUTE_MS);
    chat(1_300);
    expect(await find('alert', sinceMs)).toEqual(FOUND);
    expect(reads()).toBe(2);
  });

  it('finds a message by its buttons, by the choices of its menu, or by its footer', async () => {
    const { time, send, find, sendMenu } = await openHistory();
    await send('button');
    await send('footer', false);
    await sendMenu('choice');
    for (const id of ['button', 'footer', 'choice']) {
      expect(await find(id, time.now())).toEqual(new Map([[id, expect.any(String)]]));
    }
    expect(await find('0x12', time.now())).toEqual(new Map());
  });

  it('finds one that arrived long after the first attempt', async () => {
    const { time, send, chat, find } = await openHistory();
    const sinceMs = time.now();
    chat(350);
    time.forward(MINUTE_MS * 30);
    await send('alert');
    chat(350);
    expect(await find('alert', sinceMs)).toEqual(FOUND);
  });

  it('says that it is not there when all since then has been read', async () => {
    const { time, send, chat, find } = await openHistory();
    await send('alert');
    time.forward(MINUTE_MS * 60);
    chat(500);
    expect(await find('other', time.now())).toEqual(new Map());
    time.forward(MINUTE_MS * 60);
    expect(await find('other', time.now())).toEqual(new Map());
  });

  it('says that it does not know when it has not reached the end', async () => {
    const { time, chat, find } = await openHistory();
    const sinceMs = time.now();
    chat(1_200);
    expect(await find('alert', sinceMs)).toBeNull();
  });

  it('finds what is among the newest though our clock was hours ahead at the first attempt', async () => {
    const { time, send, chat, find } = await openHistory();
    chat(200);
    await send('alert');
    chat(50);
    expect(await find('alert', time.now() + 3 * 60 * MINUTE_MS)).toEqual(FOUND);
  });
});
