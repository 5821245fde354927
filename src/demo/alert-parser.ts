import type { SeenEmbed, SeenMessage } from '@walletbell/local-discord/discord/events';
import { parseDetailsId } from '../details/target.ts';
import { ARROW } from '../embeds/context-lines.ts';
import { SEPARATOR } from '../embeds/embed-parts.ts';
import { LANGUAGE_TAGS, type Language, languageFor } from '../language/language.ts';

/** Trades or redemptions that a message shows. */
interface ShownFills {
  readonly kind: 'fills';
  /** Lower case. */
  readonly wallet: string;
  readonly marketId: string;
  /** As the venue writes it. */
  readonly action: string;
  readonly outcome: string;
  /** Null where the message does not say it, as a compact alert of one line does not. */
  readonly shares: number | null;
  /** Shares by which the true number may differ: alerts say four digits. */
  readonly sharesWithin: number;
  readonly count: number;
}

/** Records that a message shows, by its words and links. */
export type ShownRecords = ShownFills | { readonly kind: 'transfer'; readonly txHash: string };

/**
 * The links by which alerts can be kept apart: the bot's environment where messages are to be
 * accounted for.
 */
export const ACCOUNT_LINKS = {
  TX_URL: 'https://explorer.example/tx/{txHash}',
  MARKET_URL: 'https://venue.example/market/{marketId}',
  WALLET_URL: 'https://venue.example/wallet/{address}',
} as const;

/** A time of which a message says that something may be missing, Unix seconds, inclusive. */
export interface ShownGap {
  readonly kind: 'fills' | 'transfer';
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Names or links the wallet; the first part alone where it does. */
  readonly said: readonly [row: string, message: string];
}

/** Put into texts of the catalogues where a number, an outcome, an amount or a time stands. */
const [FIGURE, OUTCOME, AMOUNT, TIME] = ['\ue000', '\ue001', '\ue002', '\ue003'] as const;
const READERS = LANGUAGE_TAGS.map((tag) => createReader(languageFor(tag)));
const GAPS = LANGUAGE_TAGS.flatMap((tag) => {
  const { trades, transfers } = languageFor(tag).texts.alerts.gap.missing;
  return [
    { kind: 'fills' as const, pattern: new RegExp(patternOf(trades(TIME, TIME))) },
    { kind: 'transfer' as const, pattern: new RegExp(patternOf(transfers(TIME, TIME))) },
  ];
});
const DIGEST_TITLES = LANGUAGE_TAGS.flatMap((tag) =>
  Object.values(languageFor(tag).texts.digest.title).map((title) => `${title}${SEPARATOR}`),
);

/**
 * Reads alerts as a person does, in the language in which each is written: what happened stands
 * above an embed, or at the beginning of one of its lines.
 */
export function recordsIn({ content, embeds, components }: SeenMessage): ShownRecords[] {
  const urls = partsOf(components).flatMap((part) => ('url' in part ? (part.url ?? []) : []));
  if (embeds.length === 0) return recordsWithoutBox(content, urls, components);
  return embeds.flatMap((embed): ShownRecords[] => {
    // A digest names the largest trades of a day in lines that begin as alerts do.
    if (isDigest(embed)) return [];
    const rows = (embed.description ?? '').split('\n');
    const transfers = rows
      .filter((row) => readersOf(row).length === 0)
      .flatMap(transactions)
      .map((txHash): ShownRecords => ({ kind: 'transfer', txHash: txHash.toLowerCase() }));
    const lines = rows.filter((row) => readersOf(row).length > 0);
    if (lines.length === 0 && embeds.length === 1 && readersOf(content).length > 0) {
      return [...transfers, fills(content, [...rows, ...urls], embed)];
    }
    const choices = partsOf(components).flatMap((part) => ('options' in part ? part.options : []));
    let place = 0;
    const trades = lines.flatMap((line) => {
      const parts = tradesIn(line);
      const own = choices.slice(place, place + parts.length);
      place += parts.length;
      if (parts.length === 1) {
        return [fills(line, [line, own[0]?.description ?? ''], embed, own[0]?.value)];
      }
      // Of a market that has several, the choices of details alone say the shares of each.
      return parts.map((part, nth) => {
        const described = own[nth]?.description;
        const [, counted = ''] = /\(([^()]*)\)/.exec(part) ?? [];
        const shown = fills(part, [counted, described ?? '', line], embed, own[nth]?.value);
        return described === undefined ? { ...shown, shares: null } : shown;
      });
    });
    return [...transfers, ...trades];
  });
}

/** A line cut before each trade that it says, but the first: `🔴 BUY **Yes $153**, `. */
function tradesIn(line: string): string[] {
  const found = readersOf(line).map((reader) => reader.places(line));
  const [places = []] = found.toSorted((a, b) => b.length - a.length);
  return places.map((from, nth) => line.slice(nth === 0 ? 0 : from, places[nth + 1]));
}

/** Reads the notices of gaps in a message, in the language in which each is written. */
export function gapsIn({ content, embeds }: Pick<SeenMessage, 'content' | 'embeds'>): ShownGap[] {
  const texts = [content, ...embeds.map(({ description }) => description ?? '')];
  const message = texts.join('\n');
  return message.split('\n').flatMap((row): ShownGap | readonly [] => {
    for (const { kind, pattern } of GAPS) {
      const times = pattern.exec(row)?.slice(1).map(Number);
      if (times === undefined) continue;
      const [fromSeconds, toSeconds] = [Math.min(...times), Math.max(...times)];
      return { kind, fromSeconds, toSeconds, said: [row, message] };
    }
    return [];
  });
}

/** Whether an embed is a digest, by its title in any language. */
function isDigest({ title }: Pick<SeenEmbed, 'title'>): boolean {
  return DIGEST_TITLES.some((start) => title?.startsWith(start) === true);
}

/** The single alert of a compact channel: its first line, and perhaps a small one with its shares. */
function recordsWithoutBox(
  content: string,
  urls: readonly string[],
  components: SeenMessage['components'],
): ShownRecords[] {
  const [line = '', ...rows] = content.split('\n');
  if (readersOf(line).length === 0) {
    return transactions(rows.join('\n')).map((txHash) => ({
      kind: 'transfer',
      txHash: txHash.toLowerCase(),
    }));
  }
  const ids = partsOf(components).flatMap((part) =>
    'custom_id' in part ? (part.custom_id ?? []) : [],
  );
  const details = ids.find((id) => parseDetailsId(id) !== null);
  const shown = fills(line, [...rows, ...urls], {}, details);
  return [rows.length > 0 ? shown : { ...shown, shares: null }];
}

/** The buttons and menus under a message. */
function partsOf(components: SeenMessage['components']) {
  return components.flatMap((row) => ('components' in row ? row.components : []));
}

/**
 * Unix seconds of the newest trade of a message, by its Details, in any language; undefined if it
 * has none.
 */
export function alertSeconds({ components, interactionId }: SeenMessage): number | undefined {
  const ids = partsOf(components).flatMap((part) => {
    if ('options' in part) return part.options.map(({ value }) => value);
    return part.custom_id ?? [];
  });
  const times = ids.flatMap((id) => parseDetailsId(id)?.target?.toSeconds ?? []);
  return interactionId === null && times.length > 0 ? Math.max(...times) : undefined;
}

/** The languages in which a line says who traded what; Spanish and Portuguese share a word. */
function readersOf(line: string): Reader[] {
  return READERS.filter((reader) => reader.trade(line) !== undefined);
}

/**
 * @param line that says what happened @param rows what else is said of it @param choice of its
 * details, which knows the wallet
 */
function fills(
  line: string,
  rows: readonly string[],
  { author, url }: Partial<Pick<SeenEmbed, 'author' | 'url'>>,
  choice = '',
): ShownFills {
  const parts = rows.flatMap((row) => row.replace(/^-# |\*\*/g, '').split(SEPARATOR));
  const readers = readersOf(line);
  const reader = readers.find(({ shares }) => shares(parts) !== undefined) ?? readers[0];
  const { action = 'unknown', outcome = '' } = reader?.trade(line) ?? {};
  const text = rows.join('\n');
  const shares = reader?.shares(parts) ?? NO_SHARES;
  return {
    kind: 'fills',
    wallet:
      /\/wallet\/(0x[0-9a-fA-F]{40})/.exec(`${text} ${author?.url ?? ''}`)?.[1]?.toLowerCase() ??
      parseDetailsId(choice)?.wallet ??
      'unknown',
    marketId: /\/market\/([^)#\s]+)/.exec(`${text} ${url ?? ''}`)?.[1] ?? 'unknown',
    action,
    outcome: outcome.replace(/\\(.)/gu, '$1'),
    shares: shares.figure,
    sharesWithin: shares.within,
    count: reader?.count(parts) ?? 1,
  };
}

/** A figure as it is shown, and by how much it may have been rounded. */
interface Shown {
  readonly figure: number;
  readonly within: number;
}

const NO_SHARES: Shown = { figure: 0, within: 0 };

type Reader = ReturnType<typeof createReader>;

/**
 * Reads what a language's texts say of trades. The parts of a line are what stands between its
 * dots.
 */
function createReader({ tag, texts, format }: Language) {
  const { headline, fills: fillCount, redemptions } = texts.alerts;
  const { position } = texts.news;
  const decimal =
    new Intl.NumberFormat(tag).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ??
    '.';
  // With the noun in its forms.
  const shares = [1, 2].map((n) => texts.format.shares(FIGURE, n));

  const trades = (['buy', 'sell', 'redeem'] as const).map((kind) => ({
    action: { buy: 'Buy', sell: 'Sell', redeem: 'Redeem' }[kind],
    pattern: new RegExp(
      `[ ${texts.watch.comma.trim()}]${patternOf(headline.trade(headline[kind], OUTCOME, AMOUNT, undefined))}`,
    ),
  }));
  const patterns = (texts: readonly string[]) =>
    texts.map((text) => new RegExp(`^${patternOf(text)}$`));
  /** Patterns of the places where an alert says how many shares were traded, the surest first. */
  const traded = patterns([...shares, ...shares.map(position.opens), position.bought(FIGURE)]);
  const heldBefore = patterns([FIGURE]);
  const heldNow = patterns(shares);
  const counts = patterns([1, 2].flatMap((n) => [fillCount(FIGURE, n), redemptions(FIGURE, n)]));

  /** The first figure that one of the patterns finds; undefined if none does. */
  function figureIn(parts: readonly string[], patterns: readonly RegExp[]): Shown | undefined {
    for (const pattern of patterns) {
      const text = parts
        .map((part) => pattern.exec(part)?.[1])
        .find((found) => found !== undefined);
      if (text === undefined) continue;
      // Nothing for `<0.01`.
      if (text.startsWith('<')) return NO_SHARES;
      const plain = plainFigure(text, decimal);
      const figure = Number(plain);
      // Spain and Latin America have the same words, and other marks in figures.
      if (format.shareCount(figure) === text) return { figure, within: roundedBy(figure) };
      if (format.quantity(figure) === text) return { figure, within: 0 };
    }
    return undefined;
  }

  return {
    /**
     * Reads what was done, and with which outcome, escaped as it stands; undefined if the line does
     * not say that in this language.
     */
    trade(line: string): { readonly action: string; readonly outcome: string } | undefined {
      for (const { action, pattern } of trades) {
        const outcome = pattern.exec(line)?.[1];
        if (outcome !== undefined) return { action, outcome };
      }
      return undefined;
    },
    /** Indices at which the line says a trade. */
    places(line: string): number[] {
      const found = trades.flatMap(({ pattern }) => [...line.matchAll(new RegExp(pattern, 'g'))]);
      return found.map(({ index }) => index).toSorted((a, b) => a - b);
    },
    /** Reads how many shares were traded. */
    shares(parts: readonly string[]): Shown | undefined {
      const said = figureIn(parts, traded);
      if (said !== undefined) return said;
      // `1,000 → 2,235 shares`: their difference was bought.
      for (const [was = '', is = ''] of parts.map((part) => part.split(ARROW))) {
        const [before, after] = [figureIn([was], heldBefore), figureIn([is], heldNow)];
        if (before === undefined || after === undefined) continue;
        return { figure: after.figure - before.figure, within: before.within + after.within };
      }
      return undefined;
    },
    /** `14 fills`. */
    count: (parts: readonly string[]) => figureIn(parts, counts)?.figure,
  };
}

/** Shares by which a number may have been rounded to four digits. */
function roundedBy(shares: number): number {
  if (shares < 100) return 0.005;
  return shares < 1_000 ? 0.05 : 0.5;
}

/** A text with marks as a regular expression: a figure, or an outcome, is its first group. */
function patternOf(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(FIGURE, String.raw`(<?\d[\d.,\u00a0\u202f]*)`)
    .replace(AMOUNT, '[^* ]+')
    .replaceAll(TIME, '<t:(\\d+):[a-zA-Z]>')
    .replace(OUTCOME, String.raw`((?:\\.|[^*\\])+)`);
}

/** `1.234,5` with the decimal `,` is `1234.5`. */
function plainFigure(figure: string, decimal: string): string {
  const kept = Array.from(figure).filter((one) => one === decimal || /\d/.test(one));
  return kept.map((one) => (one === decimal ? '.' : one)).join('');
}

function transactions(text: string): string[] {
  return [...text.matchAll(/\/tx\/(0x[0-9a-fA-F]+)/g)].map(([, txHash = '']) => txHash);
}
