import type { APIEmbed } from 'discord.js';
import { checksummed } from '../venue/address.ts';
import type { Watch } from '../watch/watch.ts';
import { described } from './localised.ts';
import type { Subcommand } from './subcommand.ts';
import { suggestWallets, walletOption } from './wallet-option.ts';
import { applyOptions, hintsOf } from './watch-changes.ts';
import { asksForChange, editSettings, givenWith } from './watch-options.ts';
import { suggestSetting } from './watch-suggest.ts';
import { changeWatch, channelOption, mentionWarnings, readWatch, shownLabel, WATCH_COLOUR } from './watch-target.ts';
import { pauseWords, settingsLines } from './watch-words.ts';

/** `/watch edit`: changes label and settings of a watch; without a change it shows them. */
export const watchEdit: Subcommand = {
  name: 'edit',
  define: (builder) =>
    editSettings(described(builder, (texts) => texts.edit).addStringOption(walletOption)).addChannelOption(
      channelOption((texts) => texts.ringsIn),
    ),
  isPrivate: false,
  check: (interaction, context) => void applyOptions(readWatch(interaction, context), givenWith(interaction)),

  async execute(interaction, context) {
    const before = readWatch(interaction, context);
    const isChange = asksForChange(interaction);
    const after = isChange
      ? await changeWatch(context, before, (watch) => ({ ...watch, ...applyOptions(watch, givenWith(interaction)) }))
      : before;
    const name = shownLabel(after.label, 'a wallet');
    const embed: APIEmbed = {
      title: isChange ? `Changed: ${name}` : `Settings of ${name}`,
      description: [
        `\`${checksummed(after.wallet)}\` in <#${after.channelId}>`,
        ...settingsLines(after.settings),
        ...pauseLines(after, context.venueClock().nowMs),
        ...mentionWarnings(interaction, after, context.language),
        ...hintsOf(before.settings, after.settings).map((hint) => `ℹ️ ${hint}`),
      ].join('\n'),
      color: WATCH_COLOUR,
    };
    await interaction.editReply({ embeds: [embed], allowedMentions: { parse: [] } });
  },

  autocomplete(interaction, context) {
    const { name, value } = interaction.options.getFocused(true);
    return name === 'wallet' ? suggestWallets(interaction, context) : suggestSetting(name, value);
  },
};

function pauseLines(watch: Watch, nowMs: number): string[] {
  const words = pauseWords(watch, nowMs / 1000);
  return words === null ? [] : [`⏸️ ${words}`];
}
