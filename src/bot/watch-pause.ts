import { DURATION_EXAMPLES, durationText, parseDuration } from './duration.ts';
import { described, localised } from './localised.ts';
import type { Subcommand } from './subcommand.ts';
import { suggestWallets } from './wallet-option.ts';
import { notAccepted } from './watch-changes.ts';
import { suggestPause } from './watch-suggest.ts';
import { changeWatch, channelOption, optionalWallet, readWatches, shownWatch } from './watch-target.ts';
import { NOT_MADE_UP_FOR, pauseWords } from './watch-words.ts';

const LONGEST_SECONDS = 30 * 86_400;
const SHORTEST_SECONDS = 60;

/** `/watch pause`: one watch, or all of a channel, keep silent for a while. */
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
      .addChannelOption(channelOption((texts) => texts.ringsIn)),
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
    const who =
      interaction.options.getString('wallet') === null
        ? `${watches.length === 1 ? 'The only watch' : `All ${watches.length} watches`} of <#${paused.channelId}>`
        : `${shownWatch(paused)} in <#${paused.channelId}>`;
    const verb = watches.length === 1 ? 'is' : 'are';
    const words = pauseWords({ pause: { untilSeconds } }, nowSeconds) ?? '';
    await interaction.editReply({
      content: `⏸️ ${who} ${verb} ${words}. ${NOT_MADE_UP_FOR}${untilSeconds === null ? '' : ' `/watch resume` ends it.'}`,
      allowedMentions: { parse: [] },
    });
  },

  autocomplete(interaction, context) {
    const { name, value } = interaction.options.getFocused(true);
    return name === 'wallet' ? suggestWallets(interaction, context) : suggestPause(value, LONGEST_SECONDS);
  },
};

/** Seconds; null for a pause without an end. */
function readLength(text: string | null): number | null {
  if (text === null) return null;
  const seconds = parseDuration(text);
  if (seconds !== null && seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS) return seconds;
  const range = `${durationText(SHORTEST_SECONDS)} to ${durationText(LONGEST_SECONDS)}`;
  throw notAccepted(
    'for',
    text,
    `a time such as ${DURATION_EXAMPLES}, from ${range}; leave it out for a pause without an end`,
  );
}
