import * as z from 'zod';
import { alertKey } from '../alerts/alert.ts';
import { isRecord } from '../alerts/decisions.ts';
import { storedAlertSchema } from '../alerts/wallets/wallet-document.ts';
import { walletSchema } from '../domain/address.ts';
import { defineWaitingItems } from './waiting-items.ts';

const delayedAlertSchema = storedAlertSchema.omit({ channels: true, delayed: true }).extend({
  wallet: walletSchema,
  /**
   * True once the alert's time has come and the channel has accepted it. It is not decided again,
   * whatever is set while it waits for a cooldown or for the rest of its purchase.
   */
  isHeard: z.literal(true).exactOptional(),
});
/** An alert that waits for the time of a delayed channel. */
export type DelayedAlert = Readonly<z.infer<typeof delayedAlertSchema>>;

/** Documents of alerts for delayed channels, by channel and number. */
export const delayedAlertKind = defineWaitingItems<
  DelayedAlert,
  Pick<DelayedAlert, 'wallet' | 'seenAtMs'> & {
    readonly isHeard: boolean;
    /** Time of its record, in Unix seconds; null if it is not an alert of a record. */
    readonly recordSeconds: number | null;
  }
>({
  prefix: 'later:',
  itemSchema: delayedAlertSchema,
  destinationOf: ({ ownerId, channelId }) => channelId ?? ownerId,
  keyOf: alertKey,
  note: ({ wallet, seenAtMs, isHeard = false, event }) => ({
    wallet,
    seenAtMs,
    isHeard,
    recordSeconds: isRecord(event) ? event.item.time : null,
  }),
});
export type DelayedAlerts = ReturnType<typeof delayedAlertKind.open>;
