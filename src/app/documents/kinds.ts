import * as z from 'zod';
import { looseDocumentSchema, WALLET_PREFIX } from '../../alerts/wallet-document.ts';
import {
  CHANNEL_QUEUE_PREFIX,
  channelQueueSchema,
  DEAD_PREFIX,
  deadLetterSchema,
} from '../../delivery/channel-queue.ts';
import { DETAILS_PREFIX, recordSchema } from '../../details/records.ts';
import { DIGEST_PREFIX, digestSchema } from '../../digests/documents.ts';
import { WELCOME_PREFIX, welcomeSchema } from '../../discord/guilds/welcome.ts';
import { walletSchema } from '../../domain/address.ts';
import { LEARNING_PREFIX, learningSchema, SHARED_LEARNING_KEY, sharedLearningSchema } from '../../feed/learning.ts';
import { POLL_LIST_PREFIX, storedListSchema } from '../../feed/nats/stored-list.ts';
import { SETTLEMENTS_PREFIX, settlementsSchema } from '../../feed/settlements/settlements.ts';
import { PAGER_PREFIX, pagerSchema } from '../../lookups/pager-store.ts';
import { NOTICE_PREFIX, noticeSchema, OUTAGE_KEY } from '../../notices/documents.ts';
import { outageSchema } from '../../notices/outage.ts';
import { PROBE_KEY } from '../../ops/readiness.ts';
import { PERSON_PREFIX, personSchema } from '../../persons/documents.ts';
import { UnreadableDocument } from '../../store/document.ts';
import { QUARANTINE_PREFIX } from '../../store/quarantine.ts';
import { CHANNEL_SETTINGS_PREFIX, channelSettingsSchema } from '../../watches/channel-settings.ts';
import { personOwner } from '../../watches/owner.ts';
import { RESTING_PREFIX, restingSchema } from '../../watches/resting-owners.ts';
import { IMPORT_PREFIX, pendingSchema } from '../../watches/transfer/imports.ts';
import { WATCH_PREFIX, watchKey, watchSchema } from '../../watches/watch.ts';
import type { Description } from './description.ts';
import { readWallet } from './wallet.ts';

/** A kind of stored documents. */
export interface DocumentKind {
  /** The beginning of its keys, or its only key. */
  readonly prefix: string;
  /** Of what of it can be told without its key; undefined for one that may be anything. */
  readonly schema?: z.ZodType;
  /** Null if the document is not of its schema, or does not belong under its key. */
  describe(key: string, document: unknown): Description | null;
}

/**
 * Every kind that `load.ts` reads, beside what a store says of itself. A longer prefix stands before one that it begins with.
 * A kind that is not here counts as foreign: `store copy` names it and stops. What is of a server, a person or a channel has to
 * say so here: a bot that no longer serves them deletes it.
 */
export const DOCUMENT_KINDS: readonly DocumentKind[] = [
  kind(WATCH_PREFIX, watchSchema, (watch, key) => under(key, watchKey(watch), { ...placeOf(watch), watch })),
  { prefix: WALLET_PREFIX, schema: looseDocumentSchema, describe: readWallet },
  kind(SHARED_LEARNING_KEY, sharedLearningSchema),
  kind(LEARNING_PREFIX, learningSchema, (_, key) =>
    walletSchema.safeParse(key.slice(LEARNING_PREFIX.length)).success ? {} : null,
  ),
  kind(CHANNEL_QUEUE_PREFIX, channelQueueSchema, (_, key) => ({ channelId: key.slice(CHANNEL_QUEUE_PREFIX.length) })),
  kind(DEAD_PREFIX, deadLetterSchema, ({ alert: { channelId } }) => ({ channelId })),
  kind(CHANNEL_SETTINGS_PREFIX, channelSettingsSchema, (settings, key) =>
    under(key, CHANNEL_SETTINGS_PREFIX + settings.channelId, placeOf(settings)),
  ),
  kind(DIGEST_PREFIX, digestSchema, (digest, key) => under(key, DIGEST_PREFIX + digest.channelId, placeOf(digest))),
  kind(RESTING_PREFIX, restingSchema, ({ ownerId }, key) => under(key, RESTING_PREFIX + ownerId, { ownerId })),
  kind(PERSON_PREFIX, personSchema, ({ personId, channelId }, key) =>
    under(key, PERSON_PREFIX + personId, { ownerId: personOwner(personId), channelId }),
  ),
  kind(DETAILS_PREFIX, recordSchema, placeOf),
  kind(WELCOME_PREFIX, welcomeSchema, ({ guildId }, key) => under(key, WELCOME_PREFIX + guildId, { ownerId: guildId })),
  kind(OUTAGE_KEY, outageSchema),
  kind(NOTICE_PREFIX, noticeSchema, (_, key) => ({ channelId: key.slice(NOTICE_PREFIX.length) })),
  kind(POLL_LIST_PREFIX, storedListSchema),
  kind(SETTLEMENTS_PREFIX, settlementsSchema),
  kind(PAGER_PREFIX, pagerSchema, ({ ownerId }) => ({ ownerId })),
  kind(IMPORT_PREFIX, pendingSchema, ({ ownerId }) => ({ ownerId })),
  { prefix: QUARANTINE_PREFIX, describe: () => ({}) },
  { prefix: PROBE_KEY, describe: () => ({}) },
];

/** The kind of the documents under a key; undefined if nobody here keeps such documents. */
export function kindOf(key: string): DocumentKind | undefined {
  return DOCUMENT_KINDS.find(({ prefix }) => (prefix.endsWith(':') ? key.startsWith(prefix) : key === prefix));
}

/** What a document says of itself: `foreign` if nobody here keeps such documents, `damaged` if it cannot be read. */
export function describeDocument(key: string, document: unknown): Description | 'foreign' | 'damaged' {
  const found = kindOf(key);
  if (found === undefined) return 'foreign';
  if (document === undefined || document instanceof UnreadableDocument) return 'damaged';
  return found.describe(key, document) ?? 'damaged';
}

/** Why a document cannot be read, for the operator; null if it can. */
export function unreadableReason(key: string, document: unknown): string | null {
  const description = describeDocument(key, document);
  if (description === 'foreign') return 'No walletbell keeps such documents.';
  if (description !== 'damaged') return null;
  const fault = kindOf(key)?.schema?.safeParse(document).error;
  return fault === undefined ? 'It does not belong under its key.' : z.prettifyError(fault);
}

function kind<Document>(
  prefix: string,
  schema: z.ZodType<Document>,
  describe: (document: Document, key: string) => Description | null = () => ({}),
): DocumentKind {
  return {
    prefix,
    schema,
    describe(key, document) {
      const parsed = schema.safeParse(document);
      return parsed.success ? describe(parsed.data, key) : null;
    },
  };
}

/** Null if the document does not belong under the key. */
function under(key: string, ownKey: string, description: Description): Description | null {
  return key === ownKey ? description : null;
}

function placeOf({ ownerId, channelId }: { readonly ownerId: string; readonly channelId: string }) {
  return { ownerId, channelId };
}
