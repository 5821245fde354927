import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type MessageActionRowComponentBuilder,
  PermissionFlagsBits,
} from 'discord.js';
import { joinFitting } from '../alert/join-fitting.ts';
import { escapeText } from '../alert/text.ts';
import { shortAddress } from '../venue/address.ts';
import { watchSince } from '../watch/baseline.ts';
import { FILE_LIMIT_BYTES, readWatches } from '../watch/transfer-file.ts';
import type { FileFault, WishedWatch } from '../watch/transfer-file-fields.ts';
import { type Change, type Order, orderOf, type Plan, planImport } from '../watch/transfer-plan.ts';
import type { CommandContext, GuildButton, GuildCommand } from './command.ts';
import { downloadAttachment, tooLarge } from './download.ts';
import { UserError } from './errors.ts';
import { described, localised } from './localised.ts';
import type { Subcommand } from './subcommand.ts';
import { createPlaces, type Places } from './watch-import-places.ts';
import { over, type PendingImport } from './watch-import-store.ts';
import { shownLabel, WATCH_COLOUR } from './watch-target.ts';

const FAULT_COLOUR = 0xed4245;
const FAULTS_SHOWN = 15;
const CHANGES_SHOWN = 10;
const REASON_LIMIT = 300;

/** `/watch import`: watches from a file, after a dry run that says what would change. All of it, or nothing. */
export const watchImport: Subcommand = {
  name: 'import',
  define: (builder) =>
    described(builder, (texts) => texts.import.description).addAttachmentOption((option) =>
      localised(option, 'file', (texts) => texts.import.file).setRequired(true),
    ),
  isPrivate: true,

  check(interaction) {
    if (interaction.options.getAttachment('file', true).size > FILE_LIMIT_BYTES) throw tooLarge(FILE_LIMIT_BYTES);
  },

  async execute(interaction, context) {
    if (!interaction.inCachedGuild()) {
      throw new UserError(({ words }) => words.errors.notMember);
    }
    const { guildId, channelId } = interaction;
    const file = readWatches(
      await downloadAttachment(interaction.options.getAttachment('file', true).url, FILE_LIMIT_BYTES),
    );
    const watched = new Set(context.registry.ofGuild(guildId).map((watch) => watch.channelId));
    const places = createPlaces(interaction.guild, interaction.member, watched);
    const found = await findPlaces(file.wishes, places, channelId);
    const nowSeconds = context.venueClock().nowMs / 1000;
    const plan = planImport(found.orders, context.registry.get, nowSeconds);
    const added = plan.changes.filter(({ target }) => target.before === null).length;
    const tooMany = added === 0 ? null : context.quotas.watchesTooMany(guildId, added);
    const faults = [
      ...file.faults,
      ...found.faults,
      ...(tooMany === null ? [] : [{ place: 'The file', reason: tooMany(context.language) }]),
    ];
    if (faults.length > 0) return showFaults(interaction, plan, faults);
    if (plan.changes.length > 0) {
      await context.imports.propose({
        version: 1,
        id: interaction.id,
        guildId,
        userId: interaction.user.id,
        isManager: interaction.memberPermissions.has(PermissionFlagsBits.ManageGuild),
        createdAtMs: context.nowMs(),
        sinceSeconds: null,
        targets: plan.changes.map(({ target }) => target),
      });
    }
    await showPlan(interaction, plan);
  },

  async press(interaction, [deed = '', id = ''], context) {
    const pending = await context.imports.find(interaction.guildId, id);
    if (pending === undefined) throw over();
    checkPerson(interaction, pending);
    if (deed === 'apply') {
      await apply(interaction, pending, context);
    } else {
      await context.imports.cancel(pending);
      await interaction.editReply({
        embeds: [{ title: 'Cancelled', description: 'Nothing was changed.', color: WATCH_COLOUR }],
        components: [],
      });
    }
  },
};

/** Whoever could send the file may press: the same person, with the right that counted then. */
function checkPerson(interaction: GuildButton, { userId, isManager }: PendingImport): void {
  const canStillManage = interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true;
  if (interaction.user.id !== userId || (isManager && !canStillManage)) {
    throw new UserError('Only somebody who may use `/watch` and has sent the file can decide this.');
  }
}

async function apply(interaction: GuildButton, pending: PendingImport, context: CommandContext): Promise<void> {
  const sinceSeconds = watchSince({ sentAtMs: interaction.createdTimestamp, venue: context.venueClock() });
  await context.imports.apply(pending, sinceSeconds);
  for (const channelId of new Set(pending.targets.map((target) => target.channelId))) {
    await context.courier.unblock(channelId);
  }
  const added = pending.targets.filter(({ before }) => before === null).length;
  await interaction.editReply({
    embeds: [
      {
        title: `Applied: ${added} new, ${pending.targets.length - added} changed`,
        description: 'New watches ring for what happens from now on. `/watch list` shows them all.',
        color: WATCH_COLOUR,
      },
    ],
    components: [],
  });
}

/** Finds channels and roles of all wishes, and the watches that the file names twice. */
async function findPlaces(
  wishes: readonly WishedWatch[],
  places: Places,
  here: string,
): Promise<{ readonly orders: readonly Order[]; readonly faults: readonly FileFault[] }> {
  const orders: Order[] = [];
  const faults: FileFault[] = [];
  const placeByWatch = new Map<string, string>();
  for (const wish of wishes) {
    const { place, wallet, mention } = wish;
    const channel = await places.channel(wish.channel ?? { id: here, name: null });
    const role = mention === undefined || mention === null ? null : places.role(mention.role);
    const reasons = [channel, role].flatMap((found) => (found !== null && 'reason' in found ? [found.reason] : []));
    faults.push(...reasons.map((reason) => ({ place, reason })));
    if ('reason' in channel || (role !== null && 'reason' in role)) continue;
    const watch = `${channel.id}:${wallet}`;
    const earlier = placeByWatch.get(watch);
    if (earlier === undefined) orders.push(orderOf(wish, channel.id, role?.id ?? null));
    else faults.push({ place, reason: `names the wallet and channel of ${earlier} again. Accepted: once.` });
    placeByWatch.set(watch, earlier ?? place);
  }
  return { orders, faults };
}

function counted({ changes, same }: Plan): string {
  const added = changes.filter(({ target }) => target.before === null).length;
  return `${added} new, ${changes.length - added} changed, ${same} the same`;
}

async function showFaults(interaction: GuildCommand, plan: Plan, faults: readonly FileFault[]): Promise<void> {
  const errors = faults.length === 1 ? '1 error' : `${faults.length} errors`;
  const rows = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ place, reason }) => `• **${place}**: ${escapeText(reason, REASON_LIMIT, 'cannot be read')}`);
  const more = faults.length - rows.length;
  await interaction.editReply({
    embeds: [
      {
        title: `${errors}: nothing was changed`,
        description: joinFitting([
          `${counted(plan)}, **${errors}**. A file is taken whole or not at all: mend it, then send it again.`,
          ...rows,
          ...(more > 0 ? [`… and ${more} more`] : []),
        ]).text,
        color: FAULT_COLOUR,
      },
    ],
    allowedMentions: { parse: [] },
  });
}

async function showPlan(interaction: GuildCommand, plan: Plan): Promise<void> {
  const { changes } = plan;
  const rows = changes.slice(0, CHANGES_SHOWN).map(changeLine);
  const button = (deed: string, label: string, style: ButtonStyle) =>
    new ButtonBuilder().setCustomId(`watch:import:${deed}:${interaction.id}`).setLabel(label).setStyle(style);
  const buttons = new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(
    button('apply', 'Apply', ButtonStyle.Success),
    button('cancel', 'Cancel', ButtonStyle.Secondary),
  );
  const note =
    changes.length === 0
      ? 'The watches are as the file wants them already.'
      : 'Nothing is changed yet. Apply within an hour, or cancel. Watches that the file does not name stay as they are.';
  await interaction.editReply({
    embeds: [
      {
        title: counted(plan),
        description: joinFitting([
          note,
          ...rows,
          ...(changes.length > rows.length ? [`… and ${changes.length - rows.length} more`] : []),
        ]).text,
        color: WATCH_COLOUR,
      },
    ],
    components: changes.length === 0 ? [] : [buttons],
    allowedMentions: { parse: [] },
  });
}

function changeLine({ target, parts }: Change): string {
  const { label, wallet, channelId, before } = target;
  const name = label === null ? '' : `${shownLabel(label, 'no name')} `;
  const what = before === null ? 'new' : `changed (${parts.join(', ')})`;
  return `• ${what}: ${name}\`${shortAddress(wallet)}\` in <#${channelId}>`;
}
