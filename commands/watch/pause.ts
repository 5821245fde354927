import { parseDuration } from '../../src/lib/duration.ts';
import { described, localised } from '../shared/localised.ts';
import { suggestWallets } from '../shared/wallet-option.ts';
import { notAccepted } from './shared/changes.ts';
import { durationExamples } from './shared/duration-words.ts';
import { channelName } from './shared/place-words.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { suggestPause } from './shared/suggest.ts';
import { changeWatch, channelOption, optionalWallet, readWatches, shownWatch } from './shared/target.ts';
import { pauseEnd } from './shared/words.ts';

const LONGEST_SECONDS = 30 * 86_400;
const SHORTEST_SECONDS = 60;

/** `/watch pause`: no alerts of one watch, or of all of a channel, for a while. */
export const watchPause: Subcommand = {
  name: 'pause',
  define: (builder) =>
    described(builder, ({ pause }) => pause.description)
      .addStringOption(optionalWallet)
      .addStringOption((option) =>
        localised(option, 'for', ({ pause }) => pause.for)
          .setMaxLength(100)
          .setAutocomplete(true),
      )
      .addChannelOption(channelOption((texts) => texts.watchedIn)),
  isPrivate: false,
  check(interaction, context) {
    readLength(interaction.options.getString('for'));
    readWatches(interaction, context);
  },

  async execute(interaction, context) {
    const seconds = readLength(interaction.options.getString('for'));
    const nowSeconds = context.venueClock().nowMs / 1000;
    const untilSeconds = seconds === null ? null : Math.ceil(nowSeconds) + seconds;
    const watches = readWatches(interaction, context);
    const [paused] = watches;
    for (const each of watches) await changeWatch(context, each, (watch) => ({ ...watch, pause: { untilSeconds } }));
    const { pause, gap } = context.language.texts.watch;
    const channel = channelName(paused.channelId, context.place, context.language);
    const end = pauseEnd(untilSeconds);
    const onChannel = () => (watches.length === 1 ? pause.only(channel, end) : pause.all(watches.length, channel, end));
    const isOfChannel = interaction.options.getString('wallet') === null;
    const sentences = [
      isOfChannel ? onChannel() : pause.one(shownWatch(paused), channel, end),
      pause.notPostedLater,
      ...(end === null ? [] : [pause.resumeEnds]),
    ];
    await interaction.editReply({
      content: `⏸️ ${sentences.join(gap)}`,
      allowedMentions: { parse: [] },
    });
  },

  autocomplete(interaction, context) {
    const { name, value } = interaction.options.getFocused(true);
    if (name === 'wallet') return suggestWallets(interaction, context);
    return suggestPause(value, LONGEST_SECONDS, context.language);
  },
};

/** Seconds; null for a pause without an end. */
function readLength(text: string | null): number | null {
  if (text === null) return null;
  const seconds = parseDuration(text);
  if (seconds !== null && seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS) return seconds;
  throw notAccepted('for', text, ({ texts: { watch }, format }) => {
    const [least, most] = [format.duration(SHORTEST_SECONDS), format.duration(LONGEST_SECONDS)];
    return watch.settings.accepted.pause(durationExamples(watch.comma), least, most);
  });
}
