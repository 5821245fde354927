import { explainToPerson } from '../../src/discord/explain.ts';
import { checkAlertChannel } from '../../src/discord/permissions.ts';
import type { Place } from '../../src/discord/place.ts';
import {
  checksummed,
  findAddress,
  type WalletAddress,
  ZERO_ADDRESS,
} from '../../src/domain/address.ts';
import { EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import { recordLine } from '../../src/embeds/item-lines.ts';
import { VenueError } from '../../src/feed/interface.ts';
import type { Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { textOption } from '../../src/slash-commands/options.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import { notAccepted } from '../../src/watches/settings/setting.ts';
import { addressTrouble } from '../../src/watches/transfer/fields.ts';
import { type Watch, watchSince } from '../../src/watches/watch.ts';
import { DEFAULT_SETTINGS, settingsWords } from '../../src/watches/watch-settings.ts';
import type { Message } from '../shared/answer.ts';
import type { CommandContext } from '../shared/context.ts';
import { readWallet, suggestWallets } from '../shared/wallet-option.ts';
import { ADD_OPTIONS, type Editable, readOptions, settingsLines } from './edit.ts';
import { proposeOrders } from './import.ts';
import { addedRow } from './panel/rows.ts';
import {
  channelOption,
  checkReach,
  mentionWarnings,
  type Subcommand,
  targetChannel,
} from './shared/command.ts';
import { expectedTrades, FLOOD_A_DAY, floodButtons, pressFlood } from './shared/flood.ts';
import { type Newest, readNewest } from './shared/newest.ts';
import { channelName, shownName, shownWatch, venueTroubles } from './shared/words.ts';

/** A watch before the command's options are applied. */
export const NEW: Editable = { label: null, settings: DEFAULT_SETTINGS };

/** Maximum length in characters. Discord accepts no more in an option, and 139 addresses fit. */
const LIST_LIMIT = 6_000;

const WALLETS = textOption(
  'wallet',
  (texts) => texts.wallet,
  LIST_LIMIT,
  suggestWallets(true),
  true,
);

/** Options that were read. With several wallets, `settings` apply to those new to the channel. */
type Asked = Editable & { readonly channelId: string; readonly wallets: readonly WalletAddress[] };

/** `/watch add`: a channel gets alerts about a wallet from the time of the command on. */
export const watchAdd: Subcommand<Asked> = {
  name: 'add',
  about: ({ add }) => add.description,
  options: [WALLETS, ...ADD_OPTIONS, channelOption(({ add }) => add.channel)],
  // The preview of several wallets is only for the person who decides on it.
  isPrivate: (interaction) => severalIn(interaction) !== undefined,

  check(interaction, context) {
    const { place, registry, quotas, labelOf } = context;
    const { label, settings } = readOptions(interaction)(NEW);
    const channelId = targetChannel(interaction);
    const named = interaction.options.getString('label');
    const several = severalIn(interaction);
    if (several !== undefined) {
      if (several.mistyped !== undefined) throw new UserError(addressTrouble(several.mistyped));
      if (named !== null) {
        throw notAccepted('label', named, ({ texts }) => texts.watch.settings.accepted.labelOfOne);
      }
      const added = several.addresses.map((wallet) => ({ channelId, wallet }));
      quotas.requireSpace(place.ownerId, registry.placesNeeded(added));
      quotas.useImport(place.ownerId);
      return { channelId, settings, label, wallets: several.addresses };
    }
    const typed = interaction.options.getString('wallet', true);
    const wallet = readNewWallet(typed, channelId, context);
    // The wallet's name elsewhere, unless the command gives one.
    const called = named !== null ? label : labelOf(wallet, typed, channelId);
    return { channelId, wallets: [wallet], settings, label: called };
  },

  async execute(_interaction, context, asked) {
    const [wallet, ...others] = asked.wallets;
    if (wallet === undefined || others.length > 0) {
      return proposeSeveral(context, asked);
    }
    return addWallet(context, { ...asked, wallet });
  },

  press: pressFlood,
};

/**
 * Returns the wallet that a person adds to a channel.
 * @throws {UserError} if it cannot be read, cannot be watched there, or is already watched there
 */
export function readNewWallet(
  typed: string,
  channelId: string,
  { place, registry, quotas }: CommandContext,
): WalletAddress {
  const wallet = readWallet(typed, place.ownerId, registry);
  const known = registry.get(channelId, wallet);
  if (known !== undefined) throw alreadyWatched(known, place);
  if (wallet === ZERO_ADDRESS) {
    throw new UserError(({ texts }) => texts.errors.wallet.address.zero(`\`${wallet}\``));
  }
  quotas.requireSpace(place.ownerId, registry.placesNeeded([{ channelId, wallet }]));
  return wallet;
}

/**
 * Starts a watch of one wallet.
 * @returns the answer
 */
export async function addWallet(
  context: CommandContext,
  asked: Editable & Pick<Watch, 'channelId' | 'wallet'>,
): Promise<Message> {
  const { channelId, wallet } = asked;
  const { place } = context;
  const advice = await checkReach(channelId, context);
  const asWatch = { ...asked, ownerId: place.ownerId };
  const { added, newest, isNew } = await beginWatch(asWatch, context);
  if (!isNew) {
    const present = context.registry.get(channelId, wallet) ?? added;
    throw alreadyWatched(present, place);
  }
  const expected = expectedOf(added, newest, context);
  const proxy = isUnknown(newest) ? await context.proxyOf(wallet) : null;
  const description = answerLines(added, newest, expected, proxy, context);
  if (advice !== null) description.push(`ℹ️ ${advice(context.language)}`);
  const embed = { description: description.join('\n'), color: EMBED_COLOURS.answer };
  const isFlood = expected !== null && expected.tradesADay >= FLOOD_A_DAY;
  const flood = isFlood ? floodButtons(added, expected.usualUsdc, context.language) : [];
  return { embeds: [embed], components: [...flood, addedRow(added, context)] };
}

function severalIn({ options }: CommandUse) {
  const found = findAddress(options.getString('wallet') ?? '');
  if (found.ok || found.fault !== 'several') return undefined;
  return found;
}

/**
 * Shows what would be added and a button Apply, as an import does. Wallets that the channel already
 * watches stay as they are.
 */
async function proposeSeveral(context: CommandContext, asked: Asked) {
  const { interaction } = context;
  const { channelId, wallets, settings } = asked;
  if (interaction.inCachedGuild()) {
    await checkAlertChannel(interaction.guild, channelId, context.nowMs());
  }
  const isKnown = (wallet: WalletAddress) => context.registry.get(channelId, wallet) !== undefined;
  const orders = wallets.map((wallet) => ({
    channelId,
    wallet,
    settings: isKnown(wallet) ? {} : settings,
  }));
  const words = context.language.texts.files.import;
  const proposal = {
    orders,
    faults: [],
    isLeftOut: false,
    ask: words.askTyped,
    nothing: words.nothingToAdd,
  };
  return context.imports.alone(context.place.ownerId, () => proposeOrders(context, proposal));
}

/**
 * Adds a watch that announces from the time of the command, or of the press, on.
 * @returns `isNew`: false if the channel watches the wallet by now
 * @throws {UserError} if the owner has no free place
 */
export async function beginWatch(
  asked: Pick<Watch, 'ownerId' | 'channelId' | 'wallet' | 'label' | 'settings'>,
  context: CommandContext,
) {
  const { registry, quotas, deliveryWorker } = context;
  const newest = await readNewest(asked.wallet, context);
  const added = newWatch(asked, newest, context);
  const knownSinceSeconds = newest.reachSeconds ?? added.sinceSeconds;
  const isNew = await quotas.withSpaceFor(added.ownerId, [added], () =>
    registry.add(added, knownSinceSeconds),
  );
  if (isNew) {
    const { ownerId, channelId, wallet } = added;
    await deliveryWorker.unblock(channelId);
    await context.noteChanges(ownerId, [{ channelId, wallet, deed: 'added', parts: [] }]);
  }
  return { added, newest, isNew };
}

function newWatch(
  { ownerId, channelId, wallet, label, settings }: Parameters<typeof beginWatch>[0],
  { identitiesAt }: Newest,
  { feed, interaction, personId }: CommandContext,
): Watch {
  const sinceSeconds = watchSince(interaction.createdTimestamp, feed.budget);
  return {
    ownerId,
    channelId,
    wallet,
    label,
    sinceSeconds,
    // Later items happened while this command was waiting for its page. Items of that same second
    // count as known.
    knownIdentities: identitiesAt(sinceSeconds),
    addedBy: personId,
    settings,
    pause: null,
  };
}

/**
 * Estimates the watch's alerts, see `expectedTrades`; null in a channel without alerts about
 * trades.
 */
function expectedOf(
  { channelId, settings }: Watch,
  { trades }: Newest,
  { channelSettings, venueNowSeconds }: CommandContext,
) {
  const { consensusOnly = false, words = null } = channelSettings.get(channelId) ?? {};
  if (consensusOnly) return null;
  return expectedTrades(trades, { settings, words }, venueNowSeconds());
}

/** Returns what is watched and how, the wallet's newest record, and what may prevent alerts. */
function answerLines(
  added: Watch,
  newest: Newest,
  expected: ReturnType<typeof expectedOf>,
  proxy: WalletAddress | null,
  context: CommandContext,
): string[] {
  const { language } = context;
  const { add } = language.texts.watch;
  const channel = channelName(added.channelId, context);
  const watching = add.watching(shownWatch(added), channel);
  const lines = watchingLines(watching, added, context);
  const latest = proxy === null ? latestLine(newest, context) : null;
  const small = smallLine(latest, expected, language);
  if (small !== null) lines.push(small);
  if (proxy !== null) lines.push(`ℹ️ ${add.proxy(checksummed(proxy))}`);
  else if (isUnknown(newest)) lines.push(add.unknownWallet);
  if (isUnknown(newest)) lines.push(`-# \`${checksummed(added.wallet)}\``);
  lines.push(...venueWarnings(newest.errors, context));
  lines.push(...mentionWarnings(added, context));
  return lines;
}

/**
 * Says in one small line how often the wallet trades and what it did last; null if neither is known.
 *
 * @param latest its newest record, as a line
 */
export function smallLine(
  latest: string | null,
  expected: { readonly tradesADay: number; readonly seconds: number } | null,
  { texts, format }: Language,
): string | null {
  const { add, flood, gap } = texts.watch;
  const parts: string[] = [];
  if (expected !== null) {
    const period = format.duration(roughly(expected.seconds));
    parts.push(flood.about(format.quantity(expected.tradesADay), period));
  }
  if (latest !== null) parts.push(add.latest(latest));
  return parts.length === 0 ? null : `-# ${parts.join(gap)}`;
}

/** Rounds a length of time to hours, a short one to minutes, of which it has at least one. */
function roughly(seconds: number): number {
  const unit = seconds < 3_600 ? 60 : 3_600;
  return Math.max(unit, Math.round(seconds / unit) * unit);
}

/** Whether the venue has answered that it has no record of the wallet. */
function isUnknown({ newest, errors }: Newest): boolean {
  return errors.length === 0 && newest === null;
}

/** @param watching a sentence that names the wallet and the channel */
function watchingLines(
  watching: string,
  { channelId, settings }: Watch,
  { channelSettings, language }: CommandContext,
): string[] {
  const { add, channel, gap } = language.texts.watch;
  if (channelSettings.get(channelId)?.consensusOnly === true) {
    return [watching, `⚠️ ${channel.consensusOnly.on}`];
  }
  if (settingsWords(settings, language).length === 0) return [watching + gap + add.everything];
  return [watching + gap + add.withSettings, ...settingsLines(settings, language)];
}

/**
 * Returns warnings about problems that currently prevent alerts: the venue's own, or, if there are
 * none, the reasons why this command's lookups failed.
 */
export function venueWarnings(
  errors: readonly unknown[],
  context: CommandContext,
): readonly string[] {
  const troubles = venueTroubles(context);
  if (troubles.length > 0) return troubles;
  const warnings = new Set<string>();
  for (const error of errors) {
    const warning = warningOf(error, context.language);
    if (warning !== null) warnings.add(`⚠️ ${warning}`);
  }
  return [...warnings];
}

/**
 * Returns why the wallet's newest records could not be read, if this affects alerts; otherwise
 * null.
 */
function warningOf(error: unknown, language: Language): string | null {
  if (!(error instanceof VenueError)) return null;
  const isRefused = error.kind === 'unauthorized' || error.kind === 'notInPlan';
  if (isRefused) return explainToPerson(error, language);
  return language.texts.watch.add.noAnswer;
}

/** Returns the newest record of all pages as a line; null if there is none. */
function latestLine({ newest }: Newest, { links, language }: CommandContext): string | null {
  if (newest === null) return null;
  if (newest.kind === 'activity') return recordLine('activity', newest.item, links, language);
  return recordLine('deposits-withdrawals', newest.item, links, language);
}

function alreadyWatched({ channelId, label }: Watch, place: Place): UserError {
  return new UserError((language) => {
    const channel = channelName(channelId, { place, language });
    return language.texts.watch.add.already(channel, shownName(label));
  });
}
