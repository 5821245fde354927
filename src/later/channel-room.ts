import type * as z from 'zod';
import { alertKey } from '../alerts/alert.ts';
import { storedAlertSchema } from '../alerts/wallets/wallet-document.ts';
import { walletSchema } from '../domain/address.ts';
import { defineRoom } from './room.ts';

const laterAlertSchema = storedAlertSchema
  .omit({ channels: true, delayed: true })
  .extend({ wallet: walletSchema });
/** An alert that waits for the clock of a channel that hears later. */
export type LaterAlert = Readonly<z.infer<typeof laterAlertSchema>>;

/** Documents of alerts for channels that hear later, by channel and number. */
export const channelRoomKind = defineRoom<LaterAlert, Pick<LaterAlert, 'wallet' | 'seenAtMs'>>({
  prefix: 'later:',
  itemSchema: laterAlertSchema,
  destinationOf: ({ ownerId, channelId }) => channelId ?? ownerId,
  keyOf: alertKey,
  note: ({ wallet, seenAtMs }) => ({ wallet, seenAtMs }),
});
export type ChannelRoom = ReturnType<typeof channelRoomKind.open>;
