import type { Rejection, SeenEmbed, SeenMessage, Warning } from '../discord/events.ts';
import type { FakeDiscord, MemberRef } from '../discord/fake-discord.ts';
import { COMPONENT_TYPES, type InRowComponent } from '../discord/forms/components.ts';
import { has, PERMISSIONS } from '../discord/permissions.ts';
import type {
  PageAnswered,
  PageComplaint,
  PageComponent,
  PageEmbed,
  PageLanguage,
  PageMessage,
  PageOption,
  PagePicture,
  PageWorld,
} from './protocol.ts';

const MESSAGES_PER_CHANNEL = 100;
/** Channel types with messages: text and announcement channels, and threads. */
const TEXT_CHANNELS = [0, 5, 10, 11, 12];

/** Locale of a person who has not set one. */
export const USUAL_LOCALE = 'en-US';

/** A member of the server, and the person's role there. */
export interface Person {
  readonly ref: MemberRef;
  readonly role: string;
  /** The person's direct message with the bot, if the page shows it. */
  readonly directId?: string;
}

export interface ViewDeps {
  readonly discord: FakeDiscord;
  readonly guildId: string;
  readonly people: readonly Person[];
  /** Title of the page. */
  readonly title: string;
  readonly languages: readonly PageLanguage[];
  /** Default: whether the bot is connected to the gateway. */
  readonly isBotOnline?: () => boolean;
}

/** One person's view of the local Discord, in the page's format. */
export interface View {
  world(me: Person): PageWorld;
  /** Returns the entities that menus of a channel's modals offer to the person. */
  offeredIn(me: Person, channelId: string): Offered;
  /** Returns all messages that the person can read, oldest first. */
  messages(me: Person): PageMessage[];
  /** Returns Discord's error message for a missing response. */
  unanswered(channelId: string, interactionId: string): PageMessage;
  /** Returns null for a message that this person does not see. */
  message(me: Person, message: SeenMessage): PageMessage | null;
  rejection(rejection: Rejection): PageComplaint;
  warning(warning: Warning): PageComplaint;
}

/** People, roles and channels to choose from. */
export interface Offered {
  readonly users: readonly Named[];
  readonly roles: readonly Named[];
  readonly channels: readonly (Named & { readonly type: number })[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

export function createView(deps: ViewDeps): View {
  const { discord, guildId, people, title, languages } = deps;
  const { isBotOnline = () => discord.connections > 0 } = deps;
  /**
   * Commands by interaction id, because a message itself doesn't contain the command that it
   * answers.
   */
  const commands = new Map<string, PageAnswered>();
  const mediaRoot = `${new URL(discord.apiUrl).origin}/cdn/`;
  const nameOf = (userId: string) => discord.user(userId)?.name ?? 'somebody';

  discord.events.on('interaction', ({ id, type, userId, name }) => {
    if (type !== 2) return;
    const author = { id: userId, name: nameOf(userId), bot: false };
    commands.set(id, { kind: 'command', author, line: `/${name}` });
  });

  const picture = (address: string | null): PagePicture | null => {
    if (address === null) return null;
    return {
      src: address.startsWith(mediaRoot) ? `/cdn/${address.slice(mediaRoot.length)}` : null,
    };
  };

  function answeredBy({ interactionId, replyToId }: SeenMessage): PageAnswered | null {
    const command = interactionId === null ? undefined : commands.get(interactionId);
    if (command) return command;
    if (replyToId === null) return null;
    const message = discord.message(replyToId);
    return message
      ? { kind: 'message', author: message.author, content: message.content }
      : { kind: 'gone' };
  }

  function visibleChannels(me: Person) {
    const channels = [...(discord.guild(guildId)?.channels.values() ?? [])];
    const direct = me.directId === undefined ? undefined : discord.channel(me.directId);
    const seen = channels.filter(
      (channel) =>
        TEXT_CHANNELS.includes(channel.type) &&
        has(discord.permissionsIn(me.ref.userId, channel), PERMISSIONS.VIEW_CHANNEL),
    );
    return [...seen, ...(direct === undefined ? [] : [direct])];
  }

  function message(me: Person, seen: SeenMessage): PageMessage | null {
    if (seen.ephemeralFor !== null && seen.ephemeralFor !== me.ref.userId) return null;
    if (!visibleChannels(me).some(({ id }) => id === seen.channelId)) return null;
    return {
      id: seen.id,
      channelId: seen.channelId,
      author: seen.author,
      content: seen.content,
      embeds: shownEmbeds(seen.embeds).map((embed) => embedOf(embed, picture)),
      rows: seen.components.map((row) => row.components.map(componentOf)),
      attachments: seen.attachments.map(
        ({ filename, sizeBytes, url, contentType, description }) => ({
          filename,
          sizeBytes,
          src: picture(url)?.src ?? '',
          isImage: contentType.startsWith('image/'),
          description,
        }),
      ),
      thinking: seen.thinking,
      unanswered: false,
      ephemeral: seen.ephemeralFor !== null,
      createdAtMs: seen.createdAtMs,
      edited: seen.editedAtMs !== null,
      silent: seen.silent,
      answered: answeredBy(seen),
      pingsMe: seen.pings.everyone || seen.pings.userIds.includes(me.ref.userId),
    };
  }

  function unanswered(channelId: string, interactionId: string): PageMessage {
    return {
      id: interactionId,
      channelId,
      author: { id: discord.bot.id, name: discord.bot.name, bot: true },
      content: '',
      embeds: [],
      rows: [],
      attachments: [],
      thinking: false,
      unanswered: true,
      ephemeral: true,
      createdAtMs: Date.now(),
      edited: false,
      silent: false,
      answered: commands.get(interactionId) ?? null,
      pingsMe: false,
    };
  }

  function offeredIn(me: Person, channelId: string): Offered {
    const named = (id: string) => ({ id, name: nameOf(id) });
    const guild = discord.guild(guildId);
    if (!guild || channelId === me.directId) {
      return { users: [named(me.ref.userId), named(discord.bot.id)], roles: [], channels: [] };
    }
    return {
      users: [...guild.members.keys()].map(named),
      roles: [...guild.roles.values()],
      channels: [...guild.channels.values()].filter((channel) =>
        has(discord.permissionsIn(me.ref.userId, channel), PERMISSIONS.VIEW_CHANNEL),
      ),
    };
  }

  return {
    message,
    unanswered,
    offeredIn,
    world: (me) => {
      const guild = discord.guild(guildId);
      const personOf = ({ ref, role }: Person) => ({
        id: ref.userId,
        name: nameOf(ref.userId),
        role,
        locale: discord.user(ref.userId)?.locale ?? USUAL_LOCALE,
      });
      return {
        title,
        guildName: guild?.name ?? '',
        bot: { id: discord.bot.id, name: discord.bot.name, isOnline: isBotOnline() },
        me: personOf(me),
        people: people.map(personOf),
        languages,
        users: [...(guild?.members.keys() ?? [])].map((id) => ({ id, name: nameOf(id) })),
        roles: [...(guild?.roles.values() ?? [])].map(({ id, name }) => ({ id, name })),
        channels: visibleChannels(me).map((channel) => {
          const bits = discord.permissionsIn(discord.bot.id, channel);
          const isDirect = channel.id === me.directId;
          return {
            id: channel.id,
            name: isDirect ? discord.bot.name : channel.name,
            type: channel.type,
            direct: isDirect ? { isOpen: discord.user(me.ref.userId)?.takesDms ?? false } : null,
            bot: {
              view: has(bits, PERMISSIONS.VIEW_CHANNEL),
              send: has(bits, PERMISSIONS.SEND_MESSAGES),
              embed: has(bits, PERMISSIONS.EMBED_LINKS),
            },
          };
        }),
      };
    },
    messages: (me) =>
      visibleChannels(me)
        .flatMap(({ id }) =>
          discord.messages(id, { as: me.ref.userId }).slice(-MESSAGES_PER_CHANNEL),
        )
        .flatMap((seen) => message(me, seen) ?? []),
    rejection: ({ atMs, route, reason, status, formErrors, injected }) => ({
      atMs,
      kind: 'rejected',
      route,
      reason: [
        `${status === 0 ? '' : `${status} `}${reason}`,
        ...formErrors.map((error) => `${error.path.join('.')}: ${error.message}`),
        ...(injected ? ['(asked for)'] : []),
      ].join('\n'),
    }),
    warning: ({ atMs, route, reason }) => ({ atMs, kind: 'warning', route, reason }),
  };
}

/**
 * Returns the embeds that Discord's clients show: among those with the same address only the first.
 */
function shownEmbeds(embeds: readonly SeenEmbed[]): readonly SeenEmbed[] {
  return embeds.filter(
    ({ url }, place) => url === null || embeds.findIndex((other) => other.url === url) === place,
  );
}

function embedOf(
  embed: SeenEmbed,
  picture: (address: string | null) => PagePicture | null,
): PageEmbed {
  return {
    title: embed.title,
    description: embed.description,
    url: embed.url,
    timestampMs: embed.timestamp === null ? null : Date.parse(embed.timestamp),
    colour: embed.color === null ? null : `#${embed.color.toString(16).padStart(6, '0')}`,
    footer: embed.footer?.text ?? null,
    author: embed.author && {
      name: embed.author.name,
      url: embed.author.url,
      icon: picture(embed.author.iconUrl),
    },
    image: picture(embed.imageUrl),
    thumbnail: picture(embed.thumbnailUrl),
    fields: embed.fields,
  };
}

function componentOf(component: InRowComponent): PageComponent {
  if (component.type === COMPONENT_TYPES.BUTTON) {
    return {
      kind: 'button',
      label: withEmoji(component.emoji, component.label),
      style: component.style,
      customId: component.custom_id ?? null,
      url: component.url ?? null,
      disabled: component.disabled ?? false,
    };
  }
  return {
    kind: 'select',
    customId: component.custom_id,
    placeholder: component.placeholder ?? 'Make a selection',
    min: component.min_values ?? 1,
    max: component.max_values ?? 1,
    disabled: component.disabled ?? false,
    options: component.options.map((option) => optionOf(option, option.default ?? false)),
  };
}

interface Option {
  readonly label: string;
  readonly value: string;
  readonly description?: string | null | undefined;
  readonly emoji?: { readonly name?: string | null | undefined } | null | undefined;
}

/** Returns an option of a menu or a group as a person sees it. */
export function optionOf(
  { label, value, description, emoji }: Option,
  chosen: boolean,
): PageOption {
  return { label: withEmoji(emoji, label), detail: description ?? null, value, chosen };
}

function withEmoji(
  emoji: { readonly name?: string | null | undefined } | null | undefined,
  label?: string | null,
): string {
  return [emoji?.name, label].filter((part) => part).join(' ');
}
