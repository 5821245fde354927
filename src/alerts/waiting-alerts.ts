import type { WalletAddress } from '../domain/address.ts';
import type { Alert } from './alert.ts';
import type { NewAlert } from './wallets/wallet-document.ts';

/**
 * The alerts of all wallets' documents in memory, by the channels that they wait for, and who is
 * told that something waits.
 */
export function createWaitingAlerts() {
  const byChannel = new Map<string, Map<WalletAddress, readonly Alert[]>>();
  const listeners: ((channelIds: readonly string[]) => void)[] = [];
  const laterListeners: ((wallet: WalletAddress) => void)[] = [];

  const tell = (channelIds: readonly string[]): void => {
    for (const listener of listeners) listener(channelIds);
  };

  /** Alerts that wait for a channel, oldest first. */
  const pending = (channelId: string): readonly Alert[] => {
    const byWallet = byChannel.get(channelId);
    if (byWallet === undefined) return [];
    const waiting = [...byWallet.values()].flat();
    return waiting.sort((a, b) => a.seenAtMs - b.seenAtMs);
  };

  return {
    pending,
    /**
     * Takes what waits of a wallet, but for what is on its way to channels that hear later.
     *
     * @param alerts all of it, as far as it is for channels that are named in it or in `before`
     * @param before further channels for which something may have waited
     */
    set(wallet: WalletAddress, alerts: readonly NewAlert[], before: Iterable<string> = []): void {
      const own = new Map<string, Alert[]>();
      for (const channelId of before) own.set(channelId, []);
      for (const alert of alerts.flatMap((each) => atOnce(wallet, each))) {
        const ofChannel = own.get(alert.channelId) ?? [];
        own.set(alert.channelId, ofChannel);
        ofChannel.push(alert);
      }
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
    /** Channels for which something waits. */
    channels: (): readonly string[] => [...byChannel.keys()],
    /** Has the channels of alerts look at what waits for them. */
    announce(alerts: readonly NewAlert[]): void {
      tell([...new Set(alerts.flatMap(({ channels }) => channels))]);
    },
    /** Has channels look again at what waits of a wallet: nothing holds it up any more. */
    reconsider(wallet: WalletAddress): void {
      const concerned = [...byChannel].filter(([, own]) => own.has(wallet));
      tell(concerned.map(([channelId]) => channelId));
    },
    /** Calls back with channels for which something has come, or is to be looked at again. */
    listen: (listener: (channelIds: readonly string[]) => void): void =>
      void listeners.push(listener),
    /** Calls back with wallets of which something is on its way to channels that hear later. */
    listenLater: (listener: (wallet: WalletAddress) => void): void =>
      void laterListeners.push(listener),
  };
}

/** An alert for each of its channels but those that hear later. */
function atOnce(
  wallet: WalletAddress,
  { id, event, seenAtMs, channels, delayed }: NewAlert,
): readonly Alert[] {
  const later = new Set(delayed);
  const hearing = channels.filter((channelId) => !later.has(channelId));
  return hearing.map((channelId) => ({ id, wallet, channelId, event, seenAtMs }));
}

export type WaitingAlerts = ReturnType<typeof createWaitingAlerts>;
