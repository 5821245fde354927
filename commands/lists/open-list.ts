import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chart } from '../../src/charts/chart.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { Links } from '../../src/embeds/links.ts';
import type { Language } from '../../src/language/language.ts';
import type { Csv } from '../../src/lookups/csv.ts';
import type { Filters } from '../../src/lookups/filters.ts';
import {
  beginScan,
  type IsOneRow,
  type PageScan,
  type PageScanCache,
  type PageSource,
  rowsFrom,
  scanTo,
} from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import type { CommandOption, CommandText } from '../../src/slash-commands/options.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import type { CommandContext } from '../shared/context.ts';
import type { CardIn } from './card.ts';

/** A record of a list. */
export interface Timed {
  /** Unix seconds. */
  readonly time: number;
}

/**
 * A slash command that shows one of the venue's lists page by page, with totals, a chart and a CSV
 * file.
 */
export interface PagedList<Item extends Timed> {
  readonly name: 'activity' | 'flows';
  readonly about: CommandText;
  /** Other options than the wallet. */
  readonly options: readonly CommandOption<CommandContext>[];
  /**
   * Reads what the list is narrowed to.
   *
   * @throws UserError for an option that cannot be read
   */
  readonly filters: (interaction: CommandUse, context: CommandContext) => Filters;
  readonly source: (
    context: CommandContext,
    wallet: WalletAddress,
    filters: Filters,
  ) => PageSource<Item>;
  /** Tells which records that follow each other are one row; left out: none are. */
  readonly isOneRow?: IsOneRow<Item>;
  /**
   * Rows as texts of one line or more, markdown escaped. `nowSeconds`: when the list was asked for,
   * Unix seconds; `isCut`: whether more of the last row may follow.
   */
  readonly rows: (
    rows: readonly (readonly Item[])[],
    links: Links,
    language: Language,
    context: { readonly nowSeconds: number; readonly isCut: boolean },
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

/** A list that somebody has opened. */
export interface OpenList<Item extends Timed> {
  readonly list: PagedList<Item>;
  readonly context: CommandContext;
  /** The interaction that opened it: its pager and its scan are kept by it. */
  readonly id: string;
  readonly pager: Pager;
}

/** Scans that are kept of a command's lists, by the lists' ids. */
export const cacheOf = <Item extends Timed>(list: PagedList<Item>, { scans }: CommandContext) =>
  scans[list.name] as unknown as PageScanCache<Item>;

/** Name of the files of a list, without what names their kind. */
export const fileName = (list: Pick<PagedList<never>, 'name'>, wallet: WalletAddress) =>
  `${list.name}-${wallet.slice(2, 10)}`;

/** Tells which records that follow each other are one row of the list. */
export const oneRowOf = <Item extends Timed>({
  isOneRow = () => false,
}: PagedList<Item>): IsOneRow<Item> => isOneRow;

/**
 * Goes on with the scan that is kept of the list, or begins anew where it no longer holds what is
 * wanted.
 *
 * @param from index of the first record
 * @param most rows
 * @returns the rows; whether more of the last one may follow; the index after its last record
 */
export async function readRows<Item extends Timed>(
  { list, context, id, pager }: OpenList<Item>,
  from: number,
  most: number,
) {
  const cache = cacheOf(list, context);
  const kept = cache.get(id);
  const scan = kept !== undefined && kept.before <= from ? kept : beginScan<Item>(pager);
  const read = () => {
    const held = Math.max(0, from - scan.before);
    const rows = rowsFrom(scan.items, held, most, oneRowOf(list));
    const to = Math.max(from, scan.before) + rows.reduce((sum, { length }) => sum + length, 0);
    const isLast = scan.cursor !== null && to === scan.before + scan.items.length;
    return {
      rows,
      to,
      isCut: isLast && list.isOneRow !== undefined && rows.length > 0,
    };
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
}

export type RowsRead<Item extends Timed> = Awaited<ReturnType<typeof readRows<Item>>>;
