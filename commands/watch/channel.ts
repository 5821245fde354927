import { isDeepStrictEqual } from 'node:util';
import { type APIEmbed, SlashCommandIntegerOption } from 'discord.js';
import { EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import {
  LANGUAGE_TAGS,
  type Language,
  type LanguageTag,
  languageFor,
} from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { HOUR_SECONDS } from '../../src/lib/time.ts';
import { CONSENSUS_HOURS_LIMIT } from '../../src/portfolio/consensus.ts';
import { choiceOption, optionOf, textOption } from '../../src/slash-commands/options.ts';
import { changesOfChannel } from '../../src/watches/changes.ts';
import {
  type ChannelSettings,
  defaultChannelSettings,
} from '../../src/watches/channel-settings.ts';
import { DELAY_LEAST_MS, DELAY_MOST_MS, type Delay } from '../../src/watches/delay.ts';
import { hoursWords, readHours } from '../../src/watches/quiet-hours.ts';
import { suggestDurations } from '../../src/watches/settings/durations.ts';
import {
  type Change,
  type GivenOptions,
  notAccepted,
  readDurationOption,
  TEXT_LIMIT,
} from '../../src/watches/settings/setting.ts';
import { isNothing } from '../../src/watches/settings/typed.ts';
import { words } from '../../src/watches/settings/words.ts';
import type { CommandContext } from '../shared/context.ts';
import { readZone, running, suggestZones } from './digest.ts';
import { channelRows } from './panel/rows.ts';
import { pressAnyway, unlessWarned } from './shared/anyway.ts';
import {
  channelOption,
  checkReach,
  isChange,
  type Subcommand,
  targetChannel,
  watchesIn,
} from './shared/command.ts';
import { suggestSeenWords, warningsOf } from './shared/seen-markets.ts';
import { capitalized, channelName } from './shared/words.ts';

/** The choice that removes the channel's own language. */
export const SERVER = 'server' as const;
export const WALLETS_LEAST = 2;
export const WALLETS_MOST = 50;
const DEFAULT_HOURS = 24;
const LEAST_SECONDS = 60;
const MOST_SECONDS = CONSENSUS_HOURS_LIMIT * HOUR_SECONDS;
export const DELAYS = ['none', '5m', '10m', '15m', '30m', '1h', '2h', '6h'];
export const WITHIN = ['1h', '2h', '6h', '12h', '1d', '3d'];

/**
 * `/watch channel`: how a channel's alerts look, and which events of several of its wallets are
 * announced.
 */
export const watchChannel: Subcommand<{
  readonly channelId: string;
  readonly change: Change<ChannelSettings>;
}> = {
  name: 'channel',
  about: ({ channel }) => channel.description,
  options: [
    choiceOption('view', ({ channel }) => [channel.view, channel.views]),
    optionOf(
      new SlashCommandIntegerOption().setMinValue(0).setMaxValue(WALLETS_MOST),
      'consensus',
      ({ channel }) => channel.consensus,
    ),
    textOption(
      'consensus-within',
      ({ channel }) => channel.consensusWithin,
      20,
      suggestDurations(WITHIN, MOST_SECONDS),
    ),
    textOption('words', ({ channel }) => channel.words, TEXT_LIMIT, suggestSeenWords),
    choiceOption('consensus-only', ({ channel }) => [
      channel.consensusOnly,
      channel.consensusOnlyChoices,
    ]),
    choiceOption('results', ({ channel }) => [channel.results, channel.resultChoices]),
    textOption('quiet', ({ channel }) => channel.quiet, 40),
    textOption('time-zone', ({ channel }) => channel.timeZone, 60, suggestZones),
    textOption(
      'delay',
      ({ channel }) => channel.delay,
      20,
      suggestDurations(DELAYS, DELAY_MOST_MS / 1000),
    ),
    choiceOption('language', ({ channel }, language) => {
      const tags = [...LANGUAGE_TAGS, SERVER];
      const names = tags.map((tag) => [tag, languageName(tag, language)]);
      return [channel.language, Object.fromEntries(names)];
    }),
    channelOption(({ channel }) => channel.channel),
  ],
  isPrivate: (interaction) => !isChange(interaction, ['channel']),

  check(interaction, context) {
    const channelId = targetChannel(interaction);
    return { channelId, change: readChannelChange(interaction, channelId, context) };
  },

  async execute(interaction, context, { channelId, change }) {
    const before = channelSettingsOf(channelId, context);
    if (!isChange(interaction, ['channel'])) {
      const embed = channelEmbed(interaction, before, before, context);
      const components = channelRows({ channelId }, context);
      return { embeds: [embed], components };
    }
    const settings = change(before);
    await checkChannelChange(context, before, settings);
    const warnings = await warningsOf(channelId, settings, before, context);
    const carryOut = async () => {
      const [was, is] = await changeChannelSettings(context, channelId, change);
      return channelAnswer(interaction, was, is, context, true);
    };
    const unconfirmed = { subcommand: 'channel', channelId, warnings, carryOut } as const;
    return unlessWarned(interaction, context, unconfirmed);
  },

  press: pressAnyway,
};

/**
 * Reads options as {@link readChannelOptions} does, with the channel's delayed time and its
 * digest's zone.
 */
export function readChannelChange(
  given: GivenOptions,
  channelId: string,
  { clock, digests, place }: CommandContext,
): Change<ChannelSettings> {
  const digest = running(digests.get(channelId), place.ownerId);
  return readChannelOptions(given, digest?.schedule.timeZone ?? null, () => clock.nowMs(channelId));
}

/**
 * Checks that a channel may be changed this way.
 * @throws {UserError} if nothing is watched, the owner has set too many channels, or the bot cannot
 *   write to the person
 */
export async function checkChannelChange(
  context: CommandContext,
  before: ChannelSettings,
  after: ChannelSettings,
): Promise<void> {
  if (isDeepStrictEqual(after, before)) return;
  const { place, quotas, channelSettings } = context;
  const { channelId } = after;
  watchesIn(channelId, context);
  quotas.requireChannel(place.ownerId, channelId, channelSettings.all());
  if (place.kind === 'directMessage') await checkReach(channelId, context);
}

/** Returns a channel's current settings. */
export function channelSettingsOf(
  channelId: string,
  { channelSettings, place }: CommandContext,
  known = channelSettings.get(channelId),
): ChannelSettings {
  if (known?.ownerId === place.ownerId) return known;
  return defaultChannelSettings(place.ownerId, channelId);
}

/**
 * Stores a change of a channel's settings.
 * @returns the settings before and after
 */
export async function changeChannelSettings(
  context: CommandContext,
  channelId: string,
  change: Change<ChannelSettings>,
): Promise<readonly [before: ChannelSettings, after: ChannelSettings]> {
  let before = channelSettingsOf(channelId, context);
  let settings = before;
  // Others may have changed them in the meantime.
  await context.channelSettings.change(channelId, (present) => {
    before = channelSettingsOf(channelId, context, present);
    settings = change(before);
    return isDeepStrictEqual(settings, before) ? present : settings;
  });
  await context.noteChanges(context.place.ownerId, changesOfChannel(before, settings));
  // The new delay also applies to waiting alerts.
  if (settings.delay !== before.delay) context.deliveryWorker.reconsider(channelId);
  return [before, settings];
}

/**
 * Returns {@link channelAnswer} as an embed of a panel. The text above the embed is reserved for a
 * form's error.
 */
export function channelEmbed(...answerParts: Parameters<typeof channelAnswer>): APIEmbed {
  return { description: channelAnswer(...answerParts), color: EMBED_COLOURS.answer };
}

/**
 * Returns a channel's settings as text.
 * @param isAsked whether a change was requested
 */
function channelAnswer(
  given: GivenOptions,
  before: ChannelSettings,
  settings: ChannelSettings,
  context: CommandContext,
  isAsked = false,
): string {
  const isChanged = !isDeepStrictEqual(settings, before);
  const was = isChanged ? settingsLines(given, before, before, context) : [];
  // Unchanged settings are in small print beside changed ones.
  const lines = settingsLines(given, before, settings, context).map((line) =>
    was.includes(line) ? `-# ${line}` : line,
  );
  const { nothingChanged } = context.language.texts.watch.settings;
  if (isAsked && !isChanged) lines.unshift(nothingChanged);
  return [...lines, ...languageWords(given, settings, context)].join('\n');
}

/** Returns a channel's settings after a command in words, one per line. */
function settingsLines(
  { options }: GivenOptions,
  before: ChannelSettings,
  settings: ChannelSettings,
  context: CommandContext,
): string[] {
  const { language } = context;
  const { channelId, view, consensus } = settings;
  const { channel: say } = language.texts.watch;
  const lines = [say[view](capitalized(channelName(channelId, context)))];
  if (consensus === null) {
    lines.push(say.noConsensus);
  } else {
    const hours = language.format.hours(consensus.hours);
    lines.push(say.consensus(consensus.wallets, hours));
  }
  const isTyped = (option: 'consensus-only' | 'quiet' | 'delay') =>
    options.getString(option) !== null;
  if (settings.consensusOnly) {
    lines.push(say.consensusOnly.on);
  } else if (before.consensusOnly || isTyped('consensus-only')) {
    lines.push(say.consensusOnly.off);
  }
  lines.push(settings.results ? say.results.on : say.results.off);
  if (settings.quiet !== null) {
    lines.push(say.quiet.on(...hoursWords(settings.quiet)));
  } else if (before.quiet !== null || isTyped('quiet')) {
    lines.push(say.quiet.off);
  }
  if (settings.delay !== null) {
    const delay = language.format.duration(settings.delay.ms / 1000);
    lines.push(say.delay.on(delay));
  } else if (before.delay !== null || isTyped('delay')) {
    lines.push(say.delay.off);
  }
  if (settings.words !== null) {
    lines.push(say.words(words.say(settings.words, language, Infinity)));
  }
  return lines;
}

/**
 * Reads a command's options as a change of a channel's settings.
 * @param digestZone zone of the channel's digest, used for quiet hours if none is named
 * @param clockMs the channel's delayed time, in epoch ms
 * @throws {UserError} that names the option and what it accepts. The change itself throws one if
 *   only consensus alerts would remain without a rule for them, or quiet hours would have no zone
 */
export function readChannelOptions(
  interaction: GivenOptions,
  digestZone: string | null,
  clockMs: () => number,
): Change<ChannelSettings> {
  const { options } = interaction;
  const view = options.getString('view');
  const results = options.getString('results');
  const only = options.getString('consensus-only');
  const changeWords = words.read(interaction);
  const changeRule = readRule(interaction);
  const changeQuiet = readQuiet(interaction, digestZone);
  const changeDelay = readDelay(interaction, clockMs);
  return (before) => {
    const consensus = changeRule(before.consensus);
    if (only === 'on' && consensus === null) {
      throw new UserError(({ texts }) => texts.watch.channel.consensusMissing);
    }
    const isOnly = only === null ? before.consensusOnly : only === 'on';
    return {
      ...before,
      view: (view ?? before.view) === 'compact' ? 'compact' : 'full',
      words: changeWords(before.words),
      consensus,
      // Without a consensus rule, no alerts would be left.
      consensusOnly: consensus !== null && isOnly,
      results: results === null ? before.results : results === 'on',
      language: chosenLanguage(interaction, before.language),
      quiet: changeQuiet(before.quiet),
      delay: changeDelay(before.delay),
    };
  };
}

function chosenLanguage(
  { options }: GivenOptions,
  before: ChannelSettings['language'],
): ChannelSettings['language'] {
  const chosen = options.getString('language');
  if (chosen === SERVER) return null;
  return LANGUAGE_TAGS.find((tag) => tag === chosen) ?? before;
}

type Rule = ChannelSettings['consensus'];
type Quiet = ChannelSettings['quiet'];

/**
 * Reads the rule of a consensus as a change of it.
 * @throws {UserError} that names the option and what it accepts
 */
function readRule({ options }: GivenOptions): Change<Rule> {
  const wallets = options.getInteger('consensus');
  const within = options.getString('consensus-within');
  if (wallets === 0) return () => null;
  const isRight =
    wallets === null ||
    (Number.isInteger(wallets) && wallets >= WALLETS_LEAST && wallets <= WALLETS_MOST);
  if (!isRight) {
    throw new UserError(({ texts }) =>
      texts.watch.channel.walletsWrong(wallets, WALLETS_LEAST, WALLETS_MOST),
    );
  }
  let hours: number | null = null;
  if (within !== null) {
    const name = 'consensus-within';
    const seconds = readDurationOption(name, within, LEAST_SECONDS, MOST_SECONDS, 'time');
    hours = seconds / HOUR_SECONDS;
  }
  return (before) => {
    if (wallets === null && (before === null || hours === null)) return before;
    return {
      wallets: wallets ?? before?.wallets ?? WALLETS_LEAST,
      hours: hours ?? before?.hours ?? DEFAULT_HOURS,
    };
  };
}

/**
 * Reads quiet hours as a change of them. A zone that is cleared becomes the digest's.
 * @throws {UserError} that names the option and what it accepts. The change throws one if the hours
 *   have no zone, or a zone has no hours
 */
function readQuiet({ options }: GivenOptions, digestZone: string | null): Change<Quiet> {
  const typed = options.getString('quiet');
  const zoneName = options.getString('time-zone');
  const isCleared = zoneName !== null && isNothing(zoneName);
  const named = isCleared ? null : readZone(options);
  if (typed !== null && isNothing(typed)) return () => null;
  const hours = typed === null ? null : readHours(typed);
  if (typed !== null && hours === null) {
    throw notAccepted('quiet', typed, ({ texts }) => texts.watch.channel.quiet.takes);
  }
  return (before) => {
    const wanted = hours ?? before;
    if (wanted === null) {
      if (named === null) return null;
      throw new UserError(({ texts }) => texts.watch.channel.quiet.hoursMissing);
    }
    const kept = isCleared ? null : before?.timeZone;
    const timeZone = named ?? kept ?? digestZone;
    if (timeZone === null) {
      throw new UserError(({ texts }) => texts.watch.channel.quiet.zoneMissing);
    }
    return { fromMinutes: wanted.fromMinutes, toMinutes: wanted.toMinutes, timeZone };
  };
}

/**
 * Reads the delay as a change of it. With a new delay, the channel's delayed time continues from
 * where it is.
 * @throws {UserError} that names the option and what it accepts
 */
function readDelay({ options }: GivenOptions, clockMs: () => number): Change<Delay | null> {
  const text = options.getString('delay');
  if (text === null) return (before) => before;
  if (isNothing(text)) return () => null;
  const least = DELAY_LEAST_MS / 1000;
  const most = DELAY_MOST_MS / 1000;
  const ms = readDurationOption('delay', text, least, most, 'cooldown') * 1000;
  return (before) => (before?.ms === ms ? before : { ms, fromMs: clockMs() });
}

/** Returns a language's name in that language, so that everyone finds their own. */
export function languageName(tag: LanguageTag | typeof SERVER, { texts }: Language): string {
  if (tag === SERVER) return texts.commands.channel.serverLanguage;
  return languageFor(tag).texts.commands.languageName;
}

/** Returns a sentence on the channel's language; nothing if none was ever chosen. */
function languageWords(
  { options }: GivenOptions,
  { language: chosen }: ChannelSettings,
  context: CommandContext,
) {
  const { language, place } = context;
  if (chosen === null && options.getString('language') === null) return [];
  const { commands, personal } = language.texts;
  const isOwn = chosen === null && place.kind === 'directMessage';
  const name = isOwn ? personal.ownLanguage : languageName(chosen ?? SERVER, language);
  return [commands.channel.writtenIn(name)];
}
