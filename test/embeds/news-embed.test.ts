import type { APIEmbed } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import { embedOf, lineOf } from '../../src/alerts/kinds/kinds.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { writeLines } from '../../src/embeds/named-lines.ts';
import {
  ENGLISH,
  LANGUAGE_TAGS,
  type Language,
  type LanguageTag,
  languageFor,
} from '../../src/language/language.ts';
import { messageContent, renderMessage } from '../../src/messages/message.ts';
import type { ConsensusNews } from '../../src/portfolio/consensus.ts';
import { marketOf } from '../../src/portfolio/market.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { trade } from '../support/records.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { parseMarkdown } from './discord-markdown.ts';
import { AT, agreed, alertOf } from './every-alert.ts';
import { linkTemplate } from './hostile-items.ts';
import { resultOf } from './result-of.ts';

const market = {
  marketTitle: 'Will it rain?',
  marketId: '42',
  marketSlug: 'rain',
  eventSlug: 'weather',
};
const stake = (
  digit: string,
  side: string,
  shares: string,
  usdc: string,
  sold: string | null = '0',
) => ({
  wallet: walletOfDigit(digit),
  side,
  shares,
  usdc,
  netUsdc: usdc,
  sold,
});
const consensus: ConsensusNews = {
  ...agreed,
  market,
  side: 'Yes',
  stakes: [stake('a', 'Yes', '2000', '1234'), stake('b', 'Yes', '100', '66')],
};
const paid = { market, messageId: '1', paid: '200', received: '260', fees: '1.2' };
const { result } = resultOf(trade({ time: AT }), paid);

function page(
  event: WalletEvent,
  links = createLinks({}),
  label?: string,
  language: Language = ENGLISH,
): APIEmbed {
  return embedOf({ alerts: [alertOf(event, 1)] }, { links, language, labelOf: () => label });
}

/** As a line of a list, and the text above an embed of its own. */
function shown(event: WalletEvent, sentAtSeconds = AT): readonly [line: string, content: string] {
  const alerts = [alertOf(event, 1)] as const;
  const context = {
    links: createLinks({}),
    language: ENGLISH,
    sentAtMs: sentAtSeconds * 1000,
    wallet: 'Whale',
    showsShares: false,
    isAbove: false,
    isSizeShown: false,
  };
  return [
    writeLines([lineOf({ alerts }, context)]).join(''),
    messageContent([{ kind: 'alert', alerts }], {
      ...context,
      labelOf: () => 'Whale',
      isCompact: false,
    }).content,
  ];
}

describe('a consensus', () => {
  it('says who bought the outcome, how much, at what price, and by which rule', () => {
    const event = { kind: 'consensus', consensus } as const;
    expect(page(event).description?.split('\n')).toEqual([
      '0xaAaA…aaAa $1,234 at 61.7¢ · 0xbBbB…BBbB $66.00 at 66¢',
      '-# all within 2 h',
    ]);
    const smallOf = (changes: Partial<typeof consensus>) =>
      page({ kind: 'consensus', consensus: { ...consensus, ...changes } })
        .description?.split('\n')
        .at(-1);
    const fromSeconds = consensus.toSeconds - 248;
    expect(smallOf({ fromSeconds }), 'no seconds').toBe('-# all within 5 min');
    const first = consensus.stakes[1]?.wallet;
    expect(smallOf({ fromSeconds, first })).toBe('-# 0xbBbB…BBbB first, within 5 min');
    expect(smallOf({ fromSeconds, first: walletOfDigit('9') }), 'no wallet of these').toBe(
      '-# all within 5 min',
    );
    expect(smallOf({ fromSeconds: consensus.toSeconds })).not.toContain('within');
    expect(shown(event)).toEqual([
      '🤝 2 wallets bought **Yes** · **$1,300** at 61.9¢ · Will it rain?',
      '🤝 2 wallets bought **Yes** · **$1,300** at 61.9¢ · Will it rain?',
    ]);
    expect(
      shown({ kind: 'consensus', consensus: { ...consensus, isEscalation: true } })[1],
    ).toContain('Now 2 wallets bought **Yes**');
  });

  it('takes off what was sold again, and says of each wallet which part, or that nobody knows', () => {
    const stakes = [
      stake('a', 'Yes', '2000', '1234', '500'),
      stake('b', 'Yes', '100', '66', '50'),
      stake('c', 'Yes', '10', '4', null),
      stake('d', 'Yes', '80', '40', '80'),
    ];
    const event = { kind: 'consensus', consensus: { ...consensus, stakes } } as const;
    const names = (tag: LanguageTag) =>
      page(event, createLinks({}), undefined, languageFor(tag))
        .description?.split('\n')[0]
        ?.split(' · ');
    expect(names('en-US')).toEqual([
      '0xaAaA…aaAa $926 at 61.7¢, 25% sold',
      '0xbBbB…BBbB $33.00 at 66¢, half sold',
      '0xCcCC…cccC $4.00 at 40¢, maybe sold since',
      '0xDDdD…DDDd bought $40.00 at 50¢, all sold',
    ]);
    expect(names('de')?.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      '0xaAaA…aaAa 926 $ zu 61,7 ¢, 25 % verkauft',
      '0xbBbB…BBbB 33,00 $ zu 66 ¢, zur Hälfte verkauft',
      '0xCcCC…cccC 4,00 $ zu 40 ¢, seither evtl. verkauft',
      '0xDDdD…DDDd 40,00 $ zu 50 ¢ gekauft, alles verkauft',
    ]);
    expect(shown(event)[1]).toBe('🤝 4 wallets bought **Yes** · **$963** at 61.7¢ · Will it rain?');
    const gone = {
      ...consensus,
      stakes: [stake('a', 'Yes', '10', '4', '10'), stake('b', 'Yes', '10', '4', '10')],
    };
    expect(shown({ kind: 'consensus', consensus: gone })[1]).toBe(
      '🤝 2 wallets bought **Yes** · **$0.00** · Will it rain?',
    );
  });

  it('is dated in a list if it comes a minute late: by the clock, or by its age where it is not of today', () => {
    const event = { kind: 'consensus', consensus } as const;
    expect(shown(event, AT + 59)[0]).not.toContain('<t:');
    expect(shown(event, AT + 11 * 3_600)[0]).toContain(`<t:${AT}:t>`);
    expect(shown(event, AT + 13 * 3_600)[0]).toContain(`<t:${AT}:R>`);
  });

  it('says instead that wallets disagree, with the weight of both sides', () => {
    const opposing = [stake('c', 'No', '50', '20'), stake('d', 'No', '10', '5')];
    const news = { ...consensus, opposing, hedged: 1 };
    const { description } = page({ kind: 'consensus', consensus: news });
    expect(description?.split('\n').slice(0, 2)).toEqual([
      '**Yes**: 0xaAaA…aaAa $1,234 at 61.7¢ · 0xbBbB…BBbB $66.00 at 66¢',
      '**No**: 0xCcCC…cccC $20.00 at 40¢ · 0xDDdD…DDDd $5.00 at 50¢',
    ]);
    expect(description).toContain('1 more bought both sides and counts on neither');
    expect(shown({ kind: 'consensus', consensus: news })[0]).toBe(
      '⚖️ Wallets disagree: 2 on **Yes**, 2 on **No** · **$1,300** at 61.9¢ against **$25.00** at 41.67¢ · Will it rain?',
    );
    const several = {
      ...news,
      opposing: [stake('c', 'No', '50', '20'), stake('d', 'Maybe', '10', '5')],
    };
    expect(shown({ kind: 'consensus', consensus: several })[1]).toContain(
      '2 on **Yes**, 2 against',
    );
  });

  it.each(LANGUAGE_TAGS)(
    '%s: of fifty against fifty with the longest names and addresses is within Discord’s limits, its links whole',
    (tag) => {
      const figures = {
        shares: '123456789012345',
        usdc: '123456789012345.67',
        netUsdc: '123456789012345.67',
        sold: '61234567890123',
      };
      const fifty = (side: string) =>
        Array.from({ length: 50 }, () => ({ wallet: walletOfDigit('a'), side, ...figures }));
      const longest = {
        ...consensus,
        market: { ...market, marketTitle: '_'.repeat(300) },
        side: '*'.repeat(99),
        stakes: fifty('*'.repeat(99)),
        opposing: fifty('~'.repeat(99)),
        hedged: 50,
      };
      for (const length of [10, 60, 120, 1_000]) {
        const links = createLinks({
          MARKET_URL: linkTemplate(
            'MARKET_URL',
            `https://venue.example/${'m'.repeat(length)}/{marketId}`,
          ),
          WALLET_URL: linkTemplate(
            'WALLET_URL',
            `https://venue.example/${'w'.repeat(length)}/{address}`,
          ),
        });
        const embed = page(
          { kind: 'consensus', consensus: longest },
          links,
          '['.repeat(64),
          languageFor(tag),
        );
        assertEmbedLimits(embed);
        expect(embed.description?.match(/¢/g)).toHaveLength(10);
        const found = parseMarkdown(embed.description ?? '').flatMap((node) => [
          node,
          ...node.children,
        ]);
        const urls = found.flatMap(({ kind, url = '' }) => (kind === 'link' ? [url] : []));
        expect(urls.filter((url) => !/\/(0x[0-9a-f]{40}|42)$/i.test(url))).toEqual([]);
      }
    },
  );
});

describe('a result', () => {
  it('says what came of what was alerted here', () => {
    const event = { kind: 'result', result } as const;
    const { description } = page(event, createLinks({}), 'Whale');
    expect(description?.split('\n')).toEqual([
      'Paid $200.00 · received $260.00',
      '-# 0xaAaA…aaAa · held 1 d 1 h · fees $1.20',
    ]);
    expect(shown(event)).toEqual([
      '📈 **Whale** closed **+\u2060$60.00** (+30%) · Will it rain?',
      '📈 **Whale** closed **+\u2060$60.00** (+30%) · Will it rain?',
    ]);
    expect(shown({ kind: 'result', result: { ...result, received: '150' } })[1]).toContain(
      '📉 **Whale** closed **−\u2060$50.00**',
    );
  });

  it('says that the market was settled where it was, what for, and that nothing was redeemed', () => {
    const lost = { ...result, received: '0', settled: [{ side: 'Yes', payout: 0 }] };
    const event = { kind: 'result', result: lost } as const;
    const { description } = page(event, createLinks({}), 'Whale');
    expect(description?.split('\n')).toEqual([
      'Paid $200.00 · final value $0.00',
      'Market settled: **Yes** pays 0¢ a share',
      '-# 0xaAaA…aaAa · held 1 d 1 h · fees $1.20',
    ]);
    expect(shown(event)[1]).toBe('📉 **Whale** lost **$200** on **Yes** · Will it rain?');
    const both = [...lost.settled, { side: 'No', payout: 1 }];
    expect(shown({ kind: 'result', result: { ...result, settled: both } })[1]).toBe(
      '📈 **Whale** won **$60.00** · Will it rain?',
    );
  });

  it('names a market as its trade did, cut after a word where it is very long', () => {
    const item = trade({ marketTitle: `Will ${'the finance ministry publish '.repeat(20)}it?` });
    const titleOf = (event: WalletEvent) => {
      const context = {
        links: createLinks({}),
        language: ENGLISH,
        sentAtMs: AT * 1000,
        labelOf: () => 'Whale',
      };
      return renderMessage([{ kind: 'alert', alerts: [alertOf(event, 1)] }], {
        ...context,
        isCompact: false,
      }).body.embeds[0]?.title;
    };
    const bought = titleOf({ kind: 'activity', item, context: undefined });
    expect(bought).toMatch(/ (the|finance|ministry|publish)…$/);
    const closed = { ...result, market: marketOf(item) };
    expect(titleOf({ kind: 'result', result: closed })).toBe(bought);
    expect(
      titleOf({ kind: 'consensus', consensus: { ...consensus, market: marketOf(item) } }),
    ).toBe(bought);
  });
});
