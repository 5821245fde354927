import { CONSENSUS_HOURS_LIMIT, newRoom, type Room } from '../watch/rooms.ts';
import type { GuildCommand } from './command.ts';
import { DURATION_EXAMPLES, durationText, parseDuration } from './duration.ts';
import { UserError } from './errors.ts';
import type { Subcommand } from './subcommand.ts';
import { channelOption, targetChannel } from './watch-target.ts';

const VIEWS = {
  full: 'an embed for each alert, with all its figures',
  compact: 'one line an alert, several in one embed',
} as const;
const WALLETS_LEAST = 2;
const WALLETS_MOST = 50;
const DEFAULT_HOURS = 24;
const LEAST_SECONDS = 60;

/** `/watch room`: how the alerts of a channel look, and what its wallets are watched for together. */
export const watchRoom: Subcommand = {
  name: 'room',
  define: (builder) =>
    builder
      .setDescription('How alerts look in a channel, and whether it is told when watched wallets agree')
      .addStringOption((option) =>
        option
          .setName('view')
          .setDescription('full: an embed each; compact: a line each')
          .addChoices(...Object.entries(VIEWS).map(([value, words]) => ({ name: `${value}: ${words}`, value }))),
      )
      .addIntegerOption((option) =>
        option
          .setName('consensus')
          .setDescription('Tell when this many watched wallets take the same outcome; 0: never')
          .setMinValue(0)
          .setMaxValue(WALLETS_MOST),
      )
      .addStringOption((option) =>
        option
          .setName('consensus-within')
          .setDescription('How close together in time: 2h, 1d, up to 3d')
          .setMaxLength(20),
      )
      .addChannelOption(channelOption('Which channel')),
  isPrivate: false,

  check: (interaction) => void readConsensus(interaction, null),

  async execute(interaction, { rooms }) {
    const { guildId } = interaction;
    const channelId = targetChannel(interaction);
    const before = rooms.get(channelId) ?? newRoom(guildId, channelId);
    const view = interaction.options.getString('view') ?? before.view;
    const consensus = readConsensus(interaction, before.consensus);
    const room: Room = { ...before, view: view === 'compact' ? 'compact' : 'full', consensus };
    if (room.view !== before.view || consensus !== before.consensus) await rooms.set(room);
    await interaction.editReply({
      content: `<#${channelId}>: view \`${room.view}\`, ${VIEWS[room.view]}. ${consensusWords(consensus)}`,
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
    throw new UserError(
      `\`consensus\` is ${wallets}. Accepted: ${WALLETS_LEAST} to ${WALLETS_MOST} wallets, or 0 for never.`,
    );
  }
  const seconds = within === null ? null : parseDuration(within);
  if (within !== null && (seconds === null || seconds < LEAST_SECONDS || seconds > CONSENSUS_HOURS_LIMIT * 3_600)) {
    throw new UserError(`\`consensus-within\` is not a time. Accepted: ${DURATION_EXAMPLES}, from a minute to 3 days.`);
  }
  if (wallets === null && (before === null || seconds === null)) return before;
  return {
    wallets: wallets ?? before?.wallets ?? WALLETS_LEAST,
    hours: seconds === null ? (before?.hours ?? DEFAULT_HOURS) : seconds / 3_600,
  };
}

function consensusWords(consensus: Room['consensus']): string {
  return consensus === null
    ? 'Consensus among wallets is not told.'
    : `Consensus is told when ${consensus.wallets} of its wallets take the same outcome within ${durationText(consensus.hours * 3_600)}.`;
}
