import { CHANNEL_TYPES, type Channel, type User } from '../model.ts';

export type DirectMessages = ReturnType<typeof createDirectMessages>;

/** Creates the store of channels outside of servers. */
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
    /** Returns the direct message channel of a person and the bot, creating it if needed. */
    openDm(userId: string): Channel {
      const isOfPerson = ({ recipientIds: [first, ...others] }: Channel) =>
        first === userId && others.length === 0;
      return [...channels.values()].find(isOfPerson) ?? create(CHANNEL_TYPES.DM, [userId]);
    },
    /** Creates a direct message channel of two people, or of a larger group, without the bot. */
    createPrivateChannel(userIds: readonly string[]): Channel {
      if (userIds.length < 2) throw new Error('A private channel has two people or more.');
      return create(userIds.length === 2 ? CHANNEL_TYPES.DM : CHANNEL_TYPES.GROUP_DM, userIds);
    },
    /** Returns the people of a direct message; empty for a channel of a server. */
    recipients: ({ recipientIds }: Channel): User[] =>
      recipientIds.flatMap((id) => users.get(id) ?? []),
  };
}
