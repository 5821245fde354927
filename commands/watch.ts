import {
  type APIEmbed,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  SlashCommandBuilder,
  type SlashCommandChannelOption,
} from 'discord.js';
import { joinFitting } from '../src/alert/join-fitting.ts';
import { activityLine, transferLine } from '../src/alert/lines.ts';
import { escapeText } from '../src/alert/text.ts';
import { ALERT_CHANNELS, checkAlertChannel } from '../src/bot/channel-check.ts';
import type { CommandContext, GuildButton, GuildCommand, SlashCommand } from '../src/bot/command.ts';
import { explainToPerson, UserError } from '../src/bot/errors.ts';
import { pageButtons } from '../src/bot/page-buttons.ts';
import { readWallet, walletChoices, walletOption } from '../src/bot/wallet-option.ts';
import { activityIdentity, transferIdentity } from '../src/poll/detect.ts';
import { checksummed, type WalletAddress } from '../src/venue/address.ts';
import type { VenuePage } from '../src/venue/client.ts';
import { type ActivityItem, ENDPOINT_NAMES, type TransferItem } from '../src/venue/schema.ts';
import { watchSince } from '../src/watch/baseline.ts';
import { DEFAULT_SETTINGS } from '../src/watch/settings.ts';
import { LABEL_LIMIT, type Watch } from '../src/watch/watch.ts';

/** Items looked at when a watch is added: enough for a burst in the very second. */
const BASELINE_ITEMS = 50;
const WATCHES_PER_PAGE = 10;
const COLOUR = 0x5865f2;
const REASON_LIMIT = 200;

/** `/watch add|remove|list`: which wallets ring in which channels. */
export const watch: SlashCommand = {
  definition: new SlashCommandBuilder()
    .setName('watch')
    .setDescription('Which wallets ring in which channels')
    .setContexts(InteractionContextType.Guild)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
    .addSubcommand((add) =>
      add
        .setName('add')
        .setDescription('Ring here for every trade, redemption, deposit and withdrawal of a wallet')
        .addStringOption(walletOption)
        .addStringOption((option) =>
          option.setName('label').setDescription('What this server calls the wallet').setMaxLength(LABEL_LIMIT),
        )
        .addChannelOption((option) => channelOption(option, 'Where to ring; this channel if left out')),
    )
    .addSubcommand((remove) =>
      remove
        .setName('remove')
        .setDescription('Stop ringing for a wallet')
        .addStringOption(walletOption)
        .addChannelOption((option) => channelOption(option, 'Where it rings; this channel if left out')),
    )
    .addSubcommand((list) =>
      list.setName('list').setDescription('All watches of this server, and what is wrong with them'),
    ),

  isPrivate: (interaction) => interaction.options.getSubcommand() === 'list',

  check(interaction, { registry }) {
    if (interaction.options.getSubcommand() === 'list') return;
    const wallet = readWallet(interaction.options.getString('wallet', true), interaction.guildId, registry);
    const known = registry.get(targetChannel(interaction), wallet);
    if (interaction.options.getSubcommand() === 'add' && known !== undefined) throw alreadyWatched(known);
  },

  async execute(interaction, context) {
    switch (interaction.options.getSubcommand()) {
      case 'add':
        return add(interaction, context);
      case 'remove':
        return remove(interaction, context);
      default:
        return list(interaction, context, 0);
    }
  },

  autocomplete: (interaction, { registry }) =>
    walletChoices(interaction.options.getFocused(), registry.ofGuild(interaction.guildId)),

  async press(interaction, [, page = '0'], context) {
    await list(interaction, context, Number(page));
  },
};

function channelOption(option: SlashCommandChannelOption, description: string): SlashCommandChannelOption {
  return option
    .setName('channel')
    .setDescription(description)
    .addChannelTypes(...ALERT_CHANNELS);
}

function targetChannel(interaction: GuildCommand): string {
  return interaction.options.getChannel('channel')?.id ?? interaction.channelId;
}

async function add(interaction: GuildCommand, context: CommandContext): Promise<void> {
  const { registry, venue } = context;
  if (!interaction.inCachedGuild()) {
    throw new UserError('I am not a member of this server yet. Invite me with the scope "bot", then try again.');
  }
  const channelId = targetChannel(interaction);
  const wallet = readWallet(interaction.options.getString('wallet', true), interaction.guildId, registry);
  const label = interaction.options.getString('label')?.trim() || null;
  const advice = await checkAlertChannel(interaction.guild, channelId);
  const [trades, transfers] = await Promise.allSettled([
    venue.activity(wallet, { limit: BASELINE_ITEMS }, { priority: 'person' }),
    venue.transfers(wallet, { limit: BASELINE_ITEMS }, { priority: 'person' }),
  ]);
  const sinceSeconds = watchSince({ sentAtMs: interaction.createdTimestamp, venue: context.venueClock() });
  const isKnownAlready = ({ time }: { readonly time: number }) => time >= sinceSeconds;
  const added: Watch = {
    version: 1,
    guildId: interaction.guildId,
    channelId,
    wallet,
    label,
    sinceSeconds,
    knownIdentities: [
      ...itemsOf(trades).filter(isKnownAlready).map(activityIdentity),
      ...itemsOf(transfers).filter(isKnownAlready).map(transferIdentity),
    ],
    addedBy: interaction.user.id,
    settings: DEFAULT_SETTINGS,
    pause: null,
  };
  if (!(await registry.add(added))) throw alreadyWatched(registry.get(channelId, wallet) ?? added);
  await context.courier.unblock(channelId);
  const troubles = [trades, transfers].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const warnings = new Set(troubles.map((error) => explainToPerson(error)).filter((text) => text !== null));
  await interaction.editReply({
    embeds: [
      {
        title: `Watching ${escapeText(label ?? '', LABEL_LIMIT, 'a wallet')}`,
        description: [
          `\`${checksummed(wallet)}\` rings in <#${channelId}> from now on: buys, sells, redemptions, deposits and withdrawals.`,
          ...(troubles.length === 0 ? [latestLine(itemsOf(trades), itemsOf(transfers), context)] : []),
          ...[...warnings].map((warning) => `⚠️ ${warning} The watch is in place.`),
          ...(advice === null ? [] : [`ℹ️ ${advice}`]),
        ].join('\n'),
        color: COLOUR,
      },
    ],
    allowedMentions: { parse: [] },
  });
}

function itemsOf<Item>(result: PromiseSettledResult<VenuePage<Item>>): readonly Item[] {
  return result.status === 'fulfilled' ? result.value.items : [];
}

function latestLine(
  trades: readonly ActivityItem[],
  transfers: readonly TransferItem[],
  { links }: CommandContext,
): string {
  const [trade] = trades;
  const [transfer] = transfers;
  if (trade !== undefined && (transfer === undefined || trade.time >= transfer.time)) {
    return `Latest: ${activityLine(trade, links)}`;
  }
  if (transfer !== undefined) return `Latest: ${transferLine(transfer, links)}`;
  return 'The venue knows nothing of this wallet yet. Is it the address that trades?';
}

function alreadyWatched({ channelId, label }: Watch): UserError {
  const name = label === null ? 'without a label' : `as ${escapeText(label, LABEL_LIMIT, 'a wallet')}`;
  return new UserError(`This wallet rings in <#${channelId}> already, ${name}. Remove it first to change its label.`);
}

async function remove(interaction: GuildCommand, context: CommandContext): Promise<void> {
  const { registry } = context;
  const channelId = targetChannel(interaction);
  const wallet = readWallet(interaction.options.getString('wallet', true), interaction.guildId, registry);
  const here = registry.get(channelId, wallet);
  if (here?.guildId !== interaction.guildId || (await registry.remove(channelId, wallet)) === undefined) {
    throw notWatched(channelId, registry.ofWallet(wallet), interaction.guildId);
  }
  await interaction.editReply({
    content: `\`${checksummed(wallet)}\`${here.label === null ? '' : ` (${escapeText(here.label, LABEL_LIMIT, 'no name')})`} no longer rings in <#${channelId}>.`,
    allowedMentions: { parse: [] },
  });
}

function notWatched(channelId: string, watches: readonly Watch[], guildId: string): UserError {
  const elsewhere = watches.filter((other) => other.guildId === guildId).map((other) => `<#${other.channelId}>`);
  const hint =
    elsewhere.length === 0
      ? 'Nor anywhere else in this server: `/watch list` shows what does.'
      : `It rings in ${elsewhere.slice(0, 5).join(', ')}: name that channel in the option \`channel\`.`;
  return new UserError(`This wallet does not ring in <#${channelId}>. ${hint}`);
}

async function list(
  interaction: GuildCommand | GuildButton,
  context: CommandContext,
  wantedPage: number,
): Promise<void> {
  const watches = context.registry
    .ofGuild(interaction.guildId)
    .toSorted((a, b) => compare(a.channelId, b.channelId) || compare(nameOf(a), nameOf(b)));
  const pages = Math.max(1, Math.ceil(watches.length / WATCHES_PER_PAGE));
  const page = Math.min(Math.max(0, Math.trunc(wantedPage) || 0), pages - 1);
  const shown = watches.slice(page * WATCHES_PER_PAGE, (page + 1) * WATCHES_PER_PAGE);
  const embed: APIEmbed = {
    title: watches.length === 1 ? '1 watch' : `${watches.length} watches`,
    description: joinFitting([...troubleLines(context), ...watchLines(shown, context)]).text,
    color: COLOUR,
    ...(pages > 1 ? { footer: { text: `Page ${page + 1} of ${pages}` } } : {}),
  };
  await interaction.editReply({
    embeds: [embed],
    components: pages > 1 ? [pageButtons('watch:list', page, page + 1 < pages)] : [],
    allowedMentions: { parse: [] },
  });
}

function troubleLines({ health }: CommandContext): string[] {
  const troubles = ENDPOINT_NAMES.map((name) => health.trouble(name)).filter((trouble) => trouble !== null);
  const byReason = new Map(troubles.map((trouble) => [trouble.reason, trouble]));
  return [...byReason.values()].map(({ reason, sinceMs }) => `⚠️ ${reason} Since <t:${Math.floor(sinceMs / 1000)}:R>.`);
}

function watchLines(watches: readonly Watch[], { courier, schedule }: CommandContext): string[] {
  if (watches.length === 0) return ['Nothing rings in this server yet. `/watch add` begins.'];
  let channelId = '';
  return watches.flatMap((shown) => {
    const rows: string[] = [];
    if (shown.channelId !== channelId) {
      channelId = shown.channelId;
      const block = courier.block(channelId);
      rows.push(`**<#${channelId}>**`);
      const dead = courier.deadLetters(channelId);
      const lastDead = dead.at(-1);
      if (lastDead !== undefined) {
        rows.push(
          `⚠️ ${dead.length} ${dead.length === 1 ? 'alert' : 'alerts'} could not be delivered here. The last: ${escapeText(lastDead.reason, REASON_LIMIT, 'no reason')}`,
        );
      }
      if (block !== null) rows.push(`⚠️ ${block.reason} Alerts wait since <t:${Math.floor(block.sinceMs / 1000)}:R>.`);
    }
    const label = shown.label === null ? '' : `${escapeText(shown.label, LABEL_LIMIT, 'no name')} `;
    rows.push(`• ${label}\`${checksummed(shown.wallet)}\` · ${lastPolled(shown.wallet, schedule)}`);
    return rows;
  });
}

function lastPolled(wallet: WalletAddress, schedule: CommandContext['schedule']): string {
  const times = ENDPOINT_NAMES.map((name) => schedule.outlook({ wallet, name }).lastSeconds);
  const known = times.filter((seconds) => seconds !== null);
  return known.length === 0 ? 'not looked at yet' : `looked at <t:${Math.floor(Math.max(...known))}:R>`;
}

function nameOf({ label, wallet }: Watch): string {
  return label ?? wallet;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
