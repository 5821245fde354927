import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { Language } from '../language/language.ts';
import { shortAddress, type WalletAddress } from '../venue/address.ts';
import { plainText } from './escape.ts';

/** A row a wallet, and Discord takes five rows. */
export const WALLETS_PER_MESSAGE = 5;
const NAME_MAX = 60;

export type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>;

/**
 * A row of buttons for each wallet that a message tells of: at most five wallets, each once. The custom ids name what is
 * to be done and the wallet; where there are several wallets the labels name it too.
 */
export function alertButtons(
  wallets: readonly WalletAddress[],
  labelOf: (wallet: WalletAddress) => string | undefined,
  { texts }: Language,
): ButtonRow[] {
  const { mute, activity, flows, of } = texts.alerts.buttons;
  return wallets.map((wallet) => {
    const name = plainText(labelOf(wallet) ?? '', NAME_MAX, shortAddress(wallet));
    const button = (what: string, label: string): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: ButtonStyle.Secondary,
      custom_id: `${what}:${wallet}`,
      label: wallets.length === 1 ? label : of(label, name),
    });
    return {
      type: ComponentType.ActionRow,
      components: [button('watch:mute', mute), button('activity:open', activity), button('flows:open', flows)],
    };
  });
}
