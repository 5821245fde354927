import { escapeText } from '../../embeds/text/escape.ts';
import { onlyExcept } from './only-except.ts';

/** Markets that one watch can name. */
export const MARKETS_LIMIT = 20;
/** The longest market id or slug, in characters. */
export const MARKET_NAME_LIMIT = 200;
/** The longest part of a market's name that is shown, in characters. */
const SHOWN_NAME_LIMIT = 60;

/** Market ids or slugs: `only: rain-in-paris, 501`. */
export const { row: markets, parse: parseMarkets } = onlyExcept({
  option: 'markets',
  columns: { only: 'onlyMarkets', except: 'exceptMarkets' },
  most: MARKETS_LIMIT,
  longest: MARKET_NAME_LIMIT,
  separator: /[\s,;]+/,
  isTyped: (name) => /^[\p{L}\p{N}][\p{L}\p{N}._~%-]*$/u.test(name),
  isFiled: () => true,
  isNamed: (names, { marketId, marketSlug }) =>
    [marketId, marketSlug].some((name) => names.includes(name.toLowerCase())),
  show: (name, { texts }) => escapeText(name, SHOWN_NAME_LIMIT, texts.watch.settings.unnamedMarket),
  filed: ({ marketNames }) => marketNames(MARKET_NAME_LIMIT),
});
