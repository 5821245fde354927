import type { APIEmbed, AttachmentPayload } from 'discord.js';
import { joinFitting } from '../alert/join-fitting.ts';
import { createLinks, type Links } from '../alert/links.ts';
import { escapeText } from '../alert/text.ts';
import type { Language } from '../language/language.ts';
import { describeFilters, type Filters, isSifted } from '../look/filters.ts';
import type { Walk } from '../look/walk.ts';
import { describeReach } from '../look/words.ts';
import { checksummed, shortAddress, type WalletAddress } from '../venue/address.ts';

/** Lines on a page of a list: as many as are read at a glance on a phone. */
export const LINES = 10;
const COLOUR = 0x5865f2;
const LABEL_LIMIT = 64;
/** With the totals the embed stays below what a message takes. */
const LIST_LIMIT = 3_900;
const NO_LINKS = createLinks({});

/** What the page of a list says, apart from the walk itself. */
export interface ListPage<Item> {
  /** `Activity`. */
  readonly title: string;
  /** What the server calls the wallet. */
  readonly label: string | null;
  readonly wallet: WalletAddress;
  readonly filters: Filters;
  readonly index: number;
  /** The items of the page as texts of one line or more, markdown escaped. */
  readonly rows: (items: readonly Item[], links: Links, language: Language) => readonly string[];
  readonly items: readonly Item[];
  readonly walk: Walk<Item>;
  /** Said if the venue has nothing at all. */
  readonly nothing: string;
  readonly totals: string;
  /** Why the walk stopped early, in our own words. */
  readonly trouble: string | null;
  readonly picture: AttachmentPayload | null;
  readonly links: Links;
  readonly language: Language;
  /** Unix seconds. */
  readonly asOfSeconds: number;
}

/** The embed of a page: the wallet, its filters, ten records, totals and how far they reach, the chart. Within Discord's limits. */
export function listEmbed<Item>(page: ListPage<Item>): APIEmbed {
  const { wallet, walk, filters, links } = page;
  const url = links.wallet(wallet);
  const address = `\`${checksummed(wallet)}\``;
  const narrowed = describeFilters(filters);
  const head = [
    url === undefined ? address : `${address} · [open the wallet](${url})`,
    ...(narrowed === '' ? [] : [`Only ${narrowed}`]),
    ...(page.trouble === null ? [] : [`⚠️ ${page.trouble} This is what came before.`]),
  ];
  const linked = joinFitting([...head, ...listRows(page, links)], LIST_LIMIT);
  // Links may be long: a line without one is better than none.
  const joined = linked.left === 0 ? linked : joinFitting([...head, ...listRows(page, NO_LINKS)], LIST_LIMIT);
  const notes = [
    `Page ${page.index + 1}, newest first`,
    ...(walk.skipped > 0 ? [`${walk.skipped} records could not be read`] : []),
    ...(joined.left > 0 ? [`${joined.left} did not fit`] : []),
  ];
  const reach = describeReach(walk, isSifted(filters));
  return {
    title: `${page.title} of ${escapeText(page.label ?? '', LABEL_LIMIT, shortAddress(wallet))}`,
    description: joined.text,
    color: COLOUR,
    ...(walk.items.length === 0 ? {} : { fields: [{ name: 'Totals', value: `${page.totals}\n${reach}` }] }),
    ...(page.picture === null ? {} : { image: { url: `attachment://${page.picture.name}` } }),
    footer: { text: notes.join(' · ') },
    timestamp: new Date(page.asOfSeconds * 1000).toISOString(),
  };
}

function listRows<Item>(page: ListPage<Item>, links: Links): readonly string[] {
  const { items, walk, index } = page;
  if (items.length > 0) return page.rows(items, links, page.language);
  if (walk.cursor !== null) {
    const reach = walk.looked === 0 ? '' : ` ${describeReach(walk, isSifted(page.filters))}`;
    return [`Nothing for this page yet.${reach}`];
  }
  if (index > 0) return ['Nothing more.'];
  return [describeFilters(page.filters) === '' ? page.nothing : 'Nothing of this wallet matches.'];
}
