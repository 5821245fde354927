import { memberTrouble, permissionsIn } from '../../src/discord/member-rights.ts';
import { ALERT_CHANNELS, checkAlertChannel } from '../../src/discord/permissions.ts';
import type { LocalizedText } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import type { NamedThing } from '../../src/watches/settings/cells.ts';
import type { CommandContext } from '../shared/context.ts';

/** Channels requested by REST because they are not in the gateway's cache: archived threads. */
const ASKED_LIMIT = 10;

/** An id, or why there is none. */
type Found = string | LocalizedText;

/**
 * Finds the channels and roles that a file names, among those of the server: another server's do not exist here. Channels that whoever
 * names them does not see count as missing, and they need the right to write in a channel. Null in a direct message, which has neither.
 */
export function placesOf(interaction: CommandUse, { place }: CommandContext) {
  if (place.kind === 'directMessage') return null;
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  const { guild, member } = interaction;
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
      if (error instanceof UserError) return error.say;
      throw error;
    }
  };

  return {
    /** A channel that alerts can be sent to. */
    async channel({ id, name }: NamedThing): Promise<Found> {
      const called = () =>
        guild.channels.cache
          .filter((channel) => channel.name === name && ALERT_CHANNELS.some((type) => type === channel.type))
          .map((channel) => channel.id)
          .filter(isSeen);
      const [found, other] = id !== null && (await isThere(id)) ? [id] : called();
      if (found === undefined) return ({ texts }) => texts.files.faults.noChannel(shown('#', id, name));
      if (other !== undefined) return ({ texts }) => texts.files.faults.manyChannels(`#${name}`);
      const trouble = await troubleIn(found);
      const shownName = `#${guild.channels.cache.get(found)?.name ?? found}`;
      return trouble === null ? found : (language) => trouble(language).replaceAll(`<#${found}>`, shownName);
    },
    role({ id, name }: NamedThing): Found {
      const roles = guild.roles.cache.filter((role) => role.id !== guild.id);
      const called = () => roles.filter((role) => role.name === name).map((role) => role.id);
      const [found, other] = id !== null && roles.has(id) ? [id] : called();
      if (found === undefined) return ({ texts }) => texts.files.faults.noRole(shown('@', id, name));
      return other === undefined ? found : ({ texts }) => texts.files.faults.manyRoles(`@${name}`);
    },
  };
}
export type Places = NonNullable<ReturnType<typeof placesOf>>;

function shown(sign: string, id: string | null, name: string | null): string {
  return [id, name === null ? null : `${sign}${name.slice(0, 100)}`].filter((part) => part !== null).join(' ');
}
