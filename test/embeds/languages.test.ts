import { describe, expect, it } from 'vitest';
import type { AlertGroup } from '../../src/alerts/alert.ts';
import { embedOf } from '../../src/alerts/kinds/kinds.ts';
import { createLinks } from '../../src/embeds/links.ts';
import {
  ENGLISH,
  LANGUAGE_TAGS,
  type LanguageTag,
  languageFor,
} from '../../src/language/language.ts';
import { renderMessage } from '../../src/messages/message.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { trade } from '../support/records.ts';
import { widthOf } from '../support/text-width.ts';
import { walletOfDigit } from '../support/wallets.ts';
import {
  AT,
  alertOf,
  KINDS,
  type Kind,
  known,
  render,
  size,
  textOf,
  tradeEvent,
} from './every-alert.ts';
import { hostileLinks, linkTemplate } from './hostile-items.ts';

/**
 * Two lines of a phone's lock screen, in letters of a Latin script; and what of them is left for
 * the beginning of a market's title.
 */
const LOCK_SCREEN = 88;
const TITLE_LEAST = 16;
/** A disagreement names two sides, and what has no name is said in more words. */
const LONGER = /disagree|without names/;

const timesAndLinks = (text: string) =>
  (text.match(/<t:\d+:\w>|\]\([^)]+\)|#a\d+/g) ?? []).toSorted();

/** Words of our own, in small letters: without times, addresses, links, commands and hashes. */
function ownWords(text: string): Set<string> {
  const own = text.replace(/<t:\d+:\w>|\]\([^)]+\)|#a\d+|`[^`]+`|0x[\da-f…]+/gi, ' ');
  return new Set(own.toLowerCase().match(/\p{Script=Latin}{2,}/gu) ?? []);
}

/** What is written in a language as it is in English. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  en: [],
  de: 'an bot bridge details dollar in maker min position taker trade trades transfer tx wallet wallets was'.split(
    ' ',
  ),
  es: 'bot bridge maker min no taker tx wallet wallets'.split(' '),
  fr: 'action bot bridge consensus dollar gain maker min net page position positions possible taker trade trades transaction transactions tx via wallet wallets'.split(
    ' ',
  ),
  pt: 'bot bridge maker min taker tx usual via'.split(' '),
  ja: ['tx'],
  zh: [],
};
const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== ENGLISH.tag);

describe.each(OTHERS)('in %s', (tag) => {
  const language = languageFor(tag);

  it('every first line shows who did what, how much, and where, in two lines of a lock screen', () => {
    for (const [name, kind] of Object.entries(KINDS)) {
      if (LONGER.test(name)) continue;
      const [first = ''] = render(kind, language).content.split('\n');
      const said = first.replace(/\*\*|\\/g, '');
      // How late it is stands before it, if it is late.
      const line = said.replace(/^⏱[^·]+· /u, '').replace('Ξ2', 'Whale 123');
      const most = line.includes('Ψ0?') ? LOCK_SCREEN - TITLE_LEAST : LOCK_SCREEN;
      expect.soft(widthOf(line.replace('Ψ0?', '')), `${name}: ${line}`).toBeLessThanOrEqual(most);
    }
  });

  it.each(Object.entries(KINDS))(
    '%s has no English left in it, and every figure, time and link',
    (_name, kind) => {
      const message = render(kind, language);
      const [text, english] = [textOf(message), textOf(render(kind, ENGLISH))];
      const englishWords = ownWords(english);
      const left = [...ownWords(text)].filter(
        (word) => englishWords.has(word) && ALIKE[tag.slice(0, 2)]?.includes(word) !== true,
      );
      expect(left).toEqual([]);
      expect(text).not.toMatch(/undefined|NaN|\[object/);
      // No line begins or ends with what stands between two parts, and none is empty between them.
      expect(text).not.toMatch(/^(?:-#)? *·|· *$|· *·/m);
      const found = timesAndLinks(text);
      const inEnglish = timesAndLinks(english);
      // A row gives its time up where it has no room for the market.
      const isTime = (part: string) => part.startsWith('<t:');
      const without = (parts: readonly string[]) => parts.filter((part) => !isTime(part));
      if (kind.isCompact === true) expect(without(found)).toEqual(without(inEnglish));
      else if (kind.as !== 'late') expect(found).toEqual(inEnglish);
      for (const figure of kind.says?.(language.format) ?? []) expect(text).toContain(figure);
      // Under links alone the footer has the reference.
      const isPressed = JSON.stringify(message.components).includes('custom_id');
      for (const embed of message.embeds) {
        assertEmbedLimits(embed);
        expect(embed.footer === undefined).toBe(isPressed);
      }
    },
  );
});

describe('in every language', () => {
  it.each(LANGUAGE_TAGS)(
    '%s: a menu of five wallets with the longest names stays within 100 characters',
    (tag) => {
      const groups = ['a', 'b', 'c', 'd', 'e'].map((digit, index): AlertGroup => {
        return {
          kind: 'alert',
          alerts: [{ ...alertOf(tradeEvent(), index), wallet: walletOfDigit(digit) }],
        };
      });
      const context = {
        links: hostileLinks,
        language: languageFor(tag),
        sentAtMs: AT * 1000,
        isCompact: false,
      };
      const { body } = renderMessage(groups, { ...context, labelOf: () => 'W'.repeat(64) });
      const labels = body.components.flatMap((row) =>
        row.components.flatMap((part) =>
          'options' in part ? part.options.map(({ label }) => label) : [],
        ),
      );
      expect(labels).toHaveLength(10);
      expect(new Set(labels).size).toBe(2);
      for (const label of labels) expect(Array.from(label).length).toBeLessThanOrEqual(100);
    },
  );
});

/** As many digits as an amount of money is written with, and names longer than they are shown. */
const LONG = 888_888_888_888_888.8;
const longest = (n: number, action: string) =>
  tradeEvent(
    {
      time: 99_999_999_990 + n,
      action,
      quantity: LONG / 9,
      grossValue: -LONG / 9,
      fee: -LONG / 9,
      transferNetAmount: -LONG / 9,
      price: 44.44 + n / 100,
      marketTitle: '_'.repeat(400),
      positionSide: '*'.repeat(99),
      txHash: `0x${n}`,
      liquidityRole: n % 2 === 0 ? 'MAKER' : 'TAKER',
    },
    {
      sharesBefore: `${LONG}`,
      sharesAfter: `${LONG}`,
      entryCents: 44.44,
      realized: `${-LONG / 9}`,
      costOfSold: '7',
      oppositeShares: `${LONG}`,
      size: { usdc: LONG, median: LONG / 2, p95: LONG - 1, trades: 200 },
    },
  );

describe('with the longest words, figures and links', () => {
  it.each(LANGUAGE_TAGS)('%s stays within Discord’s limits', (tag) => {
    // Among them such as just find room.
    for (const length of [50, 345, 360, 990, 1_060, 1_400]) {
      const links = createLinks({
        MARKET_URL: linkTemplate(
          'MARKET_URL',
          `https://venue.example/${'m'.repeat(length)}/{marketId}`,
        ),
        TX_URL: linkTemplate('TX_URL', `https://scan.example/${'t'.repeat(length)}/{txHash}`),
        WALLET_URL: linkTemplate(
          'WALLET_URL',
          `https://venue.example/${'w'.repeat(length)}/{address}`,
        ),
      });
      const context = {
        links,
        language: languageFor(tag),
        labelOf: () => '['.repeat(64),
        late: 'x'.repeat(60),
      };
      for (const action of ['Buy', 'Sell', 'Redeem', '|'.repeat(60)]) {
        const [first, ...rest] = Array.from({ length: 9 }, (_, n) =>
          alertOf(longest(n, action), n),
        );
        if (first === undefined) throw new Error('There is nothing to send.');
        assertEmbedLimits(embedOf({ alerts: [first] }, context));
        assertEmbedLimits(embedOf({ alerts: [first, ...rest] }, context));
      }
    }
  });
});

describe('a buy reads', () => {
  const item = trade({
    time: AT,
    marketTitle: 'Will it rain in Paris?',
    txHash: `0x${'ab12'.repeat(16)}`,
    logo: '',
  });
  const context: TradeContext = { ...known, sharesBefore: '3087' };
  const page = (tag: LanguageTag) => {
    const kind: Kind = { events: [{ kind: 'activity', item, context, size }], withoutLinks: true };
    const message = render(kind, languageFor(tag), 'Whale');
    const [row] = message.components;
    // Between a figure and its unit some languages have a space that does not break.
    const labels = row?.components.map((component) =>
      'label' in component ? `[${component.label}]` : '',
    );
    return `${textOf({ ...message, components: [] })}\n${labels?.join(' ')}`
      .replaceAll(/[\u00a0\u202f]/g, ' ')
      .split('\n');
  };

  it('in German', () => {
    expect(page('de')).toEqual([
      '⏱ 2 min verspätet · 🟢 **Whale** KAUF **Yes 785 $** zu 63,5 ¢ · **20× so groß wie üblich** · Will it rain in Paris?',
      '**3.087 → 4.322 Anteile** · Einstieg 55,5 ¢',
      '-# 0xaAaA…aaAa · Taker',
      '[Details] [1 h stumm]',
    ]);
  });

  it('in Japanese', () => {
    expect(page('ja')).toEqual([
      '⏱ 2分遅れ · 🟢 **Whale** 購入 **Yes $785** @ 63.5¢ · **普段の20倍** · Will it rain in Paris?',
      '**3,087 → 4,322シェア** · 平均取得 55.5¢',
      '-# 0xaAaA…aaAa · テイカー',
      '[詳細] [1時間ミュート]',
    ]);
  });
});
