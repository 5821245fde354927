import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InteractionEditReplyOptions } from 'discord.js';
import { drawable } from '../../src/charts/chart.ts';
import { pictureOf } from '../../src/charts/render.ts';
import { sendWithFiles, withNote } from '../../src/discord/attachments.ts';
import { explainToPerson } from '../../src/discord/explain.ts';
import { shortAddress } from '../../src/domain/address.ts';
import type { Links } from '../../src/embeds/links.ts';
import { EMBED_LIMITS, embedSize } from '../../src/embeds/text/limits.ts';
import { isNarrowed } from '../../src/lookups/filters.ts';
import { type PageScan, startBefore } from '../../src/lookups/page-scan.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { followRow } from '../shared/follow-button.ts';
import { LINES, listEmbed } from './list-message.ts';
import {
  cacheOf,
  fileName,
  type OpenList,
  oneRowOf,
  type RowsRead,
  readRows,
  type Timed,
} from './open-list.ts';

const CHART_LABEL_LIMIT = 26;

/** Position of a page: its index, and the index of its first record. */
type Place = { readonly index: number; readonly from: number };
export const FIRST_PAGE: Place = { index: 0, from: 0 };
type Message = Pick<InteractionEditReplyOptions, 'components' | 'embeds' | 'files' | 'attachments'>;

/**
 * Reads as much of the list as the page shows, and sends it with its picture, or without if Discord
 * rejects that.
 * @throws the venue's error, if it leaves the page without a record
 */
export async function showPage<Item extends Timed>(
  open: OpenList<Item>,
  place: Place,
  deliver: (message: Message) => Promise<unknown>,
): Promise<void> {
  const { list, context, pager } = open;
  const { language, links } = context;
  const { index } = place;
  const read = await readRows(open, place.from, LINES);
  const { scan, trouble } = read;
  const troubleText = trouble === null ? null : explainToPerson(trouble, language);
  // A bug in the bot is not hidden behind the records that were read before it.
  if (trouble !== null && (read.rows.length === 0 || troubleText === null)) throw trouble;
  const proxy = isEmpty(open, scan) ? await context.proxyOf(pager.wallet) : null;
  const label = context.labelOf(pager.wallet, pager.typed);
  const drawn = await draw(open, scan);
  const names = language.texts.lists[list.name];
  const totals = await list.totals(scan, pager.asOfSeconds, language);
  const at = { nowSeconds: pager.asOfSeconds, isCut: read.isCut };
  const rows = (linked: Links) => list.rows(read.rows, linked, language, at);
  const shown = {
    ...pager,
    names,
    rows,
    label,
    index,
    scan,
    proxy,
    totals,
    links,
    language,
  };
  const opens = index === 0 && !isNarrowed(pager.filters);
  const opening = opens ? await list.opening?.(context, pager, scan) : null;
  const components = buttonsUnder(open, place, read);
  // Below the wallet's card.
  if (opening) components.push(...followRow(pager.wallet, context));
  await sendWithFiles(context, 'picture', drawn, (files, note) => {
    const page = listEmbed({ ...shown, trouble: troubleText, picture: files[0] ?? null });
    const embed = withNote(page, note);
    const embeds = [embed];
    if (opening) embeds.unshift(opening(EMBED_LIMITS.totalPerMessage - embedSize(embed)));
    return deliver({
      embeds,
      components,
      files,
      // Removes the previous page's attachments.
      attachments: [],
    });
  });
}

/** Whether the venue has answered that it has nothing for the whole list. */
function isEmpty<Item extends Timed>({ pager }: OpenList<Item>, scan: PageScan<Item>): boolean {
  return scan.items.length === 0 && scan.cursor === null && !isNarrowed(pager.filters);
}

/** Returns the list's chart as a file; none if there is nothing to draw, or if drawing fails. */
async function draw<Item extends Timed>(
  { list, context, id, pager }: OpenList<Item>,
  scan: PageScan<Item>,
) {
  const { language } = context;
  const { wallet, typed, asOfSeconds } = pager;
  const label = context.labelOf(wallet, typed) ?? '';
  const name = drawable(label, CHART_LABEL_LIMIT, shortAddress(wallet));
  // Until more has been read, the picture is the same on every page.
  const key = JSON.stringify([scan.before, scan.scanned, name, language.tag]);
  if (scan.picture?.key !== key) {
    // The records read last have just been processed, so other work gets a turn.
    await nextTurn();
    const chart = () => list.chart(scan.items, name, asOfSeconds, language);
    const picture = await context.inTurn(() =>
      pictureOf(context, { list: list.name, wallet }, chart),
    );
    if (picture === null) return [];
    scan.picture = { key, ...picture };
    cacheOf(list, context).set(id, scan);
  }
  const { attachment, description } = scan.picture;
  return [{ attachment, name: `${fileName(list, wallet)}.png`, description }];
}

/**
 * Returns Previous, Next and CSV. A list that fits on one page has only CSV, an empty one has no
 * buttons.
 */
function buttonsUnder<Item extends Timed>(
  { list, context, id }: OpenList<Item>,
  { index, from }: Place,
  { scan, rows, to, isCut }: RowsRead<Item>,
) {
  const hasNext = scan.cursor !== null || scan.before + scan.items.length > to;
  if (scan.items.length === 0 && !hasNext) return [];
  const prefix = `${list.name}:${id}`;
  const csv = button(`${prefix}:csv`, 'CSV');
  if (index === 0 && !hasNext) return [buttonRow(csv)];

  const { previous, next, further } = context.language.texts.lists.buttons;
  // The scan stopped early, so the second button continues it.
  const isPartial = scan.cursor !== null && (rows.length < LINES || isCut);
  const onward = isPartial
    ? button(`${prefix}:${index}:${from}:further`, further)
    : button(`${prefix}:${index + 1}:${to}`, next);
  const held = Math.min(scan.items.length, Math.max(0, from - scan.before));
  const before = startBefore(scan.items, held, LINES, oneRowOf(list));
  let previousFrom = scan.before + before;
  // If the rows before were dropped, the page begins in the middle of a row.
  if (before === 0 && scan.before > 0) previousFrom = Math.max(0, from - LINES);
  const previousIndex = Math.max(0, index - 1);
  const backward = button(`${prefix}:${previousIndex}:${previousFrom}`, previous);
  return [
    buttonRow({ ...backward, disabled: index === 0 }, { ...onward, disabled: !hasNext }, csv),
  ];
}
