import { PermissionFlagsBits } from 'discord.js';
import { parseAddress } from '../../src/domain/address.ts';
import type { LocalizedText } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import type { ButtonUse } from '../../src/slash-commands/slash-command.ts';
import { isPaused, type Watch } from '../../src/watches/watch.ts';
import { button, buttonRow } from '../shared/buttons.ts';
import type { CommandContext } from '../shared/context.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { changeWatch, notWatched } from './shared/target.ts';
import { pauseEnd, shownWatch } from './shared/words.ts';

const MUTE_SECONDS = 3600;
/** A mute that ends this much sooner than a new one would is as good as that one: two people pressed. */
const SAME_SECONDS = 60;

/**
 * The button `watch:mute:WALLET` under an alert: pauses the watch of this channel for an hour. A message to all
 * says who did it, because all would miss the alerts, and has the button that undoes it.
 */
export const pressMute: NonNullable<Subcommand['press']> = async (interaction, [wallet = ''], context) => {
  const watch = readMuted(interaction, wallet, context);
  const nowSeconds = Math.floor(context.venueClock().nowMs / 1000);
  const untilSeconds = nowSeconds + MUTE_SECONDS;
  if (isPaused(watch, nowSeconds) && (watch.pause?.untilSeconds ?? untilSeconds) >= untilSeconds - SAME_SECONDS) {
    const end = pauseEnd(watch.pause?.untilSeconds ?? null);
    throw new UserError(({ texts }) => texts.watch.pause.already(shownWatch(watch), end));
  }
  await changeWatch(context, watch, (present) => ({ ...present, pause: { untilSeconds } }));
  const { mute } = context.languageOf(interaction.channelId).texts.watch;
  const muted = mute.muted(`<@${interaction.user.id}>`, shownWatch(watch), `<t:${untilSeconds}:t>`);
  await interaction.followUp({
    content: `🔕 ${muted}`,
    components: [buttonRow(button(`watch:resume:${watch.wallet}`, mute.unmute))],
    allowedMentions: { parse: [] },
  });
  return null;
};

/**
 * The watch that a button under an alert is about.
 *
 * @throws {UserError} for people who may not use `/watch`: in a server without Manage Server
 */
export function readMuted(interaction: ButtonUse, text: string, context: CommandContext): Watch {
  requireManaging(interaction, context, ({ texts }) => texts.watch.mute.managersOnly);
  return readPressed(interaction.channelId, text, context);
}

/** @throws {UserError} for people who may not use `/watch`: in a server without Manage Server */
export function requireManaging(
  { memberPermissions }: ButtonUse,
  { place }: CommandContext,
  say: LocalizedText = ({ texts }) => texts.watch.managersOnly,
): void {
  if (place.kind === 'directMessage' || memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true) return;
  throw new UserError(say);
}

/** The watch of a channel and of the wallet that a button names. @throws {UserError} if there is none of the person's owner */
export function readPressed(channelId: string, text: string, context: CommandContext): Watch {
  const { place, registry } = context;
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new UserError(({ texts }) => texts.watch.mute.unknownButton);
  const watch = registry.get(channelId, parsed.address);
  if (watch?.ownerId !== place.ownerId) throw notWatched(channelId, parsed.address, context);
  return watch;
}
