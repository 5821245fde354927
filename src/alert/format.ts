const MINUS = '−';
const UNKNOWN = 'unknown';
/** From here a double no longer holds cents, and the digits would only pretend to. */
const SCIENTIFIC_FROM = 1e15;

const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const scientific = new Intl.NumberFormat('en-US', { notation: 'scientific', maximumFractionDigits: 2 });

/**
 * An amount of USDC: `$12,345.67`, `−$5.00`, `$0.00`. An amount that is not zero never reads as zero: `<$0.01`.
 * From 10¹⁵ in scientific notation; `unknown` if it is not a finite number.
 */
export function formatUsdc(usdc: number): string {
  if (!Number.isFinite(usdc)) return UNKNOWN;
  const size = Math.abs(usdc);
  const sign = usdc < 0 ? MINUS : '';
  return isTiny(size) ? `${sign}<$0.01` : `${sign}$${digits(size, money)}`;
}

/** A bare number of shares, for a sentence: `1,234.5`. Two decimals at most, `<0.01` if it is smaller but not zero. */
export function formatQuantity(shares: number): string {
  if (!Number.isFinite(shares)) return UNKNOWN;
  const size = Math.abs(shares);
  const sign = shares < 0 ? MINUS : '';
  return isTiny(size) ? `${sign}<0.01` : `${sign}${digits(size, plain)}`;
}

/** A number of shares with its unit: `1,234.5 shares`, `1 share`. */
export function formatShares(shares: number): string {
  const text = formatQuantity(shares);
  return text === '1' ? '1 share' : `${text} shares`;
}

/** A price without its probability: `63.5¢`. See `formatPriceCents`. */
export function formatCents(priceCents: number): string {
  return `${priceFigure(priceCents)}¢`;
}

/**
 * A price per share in cents and the probability it stands for: `63.5¢ (63.5 %)`. A price inside the band never rounds
 * to its edge, because 0 and 100 mean a settled market: `<0.01¢ (<0.01 %)`, `>99.99¢ (>99.99 %)`.
 */
export function formatPriceCents(priceCents: number): string {
  const figure = priceFigure(priceCents);
  return `${figure}¢ (${figure} %)`;
}

/**
 * A length of time in its two greatest units, cut and not rounded: `8 s`, `2 min 5 s`, `3 h 4 min`, `2 d 1 h`.
 * Less than a second, and anything negative, is `0 s`.
 */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return UNKNOWN;
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return twoUnits(Math.floor(whole / 60), 'min', whole % 60, 's');
  if (whole < 86_400) return twoUnits(Math.floor(whole / 3600), 'h', Math.floor(whole / 60) % 60, 'min');
  return twoUnits(Math.floor(whole / 86_400), 'd', Math.floor(whole / 3600) % 24, 'h');
}

/** Which way USDC went, from the wallet's side. */
export interface Flow {
  readonly verb: 'paid' | 'received' | 'net';
  readonly amount: string;
}

/**
 * The venue's sign rule in words: a positive `transferNetAmount` left the wallet, a negative one came back to it.
 * The sign decides even where the action suggests the opposite.
 */
export function describeFlow(transferNetAmount: number): Flow {
  if (transferNetAmount > 0) return { verb: 'paid', amount: formatUsdc(transferNetAmount) };
  if (transferNetAmount < 0) return { verb: 'received', amount: formatUsdc(-transferNetAmount) };
  return { verb: 'net', amount: formatUsdc(transferNetAmount) };
}

function isTiny(size: number): boolean {
  return size > 0 && size < 0.005;
}

function digits(size: number, format: Intl.NumberFormat): string {
  return (size >= SCIENTIFIC_FROM ? scientific : format).format(size);
}

function priceFigure(priceCents: number): string {
  return priceCents < 100 && priceCents >= 99.995 ? '>99.99' : formatQuantity(priceCents);
}

function twoUnits(great: number, greatUnit: string, small: number, smallUnit: string): string {
  const first = `${plain.format(great)} ${greatUnit}`;
  return small === 0 ? first : `${first} ${small} ${smallUnit}`;
}
