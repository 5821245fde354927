import type { Guild, GuildMember } from 'discord.js';
import { memberTrouble, permissionsIn } from '../../src/discord/member-rights.ts';
import { ALERT_CHANNELS, checkAlertChannel } from '../../src/discord/permissions.ts';
import type { LocalizedText } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import type { NamedThing } from '../../src/watches/settings/cells.ts';
import type { ReadFile } from '../../src/watches/transfer/fields.ts';
import type { CommandContext } from '../shared/context.ts';

/** Channels requested by REST because they are not in the gateway's cache: archived threads. */
const ASKED_LIMIT = 10;

type Found = { readonly id: string } | { readonly reason: LocalizedText };

/**
 * Finds the channels and roles that a file names, among those of the server: another server's do not exist here. In a direct
 * message that is the one channel of all.
 */
export function placesOf(interaction: CommandUse, { place }: CommandContext) {
  if (place.kind === 'directMessage') {
    const channel = async (_named: NamedThing): Promise<Found> => ({ id: interaction.channelId });
    return { channel, role: (named: NamedThing): Found => ({ reason: noRole(named) }) };
  }
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  return createPlaces(interaction.guild, interaction.member);
}
export type Places = ReturnType<typeof placesOf>;

/** @param member who names them: channels that they do not see count as missing, and they need the right to write in a channel */
function createPlaces(guild: Guild, member: GuildMember) {
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

  const troubleIn = async (id: string): Promise<LocalizedText | null> => {
    const channel = guild.channels.cache.get(id);
    try {
      await checkAlertChannel(guild, id);
      return channel === undefined ? null : memberTrouble(channel, member);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return error.say;
    }
  };

  return {
    /** A channel that alerts can be sent to. Found by id where the server has it, else by name. */
    async channel({ id, name }: NamedThing): Promise<Found> {
      const called = () =>
        guild.channels.cache
          .filter((channel) => channel.name === name && ALERT_CHANNELS.some((type) => type === channel.type))
          .map((channel) => channel.id)
          .filter(isSeen);
      const [only, other] = id !== null && (await isThere(id)) ? [id] : called();
      if (only === undefined) return { reason: ({ texts }) => texts.files.faults.noChannel(shown('#', id, name)) };
      if (other !== undefined) return { reason: ({ texts }) => texts.files.faults.manyChannels(`#${name}`) };
      const trouble = checked.has(only) ? (checked.get(only) ?? null) : await troubleIn(only);
      checked.set(only, trouble);
      if (trouble === null) return { id: only };
      const shownName = `#${guild.channels.cache.get(only)?.name ?? only}`;
      return { reason: (language) => trouble(language).replaceAll(`<#${only}>`, shownName) };
    },
    role({ id, name }: NamedThing): Found {
      const roles = guild.roles.cache.filter((role) => role.id !== guild.id);
      const called = () => roles.filter((role) => role.name === name).map((role) => role.id);
      const [only, other] = id !== null && roles.has(id) ? [id] : called();
      if (only === undefined) return { reason: noRole({ id, name }) };
      if (other !== undefined) return { reason: ({ texts }) => texts.files.faults.manyRoles(`@${name}`) };
      return { id: only };
    },
  };
}

/** A file as a direct message takes it, in which there are neither channels nor roles. */
export function withoutPlaces(file: ReadFile): { readonly file: ReadFile; readonly isLeftOut: boolean } {
  const isLeftOut = file.wishes.some(
    ({ channel, settings }) => channel !== null || (settings.mention ?? null) !== null,
  );
  const wishes = file.wishes.map(({ settings: { mention: _, ...settings }, ...wish }) => ({
    ...wish,
    settings,
    channel: null,
  }));
  return { file: { ...file, wishes }, isLeftOut };
}

function noRole({ id, name }: NamedThing): LocalizedText {
  return ({ texts }) => texts.files.faults.noRole(shown('@', id, name));
}

function shown(sign: string, id: string | null, name: string | null): string {
  return [id, name === null ? null : `${sign}${name.slice(0, 100)}`].filter((part) => part !== null).join(' ');
}
