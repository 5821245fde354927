import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/bot/client.ts';
import { createSender } from '../../src/bot/sender.ts';
import { openRoom, TOKEN } from '../sandbox/room.ts';

const WITHOUT_HISTORY =
  PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks;

function message(nonce: string, replyTo: string | null) {
  const embeds = [{ description: nonce, footer: { text: `#${nonce}` } }];
  return { body: { embeds, components: [], replyTo }, attention: { roleIds: [], isSilent: false }, nonce };
}

describe('a message that answers another', () => {
  it('is a reply where the history may be read, and a message of its own where it may not, or the other is gone', async () => {
    const { discord, channelId } = await openRoom();
    let canReadHistory: boolean | null = true;
    const rest = createRest(discord.apiUrl, TOKEN);
    const { send } = createSender({ rest, selfId: () => null, canReadHistory: () => canReadHistory });
    const first = await send(channelId, message('first', null));
    const replyTo = async (nonce: string, to: string) => {
      const id = await send(channelId, message(nonce, to));
      return discord.messages(channelId).find((seen) => seen.id === id)?.replyToId;
    };
    expect(await replyTo('answer', first)).toBe(first);
    expect(await replyTo('orphan', '123456789012345678')).toBeNull();
    expect(discord.rejections).toEqual([]);

    discord.setBotPermissions(channelId, WITHOUT_HISTORY);
    canReadHistory = false;
    expect(await replyTo('known', first)).toBeNull();
    expect(discord.rejections).toEqual([]);
    // Nobody has told the bot yet that the permission is gone.
    canReadHistory = true;
    expect(await replyTo('surprise', first)).toBeNull();
    expect(discord.rejections.map(({ code }) => code)).toEqual([160_002]);
    expect(discord.messages(channelId)).toHaveLength(5);
  });
});
