import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type MessageActionRowComponentBuilder,
  PermissionFlagsBits,
} from 'discord.js';
import { downloadAttachment, tooLarge } from '../../src/discord/download.ts';
import { memberMentionTrouble, requireWriting } from '../../src/discord/member-rights.ts';
import type { Place } from '../../src/discord/place.ts';
import type { ButtonUse, CommandUse } from '../../src/discord/slash-command.ts';
import { shortAddress, type WalletAddress } from '../../src/domain/address.ts';
import { escapeText } from '../../src/embeds/text/escape.ts';
import { joinFitting } from '../../src/embeds/text/join-fitting.ts';
import type { Language, LocalizedText } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
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
import type { CommandContext } from '../shared/context.ts';
import { described, localised } from '../shared/localised.ts';
import { type Places, placesOf, withoutPlaces } from './import-targets.ts';
import { channelName } from './shared/place-words.ts';
import { checkReach } from './shared/reach.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { shownLabel, WATCH_COLOUR } from './shared/target.ts';

const FAULT_COLOUR = 0xed4245;
const FAULTS_SHOWN = 15;
const CHANGES_SHOWN = 10;
const REASON_LIMIT = 300;
/** Wishes handled before the event loop gets its turn. */
const WISHES_A_TURN = 50;

/** `/watch import`: watches from a file, after a dry run that says what would change. All of it, or nothing. */
export const watchImport: Subcommand = {
  name: 'import',
  define: (builder) =>
    described(builder, (texts) => texts.import.description).addAttachmentOption((option) =>
      localised(option, 'file', (texts) => texts.import.file).setRequired(true),
    ),
  isPrivate: true,

  check(interaction, { place, quotas }) {
    if (interaction.options.getAttachment('file', true).size > FILE_LIMIT_BYTES) throw tooLarge(FILE_LIMIT_BYTES);
    quotas.useImport(place.ownerId);
  },

  async execute(interaction, context) {
    await context.imports.alone(context.place.ownerId, () => propose(interaction, context));
  },

  async press(interaction, [deed = '', id = ''], context) {
    const pending = await context.imports.find(context.place.ownerId, id);
    if (pending === undefined) throw over();
    checkPerson(interaction, pending);
    if (deed === 'apply') {
      await apply(interaction, pending, context);
    } else {
      await context.imports.cancel(pending);
      const { cancelledTitle, cancelled } = context.language.texts.files.import;
      await interaction.editReply({
        embeds: [{ title: cancelledTitle, description: cancelled, color: WATCH_COLOUR }],
        components: [],
      });
    }
  },
};

/** Reads the file and stores what it would change, or shows what is wrong with it. */
async function propose(interaction: CommandUse, context: CommandContext): Promise<void> {
  const { channelId } = interaction;
  const { ownerId } = context.place;
  const { places, isForPerson } = placesOf(interaction, context);
  const read = await readWatches(
    await downloadAttachment(interaction.options.getAttachment('file', true).url, FILE_LIMIT_BYTES),
  );
  const { file, isLeftOut } = isForPerson ? withoutPlaces(read) : { file: read, isLeftOut: false };
  const mentionFault = (where: string, wallet: WalletAddress, roleId: string) =>
    newMentionTrouble(interaction, context, where, wallet, roleId);
  const found = await findPlaces(file.wishes, places, channelId, mentionFault);
  const nowSeconds = context.venueClock().nowMs / 1000;
  await nextTurn();
  const orders = found.orders.map((order) => labelled(order, context));
  const plan = planImport(orders, context.registry.get, nowSeconds);
  await nextTurn();
  const added = plan.changes.filter(({ target }) => target.before === null).length;
  const tooMany = added === 0 ? null : context.quotas.watchesTooMany(ownerId, added);
  const faults = [
    ...file.faults,
    ...found.faults,
    ...(tooMany === null ? [] : [{ place: { of: 'file' } as const, reason: tooMany }]),
  ];
  if (faults.length > 0) return showFaults(interaction, plan, faults, context.language);
  if (plan.changes.length > 0) {
    await context.imports.propose({
      version: 1,
      id: interaction.id,
      ownerId,
      userId: interaction.user.id,
      isManager: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true,
      createdAtMs: context.nowMs(),
      sinceSeconds: null,
      targets: plan.changes.map(({ target }) => target),
    });
  }
  await showPlan(interaction, plan, isLeftOut, context);
}

/** A wallet that is new to a channel, and of which the file does not say what it is called, is called as elsewhere. */
function labelled(order: Order, { registry, labelOf }: CommandContext): Order {
  const { channelId, wallet, label } = order;
  const isNamed = label !== undefined || registry.get(channelId, wallet) !== undefined;
  return isNamed ? order : { ...order, label: labelOf(wallet, '', channelId) };
}

/** Whoever could send the file may press: the same person, with the right that counted then. */
function checkPerson(interaction: ButtonUse, { userId, isManager }: PendingImport): void {
  const canStillManage = interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true;
  if (interaction.user.id !== userId || (isManager && !canStillManage)) {
    throw new UserError(({ texts }) => texts.files.import.notYours);
  }
}

/** Why a role may not be mentioned by a watch that has not mentioned it so far; null if it may. */
function newMentionTrouble(
  interaction: CommandUse | ButtonUse,
  { registry }: CommandContext,
  channelId: string,
  wallet: WalletAddress,
  roleId: string,
): LocalizedText | null {
  const isKept = registry.get(channelId, wallet)?.settings.mention?.roleId === roleId;
  return isKept ? null : memberMentionTrouble(interaction, channelId, roleId);
}

/** @throws {UserError} if the person may no longer do all of it by themselves */
function checkRights(interaction: ButtonUse, { targets }: PendingImport, context: CommandContext): void {
  for (const { channelId, wallet, settings } of targets) {
    requireWriting(interaction, channelId);
    const { mention } = settings;
    const trouble =
      mention === null ? null : newMentionTrouble(interaction, context, channelId, wallet, mention.roleId);
    if (trouble !== null) throw new UserError(trouble);
  }
}

async function apply(interaction: ButtonUse, pending: PendingImport, context: CommandContext): Promise<void> {
  // One that was broken off has begun: to leave it half done would be worse.
  if (pending.sinceSeconds === null) checkRights(interaction, pending, context);
  if (context.place.kind === 'directMessage') await checkReach(interaction, interaction.channelId, context);
  const sinceSeconds = watchSince({ sentAtMs: interaction.createdTimestamp, venue: context.venueClock() });
  await context.imports.apply(pending, sinceSeconds);
  for (const channelId of new Set(pending.targets.map((target) => target.channelId))) {
    await context.deliveryWorker.unblock(channelId);
  }
  const added = pending.targets.filter(({ before }) => before === null).length;
  const { texts, format } = context.language;
  const { appliedTitle, applied } = texts.files.import;
  await interaction.editReply({
    embeds: [
      {
        title: appliedTitle(format.quantity(added), format.quantity(pending.targets.length - added)),
        description: applied,
        color: WATCH_COLOUR,
      },
    ],
    components: [],
  });
}

type MentionFault = (channelId: string, wallet: WalletAddress, roleId: string) => LocalizedText | null;

/** Finds channels and roles of all wishes, and the watches that the file names twice. */
async function findPlaces(
  wishes: readonly WishedWatch[],
  places: Places,
  here: string,
  mentionFault: MentionFault,
): Promise<{ readonly orders: readonly Order[]; readonly faults: readonly FileFault[] }> {
  const orders: Order[] = [];
  const faults: FileFault[] = [];
  const placeByWatch = new Map<string, FilePlace>();
  for (const [index, wish] of wishes.entries()) {
    if (index % WISHES_A_TURN === 0) await nextTurn();
    const { place } = wish;
    const found = await findOrder(wish, places, here, mentionFault);
    if ('reasons' in found) {
      faults.push(...found.reasons.map((reason) => ({ place, reason })));
      continue;
    }
    const watch = `${found.order.channelId}:${wish.wallet}`;
    const earlier = placeByWatch.get(watch);
    if (earlier === undefined) orders.push(found.order);
    else
      faults.push({ place, reason: (language) => language.texts.files.faults.repeated(placeName(earlier, language)) });
    placeByWatch.set(watch, earlier ?? place);
  }
  return { orders, faults };
}

/** Finds channel and role of one wish, or every reason why it cannot be fulfilled. */
async function findOrder(
  wish: WishedWatch,
  places: Places,
  here: string,
  mentionFault: MentionFault,
): Promise<{ readonly order: Order } | { readonly reasons: readonly LocalizedText[] }> {
  const channel = await places.channel(wish.channel ?? { id: here, name: null });
  const role = wish.mention == null ? null : places.role(wish.mention.role);
  const reasons = [channel, role].flatMap((found) => (found !== null && 'reason' in found ? [found.reason] : []));
  if ('reason' in channel || (role !== null && 'reason' in role)) return { reasons };
  const unmentionable = role === null ? null : mentionFault(channel.id, wish.wallet, role.id);
  if (unmentionable !== null) return { reasons: [unmentionable] };
  return { order: orderOf(wish, channel.id, role?.id ?? null) };
}

function counted({ changes, same }: Plan, { texts, format }: Language): string {
  const added = changes.filter(({ target }) => target.before === null).length;
  const changed = format.quantity(changes.length - added);
  return texts.files.import.counted(format.quantity(added), changed, format.quantity(same));
}

async function showFaults(
  interaction: CommandUse,
  plan: Plan,
  faults: readonly FileFault[],
  language: Language,
): Promise<void> {
  const { texts, format } = language;
  const say = texts.files.import;
  const errors = format.quantity(faults.length);
  const rows = faults.slice(0, FAULTS_SHOWN).map(({ place, reason }) => {
    const text = escapeText(reason(language), REASON_LIMIT, say.unreadable);
    return `• ${texts.files.places.before(placeName(place, language), text)}`;
  });
  const more = faults.length - rows.length;
  await interaction.editReply({
    embeds: [
      {
        title: say.faultsTitle(errors, faults.length),
        description: joinFitting([
          say.faults(counted(plan, language), errors, faults.length),
          ...rows,
          ...(more > 0 ? [say.more(format.quantity(more))] : []),
        ]).text,
        color: FAULT_COLOUR,
      },
    ],
    allowedMentions: { parse: [] },
  });
}

async function showPlan(
  interaction: CommandUse,
  plan: Plan,
  isLeftOut: boolean,
  { language, place }: CommandContext,
): Promise<void> {
  const { changes } = plan;
  const { texts, format } = language;
  const say = texts.files.import;
  const rows = changes.slice(0, CHANGES_SHOWN).map((change) => changeLine(change, place, language));
  const button = (deed: string, label: string, style: ButtonStyle) =>
    new ButtonBuilder().setCustomId(`watch:import:${deed}:${interaction.id}`).setLabel(label).setStyle(style);
  const buttons = new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(
    button('apply', say.apply, ButtonStyle.Success),
    button('cancel', say.cancel, ButtonStyle.Secondary),
  );
  const left = changes.length - rows.length;
  await interaction.editReply({
    embeds: [
      {
        title: counted(plan, language),
        description: joinFitting([
          changes.length === 0 ? say.nothingToDo : say.ask,
          ...rows,
          ...(left > 0 ? [say.more(format.quantity(left))] : []),
          ...(isLeftOut ? [`ℹ️ ${texts.personal.leftOut}`] : []),
        ]).text,
        color: WATCH_COLOUR,
      },
    ],
    components: changes.length === 0 ? [] : [buttons],
    allowedMentions: { parse: [] },
  });
}

function changeLine({ target, parts }: Change, place: Place, language: Language): string {
  const say = language.texts.files.import;
  const { label, wallet, channelId, before } = target;
  const name = label === null ? '' : `${shownLabel(label, say.noName)} `;
  const watch = `${name}\`${shortAddress(wallet)}\``;
  const channel = channelName(channelId, place, language);
  return `• ${before === null ? say.added(watch, channel) : say.changed(watch, channel, parts.join(', '))}`;
}
