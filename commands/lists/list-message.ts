import type { APIEmbed, AttachmentPayload } from 'discord.js';
import { checksummed, type WalletAddress } from '../../src/domain/address.ts';
import { EMBED_COLOURS, walletName } from '../../src/embeds/embed-parts.ts';
import { type Links, shortLinks } from '../../src/embeds/links.ts';
import { joinFitting } from '../../src/embeds/text/limits.ts';
import type { ListNames } from '../../src/language/en/lists.ts';
import { describeFilters, isNarrowed, isPostFiltered } from '../../src/lookups/filters.ts';
import { describeCoverage } from '../../src/lookups/list-summary.ts';
import type { PageScan } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { LABEL_LIMIT } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';

/** Number of rows on a page of a list, as many as can be read at a glance on a phone. */
export const LINES = 10;
/** Maximum length of head and rows. With the totals, the embed stays below a message's limit. */
const LIST_LIMIT = 3_900;

export interface ListPage<Item>
  extends Pick<Pager, 'wallet' | 'filters' | 'asOfSeconds'>,
    Pick<CommandContext, 'links' | 'language'> {
  readonly names: ListNames;
  readonly label: string | null;
  readonly index: number;
  /** Rows of the page, as texts of one line or more, with markdown escaped. */
  readonly rows: (links: Links) => readonly string[];
  readonly scan: PageScan<Item>;
  readonly totals: string;
  /** Reason why the scan stopped early, as shown to people. */
  readonly trouble: string | null;
  readonly picture: AttachmentPayload | null;
  /** Address under which the wallet trades, if the venue lists nothing under its own. */
  readonly proxy: WalletAddress | null;
}

/**
 * Returns a page's embed: the wallet, filters, ten rows, totals and the period they cover, the
 * chart. Within Discord's limits.
 */
export function listEmbed<Item>(page: ListPage<Item>): APIEmbed {
  const { wallet, scan, filters, links, language } = page;
  const { texts, format } = language;
  const { lists } = texts;
  const url = links.wallet(wallet);
  const address = `\`${checksummed(wallet)}\``;
  const linkedAddress = url === undefined ? address : `${address} · [${lists.openWallet}](${url})`;
  const head = [`-# ${linkedAddress}`];
  if (isNarrowed(filters)) head.push(lists.only(describeFilters(filters, language)));
  if (page.trouble !== null) head.push(`⚠️ ${lists.brokenOff(page.trouble)}`);
  const joinWith = (given: Links) => joinFitting([...head, ...listRows(page, given)], LIST_LIMIT);
  let joined = joinWith(links);
  // Links may be long, and a row without links is better than none.
  if (joined.left !== 0) joined = joinWith(shortLinks(links, 0));
  const notes = [lists.page(String(page.index + 1))];
  if (scan.skipped > 0) {
    const skipped = format.quantity(scan.skipped);
    notes.push(lists.unreadable(skipped, scan.skipped));
  }
  if (joined.left > 0) notes.push(lists.didNotFit(format.quantity(joined.left)));
  const embed: APIEmbed = {
    title: page.names.title(walletName(wallet, page.label, LABEL_LIMIT)),
    description: joined.text,
    color: EMBED_COLOURS.answer,
    footer: { text: notes.join(' · ') },
    timestamp: new Date(page.asOfSeconds * 1000).toISOString(),
  };
  if (scan.items.length > 0) {
    const reach = describeCoverage(scan, isPostFiltered(filters), language);
    embed.fields = [{ name: lists.totals.title, value: `${page.totals}\n-# ${reach}` }];
  }
  if (page.picture !== null) embed.image = { url: `attachment://${page.picture.name}` };
  return embed;
}

function listRows<Item>(page: ListPage<Item>, links: Links): readonly string[] {
  const { scan, index, filters, language } = page;
  const { lists } = language.texts;
  const rows = page.rows(links);
  if (rows.length > 0) return rows;
  if (scan.cursor !== null) {
    if (scan.scanned === 0) return [lists.nothingYet];
    const reach = describeCoverage(scan, isPostFiltered(filters), language);
    return [[lists.nothingYet, reach].join(lists.gap)];
  }
  if (index > 0) return [lists.nothingMore];
  if (isNarrowed(filters)) return [lists.nothingMatches];
  if (page.proxy === null) return [page.names.nothing];
  const proxy = language.texts.watch.add.proxy(checksummed(page.proxy));
  return [[page.names.nothing, proxy].join(lists.gap)];
}
