import { activityLine, transferLine } from '../alert/lines.ts';
import { activityIdentity, transferIdentity } from '../poll/detect.ts';
import { checksummed } from '../venue/address.ts';
import type { VenuePage } from '../venue/client.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import { watchSince } from '../watch/baseline.ts';
import { DEFAULT_SETTINGS } from '../watch/settings.ts';
import type { Watch } from '../watch/watch.ts';
import { checkAlertChannel } from './channel-check.ts';
import type { CommandContext } from './command.ts';
import { explainToPerson, UserError } from './errors.ts';
import { described } from './localised.ts';
import type { Subcommand } from './subcommand.ts';
import { readWallet, suggestWallets, walletOption } from './wallet-option.ts';
import { applyOptions } from './watch-changes.ts';
import { addSettings, givenWith } from './watch-options.ts';
import { suggestSetting } from './watch-suggest.ts';
import { channelOption, mentionWarnings, shownLabel, targetChannel, WATCH_COLOUR } from './watch-target.ts';
import { settingsLines } from './watch-words.ts';

/** Items looked at when a watch is added: enough for a burst in the very second. */
const BASELINE_ITEMS = 50;
const UNEDITED = { label: null, settings: DEFAULT_SETTINGS };

/** `/watch add`: a wallet rings in a channel from the moment of the command on. */
export const watchAdd: Subcommand = {
  name: 'add',
  define: (builder) =>
    addSettings(described(builder, ({ add }) => add.description).addStringOption(walletOption)).addChannelOption(
      channelOption(({ add }) => add.channel),
    ),
  isPrivate: false,

  check(interaction, { registry, quotas }) {
    applyOptions(UNEDITED, givenWith(interaction));
    const wallet = readWallet(interaction.options.getString('wallet', true), interaction.guildId, registry);
    const known = registry.get(targetChannel(interaction), wallet);
    if (known !== undefined) throw alreadyWatched(known);
    const tooMany = quotas.watchesTooMany(interaction.guildId, 1);
    if (tooMany !== null) throw new UserError(tooMany);
  },

  async execute(interaction, context) {
    const { registry, venue } = context;
    if (!interaction.inCachedGuild()) {
      throw new UserError(({ words }) => words.errors.notMember);
    }
    const channelId = targetChannel(interaction);
    const wallet = readWallet(interaction.options.getString('wallet', true), interaction.guildId, registry);
    const { label, settings } = applyOptions(UNEDITED, givenWith(interaction));
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
      settings,
      pause: null,
    };
    const isAdded = await context.quotas.withRoomFor(interaction.guildId, 1, () => registry.add(added));
    if (!isAdded) throw alreadyWatched(registry.get(channelId, wallet) ?? added);
    await context.courier.unblock(channelId);
    const troubles = [trades, transfers].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const warnings = new Set(
      troubles.map((error) => explainToPerson(error, context.language)).filter((text) => text !== null),
    );
    await interaction.editReply({
      embeds: [
        {
          title: `Watching ${shownLabel(label, 'a wallet')}`,
          description: [
            `\`${checksummed(wallet)}\` rings in <#${channelId}> from now on.`,
            ...settingsLines(settings),
            ...(troubles.length === 0 ? [latestLine(itemsOf(trades), itemsOf(transfers), context)] : []),
            ...[...warnings].map((warning) => `⚠️ ${warning} The watch is in place.`),
            ...mentionWarnings(interaction, added, context.language),
            ...(advice === null ? [] : [`ℹ️ ${advice(context.language)}`]),
          ].join('\n'),
          color: WATCH_COLOUR,
        },
      ],
      allowedMentions: { parse: [] },
    });
  },

  autocomplete(interaction, context) {
    const { name, value } = interaction.options.getFocused(true);
    return name === 'wallet' ? suggestWallets(interaction, context) : suggestSetting(name, value);
  },
};

function itemsOf<Item>(result: PromiseSettledResult<VenuePage<Item>>): readonly Item[] {
  return result.status === 'fulfilled' ? result.value.items : [];
}

function latestLine(
  trades: readonly ActivityItem[],
  transfers: readonly TransferItem[],
  { links, language }: CommandContext,
): string {
  const [trade] = trades;
  const [transfer] = transfers;
  if (trade !== undefined && (transfer === undefined || trade.time >= transfer.time)) {
    return `Latest: ${activityLine(trade, links, language)}`;
  }
  if (transfer !== undefined) return `Latest: ${transferLine(transfer, links, language)}`;
  return 'The venue knows nothing of this wallet yet. Is it the address that trades?';
}

function alreadyWatched({ channelId, label }: Watch): UserError {
  const name = label === null ? 'without a label' : `as ${shownLabel(label, 'a wallet')}`;
  return new UserError(`This wallet rings in <#${channelId}> already, ${name}. \`/watch edit\` changes how.`);
}
