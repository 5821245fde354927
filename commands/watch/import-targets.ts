import type { Guild, GuildMember } from 'discord.js';
import { memberTrouble, permissionsIn } from '../../src/discord/member-rights.ts';
import { ALERT_CHANNELS, checkAlertChannel } from '../../src/discord/permissions.ts';
import type { CommandUse } from '../../src/discord/slash-command.ts';
import type { LocalizedText } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import type { NamedThing } from '../../src/watches/transfer/fields.ts';
import type { ReadFile } from '../../src/watches/transfer/file.ts';
import type { CommandContext } from '../shared/context.ts';

/** Channels requested by REST because they are not in the gateway's cache: archived threads. */
const ASKED_LIMIT = 10;

export type Found = { readonly id: string } | { readonly reason: LocalizedText };

/** Finds the channels and roles of one server that a file names. Another server's do not exist here. */
export interface Places {
  /** A channel that alerts can be sent to. Found by id where the server has it, else by name. */
  channel(named: NamedThing): Promise<Found>;
  role(named: NamedThing): Found;
}

/**
 * @param member who names them: channels that they do not see count as missing, and they need the right to write in a channel
 */
function createPlaces(guild: Guild, member: GuildMember): Places {
  const checked = new Map<string, LocalizedText | null>();
  const asked = new Set<string>();

  const isSeen = (id: string) => {
    const channel = guild.channels.cache.get(id);
    return channel !== undefined && permissionsIn(channel, member).has('ViewChannel');
  };

  /** Threads that are archived are in no list: Discord is asked for some of them. */
  const isThere = async (id: string) => {
    if (!guild.channels.cache.has(id) && !asked.has(id) && asked.size < ASKED_LIMIT) {
      asked.add(id);
      await guild.channels.fetch(id).catch(() => null);
    }
    return isSeen(id);
  };

  const fault = async (id: string): Promise<LocalizedText | null> => {
    const known = checked.get(id);
    if (known !== undefined) return known;
    const channel = guild.channels.cache.get(id);
    const trouble = await checkAlertChannel(guild, id).then(
      () => (channel === undefined ? null : memberTrouble(channel, member)),
      (error: unknown): LocalizedText => {
        if (!(error instanceof UserError)) throw error;
        return error.say;
      },
    );
    const named: LocalizedText = (language) =>
      trouble?.(language).replaceAll(`<#${id}>`, `#${channel?.name ?? id}`) ?? '';
    const reason = trouble === null ? null : named;
    checked.set(id, reason);
    return reason;
  };

  return {
    async channel({ id, name }) {
      if (id !== null && (await isThere(id))) {
        const reason = await fault(id);
        return reason === null ? { id } : { reason };
      }
      const called = [...guild.channels.cache.values()].filter(
        (channel) =>
          channel.name === name && ALERT_CHANNELS.some((type) => type === channel.type) && isSeen(channel.id),
      );
      const [only] = called;
      if (only === undefined) {
        return { reason: ({ texts }) => texts.files.faults.noChannel(shown('#', id, name)) };
      }
      if (called.length > 1) return { reason: ({ texts }) => texts.files.faults.manyChannels(`#${name}`) };
      const reason = await fault(only.id);
      return reason === null ? { id: only.id } : { reason };
    },
    role({ id, name }) {
      const roles = guild.roles.cache.filter((role) => role.id !== guild.id);
      if (id !== null && roles.has(id)) return { id };
      const called = [...roles.values()].filter((role) => role.name === name);
      const [only] = called;
      if (only === undefined) {
        return { reason: ({ texts }) => texts.files.faults.noRole(shown('@', id, name)) };
      }
      if (called.length > 1) return { reason: ({ texts }) => texts.files.faults.manyRoles(`@${name}`) };
      return { id: only.id };
    },
  };
}

/** Where the file's watches may go: to channels of the server, or to the person's direct message. */
export function placesOf(
  interaction: CommandUse,
  { place }: Pick<CommandContext, 'place'>,
): { readonly places: Places; readonly isForPerson: boolean } {
  if (place.kind === 'directMessage') return { places: personPlaces(interaction.channelId), isForPerson: true };
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  return { places: createPlaces(interaction.guild, interaction.member), isForPerson: false };
}

/** Everything goes to a person's direct message, which has neither channels nor roles. */
function personPlaces(channelId: string): Places {
  return {
    channel: async () => ({ id: channelId }),
    role: ({ id, name }) => ({ reason: ({ texts }) => texts.files.faults.noRole(shown('@', id, name)) }),
  };
}

/** A file as a direct message takes it, in which there are neither channels nor roles. */
export function withoutPlaces(file: ReadFile): { readonly file: ReadFile; readonly isLeftOut: boolean } {
  const isLeftOut = file.wishes.some(({ channel, mention }) => channel !== null || (mention ?? null) !== null);
  const wishes = file.wishes.map(({ mention: _, ...wish }) => ({ ...wish, channel: null }));
  return { file: { ...file, wishes }, isLeftOut };
}

function shown(sign: string, id: string | null, name: string | null): string {
  return [id, name === null ? null : `${sign}${name.slice(0, 100)}`].filter((part) => part !== null).join(' ');
}
