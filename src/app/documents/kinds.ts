import * as z from 'zod';
import { resetWallet } from '../../alerts/builder/gaps.ts';
import { postedPlace } from '../../alerts/wallets/posted.ts';
import { postedKind } from '../../alerts/wallets/posted-documents.ts';
import {
  looseDocumentSchema,
  readWalletDocument,
  WALLET_PREFIX,
} from '../../alerts/wallets/wallet-document.ts';
import { receiverQueueKind } from '../../alerts-out/receiver-queue.ts';
import { channelQueueKind, deadLetterKind } from '../../delivery/channel-queue.ts';
import { detailsKind } from '../../details/records.ts';
import { digestKind } from '../../digests/documents.ts';
import { welcomeKind } from '../../discord/guilds/welcome.ts';
import { walletSchema } from '../../domain/address.ts';
import {
  isSharedLearning,
  LEARNING_PREFIX,
  learningSchema,
  SHARED_LEARNING_KEY,
  sharedLearningSchema,
} from '../../feed/learning.ts';
import { RATE_LIMIT_KEY } from '../../feed/rate-limit-memory.ts';
import { SETTLEMENTS_PREFIX, settlementsSchema } from '../../feed/settlements/settlements.ts';
import { delayedAlertKind } from '../../later/delayed-alerts.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Machine } from '../../lib/machine.ts';
import { pagerKind } from '../../lookups/pager-store.ts';
import {
  endpointNoticeKind,
  endpointOutageKind,
  lateNoticeKind,
  lateOutageKind,
  noticeKind,
  outageKind,
} from '../../notices/outage.ts';
import { personKind } from '../../persons/persons.ts';
import { UnreadableDocument } from '../../store/backend.ts';
import { type AnyCollection, defineKind, ownPlace, type Place } from '../../store/collection.ts';
import { isMark } from '../../store/marks.ts';
import { QUARANTINE_PREFIX, quarantinedKey } from '../../store/quarantine.ts';
import type { Store } from '../../store/store.ts';
import { learnedLimitsSchema } from '../../venue/rate-limit/window-length.ts';
import { changesKind } from '../../watches/changes.ts';
import { channelSettingsKind } from '../../watches/channel-settings.ts';
import { suspendedKind } from '../../watches/owner.ts';
import { importKind } from '../../watches/transfer/imports.ts';
import { verdictKind } from '../../watches/verdicts.ts';
import { WATCH_PREFIX, type Watch, watchKey, watchSchema } from '../../watches/watch.ts';
import { createWaitingCount } from './waiting.ts';

/** Documents of delayed channels. */
const delayedAlerts = {
  ...delayedAlertKind,
  open: (_: Machine, store: Pick<Store, 'get' | 'set' | 'delete'>) => delayedAlertKind.open(store),
};

/** Documents that record what was posted in channels about wallets. */
const posted = {
  ...postedKind,
  open: (_: Machine, store: Pick<Store, 'get' | 'set' | 'delete'>) => postedKind.open(store),
};

/**
 * The collections of the bot half, in the order in which data of a server or person is deleted. The
 * last two identify an interrupted deletion, which then begins again.
 */
const COLLECTIONS = {
  channelSettings: channelSettingsKind,
  digests: digestKind,
  changes: changesKind,
  verdicts: verdictKind,
  queues: channelQueueKind,
  deadLetters: deadLetterKind,
  receiverQueue: receiverQueueKind,
  later: delayedAlerts,
  posted,
  outages: outageKind,
  notices: noticeKind,
  endpointOutages: endpointOutageKind,
  endpointNotices: endpointNoticeKind,
  lateOutages: lateOutageKind,
  lateNotices: lateNoticeKind,
  details: detailsKind,
  lists: pagerKind,
  imports: importKind,
  welcomes: welcomeKind,
  suspended: suspendedKind,
  persons: personKind,
};

type Opened = {
  readonly [Name in keyof typeof COLLECTIONS]: ReturnType<(typeof COLLECTIONS)[Name]['open']>;
};

/** Opens all collections, empty; `load.ts` fills them. */
export function openCollections(machine: Machine, store: Pick<Store, 'get' | 'set' | 'delete'>) {
  const entries = Object.entries(COLLECTIONS).map(([name, kind]) => [
    name,
    kind.open(machine, store),
  ]);
  const opened = Object.fromEntries(entries) as Opened;
  const all: readonly AnyCollection[] = Object.values(opened);
  return { ...opened, all };
}

/** A document's description, from its content alone. */
export interface Description extends Place {
  /** Unreadable parts, and the document without them; missing if everything can be read. */
  readonly damage?: { readonly parts: readonly string[]; readonly sound: unknown };
}

interface DocumentKind
  extends Pick<ReturnType<typeof defineKind<unknown>>, 'prefix' | 'holds' | 'schema'> {
  /** Returns null if the document does not match its schema or its key. */
  describe(key: string, document: unknown): Description | null;
}

/** Describes a wallet's document; null if it is not one. */
function readWallet(key: string, stored: unknown): Description | null {
  const read = readWalletDocument(stored);
  if (read === null || !walletSchema.safeParse(key.slice(WALLET_PREFIX.length)).success) {
    return null;
  }
  const { document: sound, unreadableAlerts, faults } = read;
  const parts: string[] = [...faults.keys()];
  if (unreadableAlerts.length > 0) parts.unshift(`alerts: ${unreadableAlerts.length}`);
  if (parts.length === 0) return {};
  return { damage: { parts, sound } };
}

/**
 * Every kind of document, except the store's own. A longer prefix comes before one that it begins
 * with. Other documents count as foreign: `store copy` names them and stops.
 */
export const DOCUMENT_KINDS: readonly DocumentKind[] = [
  defineKind({
    prefix: WATCH_PREFIX,
    schema: watchSchema,
    belongs: (watch, id) => watchKey(watch) === WATCH_PREFIX + id,
    placeOf: ownPlace,
  }),
  { ...defineKind({ prefix: WALLET_PREFIX, schema: looseDocumentSchema }), describe: readWallet },
  defineKind({
    prefix: SHARED_LEARNING_KEY,
    schema: sharedLearningSchema,
    belongs: isSharedLearning,
  }),
  defineKind({
    prefix: LEARNING_PREFIX,
    schema: learningSchema,
    belongs: (_, id) => walletSchema.safeParse(id).success,
  }),
  defineKind({ prefix: RATE_LIMIT_KEY, schema: learnedLimitsSchema }),
  defineKind({ prefix: SETTLEMENTS_PREFIX, schema: settlementsSchema }),
  ...Object.values(COLLECTIONS),
  // Always readable, because it is kept as it was found.
  { ...defineKind({ prefix: QUARANTINE_PREFIX, schema: z.unknown() }), describe: () => ({}) },
];

/** Returns the kind of the documents under a key; undefined for a foreign key. */
export function documentKindOf(key: string): DocumentKind | undefined {
  return DOCUMENT_KINDS.find(({ holds }) => holds(key));
}

/**
 * Describes a document from its content alone: `foreign` if its kind is unknown, `damaged` if it
 * cannot be read.
 */
export function describeDocument(
  key: string,
  document: unknown,
): Description | 'foreign' | 'damaged' {
  const found = documentKindOf(key);
  if (found === undefined) return 'foreign';
  if (document === undefined || document instanceof UnreadableDocument) return 'damaged';
  return found.describe(key, document) ?? 'damaged';
}

/** Yields all documents except the store's own, with their descriptions. */
export async function* described(store: Entries) {
  for await (const [key, document] of store.entries()) {
    if (!isMark(key)) yield [key, describeDocument(key, document), document] as const;
  }
}

/** Returns why a document cannot be read, for the operator; null if it can. */
export function unreadableReason(key: string, document: unknown): string | null {
  const description = describeDocument(key, document);
  if (description === 'foreign') return 'No walletbell keeps such documents.';
  if (description !== 'damaged') return null;
  const fault = documentKindOf(key)?.schema.safeParse(document).error;
  if (fault === undefined) return 'It does not belong under its key.';
  return z.prettifyError(fault);
}

/**
 * Lists a document's unreadable parts, each with its field; empty if everything can be read.
 * Foreign documents are not examined.
 */
export function faultsOf(key: string, document: unknown): readonly string[] {
  const description = describeDocument(key, document);
  if (description === 'foreign') return [];
  if (description !== 'damaged') return description.damage?.parts ?? [];
  if (document instanceof UnreadableDocument) return [document.reason];
  const issues = documentKindOf(key)?.schema.safeParse(document).error?.issues ?? [];
  if (issues.length === 0) return ['it does not belong under its key'];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

type Entries = Pick<Store, 'entries'>;
export type Survey = Awaited<ReturnType<typeof surveyStore>>;

/** Fields of a watch that are kept in memory, because there may be 100,000 watches. */
export type WatchPlace = Pick<Watch, 'ownerId' | 'channelId' | 'wallet'>;

/** Reads all documents once. */
export async function surveyStore(store: Entries) {
  const watches: WatchPlace[] = [];
  const same = createSame();
  /** Ids of suspended servers. */
  const suspended = new Set<string>();
  const waiting = createWaitingCount();
  /** Unreadable parts by key of the damaged document; empty if none of it can be read. */
  const damaged = new Map<string, readonly string[]>();
  /** Keys of foreign documents. */
  const foreign: string[] = [];
  /** Original keys of documents that an earlier start has quarantined. */
  const quarantined: string[] = [];
  for await (const [key, description, document] of described(store)) {
    const original = quarantinedKey(key);
    if (original !== undefined) quarantined.push(original);
    if (description === 'foreign') foreign.push(key);
    if (description === 'damaged') damaged.set(key, []);
    if (typeof description === 'string') continue;
    if (description.damage !== undefined) damaged.set(key, description.damage.parts);
    if (key.startsWith(WATCH_PREFIX)) {
      const { ownerId, channelId, wallet } = watchSchema.parse(document);
      watches.push({ ownerId: same(ownerId), channelId: same(channelId), wallet });
    }
    if (suspendedKind.holds(key)) suspended.add(suspendedKind.idOf(key));
    waiting.add(key, document);
  }
  return {
    watches,
    suspended,
    waitingAlerts: waiting.total().alerts,
    damaged,
    foreign,
    quarantined,
  };
}

/**
 * Creates a function that returns the first text equal to the given one, so that each is in memory
 * once.
 */
function createSame() {
  const texts = new Map<string, string>();
  return (text: string): string => {
    const found = texts.get(text);
    if (found !== undefined) return found;
    texts.set(text, text);
    return text;
  };
}

/** Replacement in a copy for a channel's document that cannot be read. */
const DAMAGED = { isDamaged: true };

/**
 * Yields the documents for a copy, each once. Unreadable ones are left out, except for a marker
 * where a channel's data is missing; watched wallets then start anew.
 */
export async function* wantedDocuments(
  store: Entries,
  { damaged }: Pick<Survey, 'damaged'>,
  nowMs: () => number,
): AsyncGenerator<readonly [key: string, document: unknown]> {
  const isUnreadable = (wallet: string) => damaged.get(WALLET_PREFIX + wallet)?.length === 0;
  /** Watches of wallets whose documents cannot be read at all. */
  const anew: Watch[] = [];
  for await (const [key, description, document] of described(store)) {
    const ofChannel = postedPlace(key);
    // Left out, because it belongs to a document that begins anew.
    if (ofChannel !== null && isUnreadable(ofChannel.wallet)) continue;
    // Without the marker the channel would get its alerts again; with it, the next start informs
    // the channel.
    if (ofChannel !== null && description === 'damaged') yield [key, DAMAGED];
    if (typeof description === 'string') continue;
    yield [key, description.damage?.sound ?? document];
    if (!key.startsWith(WATCH_PREFIX)) continue;
    const watch = watchSchema.parse(document);
    if (isUnreadable(watch.wallet)) anew.push(watch);
  }
  for (const [wallet, ofWallet] of groupBy(anew, (watch) => watch.wallet)) {
    yield [WALLET_PREFIX + wallet, resetWallet(wallet, ofWallet, nowMs())];
  }
}
