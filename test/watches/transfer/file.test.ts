import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksummed, type WalletAddress } from '../../../src/domain/address.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../../src/language/language.ts';
import { escapeFormulas, unescapeFormulas } from '../../../src/lib/text/formulas.ts';
import { EFFECTS } from '../../../src/portfolio/trade-context.ts';
import { KINDS } from '../../../src/watches/settings/setting.ts';
import type { Places } from '../../../src/watches/transfer/fields.ts';
import {
  type FileFormat,
  readCsv,
  readWatches,
  writeWatches,
} from '../../../src/watches/transfer/file.ts';
import { type Watch, watchKey } from '../../../src/watches/watch.ts';
import { DEFAULT_SETTINGS, settingsSchema } from '../../../src/watches/watch-settings.ts';
import { priceBands, settingsArbitrary } from '../../commands/watch/settings-samples.ts';
import { hostileText } from '../../embeds/hostile-text.ts';
import { randomRuns } from '../../support/thorough.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { watchOf } from '../../support/watch.ts';

const NAMES = { hasChannels: true, channel: () => 'alerts', role: () => 'desk' };
const [WALLET, OTHER] = [walletOfDigit('1'), walletOfDigit('2')] as const;
/** Where every id and every name is there. */
const PLACES: Places = {
  channel: async (named) => named?.id ?? named?.name ?? 'here',
  role: ({ id, name }) => id ?? name,
  requireMention: () => {},
};

const snowflakes = () => fc.bigInt({ min: 10n ** 17n, max: 10n ** 19n }).map(String);
const usdc = () => fc.double({ min: 0, max: 1e12, noNaN: true });
const cents = () => fc.double({ min: 0, max: 100, noNaN: true });
/**
 * What breaks CSV, what spreadsheets run, and what an apostrophe before it may be confused with.
 */
const nastyText = () =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...'\'=+-@",;\t\r\n|＝ a\ufeff'), maxLength: 12 }),
    hostileText(),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
const labels = () =>
  nastyText().map((text) => Array.from(text.toWellFormed()).slice(0, 64).join('').trim() || null);
const marketNames = () =>
  nastyText()
    .map((text) => text.toWellFormed().toLowerCase().slice(0, 200).toWellFormed().trim())
    .filter((name) => name !== '' && name === name.toLowerCase());

const settings = () =>
  settingsArbitrary({
    kinds: fc.uniqueArray(fc.constantFrom(...KINDS, ...EFFECTS), { minLength: 1 }),
    usdc: usdc(),
    marketName: marketNames(),
    word: marketNames().map((name) => `${name.slice(0, 50).toWellFormed().trim()} a`.trim()),
    priceCents: priceBands(cents()),
    roleId: snowflakes(),
  });

const watches = (): fc.Arbitrary<Watch> =>
  fc
    .record({
      channelId: snowflakes(),
      wallet: fc.stringMatching(/^0x[0-9a-f]{40}$/) as fc.Arbitrary<WalletAddress>,
      label: labels(),
      settings: settings(),
      pause: fc.option(
        fc.record({ untilSeconds: fc.option(fc.integer({ min: 0, max: 4_000_000_000 })) }),
      ),
    })
    .map(watchOf);

function read(text: string) {
  return readWatches(new TextEncoder().encode(text), PLACES);
}

async function faults(text: string): Promise<string[]> {
  return (await read(text)).faults.map(
    ({ place, reason }) => `${place(ENGLISH)} ${reason(ENGLISH)}`,
  );
}

describe('a file of watches', () => {
  it.each<FileFormat>(['csv', 'json'])(
    'in %s gives back each watch as it was, whatever its texts hold',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(fc.array(watches(), { minLength: 1, maxLength: 5 }), async (written) => {
          const distinct = [...new Map(written.map((watch) => [watchKey(watch), watch])).values()];
          const { orders, faults: found } = await read(await writeWatches(distinct, format, NAMES));
          expect(found).toEqual([]);
          expect(orders).toEqual(
            distinct.map(({ wallet, channelId, label, settings: kept, pause }) => ({
              wallet,
              channelId,
              label,
              settings: settingsSchema.parse(kept),
              pause,
            })),
          );
        }),
        randomRuns(80),
      );
    },
  );

  it('holds no cell that a spreadsheet takes for a formula, by whichever separator it reads', async () => {
    const isFormula = (cell: string) => /^[=+\-@\t\r＝＋－＠]/.test(cell);
    await fc.assert(
      fc.asyncProperty(fc.array(watches(), { minLength: 1, maxLength: 3 }), async (written) => {
        const csv = await writeWatches(written, 'csv', NAMES);
        for (const separator of [',', ';', '\t', '|']) {
          const cells = csv.replace(/^\ufeff/, '').split(new RegExp(`["\\r\\n${separator}]`));
          expect(cells.filter(isFormula)).toEqual([]);
        }
      }),
    );
  });

  it('takes the apostrophes off again, and only those', () => {
    expect(escapeFormulas('=HYPERLINK("http://x")')).toBe('\'=HYPERLINK("http://x")');
    expect(escapeFormulas("'=1")).toBe("''=1");
    expect(escapeFormulas("'tis a label")).toBe("'tis a label");
    const soup = fc.string({ unit: fc.constantFrom(...'\'=-;,| \t\n"x＝') });
    fc.assert(
      fc.property(fc.oneof(nastyText(), soup), (text) => {
        expect(unescapeFormulas(escapeFormulas(text))).toBe(text);
      }),
      randomRuns(2_000),
    );
  });

  it('may be as short as a column of wallets, a list of addresses, or JSON of addresses', async () => {
    const [one, other] = [checksummed(WALLET), checksummed(OTHER)];
    const orders = [WALLET, OTHER].map((wallet) => ({ wallet, channelId: 'here', settings: {} }));
    for (const text of [
      `wallet\n${one}\n\n${OTHER}\n`,
      `${one}\r\n${OTHER}`,
      `["${one}",{"Wallet":"${OTHER}"}]`,
      `{"watches":["${one}","${other}"]}`,
    ]) {
      expect(await read(text)).toEqual({ orders, faults: [] });
    }
  });

  it.each([',', ';', '\t'])(
    'reads a table behind Excel’s own line that names %j',
    async (delimiter) => {
      const rows = [
        ['wallet', 'label'],
        [WALLET, 'a'],
        [OTHER, '"b,;"'],
      ];
      const table = rows.map((row) => row.join(delimiter)).join('\r\n');
      const expected = await read(table);
      expect(expected.faults).toEqual([]);
      expect(expected.orders).toHaveLength(2);
      for (const line of ['sep=', 'SEP=']) {
        expect(await read(`${line}${delimiter}\r\n${table}`)).toEqual(expected);
      }
      // Lines are counted as they are in the file.
      expect(await faults(`sep=${delimiter}\nwallet\n${WALLET}\n${WALLET}`)).toEqual([
        'Line 4 repeats the wallet and channel of Line 3. Keep one.',
      ]);
    },
  );

  it('names a wallet once for each channel, and says by line or entry where else it stands', async () => {
    const repeated = (place: string, earlier: string) => [
      `${place} repeats the wallet and channel of ${earlier}. Keep one.`,
    ];
    const one = checksummed(WALLET);
    expect(await faults(`wallet\n${one}\n\n${WALLET}\n`)).toEqual(repeated('Line 4', 'Line 2'));
    expect(await faults(`${one}\r\n${WALLET}`)).toEqual(repeated('Line 2', 'Line 1'));
    expect(await faults(`["${one}",{"Wallet":"${WALLET}"}]`)).toEqual(
      repeated('Entry 2', 'Entry 1'),
    );
    const inTwo = await read(`wallet,channel\n${one},#desk\n${WALLET},#floor`);
    expect(inTwo.orders.map(({ channelId }) => channelId)).toEqual(['desk', 'floor']);
  });

  it('takes links that hold an address, and says which line holds several, or a transaction', async () => {
    const link = `https://venue.example/profile/${checksummed(WALLET)}?tab=1`;
    for (const text of [
      `${link}\n`,
      `wallet,label\n<${link}>,Whale\n`,
      JSON.stringify([link]),
      JSON.stringify([{ wallet: link }]),
    ]) {
      const { orders, faults } = await read(text);
      expect([orders.map(({ wallet }) => wallet), faults]).toEqual([[WALLET], []]);
    }
    const wrong = `wallet\n${WALLET} ${OTHER}\nhttps://scan.example/tx/0x${'ab'.repeat(32)}\n`;
    expect(await faults(wrong)).toEqual([
      `Line 2 I found several addresses: \`${checksummed(WALLET)}\`, \`${checksummed(OTHER)}\`. Use just one.`,
      expect.stringMatching(/^Line 3 `0xabababab…` is a transaction, not a wallet\./),
    ]);
  });

  it('takes what a spreadsheet makes of it: semicolons, other spellings, short lines, empty columns', async () => {
    const text = `\ufeffWallet;Label;Min USDC;max_price_cents;;\r\n${WALLET};"A;\nB";5.5;;;\r\n${OTHER};;;95\r\n;;;;;\r\n`;
    expect((await read(text)).orders).toEqual([
      {
        wallet: WALLET,
        channelId: 'here',
        label: 'A;\nB',
        settings: { minUsdc: 5.5, priceCents: null },
      },
      {
        wallet: OTHER,
        channelId: 'here',
        label: null,
        settings: { minUsdc: 0, priceCents: { min: 0, max: 95 } },
      },
    ]);
  });

  it('reads names of channels and roles, with the id first', async () => {
    const id = '123456789012345678';
    const channels = [`#desk`, `desk`, id, `<#${id}>`]
      .map((channel) => `${WALLET},${channel},@mods`)
      .join('\n');
    const asked: unknown[] = [];
    const places: Places = {
      ...PLACES,
      async channel(named) {
        asked.push(named);
        return String(asked.length);
      },
    };
    const { orders } = await readWatches(
      Buffer.from(`wallet,channel,mentionRole\n${channels}`),
      places,
    );
    expect(asked).toEqual([
      { id: null, name: 'desk' },
      { id: null, name: 'desk' },
      { id, name: null },
      { id, name: null },
    ]);
    expect(orders.map(({ channelId }) => channelId)).toEqual(['1', '2', '3', '4']);
    expect(orders[0]?.settings.mention).toEqual({ roleId: 'mods', minUsdc: 0, cooldownSeconds: 0 });
  });

  it('takes all for all kinds, as commands do', async () => {
    const { orders } = await read(`wallet,kinds\n${WALLET},All\n`);
    expect(orders[0]?.settings.kinds).toBeNull();
    expect(await faults(`wallet,kinds\n${WALLET},all buy\n`)).toHaveLength(1);
  });

  it('names every fault with its line, what stands there, and what is accepted', async () => {
    const header =
      'wallet,label,kinds,minUsdc,minPriceCents,maxPriceCents,liquidityRole,cooldownSeconds,style,paused';
    const lines = [
      `0x12,${'x'.repeat(65)},buy,lots,,,,,,`,
      `${WALLET},,buy steal,-1,90,10,,,,`,
      `${WALLET},"two\nlines",,,101,,both,1.5,some,tomorrow`,
      `${WALLET.replace('1', 'aB')},,,,,,,,,`,
      `${WALLET},,,,,,,,,,more`,
      ',no wallet,,,,,,,,',
    ];
    const found = await faults([header, ...lines].join('\n'));
    expect(found).toEqual([
      expect.stringMatching(/^Line 2 `0x12` isn’t a wallet address\. Use 0x followed by 40/),
      expect.stringMatching(/^Line 2 label is `x{59}…`\. Use up to 64 characters, this has 65\.$/),
      'Line 2 minUsdc is `lots`. Use USDC from 0, such as 100 or 0.5.',
      expect.stringMatching(
        /^Line 3 kinds is `steal`\. Use buy, sell, redeem, deposit, withdrawal, opens, adds, reduces, closes, other, or nothing/,
      ),
      'Line 3 minUsdc is `-1`. Use USDC from 0, such as 100 or 0.5.',
      'Line 3 minPriceCents 90 is above maxPriceCents 10. Swap them.',
      'Line 4 minPriceCents is `101`. Use cents from 0 to 100, such as 5 or 99.5.',
      'Line 4 liquidityRole is `both`. Use maker or taker, or nothing.',
      'Line 4 cooldownSeconds is `1.5`. Use whole seconds from 0 to 86400.',
      'Line 4 style is `some`. Use grouped or each, or nothing.',
      expect.stringMatching(/^Line 4 paused is `tomorrow`\. Use yes, no, or until when/),
      expect.stringMatching(/^Line 6 .* isn’t a wallet address/),
      'Line 7 has 11 cells. Expected 10, as in the first line.',
      'Line 8 wallet is missing. Use 0x followed by 40 hex digits.',
    ]);
  });

  it('names what is wrong with words, and takes phrases as a list', async () => {
    const header = 'wallet,onlyWords,exceptWords';
    const many = Array.from({ length: 21 }, (_, index) => `w${index}`).join(' ');
    expect(
      await faults([header, `${WALLET},nba,up`, `${WALLET},${many},`, `${WALLET},,$$`].join('\n')),
    ).toEqual([
      'Line 2 onlyWords and exceptWords are both filled in. Use only one of them.',
      'Line 3 onlyWords lists 21. Use up to 20.',
      'Line 4 exceptWords is `$$`. Use words or phrases of up to 60 characters, with a letter or a digit.',
    ]);
    const { orders } = await read(`${header}\n${WALLET},,"[""Up or down"",""nba""]"`);
    expect(orders[0]?.settings.words).toEqual({ mode: 'except', names: ['up or down', 'nba'] });
  });

  it('names them in every language, with what the file says and its own columns as they are', async () => {
    const bad = [
      'wallet,label,kinds,minUsdc,minPriceCents,maxPriceCents,paused',
      `0x12,${'x'.repeat(65)},steal,lots,90,10,tomorrow`,
      `${WALLET},,,,101`,
    ].join('\n');
    const { faults: found } = await read(bad);
    for (const language of LANGUAGE_TAGS.map(languageFor)) {
      const told = found.map(({ place, reason }) => `${place(language)} ${reason(language)}`);
      const parts = [
        ['0x12', '40', '2'],
        ['label', '65', '2'],
        ['kinds', 'buy, sell', '2'],
        ['minUsdc', 'lots', '2'],
        ['minPriceCents', 'maxPriceCents', '2'],
        ['paused', '2026-11-30T18:00:00Z', '2'],
        ['minPriceCents', '101', '3'],
      ];
      for (const [index, text] of told.entries()) {
        for (const part of parts[index] ?? []) expect(text).toContain(part);
        expect(text).not.toMatch(/undefined|NaN|\[object/);
      }
      expect(told).toHaveLength(parts.length);
    }
  });

  it('says what is wrong with the whole file', async () => {
    expect(await faults('')).toEqual(['The file has no wallets. Use one per line.']);
    expect(await faults('wallet,colour,label,Label\n')).toEqual([
      expect.stringMatching(/^Line 1 has an unknown column `colour`\. Use wallet, label, channel/),
      'Line 1 has the column label twice. Keep one.',
    ]);
    expect((await faults('label\nx'))[0]).toMatch(/^Line 1 has no column wallet/);
    expect((await faults(`wallet\n"${WALLET}`))[0]).toMatch(
      /^Line 2 isn’t valid CSV: a quote isn’t closed\.$/,
    );
    expect((await faults('[\n"a",\n}'))[0]).toMatch(
      /^Line 3 isn’t valid JSON: `Unexpected token '}'`\.$/,
    );
    expect((await faults('{"wallets": []}'))[0]).toMatch(/^The file is JSON, but isn’t a list/);
    expect(await faults('[5, {"wallet": {}}, {"colour": 1}]')).toEqual([
      expect.stringMatching(/^Entry 1 is neither an address nor an object with a wallet/),
      expect.stringMatching(/^Entry 2 wallet is an object/),
      expect.stringMatching(/^Entry 3 has an unknown key `colour`/),
    ]);
    const latin = await readWatches(Uint8Array.of(0xff, 0xfe, 0x77, 0), PLACES);
    expect(latin.faults[0]?.reason(ENGLISH)).toMatch(/^isn’t UTF-8 text/);
    const many = Array.from({ length: 1_001 }, () => WALLET).join('\n');
    expect((await faults(`wallet${',label'.repeat(60)}`))[0]).toMatch(
      /^Line 1 has 61 names\. Use wallet/,
    );
    expect(await faults(many)).toEqual([
      expect.stringMatching(/^The file is too long\. Use up to 1000 entries/),
    ]);
  });

  it('is read no further than so many watches can need, whatever fills it', async () => {
    const tooMuch = [expect.stringMatching(/^The file is too long/)];
    const lines = (line: string) => faults(`wallet\n${line.repeat(11_000)}`);
    expect(await lines('a\n')).toEqual(tooMuch);
    expect(await lines('""\n'), 'lines without text').toEqual(tooMuch);
    const entries = (entry: string) => faults(`[${Array(1_000).fill(entry).join(',')}]`);
    expect(await entries(`{"wallet":[${'{},'.repeat(20)}{}]}`), 'objects').toEqual(tooMuch);
    expect(await entries(`{"wallet":[${'1,'.repeat(200)}1]}`), 'lists').toEqual(tooMuch);
    expect(await faults('['.repeat(10_000)), 'depth').toEqual(tooMuch);
    expect(await faults(`["${'[{,'.repeat(10_000)}"]`), 'text is no structure').toEqual([
      expect.stringMatching(/^Entry 1 wallet is too long\. Use up to 8000 characters/),
    ]);
    expect(await faults(`wallet,label\n${WALLET}${',a'.repeat(60)}`)).toEqual([
      'Line 2 has 61 cells. Expected 2, as in the first line.',
    ]);
    expect((await faults(`wallet,label\n${WALLET},"${'x\n'.repeat(40_000)}`))[0]).toMatch(
      /isn’t valid CSV: a quote isn’t closed/,
    );
    const gap = `${WALLET}\n${','.repeat(60)}\n${OTHER}\n`;
    for (const text of [gap, `wallet\n${gap}`])
      expect(
        (await read(text)).orders.map(({ wallet }) => wallet),
        'on, behind empty cells',
      ).toEqual([WALLET, OTHER]);
    const addresses = Array.from(
      { length: 1_000 },
      (_, index) => `0x${String(index).padStart(40, '0')}`,
    );
    const kept = addresses.map(
      (wallet) => `{"wallet":"${wallet}","kinds":["buy","sell"],"onlyMarkets":["a","b"]}`,
    );
    expect((await read(`{"watches":[${kept.join(',')}]}`)).orders).toHaveLength(1_000);
    const spaced = addresses.map((wallet) => `${wallet},,\n,,\n,,`).join('\n');
    expect((await read(`wallet,label,kinds\n${spaced}`)).orders).toHaveLength(1_000);
  });

  it('never throws and never hangs, whatever it is given', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          nastyText().map((text) => Buffer.from(`wallet\n${text}`)),
        ),
        async (bytes) => {
          const { orders, faults: found } = await readWatches(bytes, PLACES);
          expect(orders.length + found.length).toBeGreaterThan(0);
        },
      ),
      randomRuns(500),
    );
  });

  it('counts lines as an editor does, also behind quoted line breaks', async () => {
    const text = 'a\r\n\r\n"b\nc\rd\r\ne"\rf\n\ng';
    const { records } = await readCsv(text);
    expect(records.map(({ line }) => line)).toEqual([1, 3, 7, 9]);
  });

  it('says nothing of a setting that the file does not mention', async () => {
    const [order] = (await read(`wallet,minUsdc\n${WALLET},7`)).orders;
    expect({ ...DEFAULT_SETTINGS, style: 'each', ...order?.settings }).toEqual({
      ...DEFAULT_SETTINGS,
      style: 'each',
      minUsdc: 7,
    });
    expect([order?.label, order?.pause]).toEqual([undefined, undefined]);
  });
});
