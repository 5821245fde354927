import { isDeepStrictEqual } from 'node:util';
import { PermissionFlagsBits } from 'discord.js';
import { type Digest, withSchedule } from '../../src/digests/documents.ts';
import { scheduleWords } from '../../src/digests/embed.ts';
import { dueTime, type Schedule, WEEKDAYS, weekdayName } from '../../src/digests/schedule.ts';
import { hasPermission } from '../../src/discord/permissions.ts';
import { UserError } from '../../src/language/user-error.ts';
import { readClock } from '../../src/lib/clock.ts';
import { createZone, readTimeZone, timeZones } from '../../src/lib/time-zones.ts';
import { choiceOption, textOption } from '../../src/slash-commands/options.ts';
import { CHOICES_MOST, type CommandUse } from '../../src/slash-commands/slash-command.ts';
import { changeOfDigest } from '../../src/watches/changes.ts';
import { type GivenOptions, notAccepted } from '../../src/watches/settings/setting.ts';
import type { CommandContext } from '../shared/context.ts';
import {
  channelOption,
  checkReach,
  type Subcommand,
  targetChannel,
  watchesIn,
} from './shared/command.ts';
import { channelName, writingTrouble } from './shared/words.ts';

const DEFAULT: Schedule = {
  every: 'day',
  atMinutes: 18 * 60,
  weekday: 'Monday',
  timeZone: 'UTC',
};

/**
 * `/watch digest`: a channel gets a summary of its wallets' activity, daily or weekly at a time of
 * its choice.
 */
export const watchDigest: Subcommand<{
  readonly typed: Partial<Schedule>;
  readonly channelId: string;
}> = {
  name: 'digest',
  about: ({ digest }) => digest.description,
  options: [
    choiceOption('every', ({ digest }) => [digest.every, digest.everies]),
    textOption('at', ({ digest }) => digest.at, 10),
    textOption('time-zone', ({ digest }) => digest.timeZone, 60, suggestZones),
    choiceOption('day', ({ digest }, language) => {
      const names = WEEKDAYS.map((day) => [day, weekdayName(day, language)]);
      return [digest.day, Object.fromEntries(names)];
    }),
    channelOption(({ digest }) => digest.channel),
  ],
  isPrivate: false,

  check: (interaction) => ({
    typed: readSchedule(interaction),
    channelId: targetChannel(interaction),
  }),

  async execute(interaction, context, { typed, channelId }) {
    const { digests, deliveryWorker, language, quotas } = context;
    const { ownerId } = context.place;
    const { answer } = language.texts.digest;
    const before = running(digests.get(channelId), ownerId);
    if (interaction.options.getString('every') === 'off') {
      const { nowMs } = context;
      await digests.change(channelId, (present) => {
        if (present?.ownerId !== ownerId) return present;
        return { ...present, offSinceMs: present.offSinceMs ?? nowMs() };
      });
      if (before !== undefined) await context.noteChanges(ownerId, [changeOfDigest(channelId)]);
      const say = before === undefined ? answer.hadNone : answer.ended;
      return say(channelName(channelId, context));
    }
    if (Object.keys(typed).length === 0) {
      if (before !== undefined) return shown(before, context).join('\n');
      throw new UserError((own) =>
        own.texts.digest.errors.none(channelName(channelId, { ...context, language: own })),
      );
    }
    watchesIn(channelId, context);
    quotas.requireChannel(ownerId, channelId, digests.all());
    let schedule = DEFAULT;
    let isChanged = false;
    const advice = await checkReach(channelId, context);
    const canAttach =
      hasPermission(interaction.client, channelId, PermissionFlagsBits.AttachFiles) !== false;
    const nowMs = context.nowMs();
    await digests.change(channelId, (so) => {
      const present = running(so, ownerId)?.schedule;
      schedule = { ...(present ?? DEFAULT), ...typed };
      isChanged = !isDeepStrictEqual(schedule, present);
      return withSchedule(so, { ownerId, channelId }, schedule, nowMs);
    });
    if (isChanged) await context.noteChanges(ownerId, [changeOfDigest(channelId)]);
    await deliveryWorker.unblock(channelId);
    deliveryWorker.reconsider(channelId);
    const lines = shown({ channelId, schedule }, context);
    const isUtcByDefault = schedule.timeZone === 'UTC' && typed.timeZone === undefined;
    if (isUtcByDefault) lines.push(`ℹ️ ${answer.inUtc}`);
    if (!canAttach) lines.push(`ℹ️ ${answer.cannotAttach}`);
    if (advice !== null) lines.push(`ℹ️ ${advice(language)}`);
    return lines.join('\n');
  },
};

/** Returns the digest if it is the owner's, and has not been ended. */
export function running(digest: Digest | undefined, ownerId: string): Digest | undefined {
  return digest?.ownerId === ownerId && digest.offSinceMs === null ? digest : undefined;
}

/**
 * Returns the typed part of the schedule.
 * @throws {UserError} that names the option and what it accepts
 */
function readSchedule({ options }: CommandUse): Partial<Schedule> {
  const every = options.getString('every');
  const at = options.getString('at');
  const weekday = WEEKDAYS.find((name) => name === options.getString('day'));
  const timeZone = readZone(options);
  const typed: { -readonly [Name in keyof Schedule]?: Schedule[Name] } = {};
  if (every !== null) typed.every = every === 'week' ? 'week' : 'day';
  if (at !== null) typed.atMinutes = readMinutes(at);
  if (weekday !== undefined) typed.weekday = weekday;
  if (timeZone !== null) typed.timeZone = timeZone;
  return typed;
}

/**
 * Returns the zone of the option `time-zone`; null without one.
 * @throws {UserError} that says what it accepts
 */
export function readZone(options: GivenOptions['options']): string | null {
  const name = options.getString('time-zone');
  const zone = name === null ? null : readTimeZone(name);
  if (name === null || zone !== null) return zone;
  throw notAccepted('time-zone', name, ({ texts }) => texts.digest.errors.zone);
}

/** Returns the minutes after midnight of `18:00`, `9:30` or `18`. */
function readMinutes(text: string): number {
  const minutes = readClock(text);
  if (minutes === null) throw notAccepted('at', text, ({ texts }) => texts.digest.errors.time);
  return minutes;
}

function shown(
  { channelId, schedule }: Pick<Digest, 'channelId' | 'schedule'>,
  context: CommandContext,
): string[] {
  const { deliveryWorker, registry, language, nowMs } = context;
  const { answer: texts } = language.texts.digest;
  const nextSeconds = dueTime('next', schedule, createZone(schedule.timeZone), nowMs()) / 1000;
  const lines = [
    texts.shown(
      channelName(channelId, context),
      scheduleWords(schedule, language),
      `<t:${nextSeconds}:F>`,
      `<t:${nextSeconds}:R>`,
    ),
  ];
  if (registry.ofChannel(channelId).length === 0) lines.push(`ℹ️ ${texts.noWallet}`);
  if (deliveryWorker.isBlocked(channelId)) {
    const trouble = writingTrouble(channelId, context);
    if (trouble !== null) lines.push(`⚠️ ${texts.waits(trouble)}`);
  }
  return lines;
}

/**
 * Returns zones that contain the typed text. Those that begin with it, or whose city does, come
 * first.
 */
export function suggestZones(typed: string) {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  const isLater = (zone: string) => !`/${zone}`.includes(`/${wanted}`);
  const like = timeZones().filter((zone) => zone.toLowerCase().includes(wanted));
  const ordered = like.toSorted(
    (a, b) => Number(isLater(a.toLowerCase())) - Number(isLater(b.toLowerCase())),
  );
  return ordered.slice(0, CHOICES_MOST).map((zone) => ({ name: zone, value: zone }));
}
