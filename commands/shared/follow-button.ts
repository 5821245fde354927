import type { WalletAddress } from '../../src/domain/address.ts';
import { button, buttonRow, listButtons } from '../../src/messages/buttons.ts';
import type { CommandContext } from './context.ts';

/** The first part of the button's custom id: it names the component that answers. */
export const FOLLOW = 'follow';

type Offered = Pick<CommandContext, 'language' | 'mayFollow'>;

/** The lists of a wallet, and alerts of it for whoever presses. */
export function buttonsOfWallet(wallet: WalletAddress, context: Offered) {
  return buttonRow(...listButtons(wallet, context.language), ...followButtons(wallet, context));
}

/** A row with the button alone; none where it is not offered. */
export function followRow(wallet: WalletAddress, context: Offered) {
  const buttons = followButtons(wallet, context);
  if (buttons.length === 0) return [];
  return [buttonRow(...buttons)];
}

function followButtons(wallet: WalletAddress, { language, mayFollow }: Offered) {
  if (mayFollow) return [button(`${FOLLOW}:${wallet}`, language.texts.personal.follow.button)];
  return [];
}
