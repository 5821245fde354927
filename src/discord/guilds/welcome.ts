import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ChannelType,
  type Client,
  ComponentType,
  discordSort,
  type Guild,
  type GuildBasedChannel,
  PermissionFlagsBits,
  type TextChannel,
} from 'discord.js';
import * as z from 'zod';
import { classifyFailure } from '../../delivery/failures.ts';
import { AUDIBLE } from '../../delivery/plan/mentions.ts';
import { isNonceTrusted, nonceOf } from '../../delivery/post.ts';
import type { Sender } from '../../delivery/sender.ts';
import { LANGUAGE_TAGS, languageFor } from '../../language/language.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Machine } from '../../lib/machine.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type Collection, defineCollection } from '../../store/collection.ts';
import { snowflake } from '../../watches/owner.ts';
import type { Admission } from '../quotas/exceptions.ts';

/**
 * Maximum age of an invitation that gets a welcome, in ms. If it is older, the bot was already in
 * the server before it kept welcome documents.
 */
const RECENT_MS = 7 * DAY_MS;

/** Custom id of the button, and of the form, that adds a wallet to the channel. */
export const ADD_FORM = 'watch:panel:add';

const welcomeSchema = z.object({
  guildId: snowflake,
  /** Time of the invitation by Discord, in epoch ms; a different value means a later invitation. */
  invitedAtMs: z.number(),
  /** The message being sent; null once it is posted, or if it cannot be. */
  underWay: z.object({ channelId: snowflake, startedAtMs: z.number() }).nullable(),
});
export type Welcome = z.infer<typeof welcomeSchema>;

/** Welcomes by server. */
export const welcomeKind = defineCollection({
  prefix: 'welcome:',
  schema: welcomeSchema,
  belongs: ({ guildId }, id) => guildId === id,
  placeOf: ({ guildId }) => ({ ownerId: guildId }),
});

/**
 * Creates the function that posts a message in each server that invites the bot, about how to
 * begin: once per invitation, across restarts and reconnects.
 */
export function createWelcomes(
  { nowMs, log }: Machine,
  parts: {
    readonly client: Client;
    readonly welcomes: Collection<Welcome>;
    readonly admission: Admission;
    readonly sender: Pick<Sender, 'send' | 'findReferences'>;
  },
) {
  const { client, welcomes, admission, sender } = parts;
  const mutex = createKeyedMutex();
  const welcomeText = (locale: string) => {
    const { answers, errors } = languageFor(locale).texts;
    return answers.welcome(errors.permissions.manageServer);
  };

  /** Creates the welcome of this invitation and stores it before the first attempt. */
  const begin = async (guild: Guild): Promise<Welcome> => {
    const channelId = welcomeChannel(guild);
    if (channelId === null) {
      log.info({ event: 'guild.not_welcomed', guild: guild.id, reason: 'No channel to write in.' });
    }
    const underWay = channelId === null ? null : { channelId, startedAtMs: nowMs() };
    const welcome: Welcome = { guildId: guild.id, invitedAtMs: guild.joinedTimestamp, underWay };
    await welcomes.set(guild.id, welcome);
    return welcome;
  };

  /**
   * Whether an earlier attempt may have arrived. If that is unknown, silence is better than a
   * second welcome.
   */
  const mayHaveArrived = async ({
    channelId,
    startedAtMs,
  }: NonNullable<Welcome['underWay']>): Promise<boolean> => {
    if (isNonceTrusted(startedAtMs, nowMs())) return false;
    const texts = LANGUAGE_TAGS.map(welcomeText);
    const found = await sender.findReferences(channelId, texts, startedAtMs);
    return found === null || found.size > 0;
  };

  const say = async (guild: Guild) => {
    const { id: guildId, joinedTimestamp: invitedAtMs } = guild;
    const known = welcomes.get(guildId);
    const isBegun = known?.invitedAtMs === invitedAtMs;
    if (!isBegun && nowMs() - invitedAtMs > RECENT_MS) return;
    const welcome = isBegun ? known : await begin(guild);
    if (welcome.underWay === null) return;
    const { channelId } = welcome.underWay;
    const what = { guild: guildId, channel: channelId };
    try {
      if (!isBegun || !(await mayHaveArrived(welcome.underWay))) {
        const { add } = languageFor(guild.preferredLocale).texts.watch.panel.buttons;
        const components = [rowOf(add)];
        const body = { content: welcomeText(guild.preferredLocale), components };
        await sender.send(channelId, {
          body,
          noise: AUDIBLE,
          nonce: nonceOf('welcome', guildId, invitedAtMs),
        });
      }
      log.info({ event: 'guild.welcomed', ...what });
    } catch (error) {
      const failure = classifyFailure(error);
      log.warn({
        event: 'guild.not_welcomed',
        ...what,
        reason: 'reason' in failure ? failure.reason : failure.kind,
      });
      const mayComeYet = ['retry', 'banned', 'refused'].includes(failure.kind);
      if (mayComeYet && nowMs() - invitedAtMs <= RECENT_MS) return;
    }
    await welcomes.set(guildId, { ...welcome, underWay: null });
  };

  const greet = (guild: Guild): Promise<void> =>
    mutex.run(guild.id, async () => {
      if (guild.available && admission.isServed(guild.id)) await say(guild);
    });

  return {
    /** Posts the welcome if it is due and was not posted yet. */
    greet,
    /** Retries welcomes that Discord temporarily refused. */
    async retry(): Promise<void> {
      for (const { guildId, underWay } of welcomes.all()) {
        const guild = underWay === null ? undefined : client.guilds.cache.get(guildId);
        if (guild !== undefined) await greet(guild);
      }
    },
    /**
     * Deletes a server's welcome after the bot was removed, so that the next invitation counts as
     * new.
     */
    forget: (guildId: string) => mutex.run(guildId, () => welcomes.delete(guildId)),
  };
}
export type Welcomes = ReturnType<typeof createWelcomes>;

function rowOf(label: string): APIActionRowComponent<APIButtonComponentWithCustomId> {
  const add: APIButtonComponentWithCustomId = {
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    custom_id: ADD_FORM,
    label,
  };
  return { type: ComponentType.ActionRow, components: [add] };
}

/**
 * Returns the channel in which a server gets a message: its system channel, or else the first text
 * channel in which the bot may write, but not one reserved for rules and notices. Null if there is
 * none.
 */
function welcomeChannel(guild: Guild): string | null {
  const { me } = guild.members;
  const reserved = [
    guild.rulesChannelId,
    guild.publicUpdatesChannelId,
    guild.safetyAlertsChannelId,
  ];
  const mayWrite = (channel: GuildBasedChannel): channel is TextChannel =>
    channel.type === ChannelType.GuildText &&
    !reserved.includes(channel.id) &&
    me !== null &&
    channel
      .permissionsFor(me)
      .has([PermissionFlagsBits.ViewChannel, PermissionFlagsBits.SendMessages]);
  if (guild.systemChannel !== null && mayWrite(guild.systemChannel)) return guild.systemChannel.id;
  // Sorted as Discord lists them: channels without a category first.
  const placeOf = (channel: TextChannel) => channel.parent?.rawPosition ?? -1;
  const byPosition = discordSort(guild.channels.cache.filter(mayWrite));
  return byPosition.sort((a, b) => placeOf(a) - placeOf(b)).firstKey() ?? null;
}
