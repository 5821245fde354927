import { checksummed } from '../../src/domain/address.ts';
import { described } from '../shared/localised.ts';
import { suggestWallets, walletOption } from '../shared/wallet-option.ts';
import { channelName } from './shared/place-words.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { channelOption, notWatched, readWatch, shownLabel } from './shared/target.ts';

/** `/watch remove`: ends the alerts of a wallet in a channel. */
export const watchRemove: Subcommand = {
  name: 'remove',
  define: (builder) =>
    described(builder, (texts) => texts.remove)
      .addStringOption(walletOption)
      .addChannelOption(channelOption((texts) => texts.watchedIn)),
  isPrivate: false,
  check: (interaction, context) => void readWatch(interaction, context),

  async execute(interaction, context) {
    const { registry, language, place } = context;
    const { removed, noName } = language.texts.watch;
    const { channelId, wallet, label } = readWatch(interaction, context);
    if ((await registry.remove(channelId, wallet)) === undefined) {
      throw notWatched(channelId, wallet, context);
    }
    await interaction.editReply({
      content: removed(
        `\`${checksummed(wallet)}\``,
        label === null ? null : shownLabel(label, noName),
        channelName(channelId, place, language),
      ),
      allowedMentions: { parse: [] },
    });
  },

  autocomplete: suggestWallets,
};
