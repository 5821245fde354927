import { checksummed } from '../../src/domain/address.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { notWatched, readWatch, WALLET, WATCHED_IN } from './shared/target.ts';
import { channelName, shownLabel } from './shared/words.ts';

/** `/watch remove`: ends the alerts of a wallet in a channel. */
export const watchRemove: Subcommand<Watch> = {
  name: 'remove',
  about: (texts) => texts.remove,
  options: [WALLET, WATCHED_IN],
  isPrivate: false,
  check: readWatch,

  async execute(_interaction, context, { channelId, wallet, label }) {
    const { registry, language, place } = context;
    const { removed, noName } = language.texts.watch;
    if ((await registry.remove(channelId, wallet)) === undefined) throw notWatched(channelId, wallet, context);
    const name = label === null ? null : shownLabel(label, noName);
    return removed(`\`${checksummed(wallet)}\``, name, channelName(channelId, place, language));
  },
};
