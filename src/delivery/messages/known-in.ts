import { type Alert, type AlertGroup, walletOf } from '../../alerts/alert.ts';
import type { AlertBuilder } from '../../alerts/builder/build.ts';
import type { WalletIndex } from '../../alerts/wallets/wallet-index.ts';
import { marketKey, shortHash } from '../../portfolio/market.ts';
import { alsoHere } from '../../portfolio/positions/held-markets.ts';
import type { ChannelClock } from '../../watches/channel-clock.ts';
import type { Registry } from '../../watches/registry.ts';
import { isActive, sizeIn, type Watch } from '../../watches/watch.ts';

export interface KnownInParts {
  readonly registry: Registry;
  readonly alertBuilder: AlertBuilder;
  readonly walletIndex: WalletIndex;
  readonly clock: ChannelClock;
  readonly venueNowMs: () => number;
}

/** Creates the function that adds what is known in a channel at present to the channel's alerts. */
export function createKnownIn(parts: KnownInParts) {
  const { registry, alertBuilder, walletIndex, clock, venueNowMs } = parts;

  const alertIn = (watch: Watch | undefined, alert: Alert): Alert => {
    const { event, channelId } = alert;
    if (event.kind === 'consensus' && !clock.isLater(channelId)) {
      const consensus = alertBuilder.consensusNow(event.consensus);
      return { ...alert, event: { kind: 'consensus', consensus } };
    }
    if (event.kind !== 'activity') return alert;
    const { kind, item, context } = event;
    const size = (watch && sizeIn(watch, event)) ?? undefined;
    return { ...alert, event: { kind, item, context, size } };
  };

  return {
    /**
     * Returns the group with usual sizes as the channel has seen them since it began to watch, and
     * with sales since a consensus was found.
     */
    knownIn(channelId: string, group: AlertGroup): AlertGroup {
      const watch = registry.kept(channelId, walletOf(group));
      const [first, ...others] = group.alerts.map((alert) => alertIn(watch, alert));
      return first === undefined ? group : { ...group, alerts: [first, ...others] };
    },
    /**
     * Adds the holdings of the channel's other wallets in a trade's market. They are stored with
     * the message, so that repeats are identical.
     */
    withOthers(channelId: string, group: AlertGroup): AlertGroup {
      const [{ event }] = group.alerts;
      // A delayed channel would show what its wallets hold now, not what they held at its delayed
      // time.
      if (clock.isLater(channelId) || group.kind === 'late') return group;
      if (event.kind !== 'activity' || event.item.action === 'Redeem') return group;
      const key = shortHash(marketKey(event.item));
      const others = [];
      for (const watch of registry.ofChannel(channelId)) {
        const { wallet } = watch;
        if (wallet === walletOf(group) || !isActive(watch, venueNowMs() / 1000)) continue;
        const held = walletIndex.held.heldIn(wallet, key);
        if (held !== undefined) others.push({ wallet, held });
      }
      return { ...group, alsoHere: alsoHere(others) };
    },
  };
}
