import { UserError } from '../../src/language/user-error.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../src/lib/time.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { textOption } from '../../src/slash-commands/options.ts';
import { suggestDurations } from '../../src/watches/settings/durations.ts';
import { readDurationOption } from '../../src/watches/settings/setting.ts';
import { isPaused, type Watch } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { ALL } from './resume.ts';
import {
  changeChannel,
  changeWatch,
  namedWatches,
  readMuted,
  type Subcommand,
  WALLET_OR_ALL,
  WATCHED_IN,
} from './shared/command.ts';
import { channelName, pauseEnd, shownWatch } from './shared/words.ts';

const MUTE_SECONDS = HOUR_SECONDS;
/**
 * Difference up to which the end of an existing mute counts as the end of a new one, in seconds,
 * because two people may press at once.
 */
const SAME_SECONDS = 60;
const LONGEST_SECONDS = 30 * DAY_SECONDS;
const SHORTEST_SECONDS = 60;
export const PAUSES = ['30m', '1h', '2h', '8h', '12h', '1d', '3d', '7d'];

/** `/watch pause`: no alerts for one watch, or for all of a channel, for some time. */
export const watchPause: Subcommand<{
  seconds: number | null;
  watches: ReturnType<typeof namedWatches>;
}> = {
  name: 'pause',
  about: ({ pause }) => pause.description,
  options: [
    WALLET_OR_ALL,
    textOption('for', ({ pause }) => pause.for, 100, suggestDurations(PAUSES, LONGEST_SECONDS)),
    WATCHED_IN,
  ],
  isPrivate: false,

  check(interaction, context) {
    const seconds = readSeconds(interaction.options.getString('for'));
    return { seconds, watches: namedWatches(interaction, context) };
  },

  async execute(interaction, context, { seconds, watches }) {
    const untilSeconds = endOf(seconds, context);
    const [paused] = watches;
    const isOfChannel = interaction.options.getString('wallet') === null;
    const change = pausing(paused.channelId, untilSeconds, context);
    if (isOfChannel) await changeChannel(context, paused.channelId, change);
    else await changeWatch(context, paused, change);
    const { pause, gap } = context.language.texts.watch;
    const channel = channelName(paused.channelId, context);
    const end = pauseEnd(untilSeconds);
    const sentences: string[] = [];
    if (!isOfChannel) {
      sentences.push(pause.one(shownWatch(paused), channel, end));
    } else if (watches.length === 1) {
      sentences.push(pause.only(channel, end));
    } else {
      sentences.push(pause.all(watches.length, channel, end));
    }
    sentences.push(pause.notPostedLater);
    if (end !== null) sentences.push(pause.resumeEnds);
    const which = isOfChannel ? ALL : paused.wallet;
    const resume = button(`watch:resume:${which}:${paused.channelId}`, pause.resume);
    return { content: `⏸️ ${sentences.join(gap)}`, components: [buttonRow(resume)] };
  },
};

/**
 * Returns a function that pauses a watch. In a delayed channel, the pause applies until the delayed
 * time reaches its end.
 * @param untilSeconds by the venue's clock, in Unix seconds; null: until it is resumed
 */
export function pausing(
  channelId: string,
  untilSeconds: number | null,
  { clock }: CommandContext,
): (watch: Watch) => Watch {
  if (untilSeconds === null || !clock.isLater(channelId)) {
    return (watch) => ({ ...watch, pause: { untilSeconds } });
  }
  const heldSeconds = Math.ceil(clock.at(channelId, untilSeconds * 1000) / 1000);
  return (watch) => ({ ...watch, pause: { untilSeconds, heldSeconds } });
}

/**
 * Returns the end of a pause by the venue's clock, in Unix seconds.
 * @param seconds length; null for a pause without an end
 */
export function endOf(seconds: number | null, { venueNowSeconds }: CommandContext): number | null {
  return seconds === null ? null : Math.ceil(venueNowSeconds()) + seconds;
}

/** Returns the seconds in the option `for`; null for a pause without an end. */
export function readSeconds(text: string | null): number | null {
  if (text === null) return null;
  return readDurationOption('for', text, SHORTEST_SECONDS, LONGEST_SECONDS, 'pause');
}

/**
 * The button `watch:mute:WALLET` under an alert pauses this channel's watch for an hour. A message
 * visible to everyone says who did it, because the alerts stop for everyone, and has the button
 * that undoes it.
 */
export const pressMute: NonNullable<Subcommand['press']> = async (
  interaction,
  [wallet = ''],
  context,
) => {
  const watch = readMuted(interaction, wallet, context);
  const nowSeconds = Math.floor(context.venueNowSeconds());
  const untilSeconds = nowSeconds + MUTE_SECONDS;
  const pausedUntilSeconds = watch.pause?.untilSeconds ?? null;
  const isAsLong = (pausedUntilSeconds ?? untilSeconds) >= untilSeconds - SAME_SECONDS;
  if (isPaused(watch, nowSeconds) && isAsLong) {
    const end = pauseEnd(pausedUntilSeconds);
    throw new UserError(({ texts }) => texts.watch.pause.already(shownWatch(watch), end));
  }
  await changeWatch(context, watch, pausing(watch.channelId, untilSeconds, context));
  const { mute } = context.languageOf(interaction.channelId).texts.watch;
  const person = `<@${context.personId}>`;
  const muted = mute.muted(person, shownWatch(watch), `<t:${untilSeconds}:t>`);
  const unmute = button(`watch:resume:${watch.wallet}`, mute.unmute);
  await interaction.followUp({
    content: `🔕 ${muted}`,
    components: [buttonRow(unmute)],
  });
  return null;
};
