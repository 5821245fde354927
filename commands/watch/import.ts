import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Attachment, ButtonStyle, PermissionFlagsBits, SlashCommandAttachmentOption } from 'discord.js';
import { downloadAttachment, tooLarge } from '../../src/discord/download.ts';
import {
  ALERT_CHANNELS,
  checkAlertChannel,
  memberMentionTrouble,
  permissionsIn,
  requireWriting,
} from '../../src/discord/permissions.ts';
import type { Place } from '../../src/discord/place.ts';
import { shortAddress } from '../../src/domain/address.ts';
import { escapeText } from '../../src/embeds/text/escape.ts';
import { joinFitting } from '../../src/embeds/text/limits.ts';
import type { Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { optionOf } from '../../src/slash-commands/options.ts';
import type { ButtonUse, CommandUse } from '../../src/slash-commands/slash-command.ts';
import { watchSince } from '../../src/watches/start-time.ts';
import type { FileFault, Order, Places, ReadFile } from '../../src/watches/transfer/fields.ts';
import { FILE_LIMIT_BYTES, readWatches } from '../../src/watches/transfer/file.ts';
import { type Change, type PendingImport, planImport } from '../../src/watches/transfer/imports.ts';
import type { CommandContext } from '../shared/context.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { checkReach, WATCH_COLOUR } from './shared/target.ts';
import { channelName, shownLabel } from './shared/words.ts';

const FAULT_COLOUR = 0xed4245;
const FAULTS_SHOWN = 15;
const CHANGES_SHOWN = 10;
const REASON_LIMIT = 300;
/** Channels requested by REST because they are not in the gateway's cache: archived threads. */
const CHANNELS_ASKED = 10;

/** `/watch import`: watches from a file, after a dry run that says what would change. All of it, or nothing. */
export const watchImport: Subcommand<Attachment> = {
  name: 'import',
  about: (texts) => texts.import.description,
  options: [
    optionOf(
      new SlashCommandAttachmentOption().setRequired(true).setFileTypes('.csv', '.json', '.txt'),
      'file',
      (texts) => texts.import.file,
    ),
  ],
  isPrivate: true,

  check(interaction, { place, quotas }) {
    const attachment = interaction.options.getAttachment('file', true);
    if (attachment.size > FILE_LIMIT_BYTES) throw tooLarge(FILE_LIMIT_BYTES);
    quotas.useImport(place.ownerId);
    return attachment;
  },

  execute: (interaction, context, { url }) =>
    context.imports.alone(context.place.ownerId, () => propose(interaction, context, url)),

  async press(interaction, [deed = '', id = ''], context) {
    const pending = await context.imports.find(context.place.ownerId, id);
    // Whoever could send the file may press: the same person, with the right that counted then.
    const canStillManage = interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true;
    if (interaction.user.id !== pending.userId || (pending.isManager && !canStillManage)) {
      throw new UserError(({ texts }) => texts.files.import.notYours);
    }
    const say = context.language.texts.files.import;
    const answer = (title: string, description: string) => ({
      embeds: [{ title, description, color: WATCH_COLOUR }],
      components: [],
    });
    if (deed === 'apply') return answer(await apply(interaction, pending, context), say.applied);
    await context.imports.cancel(pending);
    return answer(say.cancelledTitle, say.cancelled);
  },
};

/** Reads the file and stores what it would change, or shows what is wrong with it. */
async function propose(interaction: CommandUse, context: CommandContext, url: string) {
  const places = placesOf(interaction, context);
  const read = await readWatches(await downloadAttachment(url, FILE_LIMIT_BYTES), places);
  const { ask, nothingToDo: nothing } = context.language.texts.files.import;
  return proposeOrders(interaction, context, { ...read, isLeftOut: places.hasLeftOut(), ask, nothing });
}

interface Proposal extends ReadFile {
  /** Whether channels and roles were left out. */
  readonly isLeftOut: boolean;
  /** What stands above the changes, and in their place where there are none. */
  readonly ask: string;
  readonly nothing: string;
}

/** Stores what orders would change, and shows it with Apply; or shows what is wrong with them. */
export async function proposeOrders(interaction: CommandUse, context: CommandContext, proposal: Proposal) {
  const { place, language } = context;
  await nextTurn();
  const orders = proposal.orders.map((order) => {
    const { channelId, wallet, label } = order;
    const isNamed = label !== undefined || context.registry.get(channelId, wallet) !== undefined;
    // A wallet that is new to a channel, and of which the file does not say what it is called, is called as elsewhere.
    return isNamed ? order : { ...order, label: context.labelOf(wallet, '', channelId) };
  });
  const changes = planImport(orders, context.registry.get, context.venueNowSeconds());
  await nextTurn();
  const targets = changes.map(({ target }) => target);
  const added = addedBy(targets);
  const tooMany = context.quotas.watchesTooMany(place.ownerId, added);
  const faults = [...proposal.faults];
  if (tooMany !== null) faults.push({ place: ({ texts }) => texts.files.places.file, reason: tooMany });
  const { quantity } = language.format;
  const [changed, same] = [changes.length - added, orders.length - changes.length];
  const counted = language.texts.files.import.counted(quantity(added), quantity(changed), quantity(same));
  if (faults.length > 0) return faultsAnswer(counted, faults, language);
  if (changes.length > 0) {
    await context.imports.propose({
      version: 1,
      id: interaction.id,
      ownerId: place.ownerId,
      userId: interaction.user.id,
      isManager: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true,
      createdAtMs: context.nowMs(),
      sinceSeconds: null,
      targets,
    });
  }
  return planAnswer(interaction.id, counted, changes, proposal, context);
}

/** @throws {UserError} if a watch is to mention a role for the first time that the person may not mention in its channel */
function requireNewMention(
  interaction: CommandUse | ButtonUse,
  { registry }: CommandContext,
  { channelId, wallet, settings }: Order,
): void {
  const roleId = settings.mention?.roleId;
  if (roleId === undefined || registry.get(channelId, wallet)?.settings.mention?.roleId === roleId) return;
  const trouble = memberMentionTrouble(interaction, channelId, roleId);
  if (trouble !== null) throw new UserError(trouble);
}

/** @returns what has been done, as a title */
async function apply(interaction: ButtonUse, pending: PendingImport, context: CommandContext): Promise<string> {
  const { targets } = pending;
  // One that was broken off has begun: to leave it half done would be worse than what the person may not do any more.
  for (const target of pending.sinceSeconds === null ? targets : []) {
    requireWriting(interaction, target.channelId);
    requireNewMention(interaction, context, target);
  }
  if (context.place.kind === 'directMessage') await checkReach(interaction, interaction.channelId, context);
  const sinceSeconds = watchSince(interaction.createdTimestamp, context.feed.budget);
  await context.imports.apply(pending, sinceSeconds);
  for (const channelId of new Set(targets.map((target) => target.channelId))) {
    await context.deliveryWorker.unblock(channelId);
  }
  const added = addedBy(targets);
  const { texts, format } = context.language;
  return texts.files.import.appliedTitle(format.quantity(added), format.quantity(targets.length - added));
}

function addedBy(targets: PendingImport['targets']): number {
  return targets.filter(({ before }) => before === null).length;
}

function faultsAnswer(counted: string, faults: readonly FileFault[], language: Language) {
  const { texts, format } = language;
  const say = texts.files.import;
  const errors = format.quantity(faults.length);
  const rows = faults.slice(0, FAULTS_SHOWN).map(({ place, reason }) => {
    const text = escapeText(reason(language), REASON_LIMIT, say.unreadable);
    return `• ${texts.files.places.before(place(language), text)}`;
  });
  const more = faults.length - rows.length;
  const description = joinFitting([
    say.faults(counted, errors, faults.length),
    ...rows,
    ...(more > 0 ? [say.more(format.quantity(more))] : []),
  ]).text;
  return { embeds: [{ title: say.faultsTitle(errors, faults.length), description, color: FAULT_COLOUR }] };
}

/** @param id of the import */
function planAnswer(
  id: string,
  title: string,
  changes: readonly Change[],
  { isLeftOut, ask, nothing }: Proposal,
  { language, place }: CommandContext,
) {
  const { texts, format } = language;
  const say = texts.files.import;
  const rows = changes.slice(0, CHANGES_SHOWN).map((change) => changeLine(change, place, language));
  const buttons = buttonRow(
    { ...button(`watch:import:apply:${id}`, say.apply), style: ButtonStyle.Success },
    button(`watch:import:cancel:${id}`, say.cancel),
  );
  const more = changes.length - rows.length;
  const description = joinFitting([
    changes.length === 0 ? nothing : ask,
    ...rows,
    ...(more > 0 ? [say.more(format.quantity(more))] : []),
    ...(isLeftOut ? [`ℹ️ ${texts.personal.leftOut}`] : []),
  ]).text;
  return {
    embeds: [{ title, description, color: WATCH_COLOUR }],
    components: changes.length === 0 ? [] : [buttons],
  };
}

function changeLine({ target, parts, oldLabel }: Change, place: Place, language: Language): string {
  const say = language.texts.files.import;
  const { label, wallet, channelId, before } = target;
  const name = label === null ? '' : `${shownLabel(label, say.noName)} `;
  const watch = `${name}\`${shortAddress(wallet)}\``;
  const channel = channelName(channelId, place, language);
  if (before === null) return `• ${say.added(watch, channel)}`;
  const [was, is] = [oldLabel, label].map((one) => shownLabel(one, say.noName));
  const columns = parts.map((part) => (part === 'label' ? `${part} ${was} → ${is}` : part));
  return `• ${say.changed(watch, channel, columns.join(', '))}`;
}

/**
 * Finds the channels and roles that a file names, among those of the server: another server's do not exist here. Channels that whoever
 * names them does not see count as missing, and they need the right to write in a channel. A direct message has neither: they are left out.
 */
function placesOf(interaction: CommandUse, context: CommandContext): Places & { hasLeftOut(): boolean } {
  if (context.place.kind === 'directMessage') {
    let hasLeftOut = false;
    return {
      async channel(named) {
        hasLeftOut ||= named !== null;
        return interaction.channelId;
      },
      role() {
        hasLeftOut = true;
        return null;
      },
      requireMention() {},
      hasLeftOut: () => hasLeftOut,
    };
  }
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  const { guild, member } = interaction;
  const asked = new Set<string>();

  const isSeen = (id: string) => {
    const channel = guild.channels.cache.get(id);
    return channel !== undefined && permissionsIn(channel, member).has('ViewChannel');
  };

  /** Threads that are archived are in no list: Discord is asked for some of them. */
  const isThere = async (id: string) => {
    if (!guild.channels.cache.has(id) && !asked.has(id) && asked.size < CHANNELS_ASKED) {
      asked.add(id);
      await guild.channels.fetch(id).catch(() => null);
    }
    return isSeen(id);
  };

  return {
    /** A channel that alerts can be sent to. */
    async channel(named) {
      const { id, name } = named ?? { id: interaction.channelId, name: null };
      const called = () =>
        guild.channels.cache
          .filter((channel) => channel.name === name && ALERT_CHANNELS.some((type) => type === channel.type))
          .map((channel) => channel.id)
          .filter(isSeen);
      const [found, other] = id !== null && (await isThere(id)) ? [id] : called();
      if (found === undefined) throw new UserError(({ texts }) => texts.files.faults.noChannel(given('#', id, name)));
      if (other !== undefined) throw new UserError(({ texts }) => texts.files.faults.manyChannels(`#${name}`));
      try {
        await checkAlertChannel(guild, found);
        requireWriting(interaction, found);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        const shown = `#${guild.channels.cache.get(found)?.name ?? found}`;
        throw new UserError((language) => error.say(language).replaceAll(`<#${found}>`, shown));
      }
      return found;
    },
    role({ id, name }) {
      const roles = guild.roles.cache.filter((role) => role.id !== guild.id);
      const called = () => roles.filter((role) => role.name === name).map((role) => role.id);
      const [found, other] = id !== null && roles.has(id) ? [id] : called();
      if (found === undefined) throw new UserError(({ texts }) => texts.files.faults.noRole(given('@', id, name)));
      if (other !== undefined) throw new UserError(({ texts }) => texts.files.faults.manyRoles(`@${name}`));
      return found;
    },
    requireMention: (order) => requireNewMention(interaction, context, order),
    hasLeftOut: () => false,
  };
}

function given(sign: string, id: string | null, name: string | null): string {
  return [id, name === null ? null : `${sign}${name.slice(0, 100)}`].filter((part) => part !== null).join(' ');
}
