import { textOption } from '../../src/slash-commands/options.ts';
import { durationsLike } from '../../src/watches/settings/durations.ts';
import { readDuration } from '../../src/watches/settings/setting.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { button, buttonRow } from '../shared/buttons.ts';
import type { CommandContext } from '../shared/context.ts';
import { ALL } from './resume.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { changeWatch, readWatches, WALLET_OR_ALL, WATCHED_IN } from './shared/target.ts';
import { channelName, pauseEnd, shownWatch } from './shared/words.ts';

const LONGEST_SECONDS = 30 * 86_400;
const SHORTEST_SECONDS = 60;
const STARTS = ['30m', '1h', '2h', '8h', '12h', '1d', '3d', '7d'];

/** `/watch pause`: no alerts of one watch, or of all of a channel, for a while. */
export const watchPause: Subcommand<{
  readonly seconds: number | null;
  readonly watches: readonly [Watch, ...Watch[]];
}> = {
  name: 'pause',
  about: ({ pause }) => pause.description,
  options: [WALLET_OR_ALL, textOption('for', ({ pause }) => pause.for, 100, suggestLengths), WATCHED_IN],
  isPrivate: false,

  check(interaction, context) {
    const text = interaction.options.getString('for');
    // Null: without an end.
    const seconds = text === null ? null : readDuration('for', text, SHORTEST_SECONDS, LONGEST_SECONDS, 'pause');
    return { seconds, watches: readWatches(interaction, context) };
  },

  async execute(interaction, context, { seconds, watches }) {
    const nowSeconds = Math.ceil(context.venueClock().nowMs / 1000);
    const untilSeconds = seconds === null ? null : nowSeconds + seconds;
    for (const each of watches) await changeWatch(context, each, (watch) => ({ ...watch, pause: { untilSeconds } }));
    const [paused] = watches;
    const { pause, gap } = context.language.texts.watch;
    const channel = channelName(paused.channelId, context.place, context.language);
    const end = pauseEnd(untilSeconds);
    const isOfChannel = interaction.options.getString('wallet') === null;
    const ofChannel = watches.length === 1 ? pause.only(channel, end) : pause.all(watches.length, channel, end);
    const sentences = [
      isOfChannel ? ofChannel : pause.one(shownWatch(paused), channel, end),
      pause.notPostedLater,
      ...(end === null ? [] : [pause.resumeEnds]),
    ];
    const which = isOfChannel ? ALL : paused.wallet;
    return {
      content: `⏸️ ${sentences.join(gap)}`,
      components: [buttonRow(button(`watch:resume:${which}:${paused.channelId}`, pause.resume))],
    };
  },
};

function suggestLengths(typed: string, { language }: CommandContext) {
  return durationsLike(typed, STARTS, LONGEST_SECONDS, language);
}
