import { watchSince } from '../watch/baseline.ts';
import { isPaused, type Watch } from '../watch/watch.ts';
import type { CommandContext, GuildButton, GuildCommand } from './command.ts';
import { UserError } from './errors.ts';
import { described } from './localised.ts';
import type { Subcommand } from './subcommand.ts';
import { suggestWallets } from './wallet-option.ts';
import { readMuted, requireManager } from './watch-mute.ts';
import { changeWatch, channelOption, optionalWallet, readWatches, shownWatch, targetChannel } from './watch-target.ts';

/** `/watch resume`: what was paused rings again. */
export const watchResume: Subcommand = {
  name: 'resume',
  define: (builder) =>
    described(builder, (texts) => texts.resume)
      .addStringOption(optionalWallet)
      .addChannelOption(channelOption((texts) => texts.ringsIn)),
  isPrivate: false,
  check: (interaction, context) => void readPaused(interaction, context),

  async execute(interaction, context) {
    const paused = readPaused(interaction, context);
    for (const watch of paused) await resume(interaction, context, watch);
    const [first] = paused;
    const who =
      interaction.options.getString('wallet') === null || first === undefined
        ? `${paused.length === 1 ? 'The one watch that was paused' : `All ${paused.length} watches that were paused`} in <#${targetChannel(interaction)}>`
        : `${shownWatch(first)} in <#${first.channelId}>`;
    await interaction.editReply({
      content: `▶️ ${who}: rings again from now on.`,
      allowedMentions: { parse: [] },
    });
  },

  /** Unmute, under the message that tells of a mute. */
  async press(interaction, [wallet = ''], context) {
    requireManager(interaction);
    const watch = readMuted(interaction, wallet, context);
    if (isPaused(watch, context.venueClock().nowMs / 1000)) await resume(interaction, context, watch);
    await interaction.editReply({
      content: `▶️ ${shownWatch(watch)} rings again from now on: <@${interaction.user.id}> has ended the mute.`,
      components: [],
      allowedMentions: { parse: [] },
    });
  },

  autocomplete: suggestWallets,
};

/** What happened in the pause and is seen after it would otherwise ring all the same. */
async function resume(interaction: GuildCommand | GuildButton, context: CommandContext, paused: Watch): Promise<void> {
  const sinceSeconds = watchSince({ sentAtMs: interaction.createdTimestamp, venue: context.venueClock() });
  await changeWatch(context, paused, (watch) => ({
    ...watch,
    sinceSeconds: Math.max(watch.sinceSeconds, sinceSeconds),
    pause: null,
  }));
}

function readPaused(interaction: GuildCommand, context: CommandContext): readonly Watch[] {
  const nowSeconds = context.venueClock().nowMs / 1000;
  const watches = readWatches(interaction, context);
  const paused = watches.filter((watch) => isPaused(watch, nowSeconds));
  if (paused.length > 0) return paused;
  const [first] = watches;
  throw new UserError(
    interaction.options.getString('wallet') === null
      ? `Nothing in <#${first.channelId}> is paused.`
      : `${shownWatch(first)} is not paused in <#${first.channelId}>: it rings.`,
  );
}
