import { POSTED_PREFIX, readPosted } from '../../alerts/wallets/posted.ts';
import {
  looseDocumentSchema,
  storedAlertSchema,
  WALLET_PREFIX,
} from '../../alerts/wallets/wallet-document.ts';

interface OfWallet {
  revision: number;
  /** Channels of each alert in the wallet's document, by the alert's id. */
  readonly outbox: Map<string, readonly string[]>;
  /** Documents of its channels, until it is known which of them count. */
  readonly posted: {
    readonly channelId: string;
    readonly revision: number;
    readonly done: readonly string[];
    readonly added: number;
  }[];
}

/** Counts the waiting alerts of a store, from its documents in any order. */
export function createWaitingCount() {
  const wallets = new Map<string, OfWallet>();
  const ofWallet = (wallet: string): OfWallet => {
    const known = wallets.get(wallet) ?? { revision: 0, outbox: new Map(), posted: [] };
    wallets.set(wallet, known);
    return known;
  };
  const addWallet = (wallet: string, document: unknown): void => {
    const { outbox, revision } = looseDocumentSchema.parse(document);
    if (outbox.length === 0) return;
    const known = ofWallet(wallet);
    known.revision = revision;
    for (const alert of outbox) {
      const { data } = storedAlertSchema.safeParse(alert);
      if (data !== undefined) known.outbox.set(data.id, data.channels);
    }
  };
  return {
    /** Adds a readable document. */
    add(key: string, document: unknown): void {
      if (key.startsWith(WALLET_PREFIX)) addWallet(key.slice(WALLET_PREFIX.length), document);
      if (!key.startsWith(POSTED_PREFIX)) return;
      const posted = readPosted(key, document);
      if (posted === null) return;
      const { channelId, revision, done, added } = posted;
      if (done.length + added.length === 0) return;
      ofWallet(posted.wallet).posted.push({ channelId, revision, done, added: added.length });
    },
    /** @returns the number of alerts, and how many of them wait for each channel */
    total() {
      let alerts = 0;
      const byChannel = new Map<string, number>();
      const count = (channelId: string, more: number) =>
        byChannel.set(channelId, (byChannel.get(channelId) ?? 0) + more);
      for (const { revision, outbox, posted } of wallets.values()) {
        const since = posted.filter((one) => one.revision === revision);
        const got = new Set(since.flatMap((one) => one.done.map((id) => `${one.channelId} ${id}`)));
        for (const [id, channels] of outbox) {
          const left = channels.filter((channelId) => !got.has(`${channelId} ${id}`));
          alerts += left.length > 0 ? 1 : 0;
          for (const channelId of left) count(channelId, 1);
        }
        for (const { channelId, added } of since) {
          alerts += added;
          if (added > 0) count(channelId, added);
        }
      }
      return { alerts, byChannel };
    },
  };
}
