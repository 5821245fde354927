import type { Msg, NatsConnection } from '@nats-io/transport-node';
import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../../domain/records.ts';
import { reasonOf } from '../../lib/error.ts';
import { type Account, GREATEST_WEIGHT, LEAST_WEIGHT } from '../../lib/fair-shares/account.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import { activityFiltersSchema } from '../../venue/client.ts';
import { VENUE_ERROR_KINDS } from '../../venue/errors.ts';
import { budgetSnapshotSchema } from '../../venue/rate-limit/budget.ts';
import { PRIORITIES } from '../../venue/rate-limit/priority-share.ts';
import { TROUBLE_KINDS } from '../availability.ts';
import { type AnyPolledPage, polledPageFields } from '../interface.ts';
import { SETTLEMENTS_LIMIT } from '../settlements/settlements.ts';

/**
 * Version of the messages between feed and bots over NATS (docs/architecture.md). Each message is
 * JSON and names the version of this page; who meets another version refuses it.
 */
export const WIRE_VERSION = 3;

/** Bytes that have come over NATS and are no message of ours. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
const unreadable = (fault: string) =>
  new Unreadable(`The message cannot be read: ${fault.slice(0, 500)}`);

export class OtherVersion extends Unreadable {
  readonly version: number;

  constructor(version: number) {
    super(
      `A message over NATS has version ${version}, and this walletbell speaks version ` +
        `${WIRE_VERSION}. Let feed and bots be of the same release.`,
    );
    this.version = version;
  }
}

const PAGE_PREFIX = 'walletbell.page';
export const PAGE_SUBJECTS = `${PAGE_PREFIX}.>`;
/** Subject on which a run of a bot answers as long as it is connected. Request and reply. */
export const presenceSubject = (instance: string) => `walletbell.bot.${instance}`;

export function pageSubject({ name, wallet }: Endpoint): string {
  return `${PAGE_PREFIX}.${name}.${wallet}`;
}

/** The endpoint of a subject; null if it is no subject of pages. */
export function readPageSubject(subject: string): Endpoint | null {
  const [, name, wallet] = /^walletbell\.page\.([a-z-]+)\.(0x[0-9a-f]{40})$/.exec(subject) ?? [];
  const known = ENDPOINT_NAMES.find((each) => each === name);
  if (known === undefined || wallet === undefined) return null;
  return { name: known, wallet: wallet as WalletAddress };
}

const endpointName = z.enum(ENDPOINT_NAMES);
const seconds = z.number();
const epochMs = z.number();
const count = z.int().min(0);
const { pollId } = polledPageFields;
/**
 * Up to the end of the year 9999, in ms: above it is room for later numbers, also of a feed with a
 * wrong clock.
 */
const committedId = pollId.max(253_402_300_799_999);

/** A list that is counted before its entries are looked at: none of a forged one is. */
const atMost = <Item extends z.ZodType>(limit: number, item: Item) =>
  z.array(z.unknown()).max(limit).pipe(z.array(item));

const pageOf = (name: EndpointName) =>
  z.object({
    endpoint: z.literal(name),
    items: z.array<z.ZodType>(ENDPOINTS[name].schema),
    ...polledPageFields,
  });
type AnyPage = ReturnType<typeof pageOf>;
export const pageMessage = z.object({
  page: z
    .discriminatedUnion('endpoint', ENDPOINT_NAMES.map(pageOf) as [AnyPage, ...AnyPage[]])
    // One of the endpoint that it names: the type of a list cannot say so.
    .transform((page) => page as AnyPolledPage),
});

const unchangedMessage = z.object({
  /**
   * Endpoint, its last published page, and the venue's time when a poll showed that it is still
   * true, Unix seconds.
   */
  polls: atMost(20_000, z.tuple([endpointName, walletSchema, pollId, seconds])),
});
/** Endpoints whose page is the same as before, once a second. */
export const UNCHANGED = { subject: 'walletbell.unchanged', asked: unchangedMessage };
export type UnchangedPolls = z.infer<typeof unchangedMessage>['polls'];

const stateMessage = z.object({
  /** Random, of this run of the feed. */
  feed: z.string(),
  /** Time at which it began, epoch ms by its own clock: of two feeds the later one ends. */
  beganMs: epochMs,
  /**
   * The venue's clock as the feed knows it, epoch ms, and what its answers say, believed or not.
   */
  venueNowMs: epochMs,
  isClockKnown: z.boolean(),
  reportedNowMs: epochMs.nullable(),
  budget: budgetSnapshotSchema,
  stats: z.object({ requests: count, retries: count, skippedItems: count }),
  /** By endpoint, why it is not polled. */
  troubles: z.partialRecord(
    endpointName,
    z.object({
      kind: z.enum(TROUBLE_KINDS),
      sinceMs: epochMs,
      /** Left out by a feed of version 0.9. */
      hasAnswered: z.boolean().default(false),
    }),
  ),
  /** By endpoint, since when the venue answers there again, epoch ms. */
  reachedSinceMs: z.partialRecord(endpointName, epochMs),
  /** By endpoint, how late its lists are. Left out by a feed of version 0.9. */
  listings: z
    .partialRecord(
      endpointName,
      z.object({ isLate: z.boolean(), delaySeconds: seconds.min(0), sinceMs: epochMs }),
    )
    .default({}),
  /** Feed-wide, epoch ms; null if no poll has succeeded in this run. */
  lastPollMs: epochMs.nullable(),
});
/** State of the feed, once a second. */
export const STATE = { subject: 'walletbell.state', asked: stateMessage };
export type FeedState = z.infer<typeof stateMessage>;

/** Whose share something is: payer and owner by names that mean something to the bot alone. */
const account = z.object({
  payer: z.string().max(32),
  owner: z.string().max(32),
  weight: z.number().min(LEAST_WEIGHT).max(GREATEST_WEIGHT),
}) satisfies z.ZodType<Account>;

/** A wallet that a bot watches, in its poll list. */
const listEntry = z.object({
  wallet: walletSchema,
  /** Whose share its polls are. */
  watchers: atMost(64, account),
  /** The pollId of the last page that the bot has taken, by endpoint. */
  committed: z.partialRecord(endpointName, committedId),
  /** Endpoints of which another page is wanted soon, because something on the last one is open. */
  open: atMost(ENDPOINT_NAMES.length, endpointName),
});
export type ListEntry = z.infer<typeof listEntry>;

const pollListMessage = z.object({
  /** The id of the bot's store, and a random one of its run. */
  bot: z.string().regex(/^[\w-]{1,64}$/),
  instance: z.string().regex(/^[\w-]{1,64}$/),
  /** True once a feed has taken this run: it logs in to Discord and sends. */
  isWorking: z.boolean(),
  /** Its gateway shards; null: all of them. */
  shards: z.object({ ids: atMost(10_000, count), count }).nullable(),
  /**
   * Part of a whole list, in order from 0, and the number of its parts; null: only what has changed
   * since.
   */
  part: z
    .object({ index: count, count: z.int().min(1).max(500) })
    .refine(({ index, count: parts }) => index < parts)
    .nullable(),
  entries: atMost(1_000, listEntry),
  removed: atMost(20_000, walletSchema),
  /**
   * Up to this pollId it has taken all that it received; null: all of it, and nothing more has come
   * for a while.
   */
  received: pollId.nullable(),
});
export type PollListMessage = z.infer<typeof pollListMessage>;

const pollListReply = z.object({
  /**
   * `resend`: the feed lacks what this builds on. `wait`: not known yet who works. `refused`: the
   * bot must end.
   */
  answer: z.enum(['taken', 'resend', 'wait', 'refused']),
  reason: z.string().nullable(),
});
export type PollListReply = z.infer<typeof pollListReply>;

/** Bots say what they watch and what they have. */
export const POLL_LIST = {
  subject: 'walletbell.poll-list',
  asked: pollListMessage,
  answered: pollListReply,
};

/** Turns to log in to Discord's gateway, which all bots of a token share. */
export const IDENTIFY = {
  subject: 'walletbell.identify',
  /** Shard id modulo Discord's max_concurrency. */
  asked: z.object({ bucket: count }),
  /** Time to wait before asking again; 0: it is the asker's turn. */
  answered: z.object({ waitMs: z.number().min(0).max(60_000) }),
};

const lookUpMessage = z.object({
  endpoint: endpointName,
  wallet: walletSchema,
  priority: z.enum(PRIORITIES).exclude(['poller']),
  /** After so long nobody waits for the answer any more, ms: the venue is not asked then. */
  withinMs: z.int().min(1).max(60_000),
  /** Whose people ask; null where it does not matter. */
  account: account.nullable(),
  ...activityFiltersSchema.shape,
});
export type LookUpRequest = z.infer<typeof lookUpMessage>;

/**
 * Look-ups, answered by {@link lookUpReply} of the endpoint's records, with the budget as the
 * look-up left it.
 */
export const LOOK_UP = { subject: 'walletbell.look-up', asked: lookUpMessage };

export const lookUpReply = <Item extends z.ZodType>(item: Item) =>
  z.union([
    z.object({
      budget: budgetSnapshotSchema,
      page: z.object({
        items: z.array(item),
        skipped: z.array(
          z.object({ index: count, reason: z.string(), txHash: z.string().exactOptional() }),
        ),
        hasMore: z.boolean(),
        nextCursor: z.string().nullable(),
      }),
    }),
    z.object({
      budget: budgetSnapshotSchema,
      error: z.object({
        kind: z.enum(VENUE_ERROR_KINDS),
        message: z.string(),
        retryAtMs: epochMs.nullable(),
      }),
    }),
  ]);

/** Lookups of the address under which the venue lists what a signer's wallet does. */
export const PROXY = {
  subject: 'walletbell.proxy',
  asked: z.object({ wallet: walletSchema, account: account.nullable() }),
  /** Null: there is none, or the venue does not say. */
  answered: z.object({ proxy: walletSchema.nullable() }),
};

const hashText = z.string().regex(/^[\w-]{10}$/);
const settlement = z.object({
  market: hashText,
  payouts: atMost(32, z.tuple([hashText, z.number().positive().max(1)])).transform(
    (payouts) => new Map(payouts),
  ),
  atSeconds: seconds,
});
export const SETTLEMENTS = {
  subject: 'walletbell.settlements',
  asked: z.object({ markets: atMost(SETTLEMENTS_LIMIT, hashText) }),
  answered: z.object({ settlements: atMost(SETTLEMENTS_LIMIT, settlement) }),
};

/** Subjects that NATS' clients make for answers to their requests begin so. */
const INBOX = '_INBOX.';

/**
 * Asks the feed.
 *
 * @returns rejects as {@link decode} does, or if there is no answer within `timeout` ms
 */
export async function ask<Asked extends object, Answered>(
  connection: Pick<NatsConnection, 'request'>,
  {
    subject,
    answered,
  }: { subject: string; asked: z.ZodType<Asked>; answered: z.ZodType<Answered> },
  asked: Asked,
  timeout: number,
): Promise<Answered> {
  const reply = await connection.request(subject, encode(asked), { timeout });
  return decode(answered, reply.data);
}

/**
 * Takes what comes on a subject, and answers with what `handle` returns, if anything.
 *
 * @param onFault called with what cannot be read, or could not be handled
 */
export function listen<Said, Answer extends object>(
  connection: NatsConnection,
  {
    subject,
    asked,
  }: { subject: string; asked: z.ZodType<Said>; answered?: z.ZodType<unknown, Answer> },
  handle: (said: Said) => Promise<Answer> | Answer | undefined,
  onFault: (error: unknown, subject: string) => void,
): void {
  const take = async (error: Error | null, message: Msg) => {
    if (error !== null) throw error;
    const answer = await handle(decode(asked, message.data));
    // Whoever asks names the subject of the answer: another one may be that of pages, or of the
    // feed's own word.
    if (answer !== undefined && message.reply?.startsWith(INBOX) === true) {
      message.respond(encode(answer));
    }
  };
  connection.subscribe(subject, {
    callback: (error, message) =>
      void take(error, message).catch((fault: unknown) => onFault(fault, subject)),
  });
}

export function encode(content: object): Uint8Array {
  return Buffer.from(JSON.stringify({ version: WIRE_VERSION, ...content }));
}

/** @throws {OtherVersion}, or {@link Unreadable} for what is no message of this version */
export function decode<Content>(schema: z.ZodType<Content>, bytes: Uint8Array): Content {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw unreadable(reasonOf(error));
  }
  const { version } = checked(z.object({ version: z.number() }), json);
  if (version !== WIRE_VERSION) throw new OtherVersion(version);
  return checked(schema, json);
}

/** A forged message may have as many faults as characters: the first one says enough. */
function checked<Content>(schema: z.ZodType<Content>, json: unknown): Content {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw unreadable(`${issue?.path.join('.')}: ${issue?.message}`);
}
