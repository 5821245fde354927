import type { SeenEmbed, SeenMessage } from './discord/events.ts';

/** Records that a message shows, by its words and links. */
export type ShownRecords =
  | { readonly kind: 'transfer'; readonly txHash: string }
  | {
      /** Trades or redemptions. */
      readonly kind: 'fills';
      /** Lower case. */
      readonly wallet: string;
      readonly marketId: string;
      /** As the venue writes it. */
      readonly action: string;
      readonly outcome: string;
      readonly shares: number;
      readonly count: number;
    };

/** The links by which alerts can be kept apart: the bot's environment where messages are to be accounted for. */
export const ACCOUNT_LINKS = {
  TX_URL: 'https://explorer.example/tx/{txHash}',
  MARKET_URL: 'https://venue.example/market/{marketId}',
  WALLET_URL: 'https://venue.example/wallet/{address}',
} as const;

const ACTIONS: Readonly<Record<string, string>> = { BUY: 'Buy', SELL: 'Sell', REDEEM: 'Redeem' };
const FIGURE = String.raw`<?[\d,.]+`;
/** `Whale BUY **Yes** $786.34 at 63.6¢`. */
const LINE = /(?<action>BUY|SELL|REDEEM) \*\*(?<outcome>(?:\\.|[^*\\])+)\*\*/;
/** Where an alert says how many shares were traded. */
const SHARES = [
  `(?:^-# |· |: )(?<shares>${FIGURE}) shares?(?: ·|$)`,
  `· bought (?<shares>${FIGURE})`,
  `^(?<shares>${FIGURE}) shares? not seen bought`,
].map((pattern) => new RegExp(pattern, 'm'));
/** `Now 2,234.5 shares, avg 58.2¢ · was 1,000`: their difference was bought. */
const HOLDINGS = new RegExp(`^Now (?<now>${FIGURE})\\+? shares?.* · was (?<was>${FIGURE})`, 'm');
/** `14 fills`. */
const COUNT = new RegExp(`(?<count>${FIGURE}) (?:fills|redemptions)`);

/** Reads English alerts as a person does: what happened stands above an embed, or at the beginning of one of its lines. */
export function recordsIn({ content, embeds }: SeenMessage): ShownRecords[] {
  return embeds.flatMap((embed): ShownRecords[] => {
    const rows = (embed.description ?? '').split('\n');
    const transfers = rows
      .filter((row) => !LINE.test(row))
      .flatMap(transactions)
      .map((txHash): ShownRecords => ({ kind: 'transfer', txHash: txHash.toLowerCase() }));
    const lines = rows.filter((row) => LINE.test(row));
    const shown = lines.length === 0 && embeds.length === 1 && LINE.test(content) ? [content] : lines;
    return [...transfers, ...shown.map((line) => fills(line, embed))];
  });
}

/** Unix seconds of what a message is about, in any language; undefined if it is no alert. */
export function alertSeconds({ content, embeds, interactionId }: SeenMessage): number | undefined {
  // Nothing stands above a digest.
  const times = embeds.flatMap(({ timestamp }) => (timestamp === null ? [] : [Date.parse(timestamp) / 1000]));
  return interactionId === null && content !== '' ? times.at(-1) : undefined;
}

/** @param line of the text above the embed or of its description */
function fills(line: string, { author, url, description }: SeenEmbed): ShownRecords {
  const { action = '', outcome = '' } = LINE.exec(line)?.groups ?? {};
  // A line of a list has all that there is to say.
  const text = SHARES[0]?.test(line) === true ? line : (description ?? '');
  return {
    kind: 'fills',
    wallet: /\/wallet\/(0x[0-9a-fA-F]{40})/.exec(`${text} ${author?.url ?? ''}`)?.[1]?.toLowerCase() ?? 'unknown',
    marketId: /\/market\/([^)#\s]+)/.exec(`${text} ${url ?? ''}`)?.[1] ?? 'unknown',
    action: ACTIONS[action] ?? 'unknown',
    outcome: outcome.replace(/\\(.)/gu, '$1'),
    shares: sharesIn(text),
    count: readFigure(COUNT.exec(text)?.groups?.['count'] ?? '1'),
  };
}

function sharesIn(text: string): number {
  for (const pattern of SHARES) {
    const shares = pattern.exec(text)?.groups?.['shares'];
    if (shares !== undefined) return readFigure(shares);
  }
  const { now = '<', was = '<' } = HOLDINGS.exec(text)?.groups ?? {};
  return Math.round((readFigure(now) - readFigure(was)) * 100) / 100;
}

/** `1,234.5`; nothing for `<0.01`. */
function readFigure(text: string): number {
  return text.startsWith('<') ? 0 : Number(text.replaceAll(',', ''));
}

function transactions(text: string): string[] {
  return [...text.matchAll(/\/tx\/(0x[0-9a-fA-F]+)/g)].map(([, txHash = '']) => txHash);
}
