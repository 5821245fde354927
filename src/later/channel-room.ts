import * as z from 'zod';
import { alertKey } from '../alerts/alert.ts';
import { storedAlertSchema } from '../alerts/wallets/wallet-document.ts';
import { walletSchema } from '../domain/address.ts';
import { defineRoom } from './room.ts';

const laterAlertSchema = storedAlertSchema.omit({ channels: true, delayed: true }).extend({
  wallet: walletSchema,
  /**
   * True once the channel's time has come to it and the channel has wanted it: it is not asked
   * again, whatever is typed while it waits for a cooldown or for more of its purchase.
   */
  isHeard: z.literal(true).exactOptional(),
});
/** An alert that waits for the clock of a channel that hears later. */
export type LaterAlert = Readonly<z.infer<typeof laterAlertSchema>>;

/** Documents of alerts for channels that hear later, by channel and number. */
export const channelRoomKind = defineRoom<
  LaterAlert,
  Pick<LaterAlert, 'wallet' | 'seenAtMs'> & { readonly isHeard: boolean }
>({
  prefix: 'later:',
  itemSchema: laterAlertSchema,
  destinationOf: ({ ownerId, channelId }) => channelId ?? ownerId,
  keyOf: alertKey,
  note: ({ wallet, seenAtMs, isHeard = false }) => ({ wallet, seenAtMs, isHeard }),
});
export type ChannelRoom = ReturnType<typeof channelRoomKind.open>;
