import { AttachmentBuilder } from 'discord.js';
import { type FileFormat, writeWatches } from '../watch/transfer-file.ts';
import { UserError } from './errors.ts';
import { choices, described, localised } from './localised.ts';
import type { Subcommand } from './subcommand.ts';

/** `/watch export`: all watches of the server with their settings, as a file. */
export const watchExport: Subcommand = {
  name: 'export',
  define: (builder) =>
    described(builder, (texts) => texts.export.description).addStringOption((option) =>
      localised(option, 'format', (texts) => texts.export.format).addChoices(
        ...choices(['csv', 'json'], (format) => format.toUpperCase()),
      ),
    ),
  isPrivate: true,

  async execute(interaction, { registry }) {
    const watches = registry
      .ofGuild(interaction.guildId)
      .toSorted((a, b) => compare(a.channelId, b.channelId) || compare(a.wallet, b.wallet));
    if (watches.length === 0) throw new UserError('Nothing rings in this server yet: there is nothing to export.');
    const format: FileFormat = interaction.options.getString('format') === 'json' ? 'json' : 'csv';
    const text = writeWatches(watches, format, {
      channel: (id) => interaction.guild?.channels.cache.get(id)?.name,
      role: (id) => interaction.guild?.roles.cache.get(id)?.name,
    });
    await interaction.editReply({
      content: `${watches.length === 1 ? '1 watch' : `${watches.length} watches`}. \`/watch import\` takes the file again, here or in another server.`,
      files: [new AttachmentBuilder(Buffer.from(text), { name: `watches.${format}` })],
    });
  },
};

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
