import { setImmediate as nextTurn } from 'node:timers/promises';
import type { APIEmbed } from 'discord.js';
import type { Alert } from '../../src/alerts/alert.ts';
import type { FilterReason, RecordEvent } from '../../src/alerts/decisions.ts';
import { headlineOf } from '../../src/alerts/kinds/kinds.ts';
import { sayFailure } from '../../src/delivery/failures.ts';
import type { Verdict } from '../../src/delivery/why.ts';
import { explainToPerson } from '../../src/discord/explain.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { isTxHash } from '../../src/domain/records.ts';
import { EMBED_COLOURS, marketNameOf, present } from '../../src/embeds/embed-parts.ts';
import {
  linkedName,
  type NamedLine,
  OWN_LINE_EMS,
  writeLines,
} from '../../src/embeds/named-lines.ts';
import { abbreviated, escapeText, plainText } from '../../src/embeds/text/escape.ts';
import { EMBED_LIMITS } from '../../src/embeds/text/limits.ts';
import type { Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { countCodePoints } from '../../src/lib/text/cut-text.ts';
import { readFilters } from '../../src/lookups/filters.ts';
import { readPages } from '../../src/lookups/read-pages.ts';
import { textOption } from '../../src/slash-commands/options.ts';
import {
  CHOICE_LENGTH,
  CHOICES_MOST,
  type Choice,
  type Completion,
} from '../../src/slash-commands/slash-command.ts';
import { messageUrl } from '../../src/watches/owner.ts';
import { words } from '../../src/watches/settings/words.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { type SettingName, settingOf } from '../../src/watches/watch-settings.ts';
import type { CommandContext } from '../shared/context.ts';
import { namedWallet, readWallet, WALLET } from '../shared/wallet-option.ts';
import type { Subcommand } from './shared/command.ts';
import { withNotes } from './shared/page.ts';
import { capitalized, channelName, relative, shownWatch, writingTrouble } from './shared/words.ts';

/** Maximum number of pages of deposits and withdrawals searched for a transaction. */
const TRANSFER_PAGES = 3;
/** Maximum number of a transaction's records that are listed. */
const NAMED = 3;
const REASON_LIMIT = 200;
const MARKETS_SHOWN = 3;
/** Number of newest transactions searched for suggestions. */
const SUGGESTED_FROM = 50;
/** Number of channels whose decisions are read, up to 300 each, before other work gets a turn. */
const CHANNELS_A_TURN = 20;

interface Asked {
  readonly wallet: WalletAddress;
  readonly txHash: string;
  /** The wallet's watches in channels that the person can see, this channel's first. */
  readonly watches: readonly Watch[];
}

/**
 * `/watch why`: the outcome of a wallet's transaction in each channel that watches it and that the
 * person can see. If it is not remembered, the transaction is looked up and assessed by today's
 * settings.
 */
export const watchWhy: Subcommand<Asked> = {
  name: 'why',
  about: ({ why }) => why.description,
  options: [
    WALLET,
    textOption('transaction', ({ why }) => why.transaction, 100, suggestTransactions, true),
  ],
  isPrivate: true,

  /** @throws {UserError} if the text is not a transaction, or the wallet is not watched */
  check(interaction, context) {
    const { options, channelId } = interaction;
    const { place, registry } = context;
    const wallet = readWallet(options.getString('wallet', true), place.ownerId, registry);
    const txHash = readTransaction(options.getString('transaction', true), context);
    const watches = registry
      .ofWallet(wallet)
      .toSorted((a, b) => Number(b.channelId === channelId) - Number(a.channelId === channelId));
    if (watches.length > 0) return { wallet, txHash, watches };
    if (place.kind === 'directMessage') {
      throw new UserError(({ texts }) => texts.personal.notWatched);
    }
    throw new UserError(({ texts }) => texts.watch.why.nowhere);
  },

  execute: (_interaction, context, asked) => whyAnswer(context, asked),
};

/**
 * Returns the hash of a typed transaction.
 * @throws {UserError} if it is not a hash
 */
export function readTransaction(typed: string, context: CommandContext): string {
  const { txHash } = readFilters(
    (option) => (option === 'transaction' ? typed : null),
    context.venueNowSeconds(),
    () => undefined,
  );
  return txHash ?? '';
}

/** Returns the newest transactions with decisions in a channel, at most 25. */
export function decidedTransactions(
  { channelId, wallet }: Pick<Watch, 'channelId' | 'wallet'>,
  { why, language }: CommandContext,
): Choice[] {
  return choicesOf(why.decidedIn(channelId, wallet), '', language);
}

/** Returns the outcome of a transaction. */
export async function whyAnswer(context: CommandContext, asked: Asked) {
  const { why, language } = context;
  const { wallet, txHash, watches } = asked;
  const known = new Map<Watch, readonly Verdict[]>();
  const records = new Map<string, RecordEvent>();
  for (const watch of watches) {
    // A thousand alerts may be waiting in each channel, so other work gets a turn after each.
    await context.inTurn(async () => {
      await nextTurn();
      known.set(watch, why.known(watch, txHash));
      for (const [id, event] of why.recordsIn(watch, txHash)) records.set(id, event);
    });
  }
  const remembered = [...records.values()];
  const isAllKnown = watches.every((watch) => known.get(watch)?.length !== 0);
  const found = isAllKnown ? remembered : await lookUp(asked, remembered, context);
  const lines: string[] = [];
  let isUnsure = false;
  let length = 0;
  for (const watch of watches) {
    // The answer has no space for more.
    if (length > EMBED_LIMITS.description) break;
    await nextTurn();
    const own = known.get(watch) ?? [];
    if (own.length === 0 && typeof found === 'string') {
      lines.push(`${nameOf(watch, context)}: ⚠️ ${found}`);
      continue;
    }
    const verdicts =
      own.length > 0 || typeof found === 'string' ? own : await why.unknown(watch, found);
    isUnsure ||= verdicts.some((verdict) => verdict.kind === 'today' && !verdict.isSure);
    const said = channelLines(watch, verdicts, context);
    lines.push(...said);
    length += said.join('\n').length;
  }
  const events = typeof found === 'string' ? remembered : found;
  const texts = language.texts.watch.why;
  const notes: string[] = [];
  if (isUnsure) notes.push(`-# ${texts.today.unsure}`);
  if ((await why.unconfirmed(wallet, txHash)) > 0) notes.push(`-# ${texts.unconfirmed}`);
  return { embeds: [embedOf(events, watches, lines, notes, context)], components: [] };
}

/**
 * Looks up a transaction at the venue.
 * @returns its records, or the reason why the venue does not return them if there is something else
 *   to answer
 * @throws {UserError} if there are none
 */
async function lookUp(
  { wallet, txHash }: Asked,
  remembered: readonly RecordEvent[],
  { venue, language }: CommandContext,
): Promise<readonly RecordEvent[] | string> {
  const isIt = (item: { readonly txHash: string }) => item.txHash.toLowerCase() === txHash;
  try {
    const { items } = await venue.activity(wallet, { txHash });
    const trades = items.filter(isIt);
    if (trades.length > 0) return trades.map((item) => ({ kind: 'activity', item }));
    const read = await readPages(TRANSFER_PAGES, (paging) => venue.transfers(wallet, paging));
    const transfers = read.items.filter(isIt);
    if (transfers.length > 0) return transfers.map((item) => ({ kind: 'transfer', item }));
    if (remembered.length > 0) return remembered;
    throw new UserError(({ texts }) => texts.watch.why.notListed(read.items.length));
  } catch (error) {
    const why = explainToPerson(error, language);
    if (why === null || remembered.length === 0) throw error;
    return why;
  }
}

function embedOf(
  events: readonly RecordEvent[],
  [watch]: readonly Watch[],
  lines: readonly string[],
  notes: readonly string[],
  context: CommandContext,
): APIEmbed {
  const shown = new Map<string, NamedLine>();
  for (const event of events) {
    const line = recordLine(event, watch, context);
    shown.set(line.write(line.market === undefined ? '' : marketNameOf(line.market)), line);
    if (shown.size > NAMED) break;
  }
  const heading = writeLines([...shown.values()].slice(0, NAMED));
  if (shown.size > NAMED) heading.push('…');
  const description = withNotes([...heading, '', ...lines], notes).trim();
  return { description, color: EMBED_COLOURS.answer };
}

/** `🟢 Whale BUY **Yes $786** at 63.6¢ · Rain in Paris? · 5 minutes ago · tx`. */
function recordLine(
  event: RecordEvent,
  watch: Watch | undefined,
  { links, language }: CommandContext,
): NamedLine {
  const { emoji, says, market } = headlineOf(groupOf(event), language);
  const { marketWithoutTitle, links: names } = language.texts.alerts;
  const label = watch === undefined ? '' : shownWatch(watch);
  const said = `${emoji} ${says(label)}`;
  const url = links.transaction(event.item.txHash);
  const after = present(relative(event.item.time), url !== undefined && `[${names.short}](${url})`);
  return {
    market,
    ems: OWN_LINE_EMS,
    write(name) {
      if (market === undefined) return present(said, after);
      const title = linkedName(name, links.market(market), marketWithoutTitle);
      return present(said, title, after);
    },
  };
}

function groupOf(event: RecordEvent): { readonly alerts: readonly [Alert] } {
  const wallet = '' as WalletAddress;
  return { alerts: [{ id: '', wallet, channelId: '', event, seenAtMs: 0 }] };
}

function nameOf({ channelId }: Watch, context: CommandContext): string {
  return `**${capitalized(channelName(channelId, context))}**`;
}

/** Returns the outcomes of a transaction's records in one channel, one line for each answer. */
function channelLines(
  watch: Watch,
  verdicts: readonly Verdict[],
  context: CommandContext,
): string[] {
  const trouble = writingTrouble(watch.channelId, context);
  const textOf = (verdict: Verdict) => {
    if (verdict.kind === 'waits' && trouble !== null) return `⏳ ${trouble}`;
    return verdictText(watch, verdict, context);
  };
  const counts = new Map<string, number>();
  for (const verdict of verdicts) {
    const said = textOf(verdict);
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  const { because } = context.language.texts.watch.status;
  const name = nameOf(watch, context);
  return [...counts].map(([said, count]) => {
    const part = counts.size > 1 && `${count}/${verdicts.length}`;
    return present(because(name, said), part);
  });
}

export function verdictText(watch: Watch, verdict: Verdict, { language }: CommandContext): string {
  const texts = language.texts.watch.why;
  const { ownerId, channelId } = watch;
  const linked = (text: string, messageId: string | null) =>
    messageId === null ? text : `[${text}](${messageUrl(ownerId, channelId, messageId)})`;
  switch (verdict.kind) {
    case 'posted':
      return `✅ ${linked(verdict.isPart ? texts.part : texts.posted, verdict.messageId)}`;
    case 'postedOnce': {
      const { messageId } = verdict;
      const at = relative(verdict.atMs / 1000);
      if (messageId === null) return `✅ ${texts.postedOnce(at)}`;
      return `✅ ${linked(texts.posted, messageId)} · ${at}`;
    }
    case 'waits':
      return `⏳ ${waitText(watch, verdict, language)}`;
    case 'filtered':
      return `🚫 ${texts.filtered(reasonText(verdict.reason, language))}`;
    case 'rejected': {
      const { noReason } = language.texts.watch.list;
      const reason = escapeText(sayFailure(verdict.reason)(language), REASON_LIMIT, noReason);
      return `⚠️ ${texts.rejected(reason)}`;
    }
    case 'missed':
      return `⚠️ ${linked(texts.missed, verdict.messageId)}`;
    case 'later':
      return `⏳ ${texts.later}`;
    case 'unseen':
      return `⏳ ${texts.unseen}`;
    case 'today':
      if (verdict.reason === null) return `❔ ${texts.today.passes}`;
      return `❔ ${texts.today.filtered(reasonText(verdict.reason, language))}`;
  }
}

function waitText(
  { settings }: Watch,
  wait: Extract<Verdict, { kind: 'waits' }>,
  language: Language,
): string {
  const { waits } = language.texts.watch.why;
  const what = (name: typeof wait.for) => {
    if (name === 'sending' || name === 'purchase' || name === 'meaning') return waits[name];
    return waits.setting(settingText(name, settings[name], language));
  };
  const said = what(wait.for);
  if (wait.untilMs === null || !Number.isFinite(wait.untilMs)) return said;
  const untilSeconds = Math.ceil(wait.untilMs / 1000);
  return waits.until(said, `<t:${untilSeconds}:T>`);
}

function reasonText(reason: FilterReason, language: Language): string {
  const { names, watch } = language.texts;
  const { reasons } = watch.why;
  switch (reason.by) {
    case 'setting':
      // Without a value, `kinds` rejects records of a type that the API does not describe.
      if (reason.name === 'kinds' && reason.value === null) {
        return reasons.unnamedKind(names.options.kinds, watch.settings.kind.other);
      }
      return reasons.setting(settingText(reason.name, reason.value, language));
    case 'channelWords':
      return reasons.channelWords(words.say(reason.value, language, MARKETS_SHOWN));
    default:
      return reasons[reason.by];
  }
}

function settingText(name: SettingName, value: unknown, language: Language) {
  return settingOf(name).say(value ?? {}, language, MARKETS_SHOWN);
}

/**
 * Suggests transactions with recent decisions in channels that the person can see, newest first.
 * Queued as a work turn, because there may be thousands.
 */
function suggestTransactions(
  typed: string,
  context: CommandContext,
  interaction: Completion,
): Promise<Choice[]> {
  const { place, registry, language } = context;
  const wallet = namedWallet(interaction, context);
  const watches = registry
    .ofOwner(place.ownerId)
    .filter((watch) => wallet === null || watch.wallet === wallet);
  const channelIds = [...new Set(watches.map(({ channelId }) => channelId))];
  const wanted = typed.trim().toLowerCase();
  return context.inTurn(async () => {
    const decided: RecordEvent[] = [];
    for (const [index, channelId] of channelIds.entries()) {
      if (index % CHANNELS_A_TURN === 0) await nextTurn();
      for (const event of context.why.decidedIn(channelId, wallet)) decided.push(event);
    }
    await nextTurn();
    return choicesOf(decided, wanted, language);
  });
}

/**
 * Returns the newest transactions of records that match the typed text.
 * @param wanted typed text, in lower case
 */
function choicesOf(decided: readonly RecordEvent[], wanted: string, language: Language): Choice[] {
  const byHash = new Map<string, RecordEvent>();
  for (const event of decided) {
    const hash = event.item.txHash.toLowerCase();
    if (isTxHash(hash) && hash.length <= CHOICE_LENGTH) byHash.set(hash, event);
  }
  return [...byHash]
    .sort(([, a], [, b]) => b.item.time - a.item.time)
    .slice(0, SUGGESTED_FROM)
    .flatMap(([hash, event]) => transactionChoice(hash, event, wanted, language) ?? [])
    .slice(0, CHOICES_MOST);
}

/**
 * @param wanted typed text, in lower case
 * @returns undefined if it does not match
 */
function transactionChoice(
  value: string,
  event: RecordEvent,
  wanted: string,
  language: Language,
): Choice | undefined {
  const title = event.kind === 'activity' ? marketNameOf(event.item) : '';
  const isNamed = value.startsWith(wanted) || title.toLowerCase().includes(wanted);
  // A headline takes longest to write, and none of its other parts contains a hash.
  if (!isNamed && wanted.startsWith('0x')) return undefined;
  const { says } = headlineOf(groupOf(event), language);
  const traded = says('').replaceAll('*', '');
  const hash = abbreviated(value);
  const said = present(traded, title || null, hash);
  if (!isNamed && !said.toLowerCase().includes(wanted)) return undefined;
  const space = CHOICE_LENGTH - countCodePoints(present(traded, '', hash));
  const name =
    title === '' ? said : present(traded, plainText(title, Math.max(1, space), ''), hash);
  return { name: plainText(name, CHOICE_LENGTH, value), value };
}
