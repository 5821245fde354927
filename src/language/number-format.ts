import type { NumberTexts } from './en/figures.ts';

const MINUS = '−';
const WORD_JOINER = '\u2060';
/** From here on a double has no digits for cents. */
const SCIENTIFIC_FROM = 1e15;
/** USDC that are written as $100.00 at least. */
const WITHOUT_CENTS_FROM = 99.995;
/** USDC that a headline says to three digits. */
const COMPACT_FROM = 10_000;
/** Shares that are written with one decimal at most, and with none. */
const ONE_DECIMAL_FROM = 99.995;
const WHOLE_FROM = 999.95;

/**
 * Numbers as a language writes them. Examples in English; other languages have other separators,
 * units and orders. Thousands are always apart, in Spanish too, so that figures below each other
 * compare at a glance: `2.527 $`, `24.176 $`.
 */
export interface NumberFormat {
  /**
   * An amount of USDC: `$12,345.67`, `−$5.00`, `$0.00`. An amount that is not zero never reads as
   * zero: `<$0.01`. From 10¹⁵ in scientific notation; `unknown` if it is not a finite number.
   */
  readonly usdc: (usdc: number) => string;
  /** An amount as `usdc`, for a first line: from $100 on without cents, `$12,346`. */
  readonly roundUsdc: (usdc: number) => string;
  /** An amount as `usdc`, for a sum in a headline: from $10,000 on to three digits, `$269K`. */
  readonly compactUsdc: (usdc: number) => string;
  /** An amount as `usdc`, for a setting: whole dollars without cents, `$50`, `$49.50`. */
  readonly settingUsdc: (usdc: number) => string;
  /**
   * A bare number, for a sentence: `1,234.5`. Two decimals at most, `<0.01` if it is smaller but
   * not zero.
   */
  readonly quantity: (quantity: number) => string;
  /**
   * A number of shares in four digits, whole shares in all of theirs: `12,345`, `234.5`, `12.34`;
   * `<0.01` as `quantity`.
   */
  readonly shareCount: (shares: number) => string;
  /** A number of shares as `shareCount`, with its unit: `1,235 shares`, `1 share`. */
  readonly shares: (shares: number) => string;
  /**
   * A price per share: `63.5¢`. A price inside the band never rounds to its edge, because 0 and 100
   * mean a settled market: `<0.01¢`, `>99.99¢`.
   */
  readonly cents: (priceCents: number) => string;
  /**
   * A percentage, to a tenth: `63.5%`.
   *
   * @param percent 100 is all of it
   */
  readonly percent: (percent: number) => string;
  /**
   * A length of time in its two greatest units, cut and not rounded: `8 s`, `2 min 5 s`, `3 h 4
   * min`, `2 d 1 h`. Less than a second, and anything negative, is `0 s`.
   */
  readonly duration: (seconds: number) => string;
  /**
   * A length of time as rules of hours are typed: `24 h` and not `1 d`; with a part of an hour as
   * `duration`, `1 h 30 min`.
   */
  readonly hours: (hours: number) => string;
}

/** @param tag of the language, BCP 47 */
export function createNumberFormat(tag: string, texts: NumberTexts): NumberFormat {
  const gap = texts.unitGap;
  const plain = new Intl.NumberFormat(tag, { maximumFractionDigits: 2, useGrouping: 'always' });
  const oneDecimal = new Intl.NumberFormat(tag, {
    maximumFractionDigits: 1,
    useGrouping: 'always',
  });
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0, useGrouping: 'always' });
  const scientific = new Intl.NumberFormat(tag, {
    notation: 'scientific',
    maximumFractionDigits: 2,
  });
  const dollars = {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: texts.currencyDisplay,
    maximumFractionDigits: 2,
    useGrouping: 'always',
  } as const;
  const money = new Intl.NumberFormat(tag, dollars);
  const wholeMoney = new Intl.NumberFormat(tag, { ...dollars, maximumFractionDigits: 0 });
  const compactMoney = new Intl.NumberFormat(tag, {
    ...dollars,
    maximumFractionDigits: undefined,
    maximumSignificantDigits: 3,
    notation: 'compact',
  });
  const scientificMoney = new Intl.NumberFormat(tag, {
    ...dollars,
    minimumFractionDigits: 0,
    notation: 'scientific',
  });

  const bare = (figure: number, usual: Intl.NumberFormat) => {
    if (!Number.isFinite(figure)) return texts.unknown;
    const size = Math.abs(figure);
    const sign = figure < 0 ? MINUS : '';
    if (isTiny(size)) return withSign(sign, `<${plain.format(0.01)}`);
    return withSign(sign, (size >= SCIENTIFIC_FROM ? scientific : usual).format(size));
  };
  const quantity = (figure: number) => bare(figure, plain);
  const shareCount = (shares: number) => {
    const size = Math.abs(shares);
    if (size < ONE_DECIMAL_FROM) return quantity(shares);
    return bare(shares, size < WHOLE_FROM ? oneDecimal : whole);
  };
  const price = (cents: number) =>
    cents < 100 && cents >= 99.995 ? `>${plain.format(99.99)}` : quantity(cents);
  const twoUnits = (great: number, greatUnit: string, small: number, smallUnit: string) => {
    const first = `${plain.format(great)}${gap}${greatUnit}`;
    return small === 0 ? first : `${first}${gap}${small}${gap}${smallUnit}`;
  };

  const amount = (usdc: number, usual: Intl.NumberFormat) => {
    if (!Number.isFinite(usdc)) return texts.unknown;
    const size = Math.abs(usdc);
    const sign = usdc < 0 ? MINUS : '';
    if (isTiny(size)) return withSign(sign, `<${money.format(0.01)}`);
    return withSign(sign, (size >= SCIENTIFIC_FROM ? scientificMoney : usual).format(size));
  };

  const roundUsdc = (usdc: number) =>
    amount(usdc, Math.abs(usdc) >= WITHOUT_CENTS_FROM ? wholeMoney : money);

  const duration = (seconds: number): string => {
    if (!Number.isFinite(seconds)) return texts.unknown;
    const full = Math.max(0, Math.floor(seconds));
    const minutes = Math.floor(full / 60);
    const hours = Math.floor(full / 3600);
    if (full < 60) return `${full}${gap}${texts.second}`;
    if (full < 3600) return twoUnits(minutes, texts.minute, full % 60, texts.second);
    if (full < 86_400) return twoUnits(hours, texts.hour, minutes % 60, texts.minute);
    return twoUnits(Math.floor(full / 86_400), texts.day, hours % 24, texts.hour);
  };

  return {
    usdc: (usdc) => amount(usdc, money),
    roundUsdc,
    compactUsdc: (usdc) =>
      Math.abs(usdc) >= COMPACT_FROM ? amount(usdc, compactMoney) : roundUsdc(usdc),
    settingUsdc: (usdc) => amount(usdc, Number.isInteger(usdc) ? wholeMoney : money),
    quantity,
    shareCount,
    shares: (shares) => texts.shares(shareCount(shares), shares),
    cents: (cents) => texts.cents(price(cents)),
    percent: (percent) => texts.percent(quantity(Math.round(percent * 10) / 10)),
    duration,
    hours: (hours) =>
      Number.isInteger(hours)
        ? `${plain.format(hours)}${gap}${texts.hour}`
        : duration(Math.round(hours * 3_600)),
  };
}

/**
 * Puts a sign before a figure. Between it and a currency's sign a line may break, which would make
 * a gain of a loss: U+2060 forbids that.
 */
export function withSign(sign: string, figure: string): string {
  return figure.startsWith('$') ? `${sign}${sign && WORD_JOINER}${figure}` : sign + figure;
}

function isTiny(size: number): boolean {
  return size > 0 && size < 0.005;
}
