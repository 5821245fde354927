import { setImmediate as nextTurn } from 'node:timers/promises';
import { sendWithFiles } from '../../src/discord/attachments.ts';
import { UserError } from '../../src/language/user-error.ts';
import { compare } from '../../src/lib/text/compare.ts';
import { choiceOption } from '../../src/slash-commands/options.ts';
import { type FileFormat, writeWatches } from '../../src/watches/transfer/file.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { Subcommand } from './shared/command.ts';

/** `/watch export`: all watches of the server with their settings, as a file. */
export const watchExport: Subcommand = {
  name: 'export',
  about: (texts) => texts.export.description,
  options: [choiceOption('format', (texts) => [texts.export.format, { csv: 'CSV', json: 'JSON' }])],
  isPrivate: true,

  async execute(interaction, context) {
    const { registry, language, place } = context;
    const { texts, format } = language;
    const byPlace = (a: Watch, b: Watch) =>
      compare(a.channelId, b.channelId) || compare(a.wallet, b.wallet);
    const watches = registry.ofOwner(place.ownerId).toSorted(byPlace);
    if (watches.length === 0) throw new UserError((own) => own.texts.files.export.nothing);
    const isJson = interaction.options.getString('format') === 'json';
    const fileFormat: FileFormat = isJson ? 'json' : 'csv';
    const text = await writeWatches(watches, fileFormat, {
      // A file without a channel applies to the channel where it is imported.
      hasChannels: place.kind === 'server',
      channel: (id) => interaction.guild?.channels.cache.get(id)?.name,
      role: (id) => interaction.guild?.roles.cache.get(id)?.name,
    });
    await nextTurn();
    const wallets = new Set(watches.map(({ wallet }) => wallet)).size;
    const done = texts.files.export.done(format.quantity(wallets), wallets);
    const file = { attachment: Buffer.from(text), name: `watches.${fileFormat}` };
    await sendWithFiles(context, 'file', [file], (files, note) =>
      interaction.editReply({ content: note ?? done, files }),
    );
    return null;
  },
};
