import type { WalletAddress } from '../domain/address.ts';
import type { Watch } from '../watches/watch.ts';
import { backlogNotices } from './builder/gaps.ts';
import { wantsGap } from './kinds/gap.ts';
import { messagesOf, onlyMessages, type SharedAlert } from './wallets/handed-on.ts';

/** Messages about a wallet that wait for one owner, until the waiting room has them. */
const OWNER_LIMIT = 1_000;
/** Messages that are left of an owner who had more. */
const OWNER_LEFT = 900;

/**
 * Drops the oldest messages of owners for whom too many wait. Each of them gets a notice of the
 * time of what was dropped, behind the others; no other owner does.
 *
 * @param parts `watchesOf`: an owner's watches of the wallet; `nextSequence`: the number of an
 *   owner's next message; `seenAtMs`: when the notices were made, by the venue's clock
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
): {
  readonly waiting: readonly SharedAlert[];
  /** Number of messages that each owner has lost. */
  readonly dropped?: ReadonlyMap<string, number>;
} {
  if (waiting.length <= OWNER_LIMIT) return { waiting };
  const counts = new Map<string, number>();
  for (const { owners } of waiting) {
    for (const { ownerId } of owners) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  }
  const dropped = new Map<string, number>();
  for (const [ownerId, count] of counts) {
    if (count > OWNER_LIMIT) dropped.set(ownerId, count - OWNER_LEFT);
  }
  if (dropped.size === 0) return { waiting };
  const left = new Map(dropped);
  /** Whether a message is among the oldest of its owner, which are dropped; counts it then. */
  const isDropped = ({ ownerId }: { readonly ownerId: string }): boolean => {
    const count = left.get(ownerId) ?? 0;
    left.set(ownerId, count - 1);
    return count > 0;
  };
  const gone = onlyMessages(waiting, isDropped);
  const goneSequences = new Set(
    messagesOf(gone).map(({ ownerId, sequence }) => `${ownerId}:${sequence}`),
  );
  const kept = onlyMessages(
    waiting,
    ({ ownerId, sequence }) => !goneSequences.has(`${ownerId}:${sequence}`),
  );
  const lost = gone.map(({ owners, ...alert }) => ({
    ...alert,
    channels: owners.map(({ ownerId }) => ownerId),
  }));
  const notices = backlogNotices(wallet, lost).flatMap((notice): readonly SharedAlert[] => {
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
  return { waiting: [...kept, ...notices], dropped };
}
