import { createFillsReader, type ToldFills } from './alert-parser-words.ts';
import type { SeenEmbed, SeenMessage } from './discord/events.ts';

/** What a message tells of, by its words and links. */
export type Told =
  | { readonly kind: 'transfer'; readonly txHash: string }
  | ({
      readonly kind: 'fills';
      /** Lower case. */
      readonly wallet: string;
      readonly marketId: string;
    } & ToldFills);

/** The links by which alerts can be told apart: the bot's environment where messages are to be accounted for. */
export const ACCOUNT_LINKS = {
  TX_URL: 'https://explorer.example/tx/{txHash}',
  MARKET_URL: 'https://venue.example/market/{marketId}',
  WALLET_URL: 'https://venue.example/wallet/{address}',
} as const;

const reader = createFillsReader();

/** The records that a message tells, as a person would count them. */
export function toldIn(message: SeenMessage): Told[] {
  return message.embeds.flatMap(embedTells);
}

/** The transactions that a message names by a link. */
export function transactionsIn(message: SeenMessage): string[] {
  return message.embeds.flatMap(({ description }) => transactions(description ?? ''));
}

function embedTells({ title, description }: Pick<SeenEmbed, 'title' | 'description'>): Told[] {
  const text = description ?? '';
  const asTitle = reader.inTitle(title ?? '', text);
  if (asTitle !== undefined) return [fills(asTitle, text, text)];
  return text.split('\n').flatMap((line): Told[] => {
    const asLine = reader.inLine(line);
    if (asLine !== undefined) return [fills(asLine, line, text)];
    return transactions(line).map((txHash) => ({ kind: 'transfer', txHash: txHash.toLowerCase() }));
  });
}

/** @param around where the wallet is named, if the words themselves do not */
function fills(told: ToldFills, texts: string, around: string): Told {
  const walletIn = (text: string) => /\/wallet\/(0x[0-9a-fA-F]{40})/.exec(text)?.[1]?.toLowerCase();
  return {
    kind: 'fills',
    wallet: walletIn(texts) ?? walletIn(around) ?? 'unknown',
    marketId: /\/market\/([^)]+)\)/.exec(texts)?.[1] ?? 'unknown',
    ...told,
  };
}

function transactions(text: string): string[] {
  return [...text.matchAll(/\/tx\/(0x[0-9a-fA-F]+)/g)].map(([, txHash = '']) => txHash);
}
