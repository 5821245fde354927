import { described } from '../../src/discord/localised.ts';
import { checksummed } from '../../src/domain/address.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { suggestWallets, walletOption } from '../shared/wallet-option.ts';
import { marketWarnings } from './shared/market-warnings.ts';
import { applyOptions, givenWith, hintsOf, settingsLines, suggestSetting, withEditOptions } from './shared/settings.ts';
import type { Subcommand } from './shared/subcommand.ts';
import {
  changeWatch,
  channelOption,
  mentionWarnings,
  readWatch,
  requireMention,
  WATCH_COLOUR,
} from './shared/target.ts';
import { channelName, pauseWords, shownName } from './shared/words.ts';

/** `/watch edit`: changes label and settings of a watch; without a change it shows them. */
export const watchEdit: Subcommand<Watch> = {
  name: 'edit',
  define: (builder) =>
    withEditOptions(described(builder, (texts) => texts.edit).addStringOption(walletOption)).addChannelOption(
      channelOption((texts) => texts.watchedIn),
    ),
  isPrivate: false,

  check(interaction, context) {
    const watch = readWatch(interaction, context);
    applyOptions(watch, givenWith(interaction));
    requireMention(interaction, watch.channelId);
    return watch;
  },

  async execute(interaction, context, before) {
    const { language, place } = context;
    const given = interaction.options.data.flatMap((subcommand) => subcommand.options ?? []);
    const isChange = given.some(({ name }) => name !== 'wallet' && name !== 'channel');
    const after = isChange
      ? await changeWatch(context, before, (watch) => ({ ...watch, ...applyOptions(watch, givenWith(interaction)) }))
      : before;
    const { edit } = language.texts.watch;
    const pause = pauseWords(after, context.venueClock().nowMs / 1000, language);
    const description = [
      ...settingsLines(after.settings, language),
      ...(pause === null ? [] : [`⏸️ ${pause}`]),
      ...(await marketWarnings(after, before.settings, context)),
      ...mentionWarnings(interaction, after, language),
      ...hintsOf(before.settings, after.settings, language).map((hint) => `ℹ️ ${hint}`),
      `-# ${edit.where(`\`${checksummed(after.wallet)}\``, channelName(after.channelId, place, language))}`,
    ].join('\n');
    const title = (isChange ? edit.changed : edit.settingsOf)(shownName(after.label));
    return { embeds: [{ title, description, color: WATCH_COLOUR }] };
  },

  autocomplete(interaction, context) {
    const { name, value } = interaction.options.getFocused(true);
    if (name === 'wallet') return suggestWallets(interaction, context);
    return suggestSetting(name, value, context.language);
  },
};
