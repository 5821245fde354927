import { describe, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { heldEmbed, marketEmbed } from '../../src/lookups/market-message.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { trade } from '../support/records.ts';

const links = createLinks({
  MARKET_URL: 'https://venue.example/event/{eventSlug}/{marketSlug}',
  WALLET_URL: 'https://venue.example/profile/{address}',
});
const SIDES = [
  'Oklahoma City Thunder, (SGA)',
  'San Antonio Spurs (Wemby!!)',
  'Draw / No result/Void match',
];
const market = {
  marketTitle: '*Oklahoma_City* Thunder vs. San Antonio Spurs '.repeat(3),
  marketId: '1',
  marketSlug: 'oklahoma-city-thunder-'.repeat(4),
  eventSlug: 'san-antonio-spurs-'.repeat(4),
};
const watched = Array.from({ length: 60 }, (_, nth) => ({
  wallet: `0x${String(nth).padStart(40, '0')}` as WalletAddress,
  label: '**__[X]**'.repeat(12).slice(0, 64),
}));

describe.each(LANGUAGE_TAGS)('/market in %s', (tag) => {
  const language = languageFor(tag);
  const words = language.texts.lists.market;

  it('stays within what Discord takes, with long names of markets, outcomes and many wallets', () => {
    const outcomes = SIDES.map((side) => ({
      side,
      shares: '100',
      entryCents: 50,
      cost: '1234567.89',
    }));
    const markets = watched.map(() => ({ market, held: () => [outcomes, outcomes] }));
    assertEmbedLimits(heldEmbed(markets, { ended: 1_000, paused: 1_000 }, links, language));
    const items = SIDES.map((positionSide, nth) =>
      trade({ positionSide, tokenId: String(nth), quantity: 12_345.67 }),
    );
    const { positions } = addActivity(newPortfolio(0, true), items, 0).portfolio;
    const known = watched.map((watch) => ({ watch, positions }));
    const none = watched.map((watch) => ({ watch, positions: [] }));
    const unknown = new Map([words.notInRecords, words.limit].map((why) => [why, watched]));
    const book = {
      market,
      marketId: '1',
      known: [...known, ...none],
      unknown,
      settlement: undefined,
      paused: 1_000,
    };
    const embed = marketEmbed(book, links, language);
    // Above it may stand why the venue does not answer.
    assertEmbedLimits({ ...embed, description: `${'x'.repeat(300)}\n${embed.description}` });
  });
});
