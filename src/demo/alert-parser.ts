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
  const choices = choicesOf(components);
  const [choice] = choices;
  if (embeds.length === 0) return recordsWithoutBox(content, urls, choice);
  return embeds.flatMap((embed): ShownRecords[] => {
    // A digest names the largest trades of a day in lines that begin as alerts do.
    if (isDigest(embed)) return [];
    const rows = (embed.description ?? '').split('\n');
    const transfers = rows
      .filter((row) => readersOf(row).length === 0)
      .flatMap(transactions)
      .map((txHash): ShownRecords => ({ kind: 'transfer', txHash: txHash.toLowerCase() }));
    const lines = linesWithChoices(rows, choices);
    if (lines.length === 0 && embeds.length === 1 && isOfFills(content, choice)) {
      return [...transfers, fills(content, [...rows, ...urls], embed)];
    }
    return [...transfers, ...lines.flatMap((line) => fillsOfLine(line, embed))];
  });
}

/** A row of a list that shows trades or redemptions, and their details in their order. */
interface ShownLine {
  readonly line: string;
  readonly choices: readonly Choice[];
}

/** The records of a row. */
function fillsOfLine({ line, choices }: ShownLine, embed: SeenEmbed): ShownFills[] {
  const parts = tradesIn(line);
  if (parts.length < 2) {
    const [own] = choices;
    return [fills(line, [line, own?.description ?? ''], embed, own?.id)];
  }
  // Of a market that has several, the choices of details alone say the shares of each.
  return parts.map((part, nth) => {
    const described = choices[nth]?.description;
    const [, counted = ''] = /\(([^()]*)\)/.exec(part) ?? [];
    const shown = fills(part, [counted, described ?? '', line], embed, choices[nth]?.id);
    return described === undefined ? { ...shown, shares: null } : shown;
  });
}

/** A line cut before each trade that it says, but the first: `🔴 BUY **Yes $153**, `. */
function tradesIn(line: string): string[] {
  const found = readersOf(line).map((reader) => reader.places(line));
  const [places = []] = found.toSorted((a, b) => b.length - a.length);
  return places.map((from, nth) => line.slice(nth === 0 ? 0 : from, places[nth + 1]));
}

/** Button, or choice of a menu, that names the details of an alert. */
interface Choice {
  readonly id: string;
  readonly description: string | null | undefined;
}

/** The details that a message offers, in the order of its alerts. */
function choicesOf(components: SeenMessage['components']): Choice[] {
  const all = partsOf(components).flatMap((part): Choice[] => {
    if ('options' in part) {
      return part.options.map(({ value, description }) => ({ id: value, description }));
    }
    return [{ id: part.custom_id ?? '', description: undefined }];
  });
  return all.filter(({ id }) => parseDetailsId(id) !== null);
}

/** The rows of a list that show trades or redemptions, each with its details. */
function linesWithChoices(rows: readonly string[], choices: readonly Choice[]): ShownLine[] {
  const lines: ShownLine[] = [];
  let place = 0;
  for (const line of rows) {
    if (!isOfFills(line, choices[place])) continue;
    const end = place + Math.max(1, tradesIn(line).length);
    lines.push({ line, choices: choices.slice(place, end) });
    place = end;
  }
  return lines;
}

/**
 * Whether a line shows trades or redemptions. A redemption for nothing reads as a settled market
 * does, which has neither details nor shares.
 *
 * @param choice the next details that the message offers
 */
function isOfFills(line: string, choice: Choice | undefined): boolean {
  const readers = readersOf(line);
  if (readers.length === 0) return false;
  if (readers.some((reader) => reader.trade(line)?.isLoss === false)) return true;
  if (choice === undefined) {
    const parts = line.split(SEPARATOR);
    return readers.some((reader) => reader.shares(parts) !== undefined);
  }
  const target = parseDetailsId(choice.id)?.target ?? null;
  if (target === null) return true;
  const marketId = marketIn(line);
  return target.action === 'Redeem' && (marketId === undefined || marketId === target.marketId);
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
  choice: Choice | undefined,
): ShownRecords[] {
  const [line = '', ...rows] = content.split('\n');
  if (!isOfFills(line, choice)) {
    return transactions(rows.join('\n')).map((txHash) => ({
      kind: 'transfer',
      txHash: txHash.toLowerCase(),
    }));
  }
  const shown = fills(line, [...rows, ...urls], {}, choice?.id);
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

/** The first market that a text links. */
function marketIn(text: string): string | undefined {
  return /\/market\/([^)#\s]+)/.exec(text)?.[1];
}

/** The languages in which a line says who traded what; Spanish and Portuguese share a word. */
function readersOf(line: string): Reader[] {
  return READERS.filter((reader) => reader.trade(line) !== undefined);
}

/**
 * @param line that says what happened
 * @param rows what else is said of it
 * @param choice of its details, which knows the wallet
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
    marketId: marketIn(`${text} ${url ?? ''}`) ?? 'unknown',
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

  /** A pattern of what stands behind a sign, a wallet or another trade. */
  const saying = (text: string) => new RegExp(`[ ${texts.watch.comma.trim()}]${patternOf(text)}`);
  const trades = (['buy', 'sell', 'redeem'] as const).map((kind) => ({
    action: { buy: 'Buy', sell: 'Sell', redeem: 'Redeem' }[kind],
    isLoss: false,
    pattern: saying(headline.trade(headline[kind], OUTCOME, AMOUNT, undefined)),
  }));
  const pattern = saying(headline.lost(`**${AMOUNT}**`, `**${OUTCOME}**`));
  const said = [...trades, { action: 'Redeem', isLoss: true, pattern }];
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
     * not say that in this language. `isLoss`: it says what was lost, of a redemption or of a
     * settled market.
     */
    trade(line: string) {
      for (const { action, isLoss, pattern } of said) {
        const outcome = pattern.exec(line)?.[1];
        if (outcome !== undefined) return { action, outcome, isLoss };
      }
      return undefined;
    },
    /** Indices at which the line says a trade. */
    places(line: string): number[] {
      const found = said.flatMap(({ pattern }) => [...line.matchAll(new RegExp(pattern, 'g'))]);
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
