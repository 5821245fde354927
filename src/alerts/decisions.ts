import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINTS } from '../domain/records.ts';
import { createFairLru } from '../lib/fair-shares/fair-lru.ts';
import type { ChannelSettings } from '../watches/channel-settings.ts';
import type { SettingName, WatchSettings } from '../watches/watch-settings.ts';
import type { WalletEvent } from './alert.ts';
import type { Gap } from './kinds/gap.ts';

/** Maximum number of decisions kept for a channel; the newest are kept. */
const CHANNEL_LIMIT = 300;
/**
 * Maximum number of decisions kept for all channels. At 1.3 kB per record, which channels share,
 * they take up to 40 MB.
 */
const TOTAL_LIMIT = 30_000;

/** An alert of a venue record, as opposed to a notice, a result or a consensus. */
export type RecordEvent = Extract<WalletEvent, { readonly kind: 'activity' | 'transfer' }>;

/** Reason why a channel does not get a record, with the setting's value at that time. */
export type FilterReason =
  /**
   * The record is older than the watch, happened during a pause, was left out because the channel
   * gets only consensus alerts, or was dropped because too many alerts were waiting.
   */
  | { readonly by: 'before' | 'pause' | 'consensusOnly' | 'backlog' }
  | { readonly by: 'setting'; readonly name: SettingName; readonly value: unknown }
  /** The words that the channel has set for all its watches. */
  | { readonly by: 'channelWords'; readonly value: NonNullable<ChannelSettings['words']> };

export function filteredBySetting(settings: WatchSettings, name: SettingName): FilterReason {
  return { by: 'setting', name, value: settings[name] };
}

/** An alert, or a record that was rejected as one, without the data needed for waiting. */
interface Judged {
  readonly id: string;
  readonly wallet: WalletAddress;
  readonly event: WalletEvent;
}

/** An alert that a channel does not get, with the reason. */
export interface FilteredRecord {
  readonly alert: Judged;
  readonly channelId: string;
  readonly reason: FilterReason;
}

/** Outcome of a record in a channel. */
export type Outcome =
  /**
   * `messageId` is null if only the channel's history shows that the record was posted; `isPart`:
   * the message also shows other transactions.
   */
  | { readonly kind: 'posted'; readonly messageId: string | null; readonly isPart: boolean }
  | { readonly kind: 'filtered'; readonly reason: FilterReason };

export interface Decision {
  readonly id: string;
  readonly wallet: WalletAddress;
  readonly event: RecordEvent;
  readonly outcome: Outcome;
}

/** A notice posted in a channel about a period in which records may be missing. */
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
 * Keeps the latest decisions about records in each channel, in memory only. The code that decides
 * notes its decisions here, so that `/watch why` reports them instead of deciding again. Beyond
 * 30,000, the owner with the most decisions loses those of its least recently used channel.
 * @param ownerOf the channel's owner; empty if it has none
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
    /** Notes alerts that channels do not get. Alerts that are not of a record are ignored. */
    filtered(records: readonly FilteredRecord[]): void {
      for (const { alert, channelId, reason } of records) {
        const { id, wallet, event } = alert;
        if (!isRecord(event)) continue;
        note(channelId, {
          id,
          wallet,
          event: alone(event),
          outcome: { kind: 'filtered', reason },
        });
      }
    },
    /**
     * Notes alerts that were posted together in one message.
     * @param isAddition whether they were added to an existing message
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
    /** Returns the latest decision about each record of a transaction in a channel. */
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
    /** Returns the records of all decisions, in order, for one wallet or all. */
    recordsIn: (channelId: string, wallet: WalletAddress | null): RecordEvent[] => {
      const events: RecordEvent[] = [];
      for (const entry of entriesOf(channelId)) {
        const isMeant = !('gap' in entry) && (wallet === null || entry.wallet === wallet);
        if (isMeant) events.push(entry.event);
      }
      return events;
    },
    /**
     * Returns the notice saying that something may be missing at a time, in Unix seconds; undefined
     * if there is none.
     */
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
    /** Deletes a channel's decisions, for one wallet or all. */
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
  return event.kind === 'activity' || event.kind === 'transfer';
}

export function identityOf(event: RecordEvent): string {
  return event.kind === 'activity'
    ? ENDPOINTS.activity.identity(event.item)
    : ENDPOINTS['deposits-withdrawals'].identity(event.item);
}

/**
 * Names under which a record may be stored: its identity, and its version in stores up to format
 * 10.
 */
export function namesOf(event: RecordEvent): readonly string[] {
  return event.kind === 'activity'
    ? [identityOf(event), ENDPOINTS.activity.version(event.item)]
    : [identityOf(event)];
}

/** Returns the record without its context at that time. */
function alone(event: RecordEvent): RecordEvent {
  return event.kind === 'activity'
    ? { kind: 'activity', item: event.item }
    : { kind: 'transfer', item: event.item };
}
