import { requireMention, requireWriting } from '../../../src/discord/permissions.ts';
import { shortAddress } from '../../../src/domain/address.ts';
import { UserError } from '../../../src/language/user-error.ts';
import type { button } from '../../../src/messages/buttons.ts';
import type { AnyUse } from '../../../src/slash-commands/slash-command.ts';
import type { ChannelSettings } from '../../../src/watches/channel-settings.ts';
import { type Changed, type Form, givenBy } from '../../../src/watches/forms/form.ts';
import { readSubject, type Subject } from '../../../src/watches/forms/form-id.ts';
import type { Parts } from '../../../src/watches/forms/kept-deed.ts';
import type { Change, GivenOptions } from '../../../src/watches/settings/setting.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { WatchSettings } from '../../../src/watches/watch-settings.ts';
import type { Message } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import {
  changeChannelSettings,
  channelEmbed,
  channelSettingsOf,
  checkChannelChange,
  readChannelChange,
} from '../channel.ts';
import { settingsAnswer } from '../edit.ts';
import { changeWatch, requireManaging, unknownButton, watchedIn } from '../shared/command.ts';
import { warningsOf } from '../shared/seen-markets.ts';
import { channelForm } from './channel-forms.ts';
import { CHANNEL_FORMS, channelRows, WATCH_FORMS, watchRows } from './rows.ts';
import { readWatchForm, watchForm } from './watch-forms.ts';

/** The settings of a watch or a channel, as forms change them. */
export interface Panel<Value> {
  readonly subject: Subject;
  /** @throws {UserError} if it is gone */
  find(): Value;
  /** Returns the form with this name; undefined if there is none. */
  form(name: string, value: Value): Form | undefined;
  /** Returns the title, which is shown without markdown. */
  title(value: Value): string;
  /**
   * Checks that the person may make this change.
   * @throws {UserError} if not
   */
  check(before: Value, after: Value): Promise<void>;
  read(changed: Changed): Change<Value>;
  warnings(after: Value, before: Value): Promise<string[]>;
  /**
   * Applies a change to the settings as they are at that time, and stores them.
   * @returns the settings before and after
   */
  store(change: Change<Value>): Promise<readonly [before: Value, after: Value]>;
  /** Returns the parts that can be changed, by name. */
  parts(value: Value): Parts;
  /** @param parts parts of a value of this kind */
  withParts(value: Value, parts: Parts): Value;
  /**
   * @param before left out if no change was requested
   * @param undo the button that undoes the change
   */
  answer(after: Value, before?: Value, undo?: ReturnType<typeof button>): Message;
}

/** Returns whether the server of an interaction has a role. */
export const isRoleIn =
  ({ guild }: AnyUse) =>
  (roleId: string): boolean =>
    guild?.roles.cache.has(roleId) === true;

/** Returns the panel of a watch. */
export function watchPanel(
  subject: Subject & { readonly wallet: NonNullable<Subject['wallet']> },
  context: CommandContext,
): Panel<Watch> {
  const { interaction, place } = context;
  const isRole = isRoleIn(interaction);
  return {
    subject,
    find: () => watchedIn(subject.channelId, subject.wallet, context),
    form(name, watch) {
      const known = WATCH_FORMS.find((one) => one === name);
      const isOffered = known !== 'mention' || place.kind === 'server';
      return known && isOffered ? watchForm(known, watch, isRole) : undefined;
    },
    title: nameOf,
    async check(before, { settings: { mention } }) {
      const roleId = mention?.roleId;
      if (roleId === undefined || roleId === before.settings.mention?.roleId) return;
      if (!isRole(roleId)) {
        throw new UserError(({ texts }) => texts.errors.channel.roleGone);
      }
      requireMention(interaction, subject.channelId, roleId);
    },
    read(changed) {
      const change = readWatchForm(changed, interaction.guildId);
      return (watch) => ({ ...watch, ...change(watch) });
    },
    warnings: (after, before) =>
      warningsOf(subject.channelId, after.settings, before.settings, context),
    async store(change) {
      let before = watchedIn(subject.channelId, subject.wallet, context);
      const after = await changeWatch(context, subject, (watch) => {
        before = watch;
        return change(watch);
      });
      return [before, after];
    },
    parts: ({ label, settings }) => ({ label, ...settings }),
    withParts: (watch, { label, ...settings }) => ({
      ...watch,
      label: label as Watch['label'],
      settings: settings as WatchSettings,
    }),
    answer: (after, before, undo) => ({
      content: '',
      ...settingsAnswer(context, after, before),
      components: watchRows(after, context, undo),
    }),
  };
}

function channelPanel(subject: Subject, context: CommandContext): Panel<ChannelSettings> {
  const { interaction } = context;
  const { channelId } = subject;
  let given: GivenOptions = givenBy(new Map(), interaction.guildId, {});
  return {
    subject,
    find: () => channelSettingsOf(channelId, context),
    form(name, settings) {
      const known = CHANNEL_FORMS.find((one) => one === name);
      return known && channelForm(known, settings);
    },
    title: () => interaction.guild?.channels.cache.get(channelId)?.name ?? '',
    check: (before, after) => checkChannelChange(context, before, after),
    read(changed) {
      given = givenBy(changed, interaction.guildId, {});
      return readChannelChange(given, channelId, context);
    },
    warnings: (after, before) => warningsOf(channelId, after, before, context),
    store: (change) => changeChannelSettings(context, channelId, change),
    parts: (settings) => settings,
    withParts(settings, parts) {
      const { consensus, consensusOnly } = parts as ChannelSettings;
      // Without a consensus rule, no alerts would be left.
      const isOnly = consensus !== null && consensusOnly;
      const changed = { ...(parts as ChannelSettings), consensusOnly: isOnly };
      if (changed.delay === null || changed.delay.ms === settings.delay?.ms) return changed;
      // The channel's delayed time continues from where it is.
      return {
        ...changed,
        delay: { ms: changed.delay.ms, fromMs: context.clock.nowMs(channelId) },
      };
    },
    answer: (after, before, undo) => ({
      content: '',
      embeds: [channelEmbed(given, before ?? after, after, context, before !== undefined)],
      components: channelRows(after, context, undo),
    }),
  };
}

/**
 * Runs work with the panel that arguments name.
 * @throws {UserError} if the person may not currently change the settings of its channel
 */
export function withPanel<Result>(
  args: readonly string[],
  context: CommandContext,
  work: <Value>(panel: Panel<Value>) => Result,
): Result {
  const subject = requireSubject(args, context);
  const { wallet } = subject;
  if (wallet === null) return work(channelPanel(subject, context));
  return work(watchPanel({ ...subject, wallet }, context));
}

function requireSubject(args: readonly string[], context: CommandContext): Subject {
  const subject = readSubject(args);
  if (subject === undefined) throw unknownButton();
  requireManaging(context, ({ texts }) => texts.watch.panel.managersOnly);
  requireWriting(context.interaction, subject.channelId);
  return subject;
}

/**
 * Returns the watch that a button is about.
 * @throws {UserError} if it is gone, or the person may not change it
 */
export function requireWatch(args: readonly string[], context: CommandContext) {
  const { channelId, wallet } = requireSubject(args, context);
  if (wallet === null) throw unknownButton();
  return watchedIn(channelId, wallet, context);
}

/**
 * Returns a watch's label, or its short address if it has none. Not escaped, because it is shown
 * without markdown.
 */
export function nameOf({ label, wallet }: Watch): string {
  return label ?? shortAddress(wallet);
}
