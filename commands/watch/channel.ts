import { isDeepStrictEqual } from 'node:util';
import { SlashCommandIntegerOption } from 'discord.js';
import {
  LANGUAGE_TAGS,
  type Language,
  type LanguageTag,
  languageFor,
} from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { CONSENSUS_HOURS_LIMIT } from '../../src/portfolio/consensus.ts';
import { choiceOption, optionOf, textOption } from '../../src/slash-commands/options.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import {
  type ChannelSettings,
  defaultChannelSettings,
} from '../../src/watches/channel-settings.ts';
import { readDuration, suggestDurations, TEXT_LIMIT } from '../../src/watches/settings/setting.ts';
import { words } from '../../src/watches/settings/words.ts';
import type { CommandContext } from '../shared/context.ts';
import {
  channelOption,
  checkReach,
  type Subcommand,
  targetChannel,
  watchesIn,
} from './shared/command.ts';
import { seenWarnings, suggestSeenWords } from './shared/seen-markets.ts';
import { channelName } from './shared/words.ts';

/** The choice of no language of the channel's own. */
const SERVER = 'server' as const;
const WALLETS_LEAST = 2;
const WALLETS_MOST = 50;
const DEFAULT_HOURS = 24;
const LEAST_SECONDS = 60;
const MOST_SECONDS = CONSENSUS_HOURS_LIMIT * 3_600;
const WITHIN = ['1h', '2h', '6h', '12h', '1d', '3d'];

/**
 * `/watch channel`: how the alerts of a channel look, and what its wallets are watched for
 * together.
 */
export const watchChannel: Subcommand<string> = {
  name: 'channel',
  about: ({ channel }) => channel.description,
  options: [
    choiceOption('view', ({ channel }) => [channel.view, channel.views]),
    optionOf(
      new SlashCommandIntegerOption().setMinValue(0).setMaxValue(WALLETS_MOST),
      'consensus',
      ({ channel }) => channel.consensus,
    ),
    textOption(
      'consensus-within',
      ({ channel }) => channel.consensusWithin,
      20,
      suggestDurations(WITHIN, MOST_SECONDS),
    ),
    textOption('words', ({ channel }) => channel.words, TEXT_LIMIT, suggestSeenWords),
    choiceOption('consensus-only', ({ channel }) => [
      channel.consensusOnly,
      channel.consensusOnlyChoices,
    ]),
    choiceOption('results', ({ channel }) => [channel.results, channel.resultChoices]),
    choiceOption('language', ({ channel }, language) => [
      channel.language,
      Object.fromEntries(
        [...LANGUAGE_TAGS, SERVER].map((tag) => [tag, languageName(tag, language)]),
      ),
    ]),
    channelOption(({ channel }) => channel.channel),
  ],
  isPrivate: false,

  check(interaction) {
    words.read(interaction, null);
    readRule(interaction, null);
    return targetChannel(interaction);
  },

  async execute(interaction, context, channelId) {
    const { channelSettings, language, place, quotas } = context;
    const { ownerId } = place;
    const own = (known: ChannelSettings | undefined) =>
      known?.ownerId === ownerId ? known : defaultChannelSettings(ownerId, channelId);
    const before = own(channelSettings.get(channelId));
    let settings = changed(interaction, before);
    if (!isDeepStrictEqual(settings, before)) {
      watchesIn(channelId, context);
      quotas.requireChannel(ownerId, channelId, channelSettings.all());
      if (place.kind === 'directMessage') await checkReach(interaction, channelId, context);
    }
    // From what they are by then: others may be changing them.
    await channelSettings.change(channelId, (present) => {
      settings = changed(interaction, own(present));
      return isDeepStrictEqual(settings, own(present)) ? present : settings;
    });
    const { consensus } = settings;
    const only = interaction.options.getString('consensus-only');
    const { channel: say } = language.texts.watch;
    const wallets = context.registry.ofChannel(channelId).map(({ wallet }) => wallet);
    const warnings = await seenWarnings(wallets, settings, before, context);
    return [
      say[settings.view](channelName(channelId, place, language)),
      consensus === null
        ? say.noConsensus
        : say.consensus(consensus.wallets, language.format.hours(consensus.hours)),
      ...(settings.consensusOnly || before.consensusOnly || only !== null
        ? [say.consensusOnly[settings.consensusOnly ? 'on' : 'off']]
        : []),
      say.results[settings.results ? 'on' : 'off'],
      ...(settings.words === null
        ? []
        : [say.words(words.say(settings.words, language, Infinity))]),
      ...languageWords(interaction, settings, context),
      ...warnings,
    ].join('\n');
  },
};

/**
 * The settings of a channel after a command. @throws {UserError} that names the option and what it
 * takes
 */
function changed(interaction: CommandUse, before: ChannelSettings): ChannelSettings {
  const view = interaction.options.getString('view') ?? before.view;
  const results = interaction.options.getString('results');
  const only = interaction.options.getString('consensus-only');
  const chosen = interaction.options.getString('language');
  const consensus = readRule(interaction, before.consensus);
  if (only === 'on' && consensus === null)
    throw new UserError(({ texts }) => texts.watch.channel.consensusMissing);
  return {
    ...before,
    view: view === 'compact' ? 'compact' : 'full',
    words: words.read(interaction, before.words),
    consensus,
    // Without a consensus nothing would be left.
    consensusOnly: consensus !== null && (only === null ? before.consensusOnly : only === 'on'),
    results: results === null ? before.results : results === 'on',
    language:
      chosen === SERVER ? null : (LANGUAGE_TAGS.find((tag) => tag === chosen) ?? before.language),
  };
}

/**
 * The rule of a consensus after a command. @throws {UserError} that names the option and what it
 * takes
 */
function readRule(
  { options }: CommandUse,
  before: ChannelSettings['consensus'],
): ChannelSettings['consensus'] {
  const wallets = options.getInteger('consensus');
  const within = options.getString('consensus-within');
  if (wallets === 0) return null;
  if (wallets !== null && wallets < WALLETS_LEAST) {
    throw new UserError(({ texts }) =>
      texts.watch.channel.walletsWrong(wallets, WALLETS_LEAST, WALLETS_MOST),
    );
  }
  const seconds =
    within === null
      ? null
      : readDuration('consensus-within', within, LEAST_SECONDS, MOST_SECONDS, 'time');
  if (wallets === null && (before === null || seconds === null)) return before;
  return {
    wallets: wallets ?? before?.wallets ?? WALLETS_LEAST,
    hours: seconds === null ? (before?.hours ?? DEFAULT_HOURS) : seconds / 3_600,
  };
}

/** Languages by their own names, so that everybody finds the own one. */
function languageName(tag: LanguageTag | typeof SERVER, { texts }: Language): string {
  return tag === SERVER
    ? texts.commands.channel.serverLanguage
    : languageFor(tag).texts.commands.languageName;
}

/** What the answer says of the channel's language; nothing where nobody has ever chosen one. */
function languageWords(
  { options }: CommandUse,
  { language: chosen }: ChannelSettings,
  context: CommandContext,
) {
  const { language, place } = context;
  if (chosen === null && options.getString('language') === null) return [];
  const { commands, personal } = language.texts;
  const isOwn = chosen === null && place.kind === 'directMessage';
  return [
    commands.channel.writtenIn(
      isOwn ? personal.ownLanguage : languageName(chosen ?? SERVER, language),
    ),
  ];
}
