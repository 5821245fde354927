import { parseAddress, type WalletAddress } from '../src/domain/address.ts';
import { EMBED_COLOURS } from '../src/embeds/embed-parts.ts';
import type { Language } from '../src/language/language.ts';
import { UserError } from '../src/language/user-error.ts';
import type { PrivateComponent } from '../src/slash-commands/slash-command.ts';
import { personOwner } from '../src/watches/owner.ts';
import { words as wordsSetting } from '../src/watches/settings/words.ts';
import type { Watch } from '../src/watches/watch.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../src/watches/watch-settings.ts';
import type { CommandContext } from './shared/context.ts';
import { FOLLOW } from './shared/follow-button.ts';
import { beginWatch, venueWarnings } from './watch/add.ts';
import { settingsLines } from './watch/edit.ts';
import { shownWatch } from './watch/shared/words.ts';

/** Maximum number of the channel's words that are listed. */
const NAMES_SHOWN = 5;

/** A wallet to follow, with the settings of the channel's watch. */
interface Followed extends Pick<Watch, 'wallet' | 'label' | 'settings'> {
  /**
   * The channel's own words, if the watch has words as well, because the new watch can have only
   * one of them.
   */
  readonly wordsLeftOut: WatchSettings['words'];
}

/**
 * Starts alerts about a wallet for the person who presses the button, in their direct message with
 * the bot, with the channel's label and filters. The press is consent: the bot opens that message
 * where there is none.
 */
export const follow: PrivateComponent<CommandContext> = {
  name: FOLLOW,
  async answer(interaction, id, context) {
    const parsed = parseAddress(id.slice(FOLLOW.length + 1));
    if (!parsed.ok) throw new UserError(({ texts }) => texts.errors.unknownButton);
    const { personId, persons, quotas } = context;
    if (!quotas.isServed(personOwner(personId))) {
      throw new UserError(({ texts }) => texts.personal.off);
    }
    const followed = followedIn(parsed.address, interaction.channelId, context);
    await persons.alone(personId, async () => {
      const lines = await added(followed, context);
      const embed = { description: lines.join('\n'), color: EMBED_COLOURS.answer };
      await interaction.editReply({ embeds: [embed], components: [] });
    });
  },
};

/** Returns the wallet as the channel watches it, without the role it mentions. */
function followedIn(wallet: WalletAddress, channelId: string, context: CommandContext): Followed {
  const { place, registry, channelSettings, labelOf } = context;
  const watch = registry.get(channelId, wallet);
  if (watch === undefined || watch.ownerId !== place.ownerId) {
    const label = labelOf(wallet, '');
    return { wallet, label, settings: DEFAULT_SETTINGS, wordsLeftOut: null };
  }
  const { label, settings } = watch;
  const ofChannel = channelSettings.get(channelId)?.words ?? null;
  const words = settings.words ?? ofChannel;
  const wordsLeftOut = settings.words === null ? null : ofChannel;
  return { wallet, label, settings: { ...settings, words, mention: null }, wordsLeftOut };
}

/**
 * Returns a warning that the person's alerts ignore the channel's words; nothing if there are none.
 */
function leftOutLines({ wordsLeftOut }: Followed, language: Language): string[] {
  if (wordsLeftOut === null) return [];
  const channelWords = wordsSetting.say(wordsLeftOut, language, NAMES_SHOWN);
  return [`⚠️ ${language.texts.personal.follow.wordsLeftOut(channelWords)}`];
}

/**
 * Adds the watch to the direct message, once that accepts messages. A watch that already exists is
 * not changed.
 *
 * @throws {UserError} if the person has reached their limit or gets no direct messages; nothing is
 *   stored then
 */
async function added(followed: Followed, context: CommandContext): Promise<string[]> {
  const { interaction, language, personId, persons, quotas, registry } = context;
  const { follow: texts } = language.texts.personal;
  const { wallet, label, settings } = followed;
  const ownerId = personOwner(personId);
  // A direct message that is not known yet has no watches.
  const known = persons.channelOf(personId) ?? '';
  quotas.requireSpace(ownerId, registry.placesNeeded([{ channelId: known, wallet }]));
  const attempt = interaction.id;
  const channelId = await persons.greet({ personId, channelId: null, attempt, language });
  const url = `https://discord.com/channels/@me/${channelId}`;
  const present = registry.get(channelId, wallet);
  if (present !== undefined) return [texts.already(shownWatch(present), url)];
  const asked = { wallet, label, settings, ownerId, channelId };
  const begun = await beginWatch(asked, context);
  const name = shownWatch(begun.added);
  if (!begun.isNew) return [texts.already(name, url)];
  return [
    texts.done(name, url),
    ...settingsLines(begun.added.settings, language),
    ...leftOutLines(followed, language),
    ...venueWarnings(begun.newest.errors, context),
    `-# ${texts.change}`,
  ];
}
