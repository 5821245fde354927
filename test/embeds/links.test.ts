import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/domain/address.ts';
import { createLinks, imageUrl, type LinkTemplateName, linkFault } from '../../src/embeds/links.ts';
import { randomRuns } from '../support/thorough.ts';
import { linkTemplate as template } from './hostile-items.ts';
import { hostileText } from './hostile-text.ts';

const runs = randomRuns(4_000);

const market = { eventSlug: 'rain-in-may', marketSlug: 'paris', marketId: '42' };

describe('a link template', () => {
  it.each<[LinkTemplateName, string]>([
    ['MARKET_URL', 'https://venue.example/event/{eventSlug}/{marketSlug}?m={marketId}#top'],
    ['TX_URL', 'http://127.0.0.1:8080/tx/{txHash}'],
    ['WALLET_URL', 'http://localhost:3000?wallet={address}'],
  ])('%s takes %s', (name, text) => expect(linkFault(name, text)).toBeNull());

  it.each<[LinkTemplateName, string, string]>([
    ['MARKET_URL', '', 'is not an http or https URL'],
    ['MARKET_URL', 'javascript:alert({marketId})', 'is not an http or https URL'],
    ['MARKET_URL', 'venue.example/{marketId}', 'is not an http or https URL'],
    ['TX_URL', 'https://x.example/{marketId}', 'has the unknown placeholder {marketId}'],
    ['TX_URL', 'https://x.example/{}', 'has the unknown placeholder {}'],
    ['TX_URL', 'https://x.example/{txHash', 'has a brace without its pair'],
    ['TX_URL', 'https://x.example/', 'has no placeholder'],
    ['TX_URL', 'https://{txHash}.example/', 'has a placeholder in the host'],
    ['TX_URL', 'https:///{txHash}', 'has a placeholder in the host'],
    ['TX_URL', 'https://\n/{txHash}', 'has a placeholder in the host'],
    ['TX_URL', 'https://x.example:8{txHash}/', 'has a placeholder in the host'],
    ['TX_URL', 'https://a b.example/{txHash}', 'is not a valid URL'],
    [
      'TX_URL',
      `https://x.example/{txHash}${'a'.repeat(3000)}`,
      'has 3026 characters, more than 2048',
    ],
    ['WALLET_URL', 'https://me:secret@x.example/{address}', 'has a user name or password in it'],
  ])('%s refuses "%s" and names the fault', (name, text, fault) => {
    const found = linkFault(name, text);
    expect(found).toContain(`${fault}. Accepted: an http or https URL with {`);
    expect(found).not.toContain('secret');
  });

  it('lists every placeholder that the variable knows', () => {
    expect(linkFault('MARKET_URL', 'x')).toBe(
      'is not an http or https URL. Accepted: an http or https URL with {eventSlug}, {marketSlug} or {marketId} after the host, such as https://example.com/{eventSlug}.',
    );
  });
});

describe('links', () => {
  it('fill each place with its value', () => {
    const wallet = parseAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    if (!wallet.ok) throw new Error(wallet.fault);
    const links = createLinks({
      MARKET_URL: template(
        'MARKET_URL',
        'https://venue.example/{eventSlug}/{marketSlug}?m={marketId}',
      ),
      TX_URL: template('TX_URL', 'https://scan.example/tx/{txHash}'),
      WALLET_URL: template('WALLET_URL', 'https://venue.example/u/{address}'),
    });
    expect(links.market(market)).toBe('https://venue.example/rain-in-may/paris?m=42');
    expect(links.transaction('0xab')).toBe('https://scan.example/tx/0xab');
    for (const name of ['none-1a2b', '0x', '0xfg', 'ab', '0xab\n'])
      expect(links.transaction(name)).toBeUndefined();
    expect(links.wallet(wallet.address)).toBe(
      'https://venue.example/u/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    );
  });

  it('are absent without a template', () => {
    expect(createLinks({}).market(market)).toBeUndefined();
  });

  it.each(['', '.', '..', '\ud800', 'a'.repeat(3000)])(
    'are absent for a value that makes none: %j',
    (txHash) => {
      const links = createLinks({ TX_URL: template('TX_URL', 'https://scan.example/tx/{txHash}') });
      expect(links.transaction(txHash)).toBeUndefined();
    },
  );

  it('lead to the site of the template and nowhere else, with the value whole, for any value', () => {
    const links = createLinks({
      MARKET_URL: template(
        'MARKET_URL',
        'https://venue.example:8443/(e)/{eventSlug}/{marketSlug}?q={marketId}',
      ),
    });
    fc.assert(
      fc.property(
        hostileText(8),
        hostileText(8),
        hostileText(8),
        (eventSlug, marketSlug, marketId) => {
          const href = links.market({ eventSlug, marketSlug, marketId });
          if (href === undefined) return;
          const url = new URL(href);
          expect(url.origin).toBe('https://venue.example:8443');
          expect(href.length).toBeLessThanOrEqual(2048);
          expect(href).toMatch(/^[\w\-.~:/?#@!$&+,;=%]+$/);
          expect(url.pathname.split('/').slice(2).map(decodeURIComponent)).toEqual([
            eventSlug,
            marketSlug,
          ]);
          expect(decodeURIComponent(url.search.slice(3))).toBe(marketId);
        },
      ),
      runs,
    );
  });
});

describe('a logo', () => {
  it('of a host with other letters than English is taken however often it is asked for', () => {
    for (let index = 0; index < 20_000; index += 1) {
      expect(imageUrl('https://bücher.example/a.png')).toBe('https://xn--bcher-kva.example/a.png');
    }
  });

  it.each([
    ['https://img.example/a.png', 'https://img.example/a.png'],
    ['https://img.example/a b(1).png', 'https://img.example/a%20b%281%29.png'],
  ])('at %s is taken', (text, url) => expect(imageUrl(text)).toBe(url));

  it.each([
    '',
    ...'img.png http://img.example/a.png data:image/png;base64,AA attachment://a.png javascript:alert(1)'.split(
      ' ',
    ),
    ...'https://localhost/a.png https://127.0.0.1/a.png https://[::1]/a.png https://a_b.example/a.png'.split(
      ' ',
    ),
    'https://me:pw@img.example/a.png',
    `https://img.example/${'a'.repeat(2048)}`,
  ])('at "%s" is left out', (text) => expect(imageUrl(text)).toBeUndefined());

  it('is an https address of plain ASCII or nothing, for any text', () => {
    fc.assert(
      fc.property(
        fc
          .tuple(fc.constantFrom('', 'https://img.example/'), hostileText())
          .map((parts) => parts.join('')),
        (text) => {
          const href = imageUrl(text);
          if (href === undefined) return;
          expect(href).toMatch(/^https:\/\/[a-z0-9.-]+(?::\d+)?\/[\w\-.~:/?#@!$&+,;=%]*$/);
          expect(href.length).toBeLessThanOrEqual(2048);
        },
      ),
      runs,
    );
  });
});
