import { CHANNEL_TYPES, type Channel, type User } from '../model.ts';

/** Channels outside of servers. */
export interface DirectMessages {
  find(channelId: string): Channel | undefined;
  /** The direct message of a person and the bot; a new one if there is none. */
  openDm(userId: string): Channel;
  /** A direct message of two people, or a group of more: the bot is not in it. */
  createPrivateChannel(userIds: readonly string[]): Channel;
  /** The people of a direct message; none of a server's channel. */
  recipients(channel: Channel): User[];
}

export function createDirectMessages({
  newId,
  users,
}: {
  readonly newId: () => string;
  readonly users: ReadonlyMap<string, User>;
}): DirectMessages {
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
    find: (channelId) => channels.get(channelId),
    openDm(userId) {
      const isOfPerson = ({ recipientIds: [first, ...others] }: Channel) => first === userId && others.length === 0;
      return [...channels.values()].find(isOfPerson) ?? create(CHANNEL_TYPES.DM, [userId]);
    },
    createPrivateChannel(userIds) {
      if (userIds.length < 2) throw new Error('A private channel has two people or more.');
      return create(userIds.length === 2 ? CHANNEL_TYPES.DM : CHANNEL_TYPES.GROUP_DM, userIds);
    },
    recipients: ({ recipientIds }) => recipientIds.flatMap((id) => users.get(id) ?? []),
  };
}
