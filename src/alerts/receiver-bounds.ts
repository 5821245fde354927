import type { WalletAddress } from '../domain/address.ts';
import type { Watch } from '../watches/watch.ts';
import { backlogNotices } from './builder/gaps.ts';
import { wantsGap } from './kinds/gap.ts';
import { countsOf, withinCount } from './outbox-bounds.ts';
import { onlyMessages, type SharedAlert } from './wallets/receiver-alerts.ts';
import { channelsById, OUTBOX_LIMIT } from './wallets/wallet-document.ts';

/** Number of messages about a wallet that are kept for an owner with too many waiting. */
const OWNER_LEFT = 900;

/**
 * Drops the oldest messages of owners for whom too many are waiting. Each of these owners gets a
 * notice, placed after the others, with the period of the dropped messages. Other owners get none.
 * @param parts `watchesOf`: an owner's watches of the wallet; `nextSequence`: the number of an
 *   owner's next message; `seenAtMs`: when the notices were made, by the venue's clock
 * @returns `dropped`: number of messages each owner has lost
 */
export function boundMessages(
  wallet: WalletAddress,
  waiting: readonly SharedAlert[],
  parts: {
    readonly watchesOf: (ownerId: string) => readonly Watch[];
    readonly nextSequence: (ownerId: string) => number;
    readonly seenAtMs: number;
    readonly isLate: (alert: Pick<SharedAlert, 'event' | 'seenAtMs'>) => boolean;
  },
) {
  if (waiting.length <= OUTBOX_LIMIT) return { waiting };
  const alerts = waiting.map(({ owners, ...alert }) => ({
    ...alert,
    channels: owners.map(({ ownerId }) => ownerId),
  }));
  const { dropped } = withinCount(alerts, OWNER_LEFT);
  if (dropped.length === 0) return { waiting };
  const gone = channelsById(dropped);
  const kept = onlyMessages(waiting, ({ id, ownerId }) => gone.get(id)?.has(ownerId) !== true);
  const notices = backlogNotices(wallet, dropped).flatMap((notice): readonly SharedAlert[] => {
    const { id, event, channels: ownerIds } = notice;
    if (event.kind !== 'gap') return [];
    const alert = { id, event, seenAtMs: parts.seenAtMs };
    const owners = ownerIds.flatMap((ownerId) => {
      const own = parts.watchesOf(ownerId);
      if (own.length === 0) return [];
      const watches = own.map((watch) => ({
        channel: watch.channelId,
        label: watch.label,
        wanted: wantsGap(watch, event.gap),
      }));
      return { ownerId, sequence: parts.nextSequence(ownerId), isBetterThanLuck: false, watches };
    });
    return owners.length === 0 ? [] : [{ ...alert, isLate: parts.isLate(alert), owners }];
  });
  return { waiting: [...kept, ...notices], dropped: countsOf(dropped) };
}
