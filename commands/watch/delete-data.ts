import { ButtonStyle } from 'discord.js';
import { EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import type { CommandContext } from '../shared/context.ts';
import type { Subcommand } from './shared/command.ts';

/**
 * `/watch delete-data`: in direct messages, deletes everything stored about a person, after a
 * confirmation; in a server, deletes the person's id there.
 */
export const watchDeleteData: Subcommand = {
  name: 'delete-data',
  about: (texts) => texts['delete-data'],
  worksWhereOff: true,
  isPrivate: (interaction) => interaction.inGuild(),

  async execute(_interaction, context) {
    const { registry, place, language } = context;
    const { forget } = language.texts.personal;
    if (place.kind !== 'directMessage') {
      await forgetInServer(context);
      return { embeds: [{ description: forget.inServer, color: EMBED_COLOURS.answer }] };
    }
    const buttons = buttonRow(
      { ...button('watch:delete-data:yes', forget.yes), style: ButtonStyle.Danger },
      button('watch:delete-data:no', forget.no),
    );
    const description = forget.question(registry.ofOwner(place.ownerId).length);
    return {
      embeds: [{ title: forget.title, description, color: EMBED_COLOURS.fault }],
      components: [buttons],
    };
  },

  async press(interaction, [deed = ''], { persons, language }) {
    const { forget } = language.texts.personal;
    if (deed === 'yes') await persons.forget(interaction.user.id);
    const description = deed === 'yes' ? forget.done : forget.kept;
    return { embeds: [{ description, color: EMBED_COLOURS.answer }], components: [] };
  },
};

/** Deletes a person's id from a server's documents. */
async function forgetInServer(context: CommandContext): Promise<void> {
  const { changes, imports, registry, place, personId, log } = context;
  const { ownerId } = place;
  await imports.forgetPerson(ownerId, personId);
  await registry.forgetAdder(ownerId, personId);
  await changes.forgetPerson(ownerId, personId);
  log.info({ event: 'person.forgotten', guild: ownerId });
}
