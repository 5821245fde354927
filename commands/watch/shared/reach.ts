import { checkAlertChannel } from '../../../src/discord/permissions.ts';
import type { ButtonUse, CommandUse } from '../../../src/discord/slash-command.ts';
import type { LocalizedText } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import type { CommandContext } from '../../shared/context.ts';

/**
 * Makes sure that the bot can write where a command is about. A person gets a first message.
 *
 * @returns a remark on what would help, null if there is none
 * @throws {UserError} that says what to do if it cannot
 */
export async function checkReach(
  interaction: CommandUse | ButtonUse,
  channelId: string,
  { place, persons, language }: Pick<CommandContext, 'place' | 'persons' | 'language'>,
): Promise<LocalizedText | null> {
  if (place.kind === 'directMessage') {
    await persons.greet({ personId: interaction.user.id, channelId, attempt: interaction.id, language });
    return null;
  }
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  return checkAlertChannel(interaction.guild, channelId);
}
