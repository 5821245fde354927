import { checksummed } from '../../src/domain/address.ts';
import type { CommandOption } from '../../src/slash-commands/options.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { WALLET } from '../shared/wallet-option.ts';
import { seenWarnings, suggestSeenWords } from './shared/seen-markets.ts';
import { applyOptions, EDIT_OPTIONS, hintsOf, settingsLines } from './shared/settings.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { changeWatch, mentionWarnings, readWatch, requireMention, WATCH_COLOUR, WATCHED_IN } from './shared/target.ts';
import { channelName, pauseWords, shownName } from './shared/words.ts';

const OPTIONS = EDIT_OPTIONS.map(
  (option): CommandOption<CommandContext> =>
    option.name === 'words' ? { ...option, suggest: suggestSeenWords } : option,
);

/** `/watch edit`: changes label and settings of a watch; without a change it shows them. */
export const watchEdit: Subcommand<Watch> = {
  name: 'edit',
  about: (texts) => texts.edit,
  options: [WALLET, ...OPTIONS, WATCHED_IN],
  isPrivate: false,

  check(interaction, context) {
    const watch = readWatch(interaction, context);
    applyOptions(watch, interaction);
    requireMention(interaction, watch.channelId);
    return watch;
  },

  async execute(interaction, context, before) {
    const { language, place } = context;
    const given = interaction.options.data.flatMap((subcommand) => subcommand.options ?? []);
    const isChange = given.some(({ name }) => name !== 'wallet' && name !== 'channel');
    const after = isChange
      ? await changeWatch(context, before, (watch) => ({ ...watch, ...applyOptions(watch, interaction) }))
      : before;
    const { edit } = language.texts.watch;
    const pause = pauseWords(after, context.venueClock().nowMs / 1000, language);
    const description = [
      ...settingsLines(after.settings, language),
      ...(pause === null ? [] : [`⏸️ ${pause}`]),
      ...(await seenWarnings([after.wallet], after.settings, before.settings, context)),
      ...mentionWarnings(interaction, after, language),
      ...hintsOf(before.settings, after.settings, language).map((hint) => `ℹ️ ${hint}`),
      `-# ${edit.where(`\`${checksummed(after.wallet)}\``, channelName(after.channelId, place, language))}`,
    ].join('\n');
    const title = (isChange ? edit.changed : edit.settingsOf)(shownName(after.label));
    return { embeds: [{ title, description, color: WATCH_COLOUR }] };
  },
};
