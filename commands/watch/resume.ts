import { requireWriting } from '../../src/discord/permissions.ts';
import { UserError } from '../../src/language/user-error.ts';
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

/** Means all watches of a channel in a button's id. */
export const ALL = 'all';

/** `/watch resume`: ends the pause of one watch, or of all in a channel. */
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
      const channel = channelName(watches[0].channelId, { ...context, language });
      if (isOfChannel) return nothingPaused(channel);
      return notPaused(shownWatch(watches[0]), channel);
    });
  },

  execute: (interaction, context, watches) =>
    endPauses(context, watches, interaction.options.getString('wallet') === null),

  /**
   * The button Unmute under a mute's message, and, with a channel, the button Resume under a
   * pause's message.
   */
  async press(interaction, [which = '', channelId], context) {
    if (channelId !== undefined) {
      requireManaging(context);
      requireWriting(interaction, channelId);
      const isOfChannel = which === ALL;
      const watches = isOfChannel
        ? watchesIn(channelId, context)
        : ([readPressed(channelId, which, context)] as const);
      return {
        content: await endPauses(context, watches, isOfChannel),
        components: [],
      };
    }
    const watch = readMuted(interaction, which, context);
    await changeWatch(context, watch, endPause(context));
    const { resume } = context.languageOf(interaction.channelId).texts.watch;
    return {
      content: `▶️ ${resume.unmuted(shownWatch(watch), `<@${context.personId}>`)}`,
      components: [],
    };
  },
};

/**
 * @returns the answer
 * @param isOfChannel whether all watches of the channel were requested, and not one
 */
async function endPauses(context: CommandContext, watches: SomeWatches, isOfChannel: boolean) {
  const nowSeconds = context.venueNowSeconds();
  const paused = watches.filter((watch) => isPaused(watch, nowSeconds));
  const [first] = watches;
  const { channelId } = first;
  if (isOfChannel) await changeChannel(context, channelId, endPause(context));
  else await changeWatch(context, first, endPause(context));
  const { resume } = context.language.texts.watch;
  const channel = channelName(channelId, context);
  if (!isOfChannel) return `▶️ ${resume.one(shownWatch(first), channel)}`;
  // Watches that someone has resumed in the meantime count as well, because the answer describes
  // the result.
  const count = paused.length || watches.length;
  if (count === 1) return `▶️ ${resume.only(channel)}`;
  return `▶️ ${resume.all(count, channel)}`;
}

/**
 * Returns a function that ends a watch's pause and raises its `sinceSeconds`, so that events during
 * the pause are not posted if they are seen after it.
 */
export function endPause(context: CommandContext): (watch: Watch) => Watch {
  const sinceSeconds = watchSince(context.interaction.createdTimestamp, context.feed.budget);
  const nowSeconds = context.venueNowSeconds();
  return (watch) => {
    // A watch that someone has resumed in the meantime announces from that time on.
    if (!isPaused(watch, nowSeconds)) return watch;
    // A delayed channel continues with what was seen at its delayed time.
    const fromMs = context.clock.at(watch.channelId, sinceSeconds * 1000);
    return { ...announcingFrom(watch, Math.floor(fromMs / 1000)), pause: null };
  };
}
