import type { APIEmbed } from 'discord.js';
import { checksummed } from '../venue/address.ts';
import type { Watch } from '../watch/watch.ts';
import type { CommandContext } from './command.ts';
import { described } from './localised.ts';
import type { Subcommand } from './subcommand.ts';
import { suggestWallets, walletOption } from './wallet-option.ts';
import { applyOptions, hintsOf } from './watch-changes.ts';
import { asksForChange, editSettings, givenWith } from './watch-options.ts';
import { suggestSetting } from './watch-suggest.ts';
import {
  changeWatch,
  channelOption,
  mentionWarnings,
  readWatch,
  requireMention,
  shownName,
  WATCH_COLOUR,
} from './watch-target.ts';
import { pauseWords, settingsLines } from './watch-words.ts';

/** `/watch edit`: changes label and settings of a watch; without a change it shows them. */
export const watchEdit: Subcommand = {
  name: 'edit',
  define: (builder) =>
    editSettings(described(builder, (texts) => texts.edit).addStringOption(walletOption)).addChannelOption(
      channelOption((texts) => texts.ringsIn),
    ),
  isPrivate: false,

  check(interaction, context) {
    const watch = readWatch(interaction, context);
    applyOptions(watch, givenWith(interaction));
    requireMention(interaction, watch.channelId);
  },

  async execute(interaction, context) {
    const { language } = context;
    const before = readWatch(interaction, context);
    const isChange = asksForChange(interaction);
    const after = isChange
      ? await changeWatch(context, before, (watch) => ({ ...watch, ...applyOptions(watch, givenWith(interaction)) }))
      : before;
    const name = shownName(after.label);
    const { edit } = language.words.watch;
    const embed: APIEmbed = {
      title: isChange ? edit.changed(name) : edit.settingsOf(name),
      description: [
        edit.where(`\`${checksummed(after.wallet)}\``, `<#${after.channelId}>`),
        ...settingsLines(after.settings, language),
        ...pauseLines(after, context),
        ...mentionWarnings(interaction, after, language),
        ...hintsOf(before.settings, after.settings, language).map((hint) => `ℹ️ ${hint}`),
      ].join('\n'),
      color: WATCH_COLOUR,
    };
    await interaction.editReply({ embeds: [embed], allowedMentions: { parse: [] } });
  },

  autocomplete(interaction, context) {
    const { name, value } = interaction.options.getFocused(true);
    if (name === 'wallet') return suggestWallets(interaction, context);
    return suggestSetting(name, value, context.language);
  },
};

function pauseLines(watch: Watch, { venueClock, language }: CommandContext): string[] {
  const words = pauseWords(watch, venueClock().nowMs / 1000, language);
  return words === null ? [] : [`⏸️ ${words}`];
}
