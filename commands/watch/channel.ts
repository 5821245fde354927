import { LANGUAGE_TAGS, type Language, type LanguageTag, languageFor } from '../../src/language/language.ts';
import { parseDuration } from '../../src/lib/duration.ts';
import { UserError } from '../../src/lib/errors.ts';
import { CONSENSUS_HOURS_LIMIT, newRoom, type Room } from '../../src/watches/channel-settings.ts';
import type { GuildCommand } from '../shared/command.ts';
import { choices, described, localised } from '../shared/localised.ts';
import { DURATION_EXAMPLES, durationWords } from './shared/duration-words.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { channelOption, targetChannel } from './shared/target.ts';

/** The choice of no language of the channel's own. */
const SERVER = 'server';
const WALLETS_LEAST = 2;
const WALLETS_MOST = 50;
const DEFAULT_HOURS = 24;
const LEAST_SECONDS = 60;

/** `/watch room`: how the alerts of a channel look, and what its wallets are watched for together. */
export const watchRoom: Subcommand = {
  name: 'room',
  define: (builder) =>
    described(builder, ({ room }) => room.description)
      .addStringOption((option) =>
        localised(option, 'view', ({ room }) => room.view).addChoices(
          ...choices(['full', 'compact'], (view, { words }) => words.commands.room.views[view]),
        ),
      )
      .addIntegerOption((option) =>
        localised(option, 'consensus', ({ room }) => room.consensus)
          .setMinValue(0)
          .setMaxValue(WALLETS_MOST),
      )
      .addStringOption((option) =>
        localised(option, 'consensus-within', ({ room }) => room.consensusWithin).setMaxLength(20),
      )
      .addStringOption((option) =>
        localised(option, 'language', ({ room }) => room.language).addChoices(
          ...choices([...LANGUAGE_TAGS, SERVER], languageName),
        ),
      )
      .addChannelOption(channelOption(({ room }) => room.channel)),
  isPrivate: false,

  check(interaction) {
    readConsensus(interaction, null);
    targetChannel(interaction);
  },

  async execute(interaction, { rooms, language }) {
    const { guildId } = interaction;
    const channelId = targetChannel(interaction);
    const known = rooms.get(channelId);
    const before = known?.guildId === guildId ? known : newRoom(guildId, channelId);
    const view = interaction.options.getString('view') ?? before.view;
    const consensus = readConsensus(interaction, before.consensus);
    const room: Room = {
      ...before,
      view: view === 'compact' ? 'compact' : 'full',
      consensus,
      language: readLanguage(interaction, before.language),
    };
    const isSame = room.view === before.view && consensus === before.consensus && room.language === before.language;
    if (!isSame) await rooms.set(room);
    await interaction.editReply({
      content: [
        language.words.watch.room[room.view](`<#${channelId}>`),
        consensusWords(consensus, language),
        ...languageWords(interaction, room, language),
      ].join(language.words.watch.gap),
      allowedMentions: { parse: [] },
    });
  },
};

/** @throws {UserError} that names the option and what it takes */
function readConsensus({ options }: GuildCommand, before: Room['consensus']): Room['consensus'] {
  const wallets = options.getInteger('consensus');
  const within = options.getString('consensus-within');
  if (wallets === 0) return null;
  if (wallets !== null && wallets < WALLETS_LEAST) {
    throw new UserError(({ words }) => words.watch.room.walletsWrong(wallets, WALLETS_LEAST, WALLETS_MOST));
  }
  const seconds = within === null ? null : parseDuration(within);
  if (within !== null && (seconds === null || seconds < LEAST_SECONDS || seconds > CONSENSUS_HOURS_LIMIT * 3_600)) {
    throw new UserError(({ words }) => words.watch.room.timeWrong(DURATION_EXAMPLES));
  }
  if (wallets === null && (before === null || seconds === null)) return before;
  return {
    wallets: wallets ?? before?.wallets ?? WALLETS_LEAST,
    hours: seconds === null ? (before?.hours ?? DEFAULT_HOURS) : seconds / 3_600,
  };
}

function consensusWords(consensus: Room['consensus'], language: Language): string {
  const { room } = language.words.watch;
  return consensus === null
    ? room.noConsensus
    : room.consensus(consensus.wallets, durationWords(consensus.hours * 3_600, language));
}

function readLanguage({ options }: GuildCommand, before: Room['language']): Room['language'] {
  const chosen = options.getString('language');
  if (chosen === SERVER) return null;
  return LANGUAGE_TAGS.find((tag) => tag === chosen) ?? before;
}

/** Languages by their own names, so that everybody finds the own one. */
function languageName(tag: LanguageTag | typeof SERVER, { words }: Language): string {
  return tag === SERVER ? words.commands.room.serverLanguage : languageFor(tag).words.commands.languageName;
}

/** What the answer says of the channel's language; nothing where nobody has ever chosen one. */
function languageWords({ options }: GuildCommand, { language: chosen }: Room, language: Language): string[] {
  if (chosen === null && options.getString('language') === null) return [];
  return [language.words.commands.room.writtenIn(languageName(chosen ?? SERVER, language))];
}
