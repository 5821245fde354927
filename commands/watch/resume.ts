import { requireWriting } from '../../src/discord/permissions.ts';
import { UserError } from '../../src/language/user-error.ts';
import type { AnyUse } from '../../src/slash-commands/slash-command.ts';
import { announcingFrom, isPaused, type Watch, watchSince } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import {
  changeChannel,
  changeWatch,
  namedWatches,
  readMuted,
  readPressed,
  requireManaging,
  type SomeWatches,
  type Subcommand,
  WALLET_OR_ALL,
  WATCHED_IN,
  watchesIn,
} from './shared/command.ts';
import { channelName, shownWatch } from './shared/words.ts';

/** In a button, all watches of a channel. */
export const ALL = 'all';

/** `/watch resume`: ends the pause of one watch or of all of a channel. */
export const watchResume: Subcommand<SomeWatches> = {
  name: 'resume',
  about: (texts) => texts.resume,
  options: [WALLET_OR_ALL, WATCHED_IN],
  isPrivate: false,

  check(interaction, context) {
    const nowSeconds = context.venueNowSeconds();
    const watches = namedWatches(interaction, context);
    if (watches.some((watch) => isPaused(watch, nowSeconds))) return watches;
    const isOfChannel = interaction.options.getString('wallet') === null;
    throw new UserError((language) => {
      const { nothingPaused, notPaused } = language.texts.watch.resume;
      const channel = channelName(watches[0].channelId, context.place, language);
      if (isOfChannel) return nothingPaused(channel);
      return notPaused(shownWatch(watches[0]), channel);
    });
  },

  execute: (interaction, context, watches) =>
    endPauses(interaction, context, watches, interaction.options.getString('wallet') === null),

  /**
   * The button Unmute under the message of a mute, and with a channel Resume under that of a pause.
   */
  async press(interaction, [which = '', channelId], context) {
    if (channelId !== undefined) {
      requireManaging(interaction, context);
      requireWriting(interaction, channelId);
      const isOfChannel = which === ALL;
      const watches = isOfChannel
        ? watchesIn(channelId, context)
        : ([readPressed(channelId, which, context)] as const);
      return {
        content: await endPauses(interaction, context, watches, isOfChannel),
        components: [],
      };
    }
    const watch = readMuted(interaction, which, context);
    if (isPaused(watch, context.venueNowSeconds())) {
      await changeWatch(context, watch, endPause(interaction, context));
    }
    const { resume } = context.languageOf(interaction.channelId).texts.watch;
    return {
      content: `▶️ ${resume.unmuted(shownWatch(watch), `<@${interaction.user.id}>`)}`,
      components: [],
    };
  },
};

/**
 * @returns the answer
 * @param isOfChannel whether all of the channel were asked for, and not one
 */
async function endPauses(
  interaction: AnyUse,
  context: CommandContext,
  watches: SomeWatches,
  isOfChannel: boolean,
) {
  const nowSeconds = context.venueNowSeconds();
  const paused = watches.filter((watch) => isPaused(watch, nowSeconds));
  const [{ channelId }] = watches;
  if (isOfChannel) {
    await changeChannel(context, channelId, endPause(interaction, context));
  } else {
    for (const watch of paused) await changeWatch(context, watch, endPause(interaction, context));
  }
  const { resume } = context.language.texts.watch;
  const channel = channelName(channelId, context.place, context.language);
  if (!isOfChannel) return `▶️ ${resume.one(shownWatch(watches[0]), channel)}`;
  // Watches that somebody has resumed meanwhile count as well: the answer says what holds.
  const count = paused.length || watches.length;
  if (count === 1) return `▶️ ${resume.only(channel)}`;
  return `▶️ ${resume.all(count, channel)}`;
}

/**
 * Ends a watch's pause, and raises its `sinceSeconds`: else what happened in the pause would be
 * announced when it is seen after it.
 */
export function endPause(interaction: AnyUse, context: CommandContext): (watch: Watch) => Watch {
  const sinceSeconds = watchSince(interaction.createdTimestamp, context.feed.budget);
  const nowSeconds = context.venueNowSeconds();
  return (watch) => {
    // A watch that somebody has resumed meanwhile announces from then on.
    if (!isPaused(watch, nowSeconds)) return watch;
    // A channel that hears later goes on with what was seen where its clock is.
    const fromMs = context.clock.at(watch.channelId, sinceSeconds * 1000);
    return { ...announcingFrom(watch, Math.floor(fromMs / 1000)), pause: null };
  };
}
