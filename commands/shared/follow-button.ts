import type { WalletAddress } from '../../src/domain/address.ts';
import { button, buttonRow, listButtons } from '../../src/messages/buttons.ts';
import type { CommandContext } from './context.ts';

/** First part of the button's custom id. It names the component that answers. */
export const FOLLOW = 'follow';

type Offered = Pick<CommandContext, 'language' | 'mayFollow'>;

/** Returns the buttons for a wallet's lists, and for alerts about it to the person who presses. */
export function buttonsOfWallet(wallet: WalletAddress, context: Offered) {
  return buttonRow(...listButtons(wallet, context.language), ...followButtons(wallet, context));
}

/** Returns a row with only this button; none if it is not offered. */
export function followRow(wallet: WalletAddress, context: Offered) {
  const buttons = followButtons(wallet, context);
  if (buttons.length === 0) return [];
  return [buttonRow(...buttons)];
}

function followButtons(wallet: WalletAddress, { language, mayFollow }: Offered) {
  if (mayFollow) return [button(`${FOLLOW}:${wallet}`, language.texts.personal.follow.button)];
  return [];
}
