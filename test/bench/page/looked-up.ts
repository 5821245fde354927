import type { APIEmbed } from 'discord.js';
import { listEmbed } from '../../../commands/lists/list-message.ts';
import { smallLine } from '../../../commands/watch/add.ts';
import { addedRow } from '../../../commands/watch/panel/rows.ts';
import type { ChartRenderer } from '../../../src/charts/render.ts';
import type { MessageBody } from '../../../src/delivery/sender.ts';
import { detailsEmbeds } from '../../../src/details/embed.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import { EMBED_COLOURS } from '../../../src/embeds/embed-parts.ts';
import { activityRows, isOneRow, recordLine } from '../../../src/embeds/item-lines.ts';
import type { Language } from '../../../src/language/language.ts';
import { NO_FILTERS } from '../../../src/lookups/filters.ts';
import { tradesChart } from '../../../src/lookups/list-charts.ts';
import { describeActivityTotals } from '../../../src/lookups/list-summary.ts';
import { beginScan } from '../../../src/lookups/page-scan.ts';
import { button, buttonRow, listButtons } from '../../../src/messages/buttons.ts';
import { channelRecord, standing } from '../../scores/samples.ts';
import { WALLET } from '../../support/wallets.ts';
import { AT_SECONDS, context, links, type Market, marketOf, randomPurchase } from './messages.ts';

const PICTURE = 'activity.png';
const FILLS = 3;
const ROWS = 10;

/** Returns the Details of a purchase in three fills with all possible information. */
export function detailsOf(market: Market, language: Language): MessageBody {
  const fills = Array.from({ length: FILLS }, (_, n) =>
    randomPurchase(market, { time: AT_SECONDS - 2 * n }),
  );
  const [first, ...others] = fills;
  if (first === undefined) throw new Error('There is no fill.');
  const { withFile } = detailsEmbeds({
    wallet: WALLET,
    reference: 'a1b2c3d4',
    label: 'Whale',
    items: [first, ...others],
    missing: 0,
    cutAfter: null,
    skipped: 0,
    postedAtMs: (AT_SECONDS + 8) * 1000,
    changedAtMs: (AT_SECONDS + 90) * 1000,
    knowledge: {
      when: 'atAlert',
      position: context(market),
      size: { usdc: 9_000.25, median: 240.5, p95: 900.5, trades: 200 },
      results: [],
      record: { ...channelRecord(12), before: standing(4) },
      seenAtMs: (AT_SECONDS + 3) * 1000,
    },
    links,
    language,
  });
  return { embeds: withFile(false), components: [buttonRow(...listButtons(WALLET, language))] };
}

/** Returns the answer of `/watch add` for a wallet that trades, with no setting. */
export function addedOf(market: Market, channel: string, language: Language): MessageBody {
  const { add, gap } = language.texts.watch;
  const latest = recordLine(
    'activity',
    randomPurchase(market, { time: AT_SECONDS - 180 }),
    links,
    language,
  );
  const expected = { tradesADay: 42, seconds: 29_112 };
  const lines = [
    add.watching('**Whale**', channel) + gap + add.everything,
    smallLine(latest, expected, language),
  ];
  return {
    embeds: [{ description: lines.join('\n'), color: EMBED_COLOURS.answer }],
    components: [addedRow({ channelId: '1', wallet: WALLET }, { language })],
  };
}

/** Returns a page of `/activity` with ten rows, without the card. */
export async function activityOf(
  titles: readonly string[],
  language: Language,
  { seed, charts }: { readonly seed: string; readonly charts: ChartRenderer },
): Promise<MessageBody> {
  const rows = Array.from({ length: ROWS }, (_, place): ActivityItem[] => {
    const title = titles[Math.floor((place * titles.length) / ROWS)] ?? '';
    const market = marketOf(title, [], { seed: `${seed} ${place}` });
    const time = AT_SECONDS - 600 * (place + 1);
    const isSale = place % 3 === 1;
    const item = randomPurchase(market, { time, marketId: title, conditionId: title }, 8_000);
    const sold = { action: 'Sell', transferNetAmount: -item.grossValue };
    return [isSale ? { ...item, ...sold } : item];
  });
  const items = rows.flat();
  if (items.some((item, place) => place > 0 && isOneRow(items[place - 1] ?? item, item))) {
    throw new Error('Two rows are one.');
  }
  const scan = {
    ...beginScan<ActivityItem>({ ownerId: '1', wallet: WALLET, anchorSeconds: null }),
  };
  Object.assign(scan, { items, scanned: items.length, cursor: 'next' });
  const chart = tradesChart(items, 'Whale', AT_SECONDS, language);
  if (chart === null) throw new Error('The list has no picture.');
  const attachment = await charts.png(chart.svg);
  const embed: APIEmbed = listEmbed({
    wallet: WALLET,
    filters: NO_FILTERS,
    asOfSeconds: AT_SECONDS,
    links,
    language,
    names: language.texts.lists.activity,
    label: 'Whale',
    index: 0,
    rows: (linked) =>
      activityRows(rows, linked, language, { nowSeconds: AT_SECONDS, isCut: false }),
    scan,
    totals: await describeActivityTotals(items, language),
    trouble: null,
    picture: { name: PICTURE, attachment },
    proxy: null,
  });
  const { previous, next } = language.texts.lists.buttons;
  const buttons = [button('activity:1:0', previous), button('activity:1:1', next)];
  return {
    embeds: [embed],
    components: [buttonRow(...buttons, button('activity:1:csv', 'CSV'))],
    picture: { name: PICTURE, description: chart.alt, attachment },
  };
}
