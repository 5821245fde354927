import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InteractionEditReplyOptions, MessageFlags } from 'discord.js';
import { type Chart, drawable } from '../../src/charts/chart.ts';
import { pictureOf } from '../../src/charts/render.ts';
import { sendFile, sendWithFiles, withNote } from '../../src/discord/attachments.ts';
import { explainToPerson } from '../../src/discord/explain.ts';
import { parseAddress, shortAddress, type WalletAddress } from '../../src/domain/address.ts';
import { walletName } from '../../src/embeds/embed-parts.ts';
import type { Links } from '../../src/embeds/links.ts';
import { EMBED_LIMITS, embedSize } from '../../src/embeds/text/limits.ts';
import { VenueError } from '../../src/feed/interface.ts';
import type { Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import type { Csv } from '../../src/lookups/csv.ts';
import { type Filters, isNarrowed, isPostFiltered, NO_FILTERS } from '../../src/lookups/filters.ts';
import { describeCoverage } from '../../src/lookups/list-summary.ts';
import {
  beginScan,
  type IsOneRow,
  type PageScan,
  type PageScanCache,
  type PageSource,
  rowsFrom,
  scanTo,
  startBefore,
} from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { type CommandOption, type CommandText, lookUp } from '../../src/slash-commands/options.ts';
import type {
  ButtonUse,
  CommandUse,
  SlashCommand,
} from '../../src/slash-commands/slash-command.ts';
import { LABEL_LIMIT } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { readWallet, WALLET } from '../shared/wallet-option.ts';
import type { CardIn } from './card.ts';
import { LINES, listEmbed } from './list-message.ts';

/** A label and an address fit. */
const TYPED_MAX = 120;
const CHART_LABEL_LIMIT = 26;

/**
 * A slash command that shows one of the venue's lists page by page, with totals, a chart and a CSV
 * file.
 */
export interface PagedList<Item extends { readonly time: number }> {
  readonly name: 'activity' | 'flows';
  readonly about: CommandText;
  /** Other options than the wallet. */
  readonly options: readonly CommandOption<CommandContext>[];
  /** Reads what the list is narrowed to. @throws UserError for an option that cannot be read */
  readonly filters: (interaction: CommandUse, context: CommandContext) => Filters;
  readonly source: (
    context: CommandContext,
    wallet: WalletAddress,
    filters: Filters,
  ) => PageSource<Item>;
  /** Tells which records that follow each other are one row; left out: none are. */
  readonly isOneRow?: IsOneRow<Item>;
  /**
   * Rows as texts of one line or more, markdown escaped. @param isCut whether more of the last row
   * may follow
   */
  readonly rows: (
    rows: readonly (readonly Item[])[],
    links: Links,
    language: Language,
    isCut: boolean,
  ) => string[];
  /** Markdown of at most 800 code points. */
  readonly totals: (
    scan: PageScan<Item>,
    asOfSeconds: number,
    language: Language,
  ) => Promise<string>;
  /** @param name of the wallet, as a chart can draw it */
  readonly chart: (
    scan: PageScan<Item>,
    name: string,
    asOfSeconds: number,
    language: Language,
  ) => Chart | null;
  readonly csv: (items: readonly Item[]) => Promise<Csv>;
  /** An embed above the first page, unless the list is narrowed; null for none. */
  readonly opening?: (
    context: CommandContext,
    pager: Pager,
    scan: PageScan<Item>,
  ) => Promise<CardIn | null>;
}

/** Stands in the place of a list's id: the button opens one for whoever presses it. */
const OPEN = 'open';

type Asked = Pick<Pager, 'wallet' | 'typed' | 'filters'>;
/** Position of a page: its index, and that of its first record. */
type Place = { readonly index: number; readonly from: number };
const FIRST: Place = { index: 0, from: 0 };
type Message = Pick<InteractionEditReplyOptions, 'components' | 'embeds' | 'files' | 'attachments'>;
type Deliver = (message: Message) => Promise<unknown>;

/**
 * The command: newest page first, with buttons that go on by cursor and survive a restart of the
 * bot. A button under another message with the custom id `NAME:open:WALLET` shows the list to the
 * person who presses it alone.
 */
export function pagedCommand<Item extends { readonly time: number }>(
  list: PagedList<Item>,
): SlashCommand<CommandContext, Asked> {
  const expired = (cause?: unknown) =>
    new UserError(({ texts }) => texts.lists[list.name].expired, { cause });
  const cacheOf = ({ scans }: CommandContext) => scans[list.name] as unknown as PageScanCache<Item>;
  const { isOneRow = () => false } = list;
  const fileName = (wallet: WalletAddress) => `${list.name}-${wallet.slice(2, 10)}`;

  /**
   * Goes on with the scan that is kept of the list, or begins anew where it no longer holds what is
   * wanted.
   *
   * @param from index of the first record @param most rows
   * @returns the rows; whether more of the last one may follow; the index after its last record
   */
  const scanList = async (
    context: CommandContext,
    id: string,
    pager: Pager,
    from: number,
    most: number,
  ) => {
    const cache = cacheOf(context);
    const kept = cache.get(id);
    const scan = kept !== undefined && kept.before <= from ? kept : beginScan<Item>(pager);
    const read = () => {
      const rows = rowsFrom(scan.items, Math.max(0, from - scan.before), most, isOneRow);
      const to = Math.max(from, scan.before) + rows.reduce((sum, { length }) => sum + length, 0);
      const isLast = scan.cursor !== null && to === scan.before + scan.items.length;
      return { rows, to, isCut: isLast && list.isOneRow !== undefined && rows.length > 0 };
    };
    const isEnough = async () => {
      // The records that were read last have just been handled.
      await nextTurn();
      const { rows, isCut } = read();
      return rows.length === most && !isCut;
    };
    const trouble = await scanTo(scan, isEnough, list.source(context, pager.wallet, pager.filters));
    await nextTurn();
    cache.set(id, scan);
    await context.pagers.set(id, { ...pager, anchorSeconds: scan.anchorSeconds });
    return { scan, trouble, ...read() };
  };

  type Read = Awaited<ReturnType<typeof scanList>>;

  /** The chart of the list as a file; none if there is nothing to draw, or if drawing fails. */
  const draw = async (context: CommandContext, id: string, pager: Pager, scan: PageScan<Item>) => {
    const { language } = context;
    const { wallet, typed, asOfSeconds } = pager;
    const name = drawable(
      context.labelOf(wallet, typed) ?? '',
      CHART_LABEL_LIMIT,
      shortAddress(wallet),
    );
    // Until more has been read, the picture is the same on every page.
    const key = JSON.stringify([scan.before, scan.scanned, name, language.tag]);
    if (scan.picture?.key !== key) {
      // The records that were read last have just been handled.
      await nextTurn();
      const chart = () => list.chart(scan, name, asOfSeconds, language);
      const picture = await context.inTurn(() =>
        pictureOf(context, { list: list.name, wallet }, chart),
      );
      if (picture === null) return [];
      scan.picture = { key, ...picture };
      cacheOf(context).set(id, scan);
    }
    const { attachment, description } = scan.picture;
    return [{ attachment, name: `${fileName(wallet)}.png`, description }];
  };

  /** Previous, Next and CSV; of a list that fits on one page CSV alone, of an empty one none. */
  const buttonsUnder = (
    id: string,
    { index, from }: Place,
    { scan, rows, to, isCut }: Read,
    { texts }: Language,
  ) => {
    const hasNext = scan.cursor !== null || scan.before + scan.items.length > to;
    if (scan.items.length === 0 && !hasNext) return [];
    const prefix = `${list.name}:${id}`;
    const { previous, next, further } = texts.lists.buttons;
    // The scan has stopped early: the second button goes on with it.
    const isPartial = scan.cursor !== null && (rows.length < LINES || isCut);
    const [label, nextId] = isPartial
      ? [further, `${prefix}:${index}:${from}:further`]
      : [next, `${prefix}:${index + 1}:${to}`];
    const held = Math.min(scan.items.length, Math.max(0, from - scan.before));
    const before = startBefore(scan.items, held, LINES, isOneRow);
    // If what lay before has been dropped, the page begins in the middle of a row.
    const previousFrom =
      before === 0 && scan.before > 0 ? Math.max(0, from - LINES) : scan.before + before;
    const csv = button(`${prefix}:csv`, 'CSV');
    if (index === 0 && !hasNext) return [buttonRow(csv)];
    const back = button(`${prefix}:${Math.max(0, index - 1)}:${previousFrom}`, previous);
    return [
      buttonRow(
        { ...back, disabled: index === 0 },
        { ...button(nextId, label), disabled: !hasNext },
        csv,
      ),
    ];
  };

  /**
   * Reads as much of the list as the page shows and sends it, with its picture or without where
   * Discord refuses it.
   *
   * @param id of the list's pager: the interaction that began the list
   * @param place of the page
   * @throws what the venue answered, if the page has no record without it
   */
  const showPage = async (
    context: CommandContext,
    id: string,
    pager: Pager,
    place: Place,
    deliver: Deliver,
  ) => {
    const { language, links } = context;
    const { index } = place;
    const read = await scanList(context, id, pager, place.from, LINES);
    const { scan, trouble } = read;
    const troubleText = trouble === null ? null : explainToPerson(trouble, language);
    // A bug of ours is not hidden behind the records that were read before it.
    if (trouble !== null && (read.rows.length === 0 || troubleText === null)) throw trouble;
    const label = context.labelOf(pager.wallet, pager.typed);
    const drawn = await draw(context, id, pager, scan);
    const names = language.texts.lists[list.name];
    const totals = await list.totals(scan, pager.asOfSeconds, language);
    const rows = (linked: Links) => list.rows(read.rows, linked, language, read.isCut);
    const shown = { ...pager, names, rows, label, index, scan, totals, links, language };
    const opens = index === 0 && !isNarrowed(pager.filters);
    const opening = opens ? await list.opening?.(context, pager, scan) : null;
    const components = buttonsUnder(id, place, read, language);
    await sendWithFiles(context.log, 'picture', drawn, (files, leftOut) => {
      const page = listEmbed({ ...shown, trouble: troubleText, picture: files[0] ?? null });
      const embed = leftOut === null ? page : withNote(page, leftOut(language));
      return deliver({
        embeds: opening
          ? [opening(EMBED_LIMITS.totalPerMessage - embedSize(embed)), embed]
          : [embed],
        components,
        files,
        // Removes the attachments of the page before.
        attachments: [],
      });
    });
  };

  /**
   * Sends the records that have been read of a list as a CSV file, and a sentence on how far they
   * reach.
   */
  const sendRead = async (
    interaction: ButtonUse,
    context: CommandContext,
    id: string,
    pager: Pager,
  ) => {
    const { language } = context;
    const { texts, format } = language;
    const begin = cacheOf(context).get(id)?.before ?? 0;
    const { scan } = await scanList(context, id, pager, begin, 0);
    const { data, rows, left } = await list.csv(scan.items);
    const name = walletName(pager.wallet, context.labelOf(pager.wallet, pager.typed), LABEL_LIMIT);
    const content = [
      texts.lists[list.name].file(name, format.quantity(rows), rows),
      describeCoverage(scan, isPostFiltered(pager.filters), language),
      ...(left === 0 ? [] : [texts.lists.fileTooLarge(format.quantity(left), left)]),
    ].join(texts.lists.gap);
    await sendFile(
      interaction,
      { attachment: data, name: `${fileName(pager.wallet)}.csv` },
      content,
      context,
    );
  };

  const newPager = (
    asked: Asked,
    { place: { ownerId }, nowMs, venueNowSeconds, language }: CommandContext,
  ): Pager => ({
    list: list.name,
    ownerId,
    ...asked,
    anchorSeconds: null,
    asOfSeconds: Math.floor(venueNowSeconds()),
    createdAtMs: nowMs(),
    language: language.tag,
  });

  return {
    ...lookUp(list.name, list.about, [WALLET, ...list.options]),
    check(interaction, context) {
      const typed = interaction.options.getString('wallet', true);
      const wallet = readWallet(typed, context.place.ownerId, context.registry);
      return {
        wallet,
        typed: typed.slice(0, TYPED_MAX),
        filters: list.filters(interaction, context),
      };
    },
    execute: (interaction, context, asked) =>
      showPage(context, interaction.id, newPager(asked, context), FIRST, (message) =>
        interaction.editReply(message),
      ),
    isOwnPress: ([id]) => id === OPEN,
    async press(interaction, [id = '', page = '', from = ''], context) {
      if (id === OPEN) {
        const parsed = parseAddress(page);
        if (!parsed.ok) throw new UserError(({ texts }) => texts.errors.unknownButton);
        const pager = newPager({ wallet: parsed.address, typed: '', filters: NO_FILTERS }, context);
        return showPage(context, interaction.id, pager, FIRST, (message) =>
          interaction.followUp({ ...message, flags: MessageFlags.Ephemeral }),
        );
      }
      const cache = cacheOf(context);
      await cache.runExclusive(id, async () => {
        const pager = await context.pagers.get(id, {
          ownerId: context.place.ownerId,
          list: list.name,
        });
        const isPlace = [page, from].every((part) => /^\d{1,6}$/.test(part));
        if (pager === undefined || !(isPlace || page === 'csv')) throw expired();
        try {
          if (page === 'csv') return await sendRead(interaction, context, id, pager);
          // The list stays in the language of whoever asked first.
          const own = { ...context, language: context.languageFor(pager.language) };
          const place = { index: Number(page), from: Number(from) };
          await showPage(own, id, pager, place, (message) => interaction.editReply(message));
        } catch (error) {
          const isRefused = error instanceof VenueError && error.kind === 'badResponse';
          // The venue's contract does not say what it answers to a cursor that it no longer takes.
          throw isRefused && cache.get(id) !== undefined ? expired(error) : error;
        }
      });
    },
  };
}
