import { createHash } from 'node:crypto';
import { requireWriting } from '../../../src/discord/permissions.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import type { ButtonUse, CommandUse } from '../../../src/slash-commands/slash-command.ts';
import { type Answer, messageOf, type ToConfirm } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { type Subcommand, unknownButton } from './command.ts';

/** A change of a channel's filters. */
interface Warned extends Omit<ToConfirm, 'personId'> {
  readonly subcommand: Subcommand['name'];
  /** Lines that warn the person. Without any, the change is carried out at once. */
  readonly warnings: readonly string[];
}

/**
 * Returns a key for what a person has typed, the same for the same subcommand, options and channel.
 */
export function keyOf({ user, channelId, options }: CommandUse): string {
  // Only names and values of options, because other data that Discord sends along may change.
  const typed = JSON.stringify([user.id, channelId, options.data], ['name', 'value', 'options']);
  return createHash('sha256').update(typed).digest('base64url').slice(0, 22);
}

/**
 * Carries a change out, or explains why it may be a mistake. It then waits for a button, or for
 * being typed again.
 */
export async function unlessWarned(
  interaction: CommandUse,
  { askedTwice, personId, language }: CommandContext,
  { subcommand, channelId, warnings, carryOut }: Warned,
): Promise<Answer> {
  if (warnings.length === 0) return carryOut();
  const key = keyOf(interaction);
  if (askedTwice.find(key) !== undefined) {
    askedTwice.drop(key);
    return carryOut();
  }
  askedTwice.keep({ personId, channelId, carryOut }, key);
  const { anyway } = language.texts.watch.settings;
  return {
    content: [...warnings, anyway.nothing].join('\n'),
    components: [buttonRow(button(`watch:${subcommand}:${key}`, anyway.button))],
  };
}

/**
 * The button under a waiting change: carries it out.
 * @throws {UserError} if someone else presses it, or the change is no longer waiting
 */
export async function pressAnyway(
  interaction: ButtonUse,
  [key = '']: readonly string[],
  { askedTwice, personId }: CommandContext,
): Promise<Answer> {
  const change = askedTwice.find(key);
  if (change === undefined) throw unknownButton();
  if (change.personId !== personId) {
    throw new UserError(({ texts }) => texts.watch.settings.anyway.notYours);
  }
  requireWriting(interaction, change.channelId);
  askedTwice.drop(key);
  const answer = await change.carryOut();
  if (answer === null) return null;
  // Replaces the question and its button.
  return { content: '', components: [], ...messageOf(answer) };
}
