import { requireWriting } from '../../src/discord/permissions.ts';
import { checksummed, parseAddress } from '../../src/domain/address.ts';
import { UserError } from '../../src/language/user-error.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { UNDO_MS } from '../../src/watches/registry.ts';
import { isLeaving, type Watch } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { WALLET } from '../shared/wallet-option.ts';
import {
  changeWatch,
  readWatch,
  requireManaging,
  type Subcommand,
  WATCHED_IN,
} from './shared/command.ts';
import { channelName, pauseWords, shownLabel, shownWatch } from './shared/words.ts';

/**
 * `/watch remove`: ends a wallet's alerts in a channel. For ten minutes, this can be undone without
 * missing any alert.
 */
export const watchRemove: Subcommand<Watch> = {
  name: 'remove',
  about: (texts) => texts.remove,
  options: [WALLET, WATCHED_IN],
  isPrivate: false,
  check: readWatch,

  execute: (_interaction, context, watch) => removeWatch(context, watch),

  async press(interaction, [text = '', channelId = ''], context) {
    requireManaging(context);
    requireWriting(interaction, channelId);
    const { registry, place, language } = context;
    const over = () => new UserError(({ texts }) => texts.watch.undo.over);
    const parsed = parseAddress(text);
    const watch = parsed.ok ? registry.kept(channelId, parsed.address) : undefined;
    if (watch?.ownerId !== place.ownerId || !isLeaving(watch)) throw over();
    const { leavesAtMs: _, ...back } = watch;
    // Its place was kept for it, so Undo is never rejected.
    if (!(await registry.update(back, context.personId, watch))) throw over();
    const { wallet } = watch;
    await context.noteChanges(watch.ownerId, [{ channelId, wallet, deed: 'restored', parts: [] }]);
    const { undo } = language.texts.watch;
    const channel = channelName(channelId, context);
    const done = `↩️ ${undo.done(shownWatch(watch), channel)}`;
    const pause = pauseWords(back, context.venueNowSeconds(), language);
    const content = pause === null ? done : `${done}\n⏸️ ${pause}`;
    return { content, components: [] };
  },
};

/**
 * Ends a wallet's alerts in a channel.
 * @returns the answer, with Undo
 */
export async function removeWatch(context: CommandContext, { channelId, wallet, label }: Watch) {
  const { removed, undo, noName, gap } = context.language.texts.watch;
  const leavesAtMs = context.nowMs() + UNDO_MS;
  await changeWatch(context, { channelId, wallet }, (watch) => ({ ...watch, leavesAtMs }));
  const name = label === null ? null : shownLabel(label, noName);
  const channel = channelName(channelId, context);
  const title = removed(`\`${checksummed(wallet)}\``, name, channel);
  const until = undo.until(`<t:${Math.floor(leavesAtMs / 1000)}:t>`);
  const undoButton = button(`watch:remove:${wallet}:${channelId}`, undo.button);
  return {
    content: `${title}${gap}${until}`,
    components: [buttonRow(undoButton)],
  };
}
