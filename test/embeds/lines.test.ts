import { createMarkets } from '@walletbell/venue-server/simulator/markets';
import type { APIEmbed } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { NonEmptyAlerts, WalletEvent } from '../../src/alerts/alert.ts';
import { LANGUAGE_TAGS, type LanguageTag, languageFor } from '../../src/language/language.ts';
import { type AlertMessage, renderMessage } from '../../src/messages/message.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import { trade, transfer } from '../support/records.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { AT, alertOf, known } from './every-alert.ts';
import { hostileLinks } from './hostile-items.ts';

/**
 * Pixels of a message's text, and of its embed's, on a phone that is 390 wide: as the sandbox's
 * page has them.
 */
const TEXT_PX = 314;
const EMBED_PX = 281;
const THUMBNAIL_PX = 96;

const titles = createMarkets('titles', 100)
  .open(0)
  .map(({ listing }) => listing.marketTitle)
  .filter((_, index) => IS_THOROUGH || index % 3 === 0);

/** Roughly how wide a grotesque draws a character, in ems. */
function emsOf(character: string): number {
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\uff00-\uff60\u3000-\u303f]/u.test(
      character,
    )
  )
    return 1;
  if (/\p{ExtPict}/u.test(character)) return 1.3;
  if (/[ .,:;'’|!ijlItfr()·]/.test(character)) return 0.29;
  if (/[mwMW%@…]/.test(character)) return 0.87;
  if (/[\p{Lu}\d$≈¢+−±×]/u.test(character)) return 0.62;
  return 0.54;
}

const emsKnown = new Map<string, number>();

function emsIn(text: string): number {
  let sum = 0;
  for (const character of text) {
    const ems = emsKnown.get(character) ?? emsOf(character);
    emsKnown.set(character, ems);
    sum += ems;
  }
  return sum;
}

const EAST_ASIAN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60`;
const EAST_ASIAN_OR_WORD = new RegExp(`[${EAST_ASIAN}]|[^ ${EAST_ASIAN}]+ ?| `, 'gu');

/**
 * How many lines a text takes: words stay whole, as do figures with their units; East Asian text
 * breaks anywhere.
 */
function linesOf(text: string, widthPx: number, fontPx: number): number {
  const words = text.match(EAST_ASIAN_OR_WORD);
  let [lines, left] = [1, widthPx];
  for (const word of words ?? []) {
    const width = emsIn(word.trimEnd()) * fontPx;
    if (width > left && left < widthPx) [lines, left] = [lines + 1, widthPx];
    left -= emsIn(word) * fontPx;
  }
  return lines;
}

const shown = (markdown: string) =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`|\u200b/g, '')
    .replace(/\\(.)/gu, '$1');

/** How many lines the description of an embed takes on a phone. */
function rowsOf({ description = '', thumbnail }: APIEmbed): number {
  const width = EMBED_PX - (thumbnail === undefined ? 0 : THUMBNAIL_PX);
  const rows = description.split('\n');
  return rows.reduce(
    (sum, row) =>
      sum + linesOf(shown(row.replace(/^-# /, '')), width, row.startsWith('-# ') ? 13 : 14),
    0,
  );
}

function messageOf(
  events: readonly WalletEvent[],
  tag: LanguageTag,
  isBetterThanLuck = false,
  label = 'Whale',
) {
  const alerts = events.map(alertOf) as NonEmptyAlerts;
  return renderMessage([{ kind: 'alert', alerts }], {
    links: hostileLinks,
    language: languageFor(tag),
    labelOf: () => label,
    isBetterThanLuck: () => isBetterThanLuck,
    sentAtMs: AT * 1000 + 8_000,
    isCompact: false,
  }).body;
}

/**
 * Purchases and sales of many fills and of one, by a wallet of which all is known that may be said.
 */
function tradesOf(marketTitle: string): readonly (readonly WalletEvent[])[] {
  const size = { usdc: 786.34, median: 187, p95: 600, trades: 200 };
  const bought = { ...known, sharesBefore: '1000', sharesAfter: '2234.5', entryCents: 58.2 };
  const sold = {
    sharesBefore: '627',
    sharesAfter: '0',
    isClosed: true,
    realized: '-24.8',
    costOfSold: '440',
  };
  const closed = { ...known, ...sold, entryCents: 69.98 };
  const event = (action: string, context: TradeContext): WalletEvent => ({
    kind: 'activity',
    item: trade({
      time: AT,
      action,
      marketTitle,
      price: 63.6,
      transferNetAmount: action === 'Buy' ? 786.34 : -415.83,
    }),
    context,
    size,
  });
  const buy = event('Buy', bought);
  return [
    [buy],
    Array.from({ length: 14 }, () => buy),
    [event('Sell', closed)],
    [event('Redeem', { ...closed, realized: '96.75' })],
  ];
}

/** What 95 of a hundred are not above. */
function p95(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * 0.95) - 1] ?? Number.NaN;
}

describe.each(LANGUAGE_TAGS)('in %s, on a phone', (tag) => {
  const all = titles.flatMap(tradesOf);
  const messages = all.map((events) => messageOf(events, tag));
  const rows = (shownOf: readonly AlertMessage[]) =>
    p95(shownOf.flatMap(({ embeds }) => embeds.map(rowsOf)));

  it('the text above takes three lines, for 95 of a hundred', () => {
    for (const named of [messages, all.map((events) => messageOf(events, tag, false, ''))]) {
      const lines = (some: readonly AlertMessage[]) =>
        p95(some.map(({ content }) => linesOf(shown(content), TEXT_PX, 16)));
      expect(lines(named)).toBeLessThanOrEqual(3);
    }
  });

  it('what a trade means takes six lines beside a logo or of a wallet better than luck, whatever the number of its fills', () => {
    expect(rows(messages)).toBeLessThanOrEqual(6);
    expect(rows(all.map((events) => messageOf(events, tag, true)))).toBeLessThanOrEqual(6);
  });

  it('a transfer takes three lines', () => {
    const moved = ['deposit', 'withdrawal'].map((type) => {
      const item = transfer({ time: AT, type, amount: 12_345.67, address: `0x${'d'.repeat(40)}` });
      return messageOf([{ kind: 'transfer', item }], tag);
    });
    // A word as long as an address is broken where the line ends.
    expect(moved.map(({ embeds }) => embeds[0]?.description?.split('\n').length)).toEqual([1, 1]);
    expect(rows(moved)).toBeLessThanOrEqual(3);
  });
});
