import type { WalletAddress } from '../domain/address.ts';
import type { Alert } from './alert.ts';
import type { NewAlert } from './wallets/wallet-document.ts';

/**
 * Keeps the waiting alerts of all wallets' documents in memory, by channel, and notifies listeners
 * when something is waiting.
 */
export function createWaitingAlerts() {
  const byChannel = new Map<string, Map<WalletAddress, readonly Alert[]>>();
  const listeners: ((channelIds: readonly string[]) => void)[] = [];
  const laterListeners: ((wallet: WalletAddress) => void)[] = [];

  const notify = (channelIds: readonly string[]): void => {
    for (const listener of listeners) listener(channelIds);
  };

  /** Returns the alerts waiting for a channel, oldest first. */
  const pending = (channelId: string): readonly Alert[] => {
    const byWallet = byChannel.get(channelId);
    if (byWallet === undefined) return [];
    const waiting = [...byWallet.values()].flat();
    return waiting.sort((a, b) => a.seenAtMs - b.seenAtMs);
  };

  return {
    pending,
    /**
     * Replaces a wallet's waiting alerts, except those being moved to delayed channels.
     * @param alerts all waiting alerts for the channels named in them or in `before`
     * @param before further channels that may have had waiting alerts
     */
    set(wallet: WalletAddress, alerts: readonly NewAlert[], before: Iterable<string> = []): void {
      const own = new Map<string, Alert[]>();
      for (const channelId of before) own.set(channelId, []);
      for (const alert of alerts) addAtOnce(own, wallet, alert);
      for (const [channelId, ofChannel] of own) {
        const byWallet = byChannel.get(channelId) ?? new Map<WalletAddress, readonly Alert[]>();
        if (ofChannel.length > 0) {
          byWallet.set(wallet, ofChannel);
          byChannel.set(channelId, byWallet);
          continue;
        }
        byWallet.delete(wallet);
        if (byWallet.size === 0) byChannel.delete(channelId);
      }
      if (alerts.every(({ delayed }) => delayed === undefined)) return;
      for (const listener of laterListeners) listener(wallet);
    },
    /** Returns the channels that have waiting alerts. */
    channels: (): readonly string[] => [...byChannel.keys()],
    /** Makes the alerts' channels check their waiting alerts. */
    announce(alerts: readonly NewAlert[]): void {
      notify([...new Set(alerts.flatMap(({ channels }) => channels))]);
    },
    /**
     * Makes channels check a wallet's waiting alerts again, because nothing blocks them any more.
     */
    reconsider(wallet: WalletAddress): void {
      const concerned = [...byChannel].filter(([, own]) => own.has(wallet));
      notify(concerned.map(([channelId]) => channelId));
    },
    /** Calls back with channels that have new waiting alerts or should check theirs again. */
    listen: (listener: (channelIds: readonly string[]) => void): void =>
      void listeners.push(listener),
    /** Calls back with wallets that have alerts being moved to delayed channels. */
    listenLater: (listener: (wallet: WalletAddress) => void): void =>
      void laterListeners.push(listener),
  };
}

/**
 * Adds an alert for each of its channels, except the delayed ones. A wallet may have two hundred
 * thousand, so no list of all of them is made.
 */
function addAtOnce(
  own: Map<string, Alert[]>,
  wallet: WalletAddress,
  { id, event, seenAtMs, channels, delayed }: NewAlert,
): void {
  const later = new Set(delayed);
  for (const channelId of channels) {
    if (later.has(channelId)) continue;
    const ofChannel = own.get(channelId) ?? [];
    own.set(channelId, ofChannel);
    ofChannel.push({ id, wallet, channelId, event, seenAtMs });
  }
}

export type WaitingAlerts = ReturnType<typeof createWaitingAlerts>;
