import type { APIEmbed } from 'discord.js';
import type { CommandDefinition, CommandUse, SlashCommand } from '../../src/discord/slash-command.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { Links } from '../../src/embeds/links.ts';
import type { Texts } from '../../src/language/en/index.ts';
import type { ListNames } from '../../src/language/en/lists.ts';
import type { Language } from '../../src/language/language.ts';
import type { Csv } from '../../src/lookups/csv.ts';
import type { Filters } from '../../src/lookups/filters.ts';
import type { Chart } from '../../src/lookups/list-charts.ts';
import type { PageScan, PageSource } from '../../src/lookups/page-scan.ts';
import type { PageScanCache } from '../../src/lookups/page-scan-cache.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import type { CommandContext } from '../shared/context.ts';

/** A slash command that shows one of the venue's lists page by page, with totals, a chart and a CSV file. */
export interface PagedList<Item extends { readonly time: number }> {
  readonly name: string;
  readonly definition: CommandDefinition;
  /** What the list is called. */
  readonly names: (texts: Texts) => ListNames;
  /** What the list is narrowed to. @throws UserError for an option that cannot be read */
  readonly filters: (interaction: CommandUse, context: CommandContext) => Filters;
  /** Other options than the wallet. */
  readonly autocomplete?: SlashCommand<CommandContext>['autocomplete'];
  readonly cache: (context: CommandContext) => PageScanCache<Item>;
  readonly source: (context: CommandContext, wallet: WalletAddress, filters: Filters) => PageSource<Item>;
  /** Items as texts of one line or more, markdown escaped. */
  readonly rows: (items: readonly Item[], links: Links, language: Language) => readonly string[];
  /** Markdown of at most 800 code points. */
  readonly totals: (scan: PageScan<Item>, asOfSeconds: number, language: Language) => Promise<string>;
  /** @param name of the wallet, as a chart can draw it */
  readonly chart: (scan: PageScan<Item>, name: string, asOfSeconds: number, language: Language) => Chart | null;
  readonly csv: (items: readonly Item[]) => Promise<Csv>;
  /** An embed above the first page, unless the list is narrowed: rendered into the code points that are left; null for none. */
  readonly opening?: (
    context: CommandContext,
    pager: Pager,
    label: string | null,
    scan: PageScan<Item>,
  ) => Promise<((space: number) => APIEmbed) | null>;
}
