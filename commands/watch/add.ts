import { explainToPerson } from '../../src/discord/explain.ts';
import { checkAlertChannel } from '../../src/discord/permissions.ts';
import type { Place } from '../../src/discord/place.ts';
import { checksummed, findAddress, type WalletAddress } from '../../src/domain/address.ts';
import {
  type ActivityItem,
  activityIdentity,
  type TransferItem,
  transferIdentity,
} from '../../src/domain/records.ts';
import { EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import { activityLine, transferRow } from '../../src/embeds/item-lines.ts';
import { VenueError, type VenuePage } from '../../src/feed/interface.ts';
import type { Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { textOption } from '../../src/slash-commands/options.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import { notAccepted } from '../../src/watches/settings/setting.ts';
import { reachOf, type Watch, watchSince } from '../../src/watches/watch.ts';
import { DEFAULT_SETTINGS, settingsWords } from '../../src/watches/watch-settings.ts';
import type { CommandContext } from '../shared/context.ts';
import { addressError, readWallet, suggestWallets } from '../shared/wallet-option.ts';
import { ADD_OPTIONS, applyOptions, type Editable, settingsLines } from './edit.ts';
import { proposeOrders } from './import.ts';
import {
  channelOption,
  checkReach,
  mentionWarnings,
  type Subcommand,
  targetChannel,
} from './shared/command.ts';
import { expectedTrades, FLOOD_A_DAY, floodButtons, pressFlood } from './shared/flood.ts';
import { channelName, shownName, shownWatch, venueTroubles } from './shared/words.ts';

/** Items read when a watch is added: as many as a poll reads. */
const BASELINE_ITEMS = 100;

/** Characters: Discord takes no more in an option, and 139 addresses fit. */
const LIST_LIMIT = 6_000;

const WALLETS = textOption(
  'wallet',
  (texts) => texts.wallet,
  LIST_LIMIT,
  suggestWallets(true),
  true,
);

/** Of several wallets the settings are for those that are new to the channel. */
type Asked = Editable & { readonly channelId: string; readonly wallets: readonly WalletAddress[] };

/** `/watch add`: a channel gets alerts of a wallet from the moment of the command on. */
export const watchAdd: Subcommand<Asked> = {
  name: 'add',
  about: ({ add }) => add.description,
  options: [WALLETS, ...ADD_OPTIONS, channelOption(({ add }) => add.channel)],
  // The preview of several is for whoever decides on it.
  isPrivate: (interaction) => severalIn(interaction) !== undefined,

  check(interaction, context) {
    const { place, registry, quotas, labelOf } = context;
    const { label, settings } = applyOptions(
      { label: null, settings: DEFAULT_SETTINGS },
      interaction,
    );
    const channelId = targetChannel(interaction);
    const named = interaction.options.getString('label');
    const several = severalIn(interaction);
    if (several !== undefined) {
      if (several.mistyped !== undefined) throw addressError(several.mistyped);
      if (named !== null)
        throw notAccepted('label', named, ({ texts }) => texts.watch.settings.accepted.labelOfOne);
      const added = several.addresses.map((wallet) => ({ channelId, wallet }));
      quotas.requireSpace(place.ownerId, registry.placesNeeded(added));
      quotas.useImport(place.ownerId);
      return { channelId, settings, label, wallets: several.addresses };
    }
    const typed = interaction.options.getString('wallet', true);
    const wallet = readWallet(typed, place.ownerId, registry);
    const known = registry.get(channelId, wallet);
    if (known !== undefined) throw alreadyWatched(known, place);
    quotas.requireSpace(place.ownerId, registry.placesNeeded([{ channelId, wallet }]));
    // What the wallet is called elsewhere, unless the command says so itself.
    const called = named !== null ? label : labelOf(wallet, typed, channelId);
    return { channelId, wallets: [wallet], settings, label: called };
  },

  async execute(interaction, context, asked) {
    const { channelId, settings, label } = asked;
    const [wallet, ...others] = asked.wallets;
    if (wallet === undefined || others.length > 0)
      return proposeSeveral(interaction, context, asked);
    const { registry, venue, language, place, quotas } = context;
    const advice = await checkReach(interaction, channelId, context);
    const [trades, transfers] = await Promise.allSettled([
      venue.activity(wallet, { limit: BASELINE_ITEMS }),
      venue.transfers(wallet, { limit: BASELINE_ITEMS }),
    ]);
    const sinceSeconds = watchSince(interaction.createdTimestamp, context.feed.budget);
    // Later items happened while this command waited for its page; items of the very second count
    // as known.
    const isKnownAlready = ({ time }: { readonly time: number }) => time === sinceSeconds;
    const added: Watch = {
      ownerId: place.ownerId,
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
    const isAdded = await quotas.withSpaceFor(
      place.ownerId,
      registry.placesNeeded([{ channelId, wallet }]),
      () =>
        registry.add(
          added,
          (trades.status === 'fulfilled' ? reachOf(trades.value) : null) ?? sinceSeconds,
        ),
    );
    if (!isAdded) throw alreadyWatched(registry.get(channelId, wallet) ?? added, place);
    await context.deliveryWorker.unblock(channelId);
    const { format } = language;
    const { add, channel, flood, gap } = language.texts.watch;
    const { consensusOnly: isConsensusOnly = false, words = null } =
      context.channelSettings.get(channelId) ?? {};
    const nowSeconds = context.venueNowSeconds();
    const expected = isConsensusOnly
      ? null
      : expectedTrades(itemsOf(trades), { settings, words }, nowSeconds);
    const errors = [trades, transfers].flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    const lines =
      settingsWords(settings, language).length > 0 ? settingsLines(settings, language) : [];
    const watching = add.watching(shownWatch(added), channelName(channelId, place, language));
    const description = [
      isConsensusOnly
        ? watching
        : `${watching}${gap}${lines.length > 0 ? add.withSettings : add.everything}`,
      ...(isConsensusOnly ? [`⚠️ ${channel.consensusOnly.on}`] : lines),
      errors.length === 0 && latestLine(itemsOf(trades), itemsOf(transfers), context),
      expected &&
        flood.about(format.quantity(expected.tradesADay), format.duration(expected.seconds)),
      trades.status === 'fulfilled' && trades.value.hasMore && `-# ${add.readBack}`,
      ...venueWarnings(errors, context),
      ...mentionWarnings(interaction, added, language),
      advice && `ℹ️ ${advice(language)}`,
      `-# \`${checksummed(wallet)}\``,
    ]
      .filter(Boolean)
      .join('\n');
    const isFlood = expected !== null && expected.tradesADay >= FLOOD_A_DAY;
    const components = isFlood ? floodButtons(added, expected.usualUsdc, language) : [];
    return { embeds: [{ description, color: EMBED_COLOURS.answer }], components };
  },

  press: pressFlood,
};

function severalIn({ options }: CommandUse) {
  const found = findAddress(options.getString('wallet') ?? '');
  return found.ok || found.fault !== 'several' ? undefined : found;
}

/**
 * Shows what would be added, with Apply, as an import does. Wallets the channel watches already
 * stay as they are.
 */
async function proposeSeveral(interaction: CommandUse, context: CommandContext, asked: Asked) {
  const { channelId, wallets, settings } = asked;
  if (interaction.inCachedGuild())
    await checkAlertChannel(interaction.guild, channelId, context.nowMs());
  const isKnown = (wallet: WalletAddress) => context.registry.get(channelId, wallet) !== undefined;
  const orders = wallets.map((wallet) => ({
    channelId,
    wallet,
    settings: isKnown(wallet) ? {} : settings,
  }));
  const { askTyped: ask, nothingToAdd: nothing } = context.language.texts.files.import;
  return context.imports.alone(context.place.ownerId, () =>
    proposeOrders(interaction, context, { orders, faults: [], isLeftOut: false, ask, nothing }),
  );
}

function itemsOf<Item>(result: PromiseSettledResult<VenuePage<Item>>): readonly Item[] {
  return result.status === 'fulfilled' ? result.value.items : [];
}

/**
 * What keeps alerts from coming at present: what is known of the venue, else how the look-ups of
 * this command failed.
 */
function venueWarnings(errors: readonly unknown[], context: CommandContext): readonly string[] {
  const troubles = venueTroubles(context);
  if (troubles.length > 0) return troubles;
  const warnings = errors
    .map((error) => warningOf(error, context.language))
    .filter((warning) => warning !== null);
  return [...new Set(warnings)].map((warning) => `⚠️ ${warning}`);
}

/**
 * What kept the bot from reading the wallet’s newest records, as far as it concerns alerts; null if
 * it does not.
 */
function warningOf(error: unknown, language: Language): string | null {
  if (!(error instanceof VenueError)) return null;
  const isRefused = error.kind === 'unauthorized' || error.kind === 'notInPlan';
  return isRefused ? explainToPerson(error, language) : language.texts.watch.add.noAnswer;
}

function latestLine(
  [trade]: readonly ActivityItem[],
  [transfer]: readonly TransferItem[],
  context: CommandContext,
) {
  const { links, language } = context;
  const { latest, unknownWallet } = language.texts.watch.add;
  if (trade !== undefined && (transfer === undefined || trade.time >= transfer.time)) {
    return latest(activityLine(trade, links, language));
  }
  return transfer === undefined ? unknownWallet : latest(transferRow(transfer, links, language));
}

function alreadyWatched({ channelId, label }: Watch, place: Place): UserError {
  return new UserError((language) =>
    language.texts.watch.add.already(channelName(channelId, place, language), shownName(label)),
  );
}
