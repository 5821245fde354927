import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Attachment, ButtonStyle, PermissionFlagsBits, SlashCommandAttachmentOption } from 'discord.js';
import { downloadAttachment, tooLarge } from '../../src/discord/download.ts';
import { memberMentionTrouble, requireWriting } from '../../src/discord/member-rights.ts';
import type { Place } from '../../src/discord/place.ts';
import { shortAddress } from '../../src/domain/address.ts';
import { escapeText } from '../../src/embeds/text/escape.ts';
import { joinFitting } from '../../src/embeds/text/join-fitting.ts';
import type { Language, LocalizedText } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { inTurns } from '../../src/lib/async/turns.ts';
import { optionOf } from '../../src/slash-commands/options.ts';
import type { ButtonUse, CommandUse } from '../../src/slash-commands/slash-command.ts';
import { watchSince } from '../../src/watches/start-time.ts';
import {
  type FileFault,
  type Place as FilePlace,
  placeName,
  type WishedWatch,
} from '../../src/watches/transfer/fields.ts';
import { FILE_LIMIT_BYTES, readWatches } from '../../src/watches/transfer/file.ts';
import { over, type PendingImport } from '../../src/watches/transfer/imports.ts';
import { type Change, type Order, orderOf, type Plan, planImport } from '../../src/watches/transfer/plan.ts';
import { button, buttonRow } from '../shared/buttons.ts';
import type { CommandContext } from '../shared/context.ts';
import { type Places, placesOf } from './import-targets.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { checkReach, WATCH_COLOUR } from './shared/target.ts';
import { channelName, shownLabel } from './shared/words.ts';

const FAULT_COLOUR = 0xed4245;
const FAULTS_SHOWN = 15;
const CHANGES_SHOWN = 10;
const REASON_LIMIT = 300;

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
    if (pending === undefined) throw over();
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
  const file = await readWatches(await downloadAttachment(url, FILE_LIMIT_BYTES));
  const find = (wish: WishedWatch) => findOrder(wish, places, interaction, context);
  const { orders, faults } = await findOrders(file.wishes, find);
  const { ask, nothingToDo: nothing } = context.language.texts.files.import;
  // A direct message has neither channels nor roles.
  const isLeftOut =
    places === null &&
    file.wishes.some(({ channel, settings }) => channel !== null || (settings.mention ?? null) !== null);
  return proposeOrders(interaction, context, { orders, faults: [...file.faults, ...faults], isLeftOut, ask, nothing });
}

interface Proposal {
  readonly orders: readonly Order[];
  readonly faults: readonly FileFault[];
  /** Whether channels and roles were left out. */
  readonly isLeftOut: boolean;
  /** What stands above the changes, and in their place where there are none. */
  readonly ask: string;
  readonly nothing: string;
}

/** Stores what orders would change, and shows it with Apply; or shows what is wrong with them. */
export async function proposeOrders(interaction: CommandUse, context: CommandContext, proposal: Proposal) {
  const { ownerId } = context.place;
  await nextTurn();
  const orders = proposal.orders.map((order) => {
    const { channelId, wallet, label } = order;
    const isNamed = label !== undefined || context.registry.get(channelId, wallet) !== undefined;
    // A wallet that is new to a channel, and of which the file does not say what it is called, is called as elsewhere.
    return isNamed ? order : { ...order, label: context.labelOf(wallet, '', channelId) };
  });
  const plan = planImport(orders, context.registry.get, context.venueClock().nowMs / 1000);
  await nextTurn();
  const targets = plan.changes.map(({ target }) => target);
  const added = addedBy(targets);
  const tooMany = added === 0 ? null : context.quotas.watchesTooMany(ownerId, added);
  const faults = [...proposal.faults];
  if (tooMany !== null) faults.push({ place: { of: 'file' }, reason: tooMany });
  if (faults.length > 0) return faultsAnswer(plan, faults, context.language);
  if (plan.changes.length > 0) {
    await context.imports.propose({
      version: 1,
      id: interaction.id,
      ownerId,
      userId: interaction.user.id,
      isManager: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true,
      createdAtMs: context.nowMs(),
      sinceSeconds: null,
      targets,
    });
  }
  return planAnswer(interaction.id, plan, proposal, context);
}

/** Why a role may not be mentioned by a watch that has not mentioned it so far; null if it may. */
function newMentionTrouble(
  interaction: CommandUse | ButtonUse,
  { registry }: CommandContext,
  { channelId, wallet, settings }: Order,
): LocalizedText | null {
  const roleId = settings.mention?.roleId;
  if (roleId === undefined || registry.get(channelId, wallet)?.settings.mention?.roleId === roleId) return null;
  return memberMentionTrouble(interaction, channelId, roleId);
}

/** @returns what has been done, as a title */
async function apply(interaction: ButtonUse, pending: PendingImport, context: CommandContext): Promise<string> {
  const { targets } = pending;
  // One that was broken off has begun: to leave it half done would be worse than what the person may not do any more.
  for (const target of pending.sinceSeconds === null ? targets : []) {
    requireWriting(interaction, target.channelId);
    const trouble = newMentionTrouble(interaction, context, target);
    if (trouble !== null) throw new UserError(trouble);
  }
  if (context.place.kind === 'directMessage') await checkReach(interaction, interaction.channelId, context);
  const sinceSeconds = watchSince({ sentAtMs: interaction.createdTimestamp, venue: context.venueClock() });
  await context.imports.apply(pending, sinceSeconds);
  for (const channelId of new Set(targets.map((target) => target.channelId))) {
    await context.deliveryWorker.unblock(channelId);
  }
  const added = addedBy(targets);
  const { texts, format } = context.language;
  return texts.files.import.appliedTitle(format.quantity(added), format.quantity(targets.length - added));
}

/** Finds channel and role of all wishes, and the watches that the file names twice. */
async function findOrders(wishes: readonly WishedWatch[], find: (wish: WishedWatch) => ReturnType<typeof findOrder>) {
  const orders: Order[] = [];
  const faults: FileFault[] = [];
  const placeByWatch = new Map<string, FilePlace>();
  for await (const piece of inTurns(wishes)) {
    for (const wish of piece) {
      const { place } = wish;
      const order = await find(wish);
      if (Array.isArray(order)) {
        faults.push(...order.map((reason) => ({ place, reason })));
        continue;
      }
      const watch = `${order.channelId}:${order.wallet}`;
      const earlier = placeByWatch.get(watch);
      placeByWatch.set(watch, earlier ?? place);
      if (earlier === undefined) orders.push(order);
      else faults.push({ place, reason: (own) => own.texts.files.faults.repeated(placeName(earlier, own)) });
    }
  }
  return { orders, faults };
}

/** Finds channel and role of one wish, or every reason why it cannot be fulfilled. */
async function findOrder(
  { channel, ...wish }: WishedWatch,
  places: Places | null,
  interaction: CommandUse,
  context: CommandContext,
): Promise<Order | LocalizedText[]> {
  const { channelId: id } = interaction;
  const { mention } = wish.settings;
  const channelId = places === null ? id : await places.channel(channel ?? { id, name: null });
  const roleId = places === null || !mention ? null : places.role(mention.role);
  if (typeof channelId === 'function' || typeof roleId === 'function')
    return [channelId, roleId].filter((found) => typeof found === 'function');
  const order = orderOf(wish, channelId, roleId);
  const unmentionable = newMentionTrouble(interaction, context, order);
  return unmentionable === null ? order : [unmentionable];
}

function addedBy(targets: PendingImport['targets']): number {
  return targets.filter(({ before }) => before === null).length;
}

function counted({ changes, same }: Plan, { texts, format }: Language): string {
  const added = addedBy(changes.map(({ target }) => target));
  const changed = format.quantity(changes.length - added);
  return texts.files.import.counted(format.quantity(added), changed, format.quantity(same));
}

function faultsAnswer(plan: Plan, faults: readonly FileFault[], language: Language) {
  const { texts, format } = language;
  const say = texts.files.import;
  const errors = format.quantity(faults.length);
  const rows = faults.slice(0, FAULTS_SHOWN).map(({ place, reason }) => {
    const text = escapeText(reason(language), REASON_LIMIT, say.unreadable);
    return `• ${texts.files.places.before(placeName(place, language), text)}`;
  });
  const more = faults.length - rows.length;
  const description = joinFitting([
    say.faults(counted(plan, language), errors, faults.length),
    ...rows,
    ...(more > 0 ? [say.more(format.quantity(more))] : []),
  ]).text;
  return { embeds: [{ title: say.faultsTitle(errors, faults.length), description, color: FAULT_COLOUR }] };
}

/** @param id of the import */
function planAnswer(
  id: string,
  plan: Plan,
  { isLeftOut, ask, nothing }: Proposal,
  { language, place }: CommandContext,
) {
  const { changes } = plan;
  const { texts, format } = language;
  const say = texts.files.import;
  const rows = changes.slice(0, CHANGES_SHOWN).map((change) => changeLine(change, place, language));
  const buttons = buttonRow(
    button(`watch:import:apply:${id}`, say.apply, ButtonStyle.Success),
    button(`watch:import:cancel:${id}`, say.cancel),
  );
  const left = changes.length - rows.length;
  const description = joinFitting([
    changes.length === 0 ? nothing : ask,
    ...rows,
    ...(left > 0 ? [say.more(format.quantity(left))] : []),
    ...(isLeftOut ? [`ℹ️ ${texts.personal.leftOut}`] : []),
  ]).text;
  return {
    embeds: [{ title: counted(plan, language), description, color: WATCH_COLOUR }],
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
