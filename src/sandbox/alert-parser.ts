import type { SeenMessage } from './discord/events.ts';

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

const ACTIONS: Readonly<Record<string, string>> = { bought: 'Buy', sold: 'Sell', redeemed: 'Redeem' };
const FIGURE = String.raw`<?[\d,.]+`;
/** `Whale bought 1,234.5 Yes at 63.5¢`, `Whale redeemed 50 No, paid out $50`. */
const TITLE = new RegExp(
  `^.* (?<action>bought|sold|redeemed) (?<shares>${FIGURE}) (?<outcome>.+?)(?: at .*|, paid out .*)?$`,
);
/** `**Bought 1,234.5 Yes** at 63.5¢`. */
const LINE = new RegExp(`\\*\\*(?<action>Bought|Sold|Redeemed) (?<shares>${FIGURE}) (?<outcome>[^*]+)\\*\\*`);
/** `**14 fills**`. */
const COUNT = new RegExp(`\\*\\*(?<count>${FIGURE}) (?:fills|redemptions)\\*\\*`);

/** Reads English alerts as a person does. */
export function recordsIn({ embeds }: SeenMessage): ShownRecords[] {
  return embeds.flatMap(({ title, description }) => {
    const text = description ?? '';
    const inTitle = TITLE.exec(title ?? '');
    if (inTitle) return [fills(inTitle, text, text)];
    return text.split('\n').flatMap((line): ShownRecords[] => {
      const inLine = LINE.exec(line);
      if (inLine) return [fills(inLine, line, text)];
      return transactions(line).map((txHash) => ({ kind: 'transfer', txHash: txHash.toLowerCase() }));
    });
  });
}

/** The transactions that a message names by a link. */
export function transactionsIn(message: SeenMessage): string[] {
  return message.embeds.flatMap(({ description }) => transactions(description ?? ''));
}

/** @param around where the wallet is named, if `text` does not */
function fills({ groups = {} }: RegExpExecArray, text: string, around: string): ShownRecords {
  const walletIn = (where: string) => /\/wallet\/(0x[0-9a-fA-F]{40})/.exec(where)?.[1]?.toLowerCase();
  return {
    kind: 'fills',
    wallet: walletIn(text) ?? walletIn(around) ?? 'unknown',
    marketId: /\/market\/([^)]+)\)/.exec(text)?.[1] ?? 'unknown',
    action: ACTIONS[groups['action']?.toLowerCase() ?? ''] ?? 'unknown',
    outcome: (groups['outcome'] ?? '').trim(),
    shares: readFigure(groups['shares'] ?? ''),
    count: readFigure(COUNT.exec(text)?.groups?.['count'] ?? '1'),
  };
}

/** `1,234.5`; nothing for `<0.01`. */
function readFigure(text: string): number {
  return text.startsWith('<') ? 0 : Number(text.replaceAll(',', ''));
}

function transactions(text: string): string[] {
  return [...text.matchAll(/\/tx\/(0x[0-9a-fA-F]+)/g)].map(([, txHash = '']) => txHash);
}
