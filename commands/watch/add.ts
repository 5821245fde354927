import { explainToPerson } from '../../src/discord/explain.ts';
import type { Place } from '../../src/discord/place.ts';
import { checksummed, type WalletAddress } from '../../src/domain/address.ts';
import { activityIdentity, transferIdentity } from '../../src/domain/identity.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { activityLine, transferLine } from '../../src/embeds/item-lines.ts';
import { VenueError, type VenuePage } from '../../src/feed/interface.ts';
import type { Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { textOption } from '../../src/slash-commands/options.ts';
import { reachOf } from '../../src/watches/known-since.ts';
import { watchSince } from '../../src/watches/start-time.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { DEFAULT_SETTINGS, settingsWords } from '../../src/watches/watch-settings.ts';
import type { CommandContext } from '../shared/context.ts';
import { readWallet, suggestWallets } from '../shared/wallet-option.ts';
import { proposeSeveral, readSeveral, type SeveralWallets, severalIn } from './add-several.ts';
import { expectedLine, expectedTrades, floodButtons, pressFlood } from './shared/flood.ts';
import { ADD_OPTIONS, applyOptions, type Editable, givenWith, settingsLines } from './shared/settings.ts';
import type { Subcommand } from './shared/subcommand.ts';
import {
  channelOption,
  checkReach,
  mentionWarnings,
  requireMention,
  targetChannel,
  WATCH_COLOUR,
} from './shared/target.ts';
import { channelName, shownName, shownWatch } from './shared/words.ts';

/** Items read when a watch is added: as many as a poll reads. */
const BASELINE_ITEMS = 100;

/** Characters: Discord takes no more in an option, and 139 addresses fit. */
const LIST_LIMIT = 6_000;

const WALLETS = textOption<CommandContext>(
  'wallet',
  (texts) => texts.wallet,
  LIST_LIMIT,
  (typed, context, interaction) =>
    suggestWallets(typed, context, interaction, ({ wallet }, id) => context.registry.get(id, wallet) === undefined),
  true,
);

/** `/watch add`: a channel gets alerts of a wallet from the moment of the command on. */
type OneWallet = Editable & { readonly channelId: string; readonly wallet: WalletAddress };

export const watchAdd: Subcommand<OneWallet | SeveralWallets> = {
  name: 'add',
  about: ({ add }) => add.description,
  options: [WALLETS, ...ADD_OPTIONS, channelOption(({ add }) => add.channel)],
  // The preview of several is for whoever decides on it.
  isPrivate: (interaction) => severalIn(interaction) !== null,

  check(interaction, context) {
    const { place, registry, quotas, labelOf } = context;
    const { label, settings } = applyOptions({ label: null, settings: DEFAULT_SETTINGS }, givenWith(interaction));
    const channelId = targetChannel(interaction);
    requireMention(interaction, channelId);
    const several = severalIn(interaction);
    if (several !== null)
      return { channelId, settings, wallets: readSeveral(interaction, context, several, channelId) };
    const typed = interaction.options.getString('wallet', true);
    const wallet = readWallet(typed, place.ownerId, registry);
    const known = registry.get(channelId, wallet);
    if (known !== undefined) throw alreadyWatched(known, place);
    const tooMany = quotas.watchesTooMany(place.ownerId, 1);
    if (tooMany !== null) throw new UserError(tooMany);
    // What the wallet is called elsewhere, unless the command says so itself.
    const isNamed = interaction.options.getString('label') !== null;
    return { channelId, wallet, settings, label: isNamed ? label : labelOf(wallet, typed, channelId) };
  },

  async execute(interaction, context, asked) {
    if ('wallets' in asked) return proposeSeveral(interaction, context, asked);
    const { channelId, wallet, settings, label } = asked;
    const { registry, venue, language, place, quotas } = context;
    const advice = await checkReach(interaction, channelId, context);
    const [trades, transfers] = await Promise.allSettled([
      venue.activity(wallet, { limit: BASELINE_ITEMS }),
      venue.transfers(wallet, { limit: BASELINE_ITEMS }),
    ]);
    const sinceSeconds = watchSince({ sentAtMs: interaction.createdTimestamp, venue: context.venueClock() });
    // Later items happened while this command waited for its page; items of the very second count as known.
    const isKnownAlready = ({ time }: { readonly time: number }) => time === sinceSeconds;
    const added: Watch = {
      version: 1,
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
    const isAdded = await quotas.withSpaceFor(place.ownerId, 1, () =>
      registry.add(added, (trades.status === 'fulfilled' ? reachOf(trades.value) : null) ?? sinceSeconds),
    );
    if (!isAdded) throw alreadyWatched(registry.get(channelId, wallet) ?? added, place);
    await context.deliveryWorker.unblock(channelId);
    const { add, channel, gap } = language.texts.watch;
    const { consensusOnly: isConsensusOnly = false, words = null } = context.channelSettings.get(channelId) ?? {};
    const nowSeconds = context.venueClock().nowMs / 1000;
    const expected = isConsensusOnly ? null : expectedTrades(itemsOf(trades), { settings, words }, nowSeconds);
    const errors = [trades, transfers].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const warnings = new Set(errors.map((error) => warningOf(error, language)).filter((text) => text !== null));
    const lines = settingsWords(settings, language).length > 0 ? settingsLines(settings, language) : [];
    const watching = add.watching(shownWatch(added), channelName(channelId, place, language));
    const description = [
      ...(isConsensusOnly
        ? [watching, `⚠️ ${channel.consensusOnly.on}`]
        : [`${watching}${gap}${lines.length > 0 ? add.withSettings : add.everything}`, ...lines]),
      ...(errors.length === 0 ? [latestLine(itemsOf(trades), itemsOf(transfers), context)] : []),
      ...(expected === null ? [] : [expectedLine(expected, language)]),
      ...(trades.status === 'fulfilled' && trades.value.hasMore ? [`-# ${add.readBack}`] : []),
      ...[...warnings].map((warning) => `⚠️ ${warning}`),
      ...mentionWarnings(interaction, added, language),
      ...(advice === null ? [] : [`ℹ️ ${advice(language)}`]),
      `-# \`${checksummed(wallet)}\``,
    ].join('\n');
    const components = expected === null ? [] : floodButtons(added, expected, language);
    return { embeds: [{ description, color: WATCH_COLOUR }], components };
  },

  press: pressFlood,
};

function itemsOf<Item>(result: PromiseSettledResult<VenuePage<Item>>): readonly Item[] {
  return result.status === 'fulfilled' ? result.value.items : [];
}

/** What kept the bot from reading the wallet's newest records, as far as it concerns its alerts; null if it does not. */
function warningOf(error: unknown, language: Language): string | null {
  if (!(error instanceof VenueError)) return null;
  const isRefused = error.kind === 'unauthorized' || error.kind === 'notInPlan';
  return isRefused ? explainToPerson(error, language) : language.texts.watch.add.noAnswer;
}

function latestLine(
  [trade]: readonly ActivityItem[],
  [transfer]: readonly TransferItem[],
  { links, language }: CommandContext,
): string {
  const { latest, unknownWallet } = language.texts.watch.add;
  if (trade !== undefined && (transfer === undefined || trade.time >= transfer.time)) {
    return latest(activityLine(trade, links, language));
  }
  return transfer === undefined ? unknownWallet : latest(transferLine(transfer, links, language));
}

function alreadyWatched({ channelId, label }: Watch, place: Place): UserError {
  return new UserError((language) =>
    language.texts.watch.add.already(channelName(channelId, place, language), shownName(label)),
  );
}
