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
  /** Time of the record, in Unix seconds. */
  readonly time: number;
}

/**
 * A slash command that shows one of the venue's lists page by page, with totals, a chart and a CSV
 * file.
 */
export interface PagedList<Item extends Timed> {
  readonly name: 'activity' | 'flows';
  readonly about: CommandText;
  /** Options other than the wallet. */
  readonly options: readonly CommandOption<CommandContext>[];
  /**
   * Reads the list's filters.
   * @throws UserError for an option that cannot be read
   */
  readonly filters: (interaction: CommandUse, context: CommandContext) => Filters;
  readonly source: (
    context: CommandContext,
    wallet: WalletAddress,
    filters: Filters,
  ) => PageSource<Item>;
  /** Whether consecutive records form one row. Left out: none do. */
  readonly isOneRow?: IsOneRow<Item>;
  /**
   * Returns rows as texts of one line or more, with markdown escaped. `nowSeconds`: when the list
   * was asked for, in Unix seconds; `isCut`: whether the last row may be incomplete.
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
  /** @param name the wallet's name, in a form that a chart can draw */
  readonly chart: (
    items: readonly Item[],
    name: string,
    asOfSeconds: number,
    language: Language,
  ) => Chart | null;
  readonly csv: (items: readonly Item[]) => Promise<Csv>;
  /** Returns an embed above the first page, if the list is not filtered; null for none. */
  readonly opening?: (
    context: CommandContext,
    pager: Pager,
    scan: PageScan<Item>,
  ) => Promise<CardIn | null>;
}

/** A list that someone has opened. */
export interface OpenList<Item extends Timed> {
  readonly list: PagedList<Item>;
  readonly context: CommandContext;
  /** The interaction that opened it. Its pager and scan are stored under this id. */
  readonly id: string;
  readonly pager: Pager;
}

/** Returns the cached scans of a command's lists, by list id. */
export const cacheOf = <Item extends Timed>(list: PagedList<Item>, { scans }: CommandContext) =>
  scans[list.name] as unknown as PageScanCache<Item>;

/** Returns the name of a list's files, without the extension. */
export const fileName = (list: Pick<PagedList<never>, 'name'>, wallet: WalletAddress) =>
  `${list.name}-${wallet.slice(2, 10)}`;

/** Returns a function that checks whether consecutive records form one row of the list. */
export const oneRowOf = <Item extends Timed>({
  isOneRow = () => false,
}: PagedList<Item>): IsOneRow<Item> => isOneRow;

/**
 * Continues the list's cached scan, or starts again if it no longer contains the requested rows.
 * @param from index of the first record
 * @param most maximum number of rows
 * @returns the rows; whether the last one may be incomplete; the index after its last record
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
    // The records read last have just been processed, so other work gets a turn.
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
