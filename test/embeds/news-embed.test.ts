import type { APIEmbed } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import { renderAlert } from '../../src/embeds/alert-embed.ts';
import { assertEmbedLimits } from '../../src/embeds/limits.ts';
import { createLinks, type Links } from '../../src/embeds/links.ts';
import { newsLine, scoreLine } from '../../src/embeds/news-embed.ts';
import { ENGLISH, LANGUAGE_TAGS, type Language, languageFor } from '../../src/language/language.ts';
import type { ConsensusNews, ResultNews } from '../../src/portfolio/news.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { parseMarkdown } from './discord-markdown.ts';
import { linkTemplate } from './hostile-items.ts';

const AT = 1_790_000_000;
const market = { title: 'Will it rain?', marketId: '42', marketSlug: 'rain', eventSlug: 'weather' };
const walletOf = (digit: string) => `0x${digit.repeat(40)}` as WalletAddress;
const stake = (digit: string, side: string, shares: string, usdc: string) => ({
  wallet: walletOf(digit),
  side,
  shares,
  usdc,
});
const consensus: ConsensusNews = {
  market,
  side: 'Yes',
  rule: { wallets: 2, hours: 24 },
  stakes: [stake('a', 'Yes', '2000', '1234'), stake('b', 'Yes', '100', '66')],
  opposing: [],
  hedged: 0,
  isEscalation: false,
  fromSeconds: AT - 7_200,
  toSeconds: AT,
};
const result: ResultNews = {
  market,
  messageId: '1',
  paid: '200',
  received: '260',
  fees: '1.2',
  openedSeconds: AT - 90_000,
  closedSeconds: AT,
  score: {
    markets: 5,
    winRate: 0.6,
    winRateLow: 0.231,
    winRateHigh: 0.882,
    perDollar: 0.1234,
    perDollarError: 0.08,
    isSmall: true,
    open: 2,
    oldestOpenSeconds: AT - 999,
    abandoned: 1,
  },
};

function page(
  event: WalletEvent,
  links: Links = createLinks({}),
  label?: string,
  language: Language = ENGLISH,
): APIEmbed {
  const alert = { id: 'a1', wallet: walletOf('a'), channelId: '1', event, seenAtMs: 0 };
  return renderAlert(alert, { links, label, language, labelOf: () => label, sentAtMs: AT * 1000 });
}

describe('a consensus', () => {
  it('says who took the outcome, how much, at what price, and by which rule', () => {
    const { title, description, footer } = page({ kind: 'consensus', consensus });
    expect(title).toBe('2 watched wallets took Yes');
    expect(description?.split('\n')).toEqual(
      [
        '**Will it rain?**',
        'Yes: **$1,300.00** for 2,100 shares, 61.9¢ on average',
        '• 0xaaAa…aaAa $1,234.00, 61.7¢ on average',
        '• 0xbBbB…BBbb $66.00, 66¢ on average',
        `Bought between <t:${AT - 7_200}:f> and <t:${AT}:f>`,
      ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'i'))),
    );
    expect(footer?.text).toBe('Purchases of 2 or more wallets within 1 d · #a1');
    expect(page({ kind: 'consensus', consensus: { ...consensus, isEscalation: true } }).title).toBe(
      'Now 2 watched wallets took Yes',
    );
  });

  it('says instead that wallets disagree, with the weight of both sides', () => {
    const opposing = [stake('c', 'No', '50', '20'), stake('d', 'No', '10', '5')];
    const news = { ...consensus, opposing, hedged: 1 };
    const { title, description } = page({ kind: 'consensus', consensus: news });
    expect(title).toBe('Watched wallets disagree: 2 on Yes, 2 on No');
    expect(description).toContain('No: **$25.00** for 60 shares, 41.67¢ on average');
    expect(description).toContain('1 more bought both sides and counts on neither');
    const several = { ...news, opposing: [stake('c', 'No', '50', '20'), stake('d', 'Maybe', '10', '5')] };
    expect(page({ kind: 'consensus', consensus: several }).title).toMatch(/2 against$/);
    expect(newsLine({ kind: 'consensus', consensus: news }, createLinks({}), ENGLISH)).toBe(
      `<t:${AT}:R> **2 watched wallets on Yes, 2 on No** · $1,300.00 against $25.00 · Will it rain?`,
    );
  });

  it.each(LANGUAGE_TAGS)(
    '%s: of fifty against fifty with the longest names and addresses is within Discord’s limits, its links whole',
    (tag) => {
      const fifty = (side: string) =>
        Array.from({ length: 50 }, () => stake('a', side, '1e14', '1e14')).map((one) => ({
          ...one,
          shares: '123456789012345',
          usdc: '123456789012345.67',
        }));
      const longest = {
        ...consensus,
        market: { ...market, title: '_'.repeat(300) },
        side: '*'.repeat(99),
        stakes: fifty('*'.repeat(99)),
        opposing: fifty('~'.repeat(99)),
        hedged: 50,
      };
      for (const length of [10, 60, 120, 1_000]) {
        const links = createLinks({
          market: linkTemplate('MARKET_URL', `https://venue.example/${'m'.repeat(length)}/{marketId}`),
          wallet: linkTemplate('WALLET_URL', `https://venue.example/${'w'.repeat(length)}/{address}`),
        });
        const embed = page({ kind: 'consensus', consensus: longest }, links, '['.repeat(64), languageFor(tag));
        assertEmbedLimits(embed);
        expect(embed.description?.match(/^• /gm)).toHaveLength(16);
        const found = parseMarkdown(embed.description ?? '').flatMap((node) => [node, ...node.children]);
        expect(
          found.filter(({ kind }) => kind === 'link').every(({ url }) => /\/(0x[0-9a-f]{40}|42)$/i.test(url ?? '')),
        ).toBe(true);
      }
    },
  );
});

describe('a result', () => {
  it('says what came of what rang here, and how sure the record is', () => {
    const { title, description } = page({ kind: 'result', result }, createLinks({}), 'Whale');
    expect(title).toBe('Whale closed what rang here: +$60.00 (+30 %)');
    expect(description?.split('\n')).toEqual([
      '**Will it rain?**',
      'Paid $200.00 · received $260.00 · fees of $1.20 counted',
      `From <t:${AT - 90_000}:f> to <t:${AT}:f>, 1 d 1 h`,
      `Alerts here: 3 of 5 closed markets won (95 % interval 23 to 88 %) · +12.3 % ± 8 % per dollar · **small sample** · 2 still open, the oldest since <t:${AT - 999}:d> · 1 given up unseen`,
    ]);
    expect(newsLine({ kind: 'result', result }, createLinks({}), ENGLISH)).toBe(
      `<t:${AT}:R> **Closed what rang here, +$60.00** (+30 %) · Will it rain?`,
    );
  });

  it('claims no record before a market is closed, and no error with one alone', () => {
    const { score } = result;
    if (score === null) throw new Error('the sample has no score');
    expect(scoreLine({ ...score, markets: 0, abandoned: 0 }, ENGLISH)).toBe(
      `Alerts here: none closed yet · 2 still open, the oldest since <t:${AT - 999}:d>`,
    );
    expect(scoreLine({ ...score, markets: 1, winRate: 1, perDollarError: null }, ENGLISH)).not.toContain('±');
  });
});
