import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINTS } from '../domain/records.ts';
import { createFairLru } from '../lib/fair-shares/fair-lru.ts';
import type { ChannelSettings } from '../watches/channel-settings.ts';
import type { SettingName, WatchSettings } from '../watches/watch-settings.ts';
import type { WalletEvent } from './alert.ts';
import type { Gap } from './kinds/gap.ts';

/** Decisions that are kept of a channel, the newest. */
const CHANNEL_LIMIT = 300;
/**
 * Decisions that are kept of all channels: at 1.3 kB a record, which channels share, up to 40 MB.
 */
const TOTAL_LIMIT = 30_000;

const RECORD_KINDS = ['activity', 'transfer'] as const;

/** An alert of a record of the venue, as against a notice, a result or a consensus. */
export type RecordEvent = Extract<WalletEvent, { readonly kind: (typeof RECORD_KINDS)[number] }>;

/** Reason that keeps a record from a channel, with the value that it had then. */
export type Hold =
  /**
   * It is older than the watch, of the time of a pause, left out where only a consensus is posted,
   * or was dropped because too much waited.
   */
  | { readonly by: 'before' | 'pause' | 'consensusOnly' | 'backlog' }
  | { readonly by: 'setting'; readonly name: SettingName; readonly value: unknown }
  /** The words that the channel has for all its watches. */
  | { readonly by: 'channelWords'; readonly value: NonNullable<ChannelSettings['words']> };

export function holdBySetting(settings: WatchSettings, name: SettingName): Hold {
  return { by: 'setting', name, value: settings[name] };
}

/** An alert, or what would have been one, without what it waits for. */
interface Judged {
  readonly id: string;
  readonly wallet: WalletAddress;
  readonly event: WalletEvent;
}

/** An alert that a channel does not get, and why. */
export interface HeldRecord {
  readonly alert: Judged;
  readonly channelId: string;
  readonly hold: Hold;
}

/** End of a record in a channel. */
export type Outcome =
  /**
   * `messageId` null: only the history had it; `isPart`: the message shows other transactions too.
   */
  | { readonly kind: 'posted'; readonly messageId: string | null; readonly isPart: boolean }
  | { readonly kind: 'held'; readonly hold: Hold };

export interface Decision {
  readonly id: string;
  readonly wallet: WalletAddress;
  readonly event: RecordEvent;
  readonly outcome: Outcome;
}

/** A notice that a channel got of a time of which something may be missing. */
interface Notice {
  readonly wallet: WalletAddress;
  readonly gap: Gap;
  readonly messageId: string | null;
}

interface Kept {
  readonly ownerId: string;
  /** Oldest first. */
  entries: (Decision | Notice)[];
}

export type Decisions = ReturnType<typeof createDecisions>;

/**
 * The last decisions about records in each channel, in memory alone: those who decide note them
 * here, so that `/watch why` says what was decided, and does not decide again. Beyond 30,000 the
 * owner with the most loses those of its longest unused channel.
 *
 * @param ownerOf whose a channel is; empty if nobody's
 */
export function createDecisions(ownerOf: (channelId: string) => string) {
  const channels = new Map<string, Kept>();
  const lru = createFairLru(TOTAL_LIMIT);

  const note = (channelId: string, entry: Decision | Notice): void => {
    const kept = channels.get(channelId) ?? { ownerId: ownerOf(channelId), entries: [] };
    channels.set(channelId, kept);
    kept.entries.push(entry);
    if (kept.entries.length > CHANNEL_LIMIT) kept.entries.shift();
    for (const gone of lru.put(kept.ownerId, channelId, kept.entries.length)) channels.delete(gone);
  };

  const entriesOf = (channelId: string) => channels.get(channelId)?.entries ?? [];

  return {
    /** Notes alerts that channels do not get. Of what is no record, nothing is kept. */
    held(records: readonly HeldRecord[]): void {
      for (const { alert, channelId, hold } of records) {
        const { id, wallet, event } = alert;
        if (!isRecord(event)) continue;
        note(channelId, {
          id,
          wallet,
          event: alone(event),
          outcome: { kind: 'held', hold },
        });
      }
    },
    /**
     * Notes alerts that are in a message together, so that the channel has them.
     *
     * @param isAddition whether they were added to a message that was there
     */
    posted(
      channelId: string,
      alerts: readonly Judged[],
      messageId: string | null,
      isAddition: boolean,
    ): void {
      const hashes = alerts.map(({ event }) => (isRecord(event) ? event.item.txHash : ''));
      const isPart = isAddition || new Set(hashes).size > 1;
      for (const { id, wallet, event } of alerts) {
        if (event.kind === 'gap') note(channelId, { wallet, gap: event.gap, messageId });
        if (!isRecord(event)) continue;
        const outcome: Outcome = { kind: 'posted', messageId, isPart };
        note(channelId, { id, wallet, event: alone(event), outcome });
      }
    },
    /** The last decision about each record of a transaction, in a channel. */
    ofTransaction(channelId: string, wallet: WalletAddress, txHash: string): Decision[] {
      const byAlert = new Map<string, Decision>();
      for (const entry of entriesOf(channelId)) {
        if ('gap' in entry || entry.wallet !== wallet) continue;
        if (entry.event.item.txHash.toLowerCase() !== txHash) continue;
        byAlert.delete(entry.id);
        byAlert.set(entry.id, entry);
      }
      return [...byAlert.values()];
    },
    /** The records of all decisions, of any wallet or of one, in their order. */
    recordsIn: (channelId: string, wallet: WalletAddress | null): RecordEvent[] => {
      const events: RecordEvent[] = [];
      for (const entry of entriesOf(channelId)) {
        const isMeant = !('gap' in entry) && (wallet === null || entry.wallet === wallet);
        if (isMeant) events.push(entry.event);
      }
      return events;
    },
    /** The notice that something may be missing of a time, Unix seconds, as far as it is known. */
    noticeOf: (
      channelId: string,
      wallet: WalletAddress,
      endpoint: Gap['endpoint'],
      atSeconds: number,
    ) =>
      entriesOf(channelId).find(
        (entry): entry is Notice =>
          'gap' in entry &&
          entry.wallet === wallet &&
          entry.gap.endpoint === endpoint &&
          entry.gap.fromSeconds <= atSeconds &&
          atSeconds <= entry.gap.toSeconds,
      ),
    /** Forgets what was decided in a channel, of all wallets or of one. */
    forget(channelId: string, wallet?: WalletAddress): void {
      const kept = channels.get(channelId);
      if (kept === undefined) return;
      kept.entries = kept.entries.filter(
        (entry) => wallet !== undefined && entry.wallet !== wallet,
      );
      lru.drop(channelId);
      if (kept.entries.length === 0) channels.delete(channelId);
      else lru.put(kept.ownerId, channelId, kept.entries.length);
    },
  };
}

export function isRecord(event: WalletEvent): event is RecordEvent {
  return RECORD_KINDS.some((kind) => kind === event.kind);
}

export function identityOf(event: RecordEvent): string {
  return event.kind === 'activity'
    ? ENDPOINTS.activity.identity(event.item)
    : ENDPOINTS['deposits-withdrawals'].identity(event.item);
}

/** Names by which a record may be stored: its identity, and its version, up to format 10. */
export function namesOf(event: RecordEvent): readonly string[] {
  return event.kind === 'activity'
    ? [identityOf(event), ENDPOINTS.activity.version(event.item)]
    : [identityOf(event)];
}

/** The record without what it meant then. */
function alone(event: RecordEvent): RecordEvent {
  return event.kind === 'activity'
    ? { kind: 'activity', item: event.item }
    : { kind: 'transfer', item: event.item };
}
