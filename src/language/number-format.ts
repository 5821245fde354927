import type { NumberTexts } from './en/figures.ts';

const MINUS = '−';
const WORD_JOINER = '\u2060';
/** Amount from which a double has no digits for cents. */
const SCIENTIFIC_FROM = 1e15;
/** USDC from which the rounded amount is at least $100.00. */
const WITHOUT_CENTS_FROM = 99.995;
/** USDC from which a headline uses three digits. */
const COMPACT_FROM = 10_000;
/** Shares from which one decimal, or none, is shown. */
const ONE_DECIMAL_FROM = 99.995;
const WHOLE_FROM = 999.95;

/**
 * Numbers formatted for a language. Examples in English; other languages have other separators,
 * units and orders. Thousands are always separated, in Spanish too, so that figures below each
 * other compare at a glance: `2.527 $`, `24.176 $`.
 */
export interface NumberFormat {
  /**
   * An amount of USDC: `$12,345.67`, `−$5.00`, `$0.00`. A nonzero amount is never shown as zero:
   * `<$0.01`. From 10¹⁵ on in scientific notation; `unknown` if it is not a finite number.
   */
  readonly usdc: (usdc: number) => string;
  /** An amount like `usdc`, for a first line: from $100 on without cents, `$12,346`. */
  readonly roundUsdc: (usdc: number) => string;
  /** An amount like `usdc`, for a sum in a headline: from $10,000 on to three digits, `$269K`. */
  readonly compactUsdc: (usdc: number) => string;
  /** An amount like `usdc`, for a setting: whole dollars without cents, `$50`, `$49.50`. */
  readonly settingUsdc: (usdc: number) => string;
  /**
   * A bare number, for a sentence: `1,234.5`. At most two decimals; `<0.01` if it is smaller but
   * not zero.
   */
  readonly quantity: (quantity: number) => string;
  /**
   * A number of shares with up to four significant digits, or with all digits of its whole part if
   * it has more: `12,345`, `234.5`, `12.34`; `<0.01` like `quantity`.
   */
  readonly shareCount: (shares: number) => string;
  /** A number of shares like `shareCount`, with its unit: `1,235 shares`, `1 share`. */
  readonly shares: (shares: number) => string;
  /**
   * A price per share: `63.5¢`. A price between 0 and 100 is never rounded to either, because they
   * mean a settled market: `<0.01¢`, `>99.99¢`.
   */
  readonly cents: (priceCents: number) => string;
  /**
   * A percentage, to a tenth: `63.5%`.
   *
   * @param percent 100 is the whole
   */
  readonly percent: (percent: number) => string;
  /**
   * A duration in its two largest units, truncated: `8 s`, `2 min 5 s`, `3 h 4 min`, `2 d 1 h`.
   * Less than a second, or a negative value, is `0 s`.
   */
  readonly duration: (seconds: number) => string;
  /**
   * A duration in hours, as settings use them: `24 h` and not `1 d`; with a fraction like
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
 * Puts a sign before a figure. A line could break between a minus and a currency sign, which would
 * turn a loss into a gain; U+2060 prevents that.
 */
export function withSign(sign: string, figure: string): string {
  return figure.startsWith('$') ? `${sign}${sign && WORD_JOINER}${figure}` : sign + figure;
}

function isTiny(size: number): boolean {
  return size > 0 && size < 0.005;
}
