import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import { shortAddress, type WalletAddress } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { plainText } from './escape.ts';

/** Each wallet takes a row of buttons; Discord accepts five rows. */
export const WALLETS_PER_MESSAGE = 5;
/** Code points. */
const NAME_MAX = 60;

export type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>;

/**
 * A row of buttons for each wallet of a message. Custom ids are `<action>:<wallet>`; with several wallets, labels name the
 * wallet.
 *
 * @param wallets at most five, each once
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
