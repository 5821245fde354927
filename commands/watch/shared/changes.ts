import { isDeepStrictEqual } from 'node:util';
import { seenBy } from '../../../src/discord/permissions.ts';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { EMBED_COLOURS, present } from '../../../src/embeds/embed-parts.ts';
import type { Language } from '../../../src/language/language.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import { CHANNEL_PARTS, type Change } from '../../../src/watches/changes.ts';
import { listedOf } from '../../../src/watches/settings/only-except.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { CommandContext } from '../../shared/context.ts';
import { changedText } from './changed-values.ts';
import { requireManaging } from './command.ts';
import { pageOf, paging, rowsFrom } from './page.ts';
import { RESETTABLE, resetName } from './resettable.ts';
import { channelName, relative, shownWatch, watchedTitle } from './words.ts';

const ENTRIES_PER_PAGE = 10;
const WALLETS_SHOWN = 3;

/** A person's changes made at once, if they are the same for several wallets of a channel. */
interface Entry extends Omit<Change, 'wallet'> {
  readonly wallets: readonly WalletAddress[];
}

/**
 * Returns who added a watch, and who last changed each of its settings, one per line, oldest first.
 * Nothing for watches in direct messages.
 */
export function historyLines(
  { channelId, wallet }: Watch,
  { changes, place, language }: CommandContext,
): string[] {
  const ofWatch = changes
    .of(place.ownerId)
    .filter((one) => one.channelId === channelId && one.wallet === wallet);
  // Changes of an earlier watch of the wallet are not relevant here.
  const added = ofWatch.findLastIndex(({ deed }) => deed === 'added');
  const shown = new Set<string>();
  const lines: string[] = [];
  for (const change of ofWatch.slice(Math.max(0, added)).toReversed()) {
    const about = ABOUT[change.deed];
    const parts = change.parts.filter((part) => !shown.has(part));
    const deed = shown.has(about) ? 'edited' : change.deed;
    for (const one of [about, ...parts]) shown.add(one);
    const what = whatWasDone({ ...change, deed, parts }, language);
    if (what !== null) lines.unshift(`-# ${attributed(what, change)}`);
  }
  return lines;
}

/** Subjects of actions, in addition to settings. The last action for each counts. */
const ABOUT = {
  edited: '',
  added: '/begin',
  paused: '/pause',
  resumed: '/pause',
  removed: '/end',
  restored: '/end',
} as const;

/** Returns the changes in a server's channels that the acting person can see, newest first. */
export function seenChanges({ interaction, changes, place }: CommandContext): readonly Change[] {
  return changes.of(place.ownerId).filter(seenBy(interaction)).toReversed();
}

/**
 * Returns a page of who changed what in a server, newest first.
 * @param wantedIndex index of the first entry shown, counted from 0
 */
export function changesPage(context: CommandContext, wantedIndex: number) {
  requireManaging(context);
  const { language, registry, place } = context;
  const { watch } = language.texts;
  const entries = together(seenChanges(context));
  const { first, shown } = rowsFrom(entries, wantedIndex, ENTRIES_PER_PAGE);
  const blocks = shown.map((entry) => ({
    heading: whereOf(entry, context),
    body: `-# ${attributed(whatWasDone(entry, language) ?? '', entry)}`,
  }));
  const { text, count } = pageOf('', blocks);
  const rows = { first, next: first + count, perPage: ENTRIES_PER_PAGE, all: entries.length };
  const { buttons, range } = paging(rows, (index) => `watch:list:changes:${index}`, language);
  const back = watchedTitle(registry.ofOwner(place.ownerId), language);
  const embed = {
    title: watch.changes.title,
    description: text,
    color: EMBED_COLOURS.answer,
    footer: { text: present(range, watch.changes.kept) },
  };
  return { embeds: [embed], components: [buttonRow(...buttons, button('watch:list:0', back))] };
}

/** Combines changes that a person made at once. */
function together(changes: readonly Change[]): Entry[] {
  const entries: Entry[] = [];
  for (const { wallet, ...change } of changes) {
    const { wallets, ...before } = entries.at(-1) ?? { wallets: [] };
    const isOfWallets = wallet !== null && wallets.length > 0;
    const isSame = isOfWallets && isDeepStrictEqual(before, change);
    if (isSame) entries.splice(-1, 1, { ...change, wallets: [...wallets, wallet] });
    else entries.push({ ...change, wallets: wallet === null ? [] : [wallet] });
  }
  return entries;
}

/** Returns the names of an entry's wallets, and its channel. */
function whereOf({ channelId, wallets }: Entry, context: CommandContext) {
  const { language, registry } = context;
  const channel = channelName(channelId, context);
  if (wallets.length === 0) return channel;
  const shown = wallets.slice(0, WALLETS_SHOWN).map((wallet) => {
    const label = registry.kept(channelId, wallet)?.label ?? null;
    return shownWatch({ label, wallet });
  });
  const names = listedOf(shown, wallets.length, language);
  return language.texts.watch.edit.where(names, channel);
}

/**
 * Returns what was done: `` `min-usdc` from $50 → $500 ``; for a part with unknown values, only
 * that it was changed. Null if the parts are no longer known.
 */
function whatWasDone(
  { deed, parts, values }: Pick<Change, 'deed' | 'parts' | 'values'>,
  language: Language,
): string | null {
  const { changes, comma } = language.texts.watch;
  const done: string[] = [];
  if (deed !== 'edited') done.push(changes.deeds[deed]);
  const unknown: string[] = [];
  for (const part of parts) {
    const name = partName(part, language);
    if (name === undefined) continue;
    const change = changedText(part, values, language);
    if (change === undefined) unknown.push(`\`${name}\``);
    else done.push(`\`${name}\` ${change}`);
  }
  if (unknown.length > 0) done.push(changes.edited(unknown.join(comma)));
  if (done.length === 0) return null;
  return done.join(comma);
}

/** Returns a part's name as people type it; undefined if no command has it any more. */
function partName(part: string, language: Language): string | undefined {
  const ofWatch = RESETTABLE.find((name) => name === part);
  if (ofWatch !== undefined) return resetName(ofWatch, language);
  const ofChannel = CHANNEL_PARTS.find((name) => name === part);
  const { options, subcommands } = language.texts.names;
  if (ofChannel === 'digest') return subcommands.digest;
  return ofChannel && options[ofChannel];
}

function attributed(what: string, { by, atMs }: Pick<Change, 'by' | 'atMs'>): string {
  return present(what, by !== null && `<@${by}>`, relative(atMs / 1000));
}
