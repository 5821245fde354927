import { parseAddress, type WalletAddress } from '../src/domain/address.ts';
import { EMBED_COLOURS } from '../src/embeds/embed-parts.ts';
import { plainText } from '../src/embeds/text/escape.ts';
import type { Language } from '../src/language/language.ts';
import { UserError } from '../src/language/user-error.ts';
import type { OptionName } from '../src/slash-commands/options.ts';
import type { ButtonUse, PrivateComponent } from '../src/slash-commands/slash-command.ts';
import { personOwner } from '../src/watches/owner.ts';
import { words as wordsSetting } from '../src/watches/settings/words.ts';
import { LABEL_LIMIT, type Watch } from '../src/watches/watch.ts';
import {
  DEFAULT_SETTINGS,
  typedSettings,
  type WatchSettings,
} from '../src/watches/watch-settings.ts';
import type { CommandContext } from './shared/context.ts';
import { FOLLOW } from './shared/follow-button.ts';
import { beginWatch, venueWarnings } from './watch/add.ts';
import { ADD_OPTIONS, settingsLines } from './watch/edit.ts';
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
 * Starts alerts about a wallet for the person who presses the button, in their direct messages with
 * the bot, with the channel's label and filters. A person without direct messages gets the lines to
 * type there, because the bot does not open them itself.
 */
export const follow: PrivateComponent<CommandContext> = {
  name: FOLLOW,
  async answer(interaction, id, context) {
    const parsed = parseAddress(id.slice(FOLLOW.length + 1));
    if (!parsed.ok) throw new UserError(({ texts }) => texts.errors.unknownButton);
    const { persons, quotas } = context;
    const { id: personId } = interaction.user;
    if (!quotas.isServed(personOwner(personId))) {
      throw new UserError(({ texts }) => texts.personal.off);
    }
    const followed = ofRoom(parsed.address, interaction, context);
    await persons.alone(personId, async () => {
      const channelId = persons.channelOf(personId);
      const lines =
        channelId === null
          ? linesToType(followed, interaction.client.user.id, context.language)
          : await added(followed, channelId, interaction, context);
      const embed = { description: lines.join('\n'), color: EMBED_COLOURS.answer };
      await interaction.editReply({ embeds: [embed], components: [] });
    });
  },
};

/** Returns the wallet as the channel watches it, without the role it mentions. */
function ofRoom(
  wallet: WalletAddress,
  { channelId }: ButtonUse,
  context: CommandContext,
): Followed {
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
  const said = wordsSetting.say(wordsLeftOut, language, NAMES_SHOWN);
  return [`⚠️ ${language.texts.personal.follow.wordsLeftOut(said)}`];
}

/** Adds the watch to the direct messages. An existing watch stays as it is. */
async function added(
  followed: Followed,
  channelId: string,
  interaction: ButtonUse,
  context: CommandContext,
): Promise<string[]> {
  const { language } = context;
  const { follow: texts } = language.texts.personal;
  const url = `https://discord.com/channels/@me/${channelId}`;
  const ownerId = personOwner(interaction.user.id);
  const present = context.registry.get(channelId, followed.wallet);
  if (present !== undefined) return [texts.already(shownWatch(present), url)];
  const { wallet, label, settings } = followed;
  const asked = { wallet, label, settings, ownerId, channelId };
  const begun = await beginWatch(asked, interaction, context);
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

/**
 * Returns the lines that a person has to type in direct messages with the bot, and how to get
 * there.
 */
function linesToType(followed: Followed, botId: string, language: Language): string[] {
  const { personal } = language.texts;
  const wallet = ['wallet', followed.wallet] as const;
  const first: (readonly [OptionName, string])[] = [wallet];
  const rest: (readonly [OptionName, string])[] = [];
  const label = plainText(followed.label ?? '', LABEL_LIMIT, '').replaceAll('`', "'");
  if (label !== '') first.push(['label', label]);
  const onAdd: readonly OptionName[] = ADD_OPTIONS.map(({ name }) => name);
  const settings = Object.entries(typedSettings(followed.settings)) as [OptionName, string][];
  for (const setting of settings) {
    const [name] = setting;
    if (onAdd.includes(name)) first.push(setting);
    else rest.push(setting);
  }
  const lines = [personal.follow.type(`<@${botId}>`), codeBlock('add', first, language)];
  if (rest.length > 0) {
    lines.push(personal.follow.thenType);
    lines.push(codeBlock('edit', [wallet, ...rest], language));
  }
  return [...lines, ...leftOutLines(followed, language)];
}

function codeBlock(
  subcommand: 'add' | 'edit',
  options: readonly (readonly [OptionName, string])[],
  { texts: { names } }: Language,
): string {
  const typed = options.map(([name, value]) => `${names.options[name]}: ${value}`);
  const command = `/${names.commands.watch} ${names.subcommands[subcommand]}`;
  return `\`\`\`\n${[command, ...typed].join(' ')}\n\`\`\``;
}
