import type { Subcommand } from './subcommand.ts';
import { channelOption, targetChannel } from './watch-target.ts';

const VIEWS = {
  full: 'an embed for each alert, with all its figures',
  compact: 'one line an alert, several in one embed',
} as const;

/** `/watch room`: how the alerts of a channel look. */
export const watchRoom: Subcommand = {
  name: 'room',
  define: (builder) =>
    builder
      .setDescription('How alerts look in a channel')
      .addStringOption((option) =>
        option
          .setName('view')
          .setDescription('full: an embed each; compact: a line each')
          .setRequired(true)
          .addChoices(...Object.entries(VIEWS).map(([value, words]) => ({ name: `${value}: ${words}`, value }))),
      )
      .addChannelOption(channelOption('Which channel')),
  isPrivate: false,

  async execute(interaction, { rooms }) {
    const { guildId } = interaction;
    const channelId = targetChannel(interaction);
    const view = interaction.options.getString('view', true) === 'compact' ? 'compact' : 'full';
    await rooms.set({ version: 1, guildId, channelId, view });
    await interaction.editReply({
      content: `Alerts in <#${channelId}> now have the view \`${view}\`: ${VIEWS[view]}.`,
      allowedMentions: { parse: [] },
    });
  },
};
