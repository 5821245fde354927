import type { WalletDocument } from '../../src/alerts/wallets/wallet-document.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { toFormat12 } from '../../src/store/migrations/to-format-12.ts';
import type { TestBot } from '../support/test-bot.ts';

/**
 * Stores what a bot knows of a wallet as one of format 11 had it, turned into today's format: one
 * document in the place of the wallet's and its channels'. The bot is to be started again.
 */
export function storeAsFormat11(bot: TestBot, wallet: WalletAddress): void {
  const whole = bot.stored(wallet);
  if (whole === null) return;
  for (const key of bot.disk.keys())
    if (key.startsWith('posted:') && key.endsWith(`:${wallet}`)) bot.disk.delete(key);
  const key = `wallet:${wallet}`;
  bot.disk.set(key, JSON.stringify(toFormat12(key, asFormat11(whole))));
}

/** A wallet's document as format 11 had it. */
function asFormat11({ state, outbox }: WalletDocument): unknown {
  const { knowledge, ...others } = state;
  if (knowledge === undefined) return { state, outbox };
  const { announcedConsensus: announced, ...rest } = knowledge;
  const alerts = outbox.map(({ delayed: later, ...alert }) =>
    later ? { ...alert, later } : alert,
  );
  return { state: { ...others, knowledge: { ...rest, announced } }, outbox: alerts };
}
