import type { APIEmbed } from 'discord.js';
import { checksummed } from '../../src/domain/address.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { described } from '../shared/localised.ts';
import { suggestWallets, walletOption } from '../shared/wallet-option.ts';
import { applyOptions, hintsOf } from './shared/changes.ts';
import { marketWarnings } from './shared/market-warnings.ts';
import { asksForChange, editSettings, givenWith } from './shared/options.ts';
import { channelName } from './shared/place-words.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { suggestSetting } from './shared/suggest.ts';
import {
  changeWatch,
  channelOption,
  mentionWarnings,
  readWatch,
  requireMention,
  shownName,
  WATCH_COLOUR,
} from './shared/target.ts';
import { pauseWords, settingsLines } from './shared/words.ts';

/** `/watch edit`: changes label and settings of a watch; without a change it shows them. */
export const watchEdit: Subcommand = {
  name: 'edit',
  define: (builder) =>
    editSettings(described(builder, (texts) => texts.edit).addStringOption(walletOption)).addChannelOption(
      channelOption((texts) => texts.watchedIn),
    ),
  isPrivate: false,

  check(interaction, context) {
    const watch = readWatch(interaction, context);
    applyOptions(watch, givenWith(interaction));
    requireMention(interaction, watch.channelId);
  },

  async execute(interaction, context) {
    const { language, place } = context;
    const before = readWatch(interaction, context);
    const isChange = asksForChange(interaction);
    const after = isChange
      ? await changeWatch(context, before, (watch) => ({ ...watch, ...applyOptions(watch, givenWith(interaction)) }))
      : before;
    const name = shownName(after.label);
    const { edit } = language.texts.watch;
    const embed: APIEmbed = {
      title: isChange ? edit.changed(name) : edit.settingsOf(name),
      description: [
        ...settingsLines(after.settings, language),
        ...pauseLines(after, context),
        ...(await marketWarnings(after, before.settings, context)),
        ...mentionWarnings(interaction, after, language),
        ...hintsOf(before.settings, after.settings, language).map((hint) => `ℹ️ ${hint}`),
        `-# ${edit.where(`\`${checksummed(after.wallet)}\``, channelName(after.channelId, place, language))}`,
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
  const texts = pauseWords(watch, venueClock().nowMs / 1000, language);
  return texts === null ? [] : [`⏸️ ${texts}`];
}
