import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES } from '../../domain/records.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Watch } from '../../watches/watch.ts';
import { alertId } from '../alert.ts';
import { type FilteredRecord, filteredBySetting } from '../decisions.ts';
import { initialDetectionState } from '../detect.ts';
import { type Gap, wantsGap } from '../kinds/gap.ts';
import { kindOf } from '../kinds/kinds.ts';
import {
  markedDelayed,
  type NewAlert,
  type StoredEndpoint,
  type WalletDocument,
  type WalletState,
} from '../wallets/wallet-document.ts';
import type { Audience } from './audience.ts';

/** Returns the notice of a gap for channels. Its id is the same whenever the same gap is found. */
export function gapNotice(
  wallet: WalletAddress,
  gap: Gap,
  channels: readonly string[],
  seenAtMs: number,
): NewAlert {
  const id = alertId([wallet, gap.endpoint, 'gap', gap.cause, gap.fromSeconds, gap.toSeconds]);
  return { id, event: { kind: 'gap', gap }, seenAtMs, channels };
}

/**
 * Returns notices that replace alerts dropped because too many were waiting. Each channel gets one
 * per endpoint, with the period of what it has lost. Channels that lost the same period share a
 * notice.
 */
export function backlogNotices(wallet: WalletAddress, dropped: readonly NewAlert[]): NewAlert[] {
  const lost: Lost[] = [];
  for (const [endpoint, alerts] of groupBy(dropped, ({ event }) => kindOf(event).endpoint(event))) {
    const byChannel = new Map<string, Lost>();
    for (const { event, seenAtMs, channels, delayed = [] } of alerts) {
      const times = kindOf(event).seconds(event);
      const [fromSeconds, toSeconds] = [Math.min(...times), Math.max(...times)];
      const delayedChannels = new Set(delayed);
      for (const channelId of channels) {
        const isLater = delayedChannels.has(channelId);
        const known = byChannel.get(channelId);
        if (known === undefined) {
          byChannel.set(channelId, {
            endpoint,
            channelId,
            seenAtMs,
            fromSeconds,
            toSeconds,
            isLater,
          });
          continue;
        }
        // Changed in place because there may be hundreds of thousands, one for each alert in each
        // channel.
        known.fromSeconds = Math.min(known.fromSeconds, fromSeconds);
        known.toSeconds = Math.max(known.toSeconds, toSeconds);
        known.isLater ||= isLater;
      }
    }
    lost.push(...byChannel.values());
  }
  const sameTime = (one: Lost) => `${one.endpoint} ${one.fromSeconds} ${one.toSeconds}`;
  return [...groupBy(lost, sameTime).values()].map((alike) => {
    const [{ endpoint, fromSeconds, toSeconds }] = alike;
    const gap = { cause: 'backlog', endpoint, fromSeconds, toSeconds } as const;
    const seenAtMs = alike.reduce((least, one) => Math.min(least, one.seenAtMs), Number.MAX_VALUE);
    const channels = alike.map(({ channelId }) => channelId);
    const later = new Set(alike.flatMap(({ channelId, isLater }) => (isLater ? channelId : [])));
    return markedDelayed(gapNotice(wallet, gap, channels, seenAtMs), (one) => later.has(one));
  });
}

/**
 * Period of the alerts of one endpoint that a channel has lost, and when the first of them was
 * seen.
 */
interface Lost {
  readonly endpoint: Gap['endpoint'];
  readonly channelId: string;
  readonly seenAtMs: number;
  fromSeconds: number;
  toSeconds: number;
  isLater: boolean;
}

/** Returns the notice of a gap for the channels that watched the wallet in that period. */
function gapAlert(
  wallet: WalletAddress,
  gap: Gap,
  watches: readonly Watch[],
  seenAtMs: number,
): NewAlert {
  const channels = watches
    .filter((watch) => wantsGap(watch, gap))
    .map(({ channelId }) => channelId);
  return gapNotice(wallet, gap, channels, seenAtMs);
}

/** Returns the notice of a gap, and the channels whose filters reject it. */
export function gapFound(
  wallet: WalletAddress,
  gap: Gap,
  { watchesForDelay, watchesOf }: Audience,
  seenAtMs: number,
) {
  const notice = gapAlert(wallet, gap, watchesForDelay(wallet), seenAtMs);
  const { id, event } = notice;
  const filtered = watchesOf(wallet)
    .filter((watch) => watch.sinceSeconds <= gap.toSeconds && !wantsGap(watch, gap))
    .map(
      ({ channelId, settings }): FilteredRecord => ({
        alert: { id, wallet, event },
        channelId,
        reason: filteredBySetting(settings, 'kinds'),
      }),
    );
  return { alerts: [notice], filtered };
}

/**
 * Returns a notice that a channel's watch of the wallet is unreadable, and that no alerts come
 * until it is readable again.
 */
export function unreadableWatchAlert(
  wallet: WalletAddress,
  channelId: string,
  nowMs: number,
): NewAlert {
  const nowSeconds = Math.floor(nowMs / 1000);
  const gap: Gap = {
    cause: 'watch',
    endpoint: 'activity',
    fromSeconds: nowSeconds,
    toSeconds: nowSeconds,
  };
  return {
    ...gapNotice(wallet, gap, [channelId], nowMs),
    id: alertId([wallet, 'watch', channelId]),
  };
}

/** Returns the initial state of a wallet: everything from now on is new. */
export function stateAnew(nowMs: number): WalletState {
  const anew: StoredEndpoint<never> = {
    detectionState: initialDetectionState(Math.floor(nowMs / 1000)),
    pollId: 0,
  };
  return Object.fromEntries(ENDPOINT_NAMES.map((endpoint) => [endpoint, anew]));
}

/** Returns the gaps that report possibly missing alerts after a document was found unreadable. */
export function damageGaps(watches: readonly Watch[], nowMs: number): readonly Gap[] {
  const toSeconds = Math.floor(nowMs / 1000);
  const fromSeconds = Math.min(toSeconds, ...watches.map(({ sinceSeconds }) => sinceSeconds));
  return ENDPOINT_NAMES.map((endpoint) => ({ endpoint, cause: 'damage', fromSeconds, toSeconds }));
}

/**
 * Returns the initial document of a wallet whose stored one is unreadable, with notices for these
 * watches.
 */
export function resetWallet(
  wallet: WalletAddress,
  watches: readonly Watch[],
  nowMs: number,
): WalletDocument {
  const notices = damageGaps(watches, nowMs).map((gap) => gapAlert(wallet, gap, watches, nowMs));
  return {
    state: stateAnew(nowMs),
    outbox: notices.filter(({ channels }) => channels.length > 0),
  };
}
