import { ButtonStyle } from 'discord.js';
import { EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import type { Subcommand } from './shared/command.ts';

/** `/watch delete-data`: deletes all that is stored of a person, after a confirmation. */
export const watchDeleteData: Subcommand = {
  name: 'delete-data',
  about: (texts) => texts['delete-data'],
  worksIn: 'directMessage',
  isPrivate: false,

  async execute(_interaction, { registry, place, language }) {
    const { forget } = language.texts.personal;
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
