import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type APIEmbed,
  type Attachment,
  ButtonStyle,
  DiscordAPIError,
  type GuildBasedChannel,
  SlashCommandAttachmentOption,
} from 'discord.js';
import { downloadAttachment, tooLarge } from '../../src/discord/download.ts';
import {
  ALERT_CHANNELS,
  checkAlertChannel,
  permissionsIn,
  requireMention,
  requireWriting,
} from '../../src/discord/permissions.ts';
import { shortAddress } from '../../src/domain/address.ts';
import { EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import { inlineCode } from '../../src/embeds/text/escape.ts';
import { joinFitting } from '../../src/embeds/text/limits.ts';
import type { Language, LocalizedText } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { optionOf } from '../../src/slash-commands/options.ts';
import type { ButtonUse, CommandUse } from '../../src/slash-commands/slash-command.ts';
import type { NamedThing } from '../../src/watches/settings/cells.ts';
import type { FileFault, Order, Places, ReadFile } from '../../src/watches/transfer/fields.ts';
import { FILE_LIMIT_BYTES, readWatches } from '../../src/watches/transfer/file.ts';
import {
  type PendingImport,
  type PlannedChange,
  planImport,
} from '../../src/watches/transfer/imports.ts';
import { watchSince } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { checkReach, isManager, type Subcommand } from './shared/command.ts';
import { channelName, shownLabel, venueTroubles } from './shared/words.ts';

const FAULTS_SHOWN = 15;
const CHANGES_SHOWN = 10;
/** Maximum number of code points for rows, which leaves space for the texts above and below. */
const ROWS_LIMIT = 3_000;
/**
 * Maximum number of code points shown of a file's name for a channel or role. Discord's names have
 * up to 100.
 */
const GIVEN_LIMIT = 130;
/**
 * Maximum number of channels requested by REST because they are not in the gateway's cache, which
 * are archived threads.
 */
const CHANNELS_ASKED = 10;

/**
 * `/watch import`: watches from a file, after a dry run that shows what would change. All of it is
 * applied, or nothing.
 */
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
    context.imports.alone(context.place.ownerId, async () => {
      const leftOut: NamedThing[] = [];
      const places = placesOf(interaction, context, leftOut);
      const read = await readWatches(await downloadAttachment(url, FILE_LIMIT_BYTES), places);
      const { ask, nothingToDo: nothing } = context.language.texts.files.import;
      return proposeOrders(context, {
        ...read,
        isLeftOut: leftOut.length > 0,
        ask,
        nothing,
      });
    }),

  async press(interaction, [deed = '', id = ''], context) {
    const pending = await context.imports.find(context.place.ownerId, id);
    // Only the person who sent the file may press, and only with the same right they had then.
    const mayStill = !pending.isManager || isManager(context);
    if (context.personId !== pending.userId || !mayStill) {
      throw new UserError(({ texts }) => texts.files.import.notYours);
    }
    const say = context.language.texts.files.import;
    const { nothingChanged } = context.language.texts.watch.settings;
    let answer = { title: say.cancelledTitle, description: nothingChanged };
    if (deed === 'apply') answer = await apply(interaction, pending, context);
    else await context.imports.cancel(pending);
    return { embeds: [{ ...answer, color: EMBED_COLOURS.answer }], components: [] };
  },
};

interface Proposal extends ReadFile {
  readonly isLeftOut: boolean;
  /** Text above the changes, and text shown instead if there are none. */
  readonly ask: string;
  readonly nothing: string;
}

/** Stores what orders would change and shows it with Apply, or shows what is wrong with them. */
export async function proposeOrders(context: CommandContext, proposal: Proposal) {
  const { interaction, place, language } = context;
  await nextTurn();
  const orders = proposal.orders.map((order) => {
    const { channelId, wallet, label } = order;
    const isNamed = label !== undefined || context.registry.get(channelId, wallet) !== undefined;
    // A wallet that is new to a channel and has no name in the file gets the name it has elsewhere.
    if (isNamed) return order;
    return { ...order, label: context.labelOf(wallet, '', channelId) };
  });
  const changes = planImport(orders, context.registry.get, context.venueNowSeconds());
  await nextTurn();
  const targets = changes.map(({ target }) => target);
  const added = targets.filter(({ before }) => before === null).length;
  const places = context.registry.placesNeeded(targets);
  const tooMany = context.quotas.watchesTooMany(place.ownerId, places);
  const faults = [...proposal.faults];
  if (tooMany !== null) {
    const file: LocalizedText = ({ texts }) => texts.files.places.file;
    faults.push({ place: file, reason: tooMany });
  }
  const { quantity } = language.format;
  const say = language.texts.files.import;
  const changed = changes.length - added;
  const same = orders.length - changes.length;
  const counted = say.counted(quantity(added), quantity(changed), quantity(same));
  if (faults.length > 0) return { embeds: [faultsEmbed(faults, counted, language)] };
  if (changes.length > 0) {
    await context.imports.propose({
      id: interaction.id,
      ownerId: place.ownerId,
      userId: context.personId,
      isManager: isManager(context),
      createdAtMs: context.nowMs(),
      sinceSeconds: null,
      targets,
    });
  }
  const lines = [changes.length === 0 ? proposal.nothing : proposal.ask];
  const lineOf = (change: PlannedChange) => changeLine(change, context);
  lines.push(...listed(changes, CHANGES_SHOWN, lineOf, language));
  if (changes.length > 0) lines.push(...venueTroubles(context));
  if (proposal.isLeftOut) lines.push(`ℹ️ ${language.texts.personal.leftOut}`);
  const description = joinFitting(lines).text;
  const embeds = [{ title: counted, description, color: EMBED_COLOURS.answer }];
  if (changes.length === 0) return { embeds, components: [] };
  const toApply = button(`watch:import:apply:${interaction.id}`, say.apply);
  const toCancel = button(`watch:import:cancel:${interaction.id}`, say.cancel);
  return {
    embeds,
    components: [buttonRow({ ...toApply, style: ButtonStyle.Success }, toCancel)],
  };
}

/** @param counted a sentence that counts the changes */
function faultsEmbed(faults: readonly FileFault[], counted: string, language: Language): APIEmbed {
  const say = language.texts.files.import;
  const errors = language.format.quantity(faults.length);
  const lineOf = ({ place, reason }: FileFault) =>
    language.texts.files.places.before(place(language), reason(language));
  const summary = say.faults(counted, errors, faults.length);
  const rows = listed(faults, FAULTS_SHOWN, lineOf, language);
  return {
    title: say.faultsTitle(errors, faults.length),
    description: joinFitting([summary, ...rows]).text,
    color: EMBED_COLOURS.fault,
  };
}

/** Returns the first rows that fit, one per line, and the number of the others. */
function listed<Row>(
  rows: readonly Row[],
  most: number,
  lineOf: (row: Row) => string,
  { texts, format }: Language,
) {
  const { text, included } = joinFitting(
    rows.slice(0, most),
    ROWS_LIMIT,
    (row) => `• ${lineOf(row)}`,
  );
  const lines = included === 0 ? [] : [text];
  const more = rows.length - included;
  if (more > 0) lines.push(texts.files.import.more(format.quantity(more)));
  return lines;
}

function changeLine({ target, parts }: PlannedChange, context: CommandContext): string {
  const say = context.language.texts.files.import;
  const { label, wallet, channelId, before } = target;
  const name = label === null ? '' : `${shownLabel(label, say.noName)} `;
  const watch = `${name}\`${shortAddress(wallet)}\``;
  const channel = channelName(channelId, context);
  if (before === null) return say.added(watch, channel);
  const was = shownLabel(before.label, say.noName);
  const is = shownLabel(label, say.noName);
  const columns = parts.map((part) => (part === 'label' ? `${part} ${was} → ${is}` : part));
  return say.changed(watch, channel, columns.join(', '));
}

/**
 * @throws {UserError} if a watch would newly mention a role that the person may not mention in its
 *   channel
 */
function requireNewMention(context: CommandContext, { channelId, wallet, settings }: Order): void {
  const roleId = settings.mention?.roleId;
  const present = context.registry.get(channelId, wallet)?.settings.mention?.roleId;
  if (roleId === undefined || present === roleId) return;
  requireMention(context.interaction, channelId, roleId);
}

/** @returns title and description of the answer */
async function apply(interaction: ButtonUse, pending: PendingImport, context: CommandContext) {
  const { targets } = pending;
  const hasBegun = pending.sinceSeconds !== null;
  // An interrupted import has begun. Leaving it half done would be worse than completing changes
  // that the person may no longer make.
  if (!hasBegun) {
    for (const target of targets) {
      requireWriting(interaction, target.channelId);
      requireNewMention(context, target);
    }
  }
  if (context.place.kind === 'directMessage') {
    await checkReach(interaction.channelId, context);
  }
  const sinceSeconds = watchSince(interaction.createdTimestamp, context.feed.budget);
  const overtaken = await context.imports.apply(pending, sinceSeconds);
  for (const channelId of new Set(targets.map((target) => target.channelId))) {
    await context.deliveryWorker.unblock(channelId);
  }
  const done = targets.filter((target) => !overtaken.includes(target));
  const added = done.filter(({ before }) => before === null).length;
  const { texts, format } = context.language;
  const say = texts.files.import;
  const lines = [say.applied];
  if (overtaken.length > 0) {
    const count = format.quantity(overtaken.length);
    lines.push(`⚠️ ${say.leftAsTheyAre(count)}`);
  }
  const addedText = format.quantity(added);
  const changedText = format.quantity(done.length - added);
  return {
    title: say.appliedTitle(addedText, changedText),
    description: lines.join('\n'),
  };
}

/**
 * Finds the channels and roles that a file names, only among the server's own. Channels that the
 * person cannot see count as missing; in the others they need the right to write. Direct messages
 * have no channels or roles, so these go to `leftOut`.
 */
function placesOf(interaction: CommandUse, context: CommandContext, leftOut: NamedThing[]): Places {
  if (context.place.kind === 'directMessage') {
    return {
      async channel(named) {
        if (named !== null) leftOut.push(named);
        return interaction.channelId;
      },
      role(named) {
        leftOut.push(named);
        return null;
      },
      requireMention() {},
    };
  }
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  const { guild, member } = interaction;
  const asked = new Set<string>();
  let isRefused = false;

  const isSeen = (id: string) => {
    const channel = guild.channels.cache.get(id);
    return channel !== undefined && permissionsIn(channel, member).has('ViewChannel');
  };

  /**
   * Checks whether the server has such a channel. Archived threads are in no list, so Discord is
   * asked about some that the server has watches in. It is asked about no other id, and not again
   * after a rejection, because Discord bans an address for too many of them.
   */
  const isThere = async (id: string) => {
    const isAsked =
      !guild.channels.cache.has(id) &&
      context.registry.ofChannel(id).length > 0 &&
      !isRefused &&
      !asked.has(id) &&
      asked.size < CHANNELS_ASKED;
    if (isAsked) {
      asked.add(id);
      await guild.channels.fetch(id).catch((error: unknown) => {
        isRefused ||= error instanceof DiscordAPIError && error.status === 403;
      });
    }
    return isSeen(id);
  };

  return {
    async channel(named) {
      const { id, name } = named ?? { id: interaction.channelId, name: null };
      const isMeant = (channel: GuildBasedChannel) =>
        channel.name === name && ALERT_CHANNELS.some((type) => type === channel.type);
      const called = () => {
        const ids = guild.channels.cache.filter(isMeant).map((channel) => channel.id);
        return ids.filter(isSeen);
      };
      const [found, other] = id !== null && (await isThere(id)) ? [id] : called();
      if (found === undefined) {
        throw new UserError(({ texts }) => texts.files.faults.noChannel(given('#', id, name)));
      }
      if (other !== undefined) {
        throw new UserError(({ texts }) => texts.files.faults.manyChannels(given('#', null, name)));
      }
      await checkAlertChannel(guild, found, context.nowMs());
      requireWriting(interaction, found);
      return found;
    },
    role({ id, name }) {
      const roles = guild.roles.cache.filter((role) => role.id !== guild.id);
      const called = () => roles.filter((role) => role.name === name).map((role) => role.id);
      const [found, other] = id !== null && roles.has(id) ? [id] : called();
      if (found === undefined) {
        throw new UserError(({ texts }) => texts.files.faults.noRole(given('@', id, name)));
      }
      if (other !== undefined) {
        throw new UserError(({ texts }) => texts.files.faults.manyRoles(given('@', null, name)));
      }
      return found;
    },
    requireMention: (order) => requireNewMention(context, order),
  };
}

/** Returns the name that a file gives a channel or a role, as code. */
function given(sign: string, id: string | null, name: string | null): string {
  const named = [id, name === null ? null : `${sign}${name}`].filter((part) => part !== null);
  return inlineCode(named.join(' '), GIVEN_LIMIT);
}
