import type { APIEmbed } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import { embedOf, headlineOf } from '../../src/alerts/kinds/kinds.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { EMBED_COLOURS, marketTitle } from '../../src/embeds/embed-parts.ts';
import { createLinks, type Links } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { type AlertMessage, renderMessage } from '../../src/messages/message.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { trade, transfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { parseMarkdown, readMarkdown } from './discord-markdown.ts';
import { anyEvent, hostileLinks as links, linkTemplate as template } from './hostile-items.ts';
import { hostileText } from './hostile-text.ts';

const wallet = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' as WalletAddress;
const timeSeconds = 1_790_000_000;
const txHash = `0x${'ab12'.repeat(16)}`;

const purchase = trade({
  time: timeSeconds,
  txHash,
  marketId: '42',
  marketSlug: 'paris',
  eventSlug: 'rain-in-may',
  marketTitle: 'Will it rain in Paris on 1 May?',
  logo: 'https://img.example/rain.png',
});
const sell = {
  ...purchase,
  action: 'Sell',
  price: 71,
  transferNetAmount: -876.495,
  liquidityRole: 'MAKER',
};
const redeem = {
  ...purchase,
  action: 'Redeem',
  price: 100,
  quantity: 250,
  transferNetAmount: -250,
  liquidityRole: null,
};
const deposit = transfer({
  txHash,
  time: timeSeconds,
  address: '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb',
});

const noLinks = createLinks({});
const OWN_URL = /^https:\/\/(?:venue|scan)\.example\//;

function alertOf(event: WalletEvent): Alert {
  return {
    id: 'a1b2c3',
    wallet,
    channelId: '123456789012345678',
    event,
    seenAtMs: timeSeconds * 1000,
  };
}

interface Options {
  readonly label?: string;
  readonly withLinks?: boolean;
  readonly delaySeconds?: number;
}

function message(
  event: WalletEvent,
  { label, withLinks = true, delaySeconds = 8 }: Options = {},
): AlertMessage {
  return renderMessage([{ kind: 'alert', alerts: [alertOf(event)] }], {
    links: withLinks ? links : noLinks,
    language: ENGLISH,
    labelOf: () => label,
    sentAtMs: (timeSeconds + delaySeconds) * 1000 + 400,
    isCompact: false,
  }).body;
}

function render(event: WalletEvent): APIEmbed {
  return message(event).embeds[0] ?? {};
}

/** A message from top to bottom, for a reader of this file. */
function page(event: WalletEvent, options?: Options): string {
  const { content, embeds } = message(event, options);
  const [{ author, title, url, description, footer, timestamp } = {}] = embeds;
  const linked = (text: string | undefined, to: string | undefined) =>
    to === undefined ? text : `${text} -> ${to}`;
  const rows = [
    content,
    linked(author?.name, author?.url),
    linked(title, url),
    description,
    footer?.text,
    timestamp,
  ];
  return `\n${rows.filter((row) => row !== undefined).join('\n')}\n`;
}

const activity = (item: ActivityItem): APIEmbed => render({ kind: 'activity', item });
const moved = (item: TransferItem): APIEmbed => render({ kind: 'transfer', item });
const contentOf = (item: ActivityItem) =>
  message({ kind: 'activity', item }, { label: 'Whale' }).content;
const tradePage = (item: ActivityItem, options?: Options) =>
  page({ kind: 'activity', item }, options);
const transferPage = (item: TransferItem, options?: Options) =>
  page({ kind: 'transfer', item }, options);

describe('an alert reads', () => {
  it('for a buy: who, what, how much at which price, and where; the rest in small print', () => {
    expect(tradePage(purchase, { label: 'Whale' })).toMatchInlineSnapshot(`
      "
      🟢 **Whale** BUY **Yes $785** at 63.5¢ · Will it rain in Paris on 1 May?
      -# [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · 1,235 shares · taker
      "
    `);
    expect(activity(purchase)).toMatchObject({
      color: EMBED_COLOURS.buy,
    });
  });

  it('for a sell, without a label and without links', () => {
    expect(tradePage(sell, { withLinks: false })).toMatchInlineSnapshot(`
      "
      🔴 **0x5aAe…eAed** SELL **Yes $876** at 71¢ · Will it rain in Paris on 1 May?
      -# 0x5aAe…eAed · 1,235 shares · maker
      "
    `);
    expect(activity(sell).color).toBe(EMBED_COLOURS.sell);
  });

  it('for a redemption: no price, for nobody traded at one', () => {
    expect(tradePage(redeem, { label: 'Whale', delaySeconds: 125 })).toMatchInlineSnapshot(`
      "
      ⏱ 2 min late · 🏁 **Whale** REDEEM **Yes $250** · Will it rain in Paris on 1 May?
      -# [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · 250 shares
      "
    `);
    expect(activity(redeem).color).toBe(EMBED_COLOURS.redeem);
  });

  it('for a redemption for nothing: what it lost, once', () => {
    const item = { ...redeem, transferNetAmount: 0 };
    const context = {
      ...{ sharesBefore: '250', sharesAfter: '0', isClosed: true, entryCents: 41.8 },
      ...{ realized: '-104.5', costOfSold: '104.5', oppositeShares: '0', isFirstInMarket: false },
    };
    const event = { kind: 'activity', item, context } as const;
    expect(page(event, { label: 'Whale', withLinks: false })).toMatchInlineSnapshot(`
      "
      📉 **Whale** lost **$105** on **Yes** · Will it rain in Paris on 1 May?
      -# 0x5aAe…eAed · 250 shares · entry 41.8¢
      "
    `);
    expect(render(event).color).toBe(EMBED_COLOURS.loss);
    // Of what the wallet got for nothing nothing is lost, and where channels read it when the market
    // was settled, it is not said twice.
    for (const changes of [{ realized: '0' }, { isEndKnown: true as const }]) {
      const other = { ...event, context: { ...context, ...changes } };
      expect(page(other, { label: 'Whale' })).toContain('🏁 **Whale** REDEEM **Yes $0.00**');
    }
  });

  it('for an action that the venue does not describe: as it came', () => {
    const item = { ...purchase, action: 'Merge_2', liquidityRole: 'BROKER', positionSide: 'Maybe' };
    expect(tradePage(item, { label: 'Whale' })).toMatchInlineSnapshot(`
      "
      ⚪ **Whale** “Merge\\_2” **Maybe paid $785** at 63.5¢ · Will it rain in Paris on 1 May?
      -# [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · 1,235 shares
      "
    `);
    expect(activity(item).color).toBe(EMBED_COLOURS.unknown);
  });

  it('for an outcome whose name looks like figures: in quotes', () => {
    const page = tradePage(
      { ...purchase, positionSide: 'Yes $9,500,000 at 1¢' },
      { label: 'Whale' },
    );
    expect(page).toContain('🟢 **Whale** BUY **“Yes $9,500,000 at 1¢” $785**');
  });

  it('for a deposit: the address in full, and all of the amount', () => {
    expect(
      transferPage({ ...deposit, amount: 5_000.5 }, { label: 'Whale' }),
    ).toMatchInlineSnapshot(`
      "
      📥 **Whale** deposited **$5,001**
      -# [0xD122…9aDb](https://venue.example/u/0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb) → [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · $5,000.50 · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      "
    `);
    expect(moved(deposit).color).toBe(EMBED_COLOURS.deposit);
  });

  it('for a bridged deposit', () => {
    expect(
      transferPage({ ...deposit, address: `0x${'0'.repeat(40)}` }, { label: 'Whale' }),
    ).toMatchInlineSnapshot(`
      "
      📥 **Whale** deposited **$5,000** via bridge
      -# [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      "
    `);
  });

  it('for a withdrawal', () => {
    const withdrawal = { ...deposit, type: 'withdrawal', amount: 250.5 };
    expect(transferPage(withdrawal, { withLinks: false })).toMatchInlineSnapshot(`
      "
      📤 **0x5aAe…eAed** withdrew **$251**
      -# 0x5aAe…eAed → 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb · $250.50 · tx 0xab12…ab12
      "
    `);
    expect(moved(withdrawal).color).toBe(EMBED_COLOURS.withdrawal);
  });

  it('for a transfer without a hash: neither a link nor a hash', () => {
    const shown = transferPage({ ...deposit, txHash: 'none-1a2b' }, { label: 'Whale' });
    expect(shown).toContain('0x');
    expect(shown).not.toMatch(/none-|transaction|tx /);
  });

  it('for a transfer of another type: as it came', () => {
    const rebate = { ...deposit, type: 'rebate', amount: 0.004, address: 'treasury' };
    expect(transferPage(rebate, { label: 'Whale' })).toMatchInlineSnapshot(`
      "
      ⚪ **Whale** rebate **<$0.01**
      -# [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · treasury · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      "
    `);
    expect(moved(rebate).color).toBe(EMBED_COLOURS.unknown);
  });

  const gap = {
    cause: 'overflow',
    endpoint: 'activity',
    fromSeconds: timeSeconds - 600,
    toSeconds: timeSeconds,
  } as const;

  it('for a gap: what may be missing, since when, and where to look', () => {
    expect(page({ kind: 'gap', gap }, { label: 'Whale' })).toMatchInlineSnapshot(`
      "
      ⚠️ **Whale**: some trades may be missing here
      Some trades or redemptions between <t:1789999400:f> and <t:1790000000:t> may be missing.
      -# Too much happened at once to read all of it · [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed)
      "
    `);
    expect(render({ kind: 'gap', gap }).color).toBe(EMBED_COLOURS.warning);
    const inTransfers = { ...gap, endpoint: 'deposits-withdrawals' } as const;
    expect(page({ kind: 'gap', gap: inTransfers })).toMatch(
      /some transfers may be missing here\nSome deposits or withdrawals between /,
    );
  });

  it('for a gap of more than half a day: with both dates', () => {
    const long = { ...gap, toSeconds: gap.fromSeconds + 13 * 3_600 };
    expect(render({ kind: 'gap', gap: long }).description).toContain(
      `between <t:${gap.fromSeconds}:f> and <t:${long.toSeconds}:f> may`,
    );
  });
});

describe('the words are honest', () => {
  it('follows the sign of the net amount, whatever the action suggests', () => {
    expect(contentOf({ ...purchase, transferNetAmount: -5 })).toContain(
      'BUY **Yes received $5.00**',
    );
    expect(contentOf({ ...sell, transferNetAmount: 5 })).toContain('SELL **Yes paid $5.00**');
    expect(contentOf({ ...redeem, transferNetAmount: 5 })).toContain('REDEEM **Yes paid $5.00**');
    expect(contentOf({ ...redeem, transferNetAmount: 0 })).toContain('REDEEM **Yes $0.00**');
    expect(contentOf({ ...redeem, transferNetAmount: 1e-12 })).toContain(
      'REDEEM **Yes paid <$0.01**',
    );
    expect(contentOf({ ...purchase, transferNetAmount: -1e-12 })).toContain(
      'BUY **Yes received <$0.01**',
    );
  });

  it.each([
    [-31, '🟢', 'taker · Delay unknown: dated 31 s later than this alert'],
    [-30, '🟢', 'taker'],
    [14, '🟢', 'taker'],
    [15, '🟢', 'taker · 15 s late'],
    [59, '🟢', 'taker · 59 s late'],
    [60, '⏱ 1 min late · 🟢', 'taker'],
    [359, '⏱ 5 min late · 🟢', 'taker'],
    [176_400, '⏱ 2 d 1 h late · 🟢', 'taker'],
  ])('with a delay of %d s begins "%s" and ends "%s"', (delaySeconds, first, last) => {
    const { content, embeds } = message({ kind: 'activity', item: purchase }, { delaySeconds });
    expect(content.split(' **')[0]).toBe(first);
    expect(embeds[0]?.description?.split('1,235 shares · ')[1]).toBe(last);
  });

  it('says of a deposit without an address neither from where nor that it came over a bridge', () => {
    for (const withLinks of [true, false]) {
      const text = transferPage({ ...deposit, address: '' }, { withLinks });
      expect(text).not.toMatch(/bridge|unknown|from|→/);
    }
  });

  it('takes the zero address for a bridge in a deposit only', () => {
    const zero = `0x${'0'.repeat(40)}`;
    const text = transferPage({ ...deposit, type: 'withdrawal', address: zero });
    expect(text).not.toContain('bridge');
    expect(text).toContain(`→ [0x0000…0000](https://venue.example/u/${zero}) ·`);
    expect(
      transferPage({ ...deposit, type: 'withdrawal', address: zero }, { withLinks: false }),
    ).toContain(`→ ${zero} ·`);
  });

  it('names a market by its slug where it has no title, and says so where it has neither', () => {
    expect(contentOf({ ...purchase, marketTitle: '\u200b' })).toContain('· paris');
    expect(contentOf({ ...purchase, marketTitle: '', marketSlug: '' })).toContain(
      '· Untitled market',
    );
  });

  it.each(['toString', '__proto__', 'constructor'])(
    'shows the action and type "%s" as any unknown one',
    (word) => {
      const read = (text: string) => readMarkdown(parseMarkdown(text));
      expect(read(contentOf({ ...purchase, action: word }))).toContain(
        `Whale ${word} Yes paid $785 at`,
      );
      const transferred = message(
        { kind: 'transfer', item: { ...deposit, type: word } },
        { label: 'Whale' },
      );
      expect(read(transferred.content)).toContain(`Whale ${word} $5,000`);
    },
  );

  it('says that the channel has found the wallet better than luck, and else nothing of its record', () => {
    const detailsOf = (isBetterThanLuck?: boolean) => {
      const context = { links, language: ENGLISH, labelOf: () => undefined, isBetterThanLuck };
      return embedOf(
        { alerts: [alertOf({ kind: 'activity', item: purchase })] },
        context,
      ).description?.split(' · taker')[1];
    };
    expect(detailsOf(true)).toBe(' · better than luck');
    expect(detailsOf(false)).toBe('');
    expect(detailsOf()).toBe('');
  });
});

describe('the link of a title', () => {
  const urlOf = (links: Links, item = purchase) =>
    marketTitle(item, { id: 'a1b2c3' }, { links, language: ENGLISH }).url;
  const market = (text: string) => createLinks({ MARKET_URL: template('MARKET_URL', text) });

  it('ends with the alert’s reference, so that Discord does not show two alerts of a market as one', () => {
    expect(urlOf(market('https://venue.example/{marketSlug}'))).toBe(
      'https://venue.example/paris#a1b2c3',
    );
    expect(urlOf(market('https://venue.example/#/{marketSlug}'))).toBe(
      'https://venue.example/#/paris',
    );
  });

  it('has no fragment where it would be too long, and is left out where it is too long by itself', () => {
    const long = market(`https://venue.example/${'a'.repeat(2_000)}/{marketSlug}`);
    const fitting = { ...purchase, marketSlug: 's'.repeat(25) };
    expect(urlOf(long, fitting)).toHaveLength(2_048);
    expect(urlOf(long, fitting)).not.toContain('#');
    expect(urlOf(long, { ...purchase, marketSlug: 's'.repeat(26) })).toBeUndefined();
    expect(urlOf(noLinks)).toBeUndefined();
  });
});

/** Ten thousand items more go through message.test.ts. */
const embeds = fc
  .tuple(
    anyEvent,
    fc.option(hostileText(), { nil: undefined }),
    fc.boolean(),
    fc.stringMatching(/^[!-~]{1,64}$/),
  )
  .map(([about, label, withLinks, id]) => {
    const context = { language: ENGLISH, labelOf: () => label, links: withLinks ? links : noLinks };
    const alerts: [Alert] = [{ ...alertOf(about), id }];
    const { market } = headlineOf({ alerts }, ENGLISH);
    const title = market && marketTitle(market, { id }, context);
    return { withLinks, embed: { ...title, ...embedOf({ alerts }, context) } };
  });

it('an alert is within every limit of Discord and holds our own markup alone, whatever the venue and people write', () => {
  fc.assert(
    fc.property(embeds, ({ embed, withLinks }) => {
      const { title = '', description = '', url, author, thumbnail, footer, timestamp } = embed;
      assertEmbedLimits(embed);
      expect(description.split('\n').every((line) => line.replace('-#', '').trim() !== '')).toBe(
        true,
      );
      expect([footer, timestamp]).toEqual([undefined, undefined]);
      if (!withLinks) expect([url, author?.url]).toEqual([undefined, undefined]);
      for (const link of [url, author?.url])
        expect(link ?? 'https://venue.example/').toMatch(OWN_URL);
      if (thumbnail) expect(new URL(thumbnail.url).protocol).toBe('https:');

      expect(parseMarkdown(title).filter((node) => node.kind !== 'text')).toEqual([]);
      const nodes = parseMarkdown(description).flatMap((node) =>
        node.kind === 'strong' ? node.children : [node],
      );
      const small = description.match(/^-# /gm) ?? [];
      expect(nodes.filter(({ kind }) => kind === 'heading')).toHaveLength(small.length);
      for (const node of nodes) {
        expect(['text', 'timestamp', 'code', 'heading', ...(withLinks ? ['link'] : [])]).toContain(
          node.kind,
        );
        expect(node.children.every((child) => child.kind === 'text')).toBe(true);
        if (node.kind === 'link') expect(node.url).toMatch(OWN_URL);
      }
      expect(`${title}${description}`).not.toMatch(
        /@everyone|@here|<@[!&]?\d|[\u202a-\u202e\u2066-\u2069]/u,
      );
    }),
    randomRuns(1_000),
  );
});
