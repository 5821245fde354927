import { LANGUAGE_TAGS, type Language, languageFor } from '../language/language.ts';

/** What the words of an alert say of trades or redemptions. */
export interface ToldFills {
  /** As the venue writes it. */
  readonly action: string;
  readonly outcome: string;
  readonly shares: number;
  readonly count: number;
}

interface Reader {
  readonly action: ToldFills['action'];
  /** `Whale bought 1,234.5 Yes at 63.5¢`. */
  readonly titles: readonly RegExp[];
  /** `**Bought 1,234.5 Yes**`. */
  readonly line: RegExp;
  /** `**14 fills**`. */
  readonly counted: RegExp;
  readonly readFigure: (text: string) => number;
}

/** Stand for what a text holds while it becomes a pattern: no text of ours has these characters. */
const WALLET = '\uE000';
const SHARES = '\uE001';
const OUTCOME = '\uE002';
const PRICE = '\uE003';
const COUNT = '\uE004';
const ACTIONS = { buy: 'Buy', sell: 'Sell', redeem: 'Redeem' } as const;

/** Reads alerts as a person of any of the bot's languages does. */
export function createFillsReader() {
  const readers = LANGUAGE_TAGS.map(languageFor).flatMap(readersIn);
  const read = (reader: Reader, found: RegExpExecArray, texts: string): ToldFills => ({
    action: reader.action,
    outcome: (found.groups?.['outcome'] ?? '').trim(),
    shares: reader.readFigure(found.groups?.['shares'] ?? ''),
    count: reader.readFigure(reader.counted.exec(texts)?.groups?.['count'] ?? '1'),
  });
  return {
    /** @param words the alert's other words; undefined if the title tells of no trade or redemption */
    inTitle(title: string, texts: string): ToldFills | undefined {
      for (const reader of readers) {
        const found = reader.titles.map((pattern) => pattern.exec(title)).find((match) => match !== null);
        if (found !== undefined && found !== null) return read(reader, found, texts);
      }
      return undefined;
    },
    inLine(line: string): ToldFills | undefined {
      for (const reader of readers) {
        const found = reader.line.exec(line);
        if (found !== null) return read(reader, found, line);
      }
      return undefined;
    },
  };
}

function readersIn({ tag, texts }: Language): Reader[] {
  const { titles, lines, holdings, fills } = texts.alerts;
  const separators = new Intl.NumberFormat(tag, { useGrouping: 'always', minimumFractionDigits: 1 }).formatToParts(1e6);
  const separator = (type: string) => separators.find((part) => part.type === type)?.value ?? '';
  const [group, decimal] = [separator('group'), separator('decimal')];
  const figure = `<?[\\d${escaped(group + decimal)}]+`;
  const pattern = (text: string, outcome: string) =>
    escaped(text)
      .replace(WALLET, '.*')
      .replace(SHARES, `(?<shares>${figure})`)
      .replace(OUTCOME, `(?<outcome>${outcome})`)
      .replace(PRICE, '.*')
      .replace(COUNT, `(?<count>${figure})`);
  const holding = holdings.of(SHARES, OUTCOME);
  const readFigure = (text: string) =>
    text.startsWith('<') ? 0 : Number(text.replaceAll(group, '').replace(decimal, '.'));
  return (['buy', 'sell', 'redeem'] as const).map((kind) => ({
    action: ACTIONS[kind],
    // With a price first: without one the outcome would take it in.
    titles: [PRICE, undefined].map((price) => new RegExp(`^${pattern(titles[kind](WALLET, holding, price), '.+?')}$`)),
    line: new RegExp(pattern(lines[kind](holding, undefined), '[^*]+?')),
    counted: new RegExp(pattern(fills.counts[kind === 'redeem' ? 'redemption' : 'fill'](COUNT), '')),
    readFigure,
  }));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
