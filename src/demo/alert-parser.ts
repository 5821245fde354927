import type { SeenEmbed, SeenMessage } from '@walletbell/local-discord/discord/events';
import { parseDetailsId } from '../details/target.ts';
import { ARROW } from '../embeds/context-lines.ts';
import { SEPARATOR } from '../embeds/embed-parts.ts';
import { LANGUAGE_TAGS, type Language, languageFor } from '../language/language.ts';

/** Trades or redemptions shown in a message. */
interface ShownFills {
  readonly kind: 'fills';
  /** In lower case. */
  readonly wallet: string;
  readonly marketId: string;
  /** In the venue's spelling. */
  readonly action: string;
  readonly outcome: string;
  /** Null if the message does not state it, as in a compact alert of one line. */
  readonly shares: number | null;
  /** Maximum difference from the true number of shares, because alerts show four digits. */
  readonly sharesWithin: number;
  readonly count: number;
}

/** Records shown in a message, by its words and links. */
export type ShownRecords = ShownFills | { readonly kind: 'transfer'; readonly txHash: string };

/**
 * Links by which alerts can be told apart: the bot's environment if messages are to be reconciled.
 */
export const ACCOUNT_LINKS = {
  TX_URL: 'https://explorer.example/tx/{txHash}',
  MARKET_URL: 'https://venue.example/market/{marketId}',
  WALLET_URL: 'https://venue.example/wallet/{address}',
} as const;

/** A period for which a message says that something may be missing, in Unix seconds, inclusive. */
export interface ShownGap {
  readonly kind: 'fills' | 'transfer';
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Texts that name or link the wallet; the first one is enough if it does. */
  readonly names: readonly [row: string, message: string];
}

/** Placeholders in texts of the catalogs for a number, an outcome, an amount or a time. */
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
 * Reads alerts as a person does, in the language of each: the action is stated above an embed, or
 * at the beginning of one of its lines.
 */
export function recordsIn({ content, embeds, components }: SeenMessage): ShownRecords[] {
  const urls = partsOf(components).flatMap((part) => ('url' in part ? (part.url ?? []) : []));
  const choices = choicesOf(components);
  const [choice] = choices;
  if (embeds.length === 0) return recordsWithoutBox(content, urls, choice);
  return embeds.flatMap((embed): ShownRecords[] => {
    // A digest lists the largest trades of a day in lines that begin like alerts.
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

/** A row of a list that shows trades or redemptions, with their details in order. */
interface ShownLine {
  readonly line: string;
  readonly choices: readonly Choice[];
}

/** Returns the records of a row. */
function fillsOfLine({ line, choices }: ShownLine, embed: SeenEmbed): ShownFills[] {
  const parts = tradesIn(line);
  if (parts.length < 2) {
    const [own] = choices;
    return [fills(line, [line, own?.description ?? ''], embed, own?.id)];
  }
  // If a market has several, only the detail options state the shares of each.
  return parts.map((part, nth) => {
    const described = choices[nth]?.description;
    const [, counted = ''] = /\(([^()]*)\)/.exec(part) ?? [];
    const shown = fills(part, [counted, described ?? '', line], embed, choices[nth]?.id);
    return described === undefined ? { ...shown, shares: null } : shown;
  });
}

/** Splits a line before each trade except the first: `🔴 BUY **Yes $153**, `. */
function tradesIn(line: string): string[] {
  const found = readersOf(line).map((reader) => reader.places(line));
  const [places = []] = found.toSorted((a, b) => b.length - a.length);
  return places.map((from, nth) => line.slice(nth === 0 ? 0 : from, places[nth + 1]));
}

/** Button or menu option for the details of an alert. */
interface Choice {
  readonly id: string;
  readonly description: string | null | undefined;
}

/** Returns the details that a message offers, in the order of its alerts. */
function choicesOf(components: SeenMessage['components']): Choice[] {
  const all = partsOf(components).flatMap((part): Choice[] => {
    if ('options' in part) {
      return part.options.map(({ value, description }) => ({ id: value, description }));
    }
    return [{ id: part.custom_id ?? '', description: undefined }];
  });
  return all.filter(({ id }) => parseDetailsId(id) !== null);
}

/** Returns the rows of a list that show trades or redemptions, each with its details. */
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
 * Whether a line shows trades or redemptions. A redemption for nothing looks like a settled market,
 * which has neither details nor shares.
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

/** Reads the notices of gaps in a message, in the language of each. */
export function gapsIn({ content, embeds }: Pick<SeenMessage, 'content' | 'embeds'>): ShownGap[] {
  const texts = [content, ...embeds.map(({ description }) => description ?? '')];
  const message = texts.join('\n');
  return message.split('\n').flatMap((row): ShownGap | readonly [] => {
    for (const { kind, pattern } of GAPS) {
      const times = pattern.exec(row)?.slice(1).map(Number);
      if (times === undefined) continue;
      const [fromSeconds, toSeconds] = [Math.min(...times), Math.max(...times)];
      return { kind, fromSeconds, toSeconds, names: [row, message] };
    }
    return [];
  });
}

/** Whether an embed is a digest, by its title in any language. */
function isDigest({ title }: Pick<SeenEmbed, 'title'>): boolean {
  return DIGEST_TITLES.some((start) => title?.startsWith(start) === true);
}

/**
 * Returns the records of a compact channel's single alert: its first line, and possibly a line of
 * small print with its shares.
 */
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

/** Returns the buttons and menus under a message. */
function partsOf(components: SeenMessage['components']) {
  return components.flatMap((row) => ('components' in row ? row.components : []));
}

/**
 * Returns the time of a message's newest trade, by its Details, in any language, in Unix seconds;
 * undefined if it has none.
 */
export function alertSeconds({ components, interactionId }: SeenMessage): number | undefined {
  const ids = partsOf(components).flatMap((part) => {
    if ('options' in part) return part.options.map(({ value }) => value);
    return part.custom_id ?? [];
  });
  const times = ids.flatMap((id) => parseDetailsId(id)?.target?.toSeconds ?? []);
  return interactionId === null && times.length > 0 ? Math.max(...times) : undefined;
}

/** Returns the first market that a text links. */
function marketIn(text: string): string | undefined {
  return /\/market\/([^)#\s]+)/.exec(text)?.[1];
}

/**
 * Returns readers of the languages in which a line describes a trade; Spanish and Portuguese share
 * a word.
 */
function readersOf(line: string): Reader[] {
  return READERS.filter((reader) => reader.trade(line) !== undefined);
}

/**
 * @param line states the action
 * @param rows its other texts
 * @param choice id of its details, which contains the wallet
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

/** A figure as shown, and its maximum rounding error. */
interface Shown {
  readonly figure: number;
  readonly within: number;
}

const NO_SHARES: Shown = { figure: 0, within: 0 };

type Reader = ReturnType<typeof createReader>;

/**
 * Creates a reader of a language's texts about trades. The parts of a line are the texts between
 * its dots.
 */
function createReader({ tag, texts, format }: Language) {
  const { headline, fills: fillCount, redemptions } = texts.alerts;
  const { position } = texts.news;
  const decimal =
    new Intl.NumberFormat(tag).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ??
    '.';
  // With both forms of the noun.
  const shares = [1, 2].map((n) => texts.format.shares(FIGURE, n));

  /** Returns a pattern for a text after an emoji, a wallet or another trade. */
  const saying = (text: string) => new RegExp(`[ ${texts.watch.comma.trim()}]${patternOf(text)}`);
  const trades = (['buy', 'sell', 'redeem'] as const).map((kind) => ({
    action: { buy: 'Buy', sell: 'Sell', redeem: 'Redeem' }[kind],
    isLoss: false,
    pattern: saying(headline.trade(headline[kind], OUTCOME, AMOUNT, undefined)),
  }));
  const pattern = saying(headline.lost(`**${AMOUNT}**`, `**${OUTCOME}**`));
  const headlines = [...trades, { action: 'Redeem', isLoss: true, pattern }];
  const patterns = (texts: readonly string[]) =>
    texts.map((text) => new RegExp(`^${patternOf(text)}$`));
  /**
   * Patterns of the places where an alert states the number of shares traded, the most reliable
   * first.
   */
  const traded = patterns([...shares, ...shares.map(position.opens), position.bought(FIGURE)]);
  const heldBefore = patterns([FIGURE]);
  const heldNow = patterns(shares);
  const counts = patterns([1, 2].flatMap((n) => [fillCount(FIGURE, n), redemptions(FIGURE, n)]));

  /** Returns the first figure that one of the patterns finds; undefined if none does. */
  function figureIn(parts: readonly string[], patterns: readonly RegExp[]): Shown | undefined {
    for (const pattern of patterns) {
      const text = parts
        .map((part) => pattern.exec(part)?.[1])
        .find((found) => found !== undefined);
      if (text === undefined) continue;
      // `<0.01` counts as nothing.
      if (text.startsWith('<')) return NO_SHARES;
      const plain = plainFigure(text, decimal);
      const figure = Number(plain);
      // Spain and Latin America use the same words, but different separators in figures.
      if (format.shareCount(figure) === text) return { figure, within: roundedBy(figure) };
      if (format.quantity(figure) === text) return { figure, within: 0 };
    }
    return undefined;
  }

  return {
    /**
     * Returns the action and its outcome, still escaped; undefined if the line does not state them
     * in this language. `isLoss`: it states a loss, of a redemption or of a settled market.
     */
    trade(line: string) {
      for (const { action, isLoss, pattern } of headlines) {
        const outcome = pattern.exec(line)?.[1];
        if (outcome !== undefined) return { action, outcome, isLoss };
      }
      return undefined;
    },
    /** Returns the indices at which the line states a trade. */
    places(line: string): number[] {
      const found = headlines.flatMap(({ pattern }) => [
        ...line.matchAll(new RegExp(pattern, 'g')),
      ]);
      return found.map(({ index }) => index).toSorted((a, b) => a - b);
    },
    /** Returns the number of shares traded. */
    shares(parts: readonly string[]): Shown | undefined {
      const figure = figureIn(parts, traded);
      if (figure !== undefined) return figure;
      // `1,000 → 2,235 shares`: their difference was bought.
      for (const [was = '', is = ''] of parts.map((part) => part.split(ARROW))) {
        const [before, after] = [figureIn([was], heldBefore), figureIn([is], heldNow)];
        if (before === undefined || after === undefined) continue;
        return { figure: after.figure - before.figure, within: before.within + after.within };
      }
      return undefined;
    },
    /** Reads `14 fills`. */
    count: (parts: readonly string[]) => figureIn(parts, counts)?.figure,
  };
}

/** Returns the maximum error of a number of shares rounded to four digits. */
function roundedBy(shares: number): number {
  if (shares < 100) return 0.005;
  return shares < 1_000 ? 0.05 : 0.5;
}

/**
 * Converts a text with placeholders to a regular expression; its first group is a figure or an
 * outcome.
 */
function patternOf(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(FIGURE, String.raw`(<?\d[\d.,\u00a0\u202f]*)`)
    .replace(AMOUNT, '[^* ]+')
    .replaceAll(TIME, '<t:(\\d+):[a-zA-Z]>')
    .replace(OUTCOME, String.raw`((?:\\.|[^*\\])+)`);
}

/** Converts `1.234,5` with the decimal `,` to `1234.5`. */
function plainFigure(figure: string, decimal: string): string {
  const kept = Array.from(figure).filter((one) => one === decimal || /\d/.test(one));
  return kept.map((one) => (one === decimal ? '.' : one)).join('');
}

function transactions(text: string): string[] {
  return [...text.matchAll(/\/tx\/(0x[0-9a-fA-F]+)/g)].map(([, txHash = '']) => txHash);
}
