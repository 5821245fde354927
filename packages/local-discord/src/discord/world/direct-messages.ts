import { CHANNEL_TYPES, type Channel, type User } from '../model.ts';

export type DirectMessages = ReturnType<typeof createDirectMessages>;

/** Channels outside of servers. */
export function createDirectMessages(newId: () => string, users: ReadonlyMap<string, User>) {
  const channels = new Map<string, Channel>();

  function create(type: number, recipientIds: readonly string[]): Channel {
    const channel: Channel = {
      id: newId(),
      guildId: null,
      type,
      name: '',
      position: 0,
      parentId: null,
      overwrites: new Map(),
      lastMessageId: null,
      recipientIds,
      archived: false,
      locked: false,
    };
    channels.set(channel.id, channel);
    return channel;
  }

  return {
    find: (channelId: string): Channel | undefined => channels.get(channelId),
    /** The direct message of a person and the bot; a new one if there is none. */
    openDm(userId: string): Channel {
      const isOfPerson = ({ recipientIds: [first, ...others] }: Channel) =>
        first === userId && others.length === 0;
      return [...channels.values()].find(isOfPerson) ?? create(CHANNEL_TYPES.DM, [userId]);
    },
    /** A direct message of two people, or a group of more: the bot is not in it. */
    createPrivateChannel(userIds: readonly string[]): Channel {
      if (userIds.length < 2) throw new Error('A private channel has two people or more.');
      return create(userIds.length === 2 ? CHANNEL_TYPES.DM : CHANNEL_TYPES.GROUP_DM, userIds);
    },
    /** The people of a direct message; none of a server's channel. */
    recipients: ({ recipientIds }: Channel): User[] =>
      recipientIds.flatMap((id) => users.get(id) ?? []),
  };
}
