import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ActionRowBuilder,
  type APIEmbed,
  type AttachmentPayload,
  type ButtonBuilder,
  type InteractionEditReplyOptions,
} from 'discord.js';
import { drawable } from '../../src/charts/text.ts';
import { withNote } from '../../src/discord/attachments.ts';
import { explainToPerson } from '../../src/discord/explain.ts';
import { shortAddress, type WalletAddress } from '../../src/domain/address.ts';
import { escapeText } from '../../src/embeds/text/escape.ts';
import { embedSize } from '../../src/embeds/text/limits.ts';
import { isNarrowed, isPostFiltered } from '../../src/lookups/filters.ts';
import { describeCoverage } from '../../src/lookups/list-summary.ts';
import { beginScan, type PageScan, scanTo } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { spaceBeside } from '../../src/lookups/wallet-card.ts';
import type { CommandContext } from '../shared/context.ts';
import type { PagedList } from './list.ts';
import { LINES, listEmbed } from './list-message.ts';
import { pageButtons, plainButton } from './page-buttons.ts';

const LABEL_LIMIT = 64;
const CHART_LABEL_LIMIT = 26;

/** A page of a list, ready to be sent with its picture or without. */
export interface PageAnswer {
  /** @param note why there is no picture; null if there is one, or none was drawn */
  readonly embeds: (picture: AttachmentPayload | null, note: string | null) => APIEmbed[];
  readonly picture: AttachmentPayload | null;
  readonly components: NonNullable<InteractionEditReplyOptions['components']>;
}

/** The records of a list as a file, and what is said beside it. */
export interface PageFile {
  readonly content: string;
  readonly file: AttachmentPayload;
}

type Timed = { readonly time: number };

/**
 * Reads as much of the list as the page shows and renders it.
 *
 * @param id of the list's pager: the interaction that began the list
 * @param index of the page, from 0 on
 * @throws what the venue answered, if the page has no record without it
 */
export async function renderPage<Item extends Timed>(
  list: PagedList<Item>,
  context: CommandContext,
  id: string,
  pager: Pager,
  index: number,
): Promise<PageAnswer> {
  const { language, links } = context;
  const from = index * LINES;
  const { scan, trouble } = await scanList(list, context, id, pager, from, from + LINES);
  const items = scan.items.slice(from - scan.before, from - scan.before + LINES);
  const troubleText = trouble === null ? null : explainToPerson(trouble, language);
  // A bug of ours is not hidden behind the records that were read before it.
  if (trouble !== null && (items.length === 0 || troubleText === null)) throw trouble;
  const label = context.labelOf(pager.wallet, pager.typed);
  const picture = await draw(list, context, id, scan, pager, label);
  const { wallet, filters, asOfSeconds } = pager;
  const names = list.names(language.texts);
  const shown = { names, rows: list.rows, label, wallet, filters, index, items, scan, links, language };
  const totals = await list.totals(scan, asOfSeconds, language);
  const opens = index === 0 && !isNarrowed(filters);
  const opening = opens ? await list.opening?.(context, pager, label, scan) : null;
  return {
    embeds(chart, note) {
      const list = listEmbed({ ...shown, totals, trouble: troubleText, picture: chart, asOfSeconds });
      const embed = note === null ? list : withNote(list, note);
      return opening ? [opening(spaceBeside(embedSize(embed))), embed] : [embed];
    },
    picture,
    components: buttonsUnder(list.name, id, index, scan, items.length, context),
  };
}

/** The records that have been read of a list as a CSV file, and a sentence on how far they reach. */
export async function renderFile<Item extends Timed>(
  list: PagedList<Item>,
  context: CommandContext,
  id: string,
  pager: Pager,
): Promise<PageFile> {
  const begin = list.cache(context).get(id)?.before ?? 0;
  const { scan } = await scanList(list, context, id, pager, begin, begin);
  const { data, rows, left } = await list.csv(scan.items);
  const name = escapeText(context.labelOf(pager.wallet, pager.typed) ?? '', LABEL_LIMIT, shortAddress(pager.wallet));
  const { language } = context;
  const { texts, format } = language;
  const { lists } = texts;
  const sentences = [
    list.names(texts).file(name, format.quantity(rows), rows),
    describeCoverage(scan, isPostFiltered(pager.filters), language),
    ...(left === 0 ? [] : [lists.fileTooLarge(format.quantity(left), left)]),
  ];
  return {
    content: sentences.join(lists.gap),
    file: { attachment: data, name: `${fileName(list.name, pager.wallet)}.csv` },
  };
}

/** Goes on with the scan that is kept of the list, or begins anew where it no longer holds what is wanted. */
async function scanList<Item extends Timed>(
  list: PagedList<Item>,
  context: CommandContext,
  id: string,
  pager: Pager,
  fromIndex: number,
  toIndex: number,
) {
  const cache = list.cache(context);
  const kept = cache.get(id);
  const scan = kept !== undefined && kept.before <= fromIndex ? kept : beginScan<Item>(pager);
  const trouble = await scanTo(scan, toIndex, list.source(context, pager.wallet, pager.filters));
  cache.set(id, scan);
  await context.pagers.set(id, { ...pager, anchorSeconds: scan.anchorSeconds });
  return { scan, trouble };
}

/** Previous, Next and CSV; of a list that fits on one page CSV alone, of an empty one none. */
function buttonsUnder(
  name: string,
  id: string,
  index: number,
  scan: PageScan<unknown>,
  count: number,
  { language }: CommandContext,
): PageAnswer['components'] {
  const isPartial = count < LINES && scan.cursor !== null;
  const hasNext = scan.cursor !== null || scan.before + scan.items.length > (index + 1) * LINES;
  if (scan.items.length === 0 && !hasNext) return [];
  const buttons =
    index === 0 && !hasNext
      ? new ActionRowBuilder<ButtonBuilder>()
      : pageButtons(`${name}:${id}`, index, hasNext, language, isPartial);
  return [buttons.addComponents(plainButton('CSV', `${name}:csv:${id}`))];
}

/** The chart of the list; null if there is nothing to draw, or if drawing fails: the list is shown without it. */
async function draw<Item extends Timed>(
  list: PagedList<Item>,
  { charts, pictures, log, language }: CommandContext,
  id: string,
  scan: PageScan<Item>,
  { wallet, asOfSeconds }: Pager,
  label: string | null,
): Promise<AttachmentPayload | null> {
  const name = drawable(label ?? '', CHART_LABEL_LIMIT, shortAddress(wallet));
  // Until more has been read, the picture is the same on every page.
  const read = [scan.before, scan.items.length, scan.scanned, scan.newestSeconds, scan.oldestSeconds];
  const key = JSON.stringify([list.name, id, ...read, name, language.tag]);
  try {
    const picture = await pictures.get(key, async () => {
      // The records that were read last have just been handled.
      await nextTurn();
      const chart = list.chart(scan, name, asOfSeconds, language);
      return chart === null ? null : { title: chart.title, png: await charts.png(chart.svg) };
    });
    if (picture === null) return null;
    return { attachment: picture.png, name: `${fileName(list.name, wallet)}.png`, description: picture.title };
  } catch (error) {
    log.error({ event: 'chart.failed', list: list.name, wallet, err: error });
    return null;
  }
}

function fileName(list: string, wallet: WalletAddress): string {
  return `${list}-${wallet.slice(2, 10)}`;
}
