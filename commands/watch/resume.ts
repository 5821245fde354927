import type { ButtonUse, CommandUse } from '../../src/discord/slash-command.ts';
import { UserError } from '../../src/language/user-error.ts';
import { watchSince } from '../../src/watches/start-time.ts';
import { announcingFrom, isPaused, type Watch } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { described } from '../shared/localised.ts';
import { suggestWallets } from '../shared/wallet-option.ts';
import { readMuted, requireManager } from './mute.ts';
import { channelName } from './shared/place-words.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { changeWatch, channelOption, optionalWallet, readWatches, shownWatch, targetChannel } from './shared/target.ts';

/** `/watch resume`: ends the pause of one watch or of all of a channel. */
export const watchResume: Subcommand = {
  name: 'resume',
  define: (builder) =>
    described(builder, (texts) => texts.resume)
      .addStringOption(optionalWallet)
      .addChannelOption(channelOption((texts) => texts.watchedIn)),
  isPrivate: false,
  check: (interaction, context) => void readPaused(interaction, context),

  async execute(interaction, context) {
    const paused = readPaused(interaction, context);
    for (const watch of paused) await endPause(interaction, context, watch);
    const [first] = paused;
    const { resume } = context.language.texts.watch;
    const channel = channelName(targetChannel(interaction), context.place, context.language);
    const onChannel = () => (paused.length === 1 ? resume.only(channel) : resume.all(paused.length, channel));
    const isOfChannel = interaction.options.getString('wallet') === null || first === undefined;
    await interaction.editReply({
      content: `▶️ ${isOfChannel ? onChannel() : resume.one(shownWatch(first), channel)}`,
      allowedMentions: { parse: [] },
    });
  },

  /** The button Unmute under the message of a mute. */
  async press(interaction, [wallet = ''], context) {
    requireManager(interaction, context);
    const watch = readMuted(interaction, wallet, context);
    if (isPaused(watch, context.venueClock().nowMs / 1000)) await endPause(interaction, context, watch);
    const { resume } = context.languageOf(interaction.channelId).texts.watch;
    await interaction.editReply({
      content: `▶️ ${resume.unmuted(shownWatch(watch), `<@${interaction.user.id}>`)}`,
      components: [],
      allowedMentions: { parse: [] },
    });
  },

  autocomplete: suggestWallets,
};

/** Raises `sinceSeconds` too: else what happened in the pause would be announced when it is seen after it. */
async function endPause(interaction: CommandUse | ButtonUse, context: CommandContext, paused: Watch): Promise<void> {
  const sinceSeconds = watchSince({ sentAtMs: interaction.createdTimestamp, venue: context.venueClock() });
  await changeWatch(context, paused, (watch) => ({ ...announcingFrom(watch, sinceSeconds), pause: null }));
}

function readPaused(interaction: CommandUse, context: CommandContext): readonly Watch[] {
  const nowSeconds = context.venueClock().nowMs / 1000;
  const watches = readWatches(interaction, context);
  const paused = watches.filter((watch) => isPaused(watch, nowSeconds));
  if (paused.length > 0) return paused;
  const [first] = watches;
  const isOfChannel = interaction.options.getString('wallet') === null;
  throw new UserError((language) => {
    const { nothingPaused, notPaused } = language.texts.watch.resume;
    const channel = channelName(first.channelId, context.place, language);
    return isOfChannel ? nothingPaused(channel) : notPaused(shownWatch(first), channel);
  });
}
