import type { APIEmbed } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import { renderAlert } from '../../src/embeds/alert-embed.ts';
import { alertReference, EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import { assertEmbedLimits } from '../../src/embeds/limits.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import type { ActivityItem, TransferItem } from '../../src/venue/schema.ts';
import { parseMarkdown, readMarkdown } from './discord-markdown.ts';
import { anyEvent, hostileLinks as links, linkTemplate as template } from './hostile-items.ts';
import { hostileText } from './hostile-text.ts';

/** Ten thousand items more go through message.test.ts. */
const runs = { numRuns: 700 };
const wallet = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' as WalletAddress;
const timeSeconds = 1_790_000_000;
const txHash = `0x${'ab12'.repeat(16)}`;

const buy: ActivityItem = {
  time: timeSeconds,
  action: 'Buy',
  recordType: 'SUMMARY',
  actionType: 0,
  price: 63.5,
  quantity: 1234.5,
  fee: 1.2,
  grossValue: 783.9075,
  transferNetAmount: 785.1075,
  txHash,
  tokenId: '1',
  marketId: '42',
  marketSlug: 'paris',
  eventSlug: 'rain-in-may',
  conditionId: '0x01',
  marketTitle: 'Will it rain in Paris on 1 May?',
  positionSide: 'Yes',
  outcomeIndex: 0,
  logo: 'https://img.example/rain.png',
  trader: wallet,
  liquidityRole: 'TAKER',
};
const sell: ActivityItem = {
  ...buy,
  action: 'Sell',
  price: 71,
  fee: 0,
  grossValue: 876.495,
  transferNetAmount: -876.495,
  liquidityRole: 'MAKER',
};
const redeem: ActivityItem = {
  ...buy,
  action: 'Redeem',
  recordType: 'REDEEMS',
  actionType: 1,
  price: 100,
  quantity: 250,
  fee: 0,
  grossValue: 250,
  transferNetAmount: -250,
  liquidityRole: null,
};
const deposit: TransferItem = {
  txHash,
  type: 'deposit',
  amount: 5000,
  time: timeSeconds,
  address: '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb',
};

const noLinks = createLinks({});

function alertOf(event: WalletEvent): Alert {
  return { id: 'a1b2c3', wallet, channelId: '123456789012345678', event, seenAtMs: timeSeconds * 1000 };
}

interface Options {
  readonly label?: string;
  readonly withLinks?: boolean;
  readonly delaySeconds?: number;
}

function render(event: WalletEvent, { label, withLinks = true, delaySeconds = 8 }: Options = {}): APIEmbed {
  const context = {
    links: withLinks ? links : noLinks,
    language: ENGLISH,
    labelOf: () => undefined,
    sentAtMs: (timeSeconds + delaySeconds) * 1000 + 400,
  };
  return renderAlert(alertOf(event), label === undefined ? context : { ...context, label });
}

/** The source of an embed from top to bottom, for a reader of this file. */
function page({ title, description, footer }: APIEmbed): string {
  return `\n${title}\n${description}\n(${footer?.text})\n`;
}

const activity = (item: ActivityItem, options?: Options): APIEmbed => render({ kind: 'activity', item }, options);
const transfer = (item: TransferItem, options?: Options): APIEmbed => render({ kind: 'transfer', item }, options);

describe('an alert reads', () => {
  it('for a buy: who, what, at which price, what it cost', () => {
    const embed = activity(buy, { label: 'Whale' });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      Whale bought 1,234.5 Yes at 63.5¢
      **[Will it rain in Paris on 1 May?](https://venue.example/rain-in-may/paris)**
      Paid **$785.11** · gross $783.91 · fee $1.20
      1,234.5 shares · 63.5¢ (63.5 %) · taker
      <t:1790000000:R> · <t:1790000000:f> · [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      (Rang 8 s after the trade · #a1b2c3)
      "
    `);
    expect(embed).toMatchObject({ color: EMBED_COLOURS.buy, thumbnail: { url: 'https://img.example/rain.png' } });
  });

  it('for a sell, without a label and without links', () => {
    const embed = activity(sell, { withLinks: false });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      0x5aAe…eAed sold 1,234.5 Yes at 71¢
      **Will it rain in Paris on 1 May?**
      Received **$876.50** · gross $876.50 · no fee
      1,234.5 shares · 71¢ (71 %) · maker
      <t:1790000000:R> · <t:1790000000:f> · tx 0xab12…ab12
      (Rang 8 s after the trade · #a1b2c3)
      "
    `);
    expect(embed.color).toBe(EMBED_COLOURS.sell);
  });

  it('for a redemption: no price, for nobody traded at one', () => {
    const embed = activity(redeem, { label: 'Whale', delaySeconds: 125 });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      Whale redeemed 250 Yes, paid out $250.00
      **[Will it rain in Paris on 1 May?](https://venue.example/rain-in-may/paris)**
      Received **$250.00** · gross $250.00 · no fee · 250 shares
      <t:1790000000:R> · <t:1790000000:f> · [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      (Rang 2 min 5 s after the redemption · #a1b2c3)
      "
    `);
    expect(embed.color).toBe(EMBED_COLOURS.redeem);
    expect(page(embed)).not.toContain('¢');
  });

  it('for an action that the venue does not describe: as it came', () => {
    const embed = activity(
      { ...buy, action: 'Merge_2', liquidityRole: 'BROKER', positionSide: 'Maybe' },
      { label: 'Whale' },
    );
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      Whale: Merge\\_2 1,234.5 Maybe at 63.5¢
      **[Will it rain in Paris on 1 May?](https://venue.example/rain-in-may/paris)**
      Paid **$785.11** · gross $783.91 · fee $1.20
      1,234.5 shares · 63.5¢ (63.5 %) · BROKER
      <t:1790000000:R> · <t:1790000000:f> · [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      (Rang 8 s after it happened · #a1b2c3)
      "
    `);
    expect(embed.color).toBe(EMBED_COLOURS.unknown);
  });

  it('for a deposit', () => {
    const embed = transfer(deposit, { label: 'Whale' });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      Whale deposited $5,000.00
      from \`0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb\`
      <t:1790000000:R> · <t:1790000000:f> · [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      (Rang 8 s after the deposit · #a1b2c3)
      "
    `);
    expect(embed.color).toBe(EMBED_COLOURS.deposit);
  });

  it('for a bridged deposit', () => {
    const embed = transfer({ ...deposit, address: `0x${'0'.repeat(40)}` }, { label: 'Whale' });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      Whale deposited $5,000.00 via bridge
      The venue does not name the sender of a bridged deposit.
      <t:1790000000:R> · <t:1790000000:f> · [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      (Rang 8 s after the deposit · #a1b2c3)
      "
    `);
  });

  it('for a withdrawal', () => {
    const embed = transfer({ ...deposit, type: 'withdrawal', amount: 250.5 }, { withLinks: false });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      0x5aAe…eAed withdrew $250.50
      to \`0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb\`
      <t:1790000000:R> · <t:1790000000:f> · tx 0xab12…ab12
      (Rang 8 s after the withdrawal · #a1b2c3)
      "
    `);
    expect(embed.color).toBe(EMBED_COLOURS.withdrawal);
  });

  it('for a transfer of another type: as it came', () => {
    const embed = transfer({ ...deposit, type: 'rebate', amount: 0.004, address: 'treasury' }, { label: 'Whale' });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      Whale: rebate <$0.01
      other side: treasury
      <t:1790000000:R> · <t:1790000000:f> · [0x5aAe…eAed](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed) · [transaction](https://scan.example/tx/0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12)
      (Rang 8 s after it happened · #a1b2c3)
      "
    `);
    expect(embed.color).toBe(EMBED_COLOURS.unknown);
  });

  it('for a gap in the activity: what may be missing, since when, and where to look', () => {
    const gap = {
      cause: 'overflow',
      endpoint: 'activity',
      fromSeconds: timeSeconds - 600,
      toSeconds: timeSeconds,
    } as const;
    const embed = render({ kind: 'gap', gap }, { label: 'Whale' });
    expect(page(embed)).toMatchInlineSnapshot(`
      "
      Whale: some trades may be missing here
      More arrived between two looks than one page shows, so some trades or redemptions between <t:1789999400:f> and <t:1790000000:f> may not have rung.
      \`/activity\` lists them, for \`0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\` · [open the wallet](https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed)
      (Gap notice · #a1b2c3)
      "
    `);
    expect(embed.color).toBe(EMBED_COLOURS.gap);
  });

  it('for a gap in the transfers', () => {
    const gap = {
      cause: 'overflow',
      endpoint: 'deposits-withdrawals',
      fromSeconds: timeSeconds - 600,
      toSeconds: timeSeconds,
    } as const;
    expect(page(render({ kind: 'gap', gap }, { withLinks: false }))).toMatchInlineSnapshot(`
      "
      0x5aAe…eAed: some transfers may be missing here
      More arrived between two looks than one page shows, so some deposits or withdrawals between <t:1789999400:f> and <t:1790000000:f> may not have rung.
      \`/flows\` lists them, for \`0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\`
      (Gap notice · #a1b2c3)
      "
    `);
  });
});

describe('the words are honest', () => {
  it('follows the sign of the net amount, whatever the action suggests', () => {
    expect(activity({ ...buy, transferNetAmount: -5 }).description).toContain('Received **$5.00**');
    expect(activity({ ...sell, transferNetAmount: 5 }).description).toContain('Paid **$5.00**');
    const odd = activity({ ...redeem, transferNetAmount: 5 });
    expect(odd.description).toContain('Paid **$5.00**');
    expect(odd.title).not.toContain('paid out');
    expect(activity({ ...redeem, transferNetAmount: 0 }).title).toContain('paid out $0.00');
  });

  it.each([
    [-31, 'Delay unknown, the clocks disagree: dated 31 s ahead of this alert · #a1b2c3'],
    [-30, 'Rang at once · #a1b2c3'],
    [0, 'Rang at once · #a1b2c3'],
    [1, 'Rang 1 s after the trade · #a1b2c3'],
    [176_400, 'Rang 2 d 1 h after the trade · #a1b2c3'],
  ])('a delay of %d s reads "%s"', (delaySeconds, text) => {
    expect(activity(buy, { delaySeconds }).footer?.text).toBe(text);
  });

  it('says that maker or taker is unknown for a trade, and nothing for a redemption', () => {
    expect(activity({ ...buy, liquidityRole: null }).description).toContain('maker or taker unknown');
    expect(activity(redeem).description).not.toContain('taker');
  });

  it('takes the zero address for a bridge in a deposit only', () => {
    const zero = `0x${'0'.repeat(40)}`;
    expect(page(transfer({ ...deposit, type: 'withdrawal', address: zero }))).not.toContain('bridge');
    expect(page(transfer({ ...deposit, type: 'withdrawal', address: zero }))).toContain(`to \`${zero}\``);
  });

  it('names a market by its slug where it has no title, and says so where it has neither', () => {
    expect(activity({ ...buy, marketTitle: '\u200b' }).description).toContain('[paris](');
    expect(activity({ ...buy, marketTitle: '', marketSlug: '' }).description).toContain('**Market without a title**');
  });

  it.each(['toString', '__proto__', 'constructor'])('shows the action and type "%s" as any unknown one', (word) => {
    expect(readMarkdown(parseMarkdown(activity({ ...buy, action: word }).title ?? ''))).toContain(
      `: ${word} 1,234.5 Yes`,
    );
    expect(readMarkdown(parseMarkdown(transfer({ ...deposit, type: word }).title ?? ''))).toContain(
      `: ${word} $5,000.00`,
    );
  });
});

describe('links too long for one description', () => {
  it('are left out from the last, the market first of all', () => {
    const long = `https://venue.example/${'a'.repeat(1900)}/`;
    const endless = createLinks({
      market: template('MARKET_URL', `${long}{marketSlug}`),
      transaction: template('TX_URL', `${long}{txHash}`),
      wallet: template('WALLET_URL', 'https://venue.example/u/{address}'),
    });
    const context = { links: endless, language: ENGLISH, labelOf: () => undefined, sentAtMs: timeSeconds * 1000 };
    const embed = renderAlert(alertOf({ kind: 'activity', item: { ...buy, marketTitle: '*'.repeat(999) } }), context);
    assertEmbedLimits(embed);
    const linked = parseMarkdown(embed.description ?? '').filter((node) => node.kind === 'link');
    expect(linked.map((node) => node.text)).toEqual(['0x5aAe…eAed', 'transaction']);
  });
});

describe('the reference', () => {
  it.each(['', 'a b', 'a\n', 'ü', 'x'.repeat(201)])('refuses the id %j, which could not be found again', (id) => {
    expect(() => alertReference(id)).toThrow('is no reference');
  });
});

const embeds = fc
  .tuple(anyEvent, fc.option(hostileText(), { nil: undefined }), fc.boolean(), fc.stringMatching(/^[!-~]{1,64}$/))
  .map(([about, label, withLinks, id]) => {
    const context = {
      label,
      language: ENGLISH,
      labelOf: () => label,
      links: withLinks ? links : noLinks,
      sentAtMs: timeSeconds * 1000,
    };
    return { id, withLinks, embed: renderAlert({ ...alertOf(about), id }, context) };
  });

describe('whatever the venue and the room write', () => {
  it('an alert is within every limit of Discord, and nothing in it is empty', () => {
    fc.assert(
      fc.property(fc.array(embeds, { minLength: 1, maxLength: 2 }), (rendered) => {
        for (const { embed, id } of rendered) {
          assertEmbedLimits(embed);
          expect(embed.title?.trim()).toBeTruthy();
          expect(embed.description?.split('\n').every((line) => line.trim() !== '')).toBe(true);
          expect(embed.footer?.text.endsWith(` #${id}`)).toBe(true);
          expect(embed.url).toBeUndefined();
        }
      }),
      runs,
    );
  });

  it('an alert holds our own markup, to known addresses, and none of theirs', () => {
    fc.assert(
      fc.property(embeds, ({ embed, withLinks }) => {
        expect(parseMarkdown(embed.title ?? '').map((node) => node.kind)).toEqual(['text']);
        const nodes = parseMarkdown(embed.description ?? '').flatMap((node) =>
          node.kind === 'strong' ? node.children : [node],
        );
        for (const node of nodes) {
          expect(['text', 'link', 'timestamp', 'code']).toContain(node.kind);
          expect(node.children.every((child) => child.kind === 'text')).toBe(true);
          if (node.kind === 'link') expect(node.url).toMatch(/^https:\/\/(?:venue|scan)\.example\//);
        }
        if (!withLinks) expect(nodes.some((node) => node.kind === 'link')).toBe(false);
        if (embed.thumbnail) expect(new URL(embed.thumbnail.url).protocol).toBe('https:');
        expect(`${embed.title}${embed.description}`).not.toMatch(
          /@everyone|@here|<@[!&]?\d|[\u202a-\u202e\u2066-\u2069]/u,
        );
      }),
      runs,
    );
  });
});
