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
 * JSON and contains its version; a receiver rejects any other version.
 */
export const WIRE_VERSION = 3;

/** Thrown for bytes from NATS that are not one of our messages. */
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
/** Subject on which a bot's run answers while it is connected. Request and reply. */
export const presenceSubject = (instance: string) => `walletbell.bot.${instance}`;

export function pageSubject({ name, wallet }: Endpoint): string {
  return `${PAGE_PREFIX}.${name}.${wallet}`;
}

/** Returns the endpoint of a subject; null if it is not a subject of pages. */
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
 * At most the end of the year 9999, in ms, which leaves room for later numbers even if a feed's
 * clock is wrong.
 */
const committedId = pollId.max(253_402_300_799_999);

/** A list whose length is checked before its entries, so that a forged one is never parsed. */
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
    // The union's type is lost in the list of schemas.
    .transform((page) => page as AnyPolledPage),
});

const unchangedMessage = z.object({
  /**
   * Endpoint, the pollId of its last published page, and the venue's time of a poll that found it
   * unchanged, in Unix seconds.
   */
  polls: atMost(20_000, z.tuple([endpointName, walletSchema, pollId, seconds])),
});
/** Endpoints whose page is unchanged, once a second. */
export const UNCHANGED = { subject: 'walletbell.unchanged', asked: unchangedMessage };
export type UnchangedPolls = z.infer<typeof unchangedMessage>['polls'];

const stateMessage = z.object({
  /** Random id of this run of the feed. */
  feed: z.string(),
  /**
   * Time when it started, in epoch ms by its own clock. If there are two feeds, the later one ends.
   */
  beganMs: epochMs,
  /**
   * The venue's clock as the feed estimates it, in epoch ms, and the time in its responses, trusted
   * or not.
   */
  venueNowMs: epochMs,
  isClockKnown: z.boolean(),
  reportedNowMs: epochMs.nullable(),
  budget: budgetSnapshotSchema,
  stats: z.object({ requests: count, retries: count, skippedItems: count }),
  /** Reason why each endpoint is not polled. */
  troubles: z.partialRecord(
    endpointName,
    z.object({
      kind: z.enum(TROUBLE_KINDS),
      sinceMs: epochMs,
      /** Left out by a feed of version 0.9. */
      hasAnswered: z.boolean().default(false),
    }),
  ),
  /** Since when the venue has responded again, in epoch ms, by endpoint. */
  reachedSinceMs: z.partialRecord(endpointName, epochMs),
  /** Delay of the lists, by endpoint. Left out by a feed of version 0.9. */
  listings: z
    .partialRecord(
      endpointName,
      z.object({ isLate: z.boolean(), delaySeconds: seconds.min(0), sinceMs: epochMs }),
    )
    .default({}),
  /** Across all endpoints, in epoch ms; null if no poll has succeeded in this run. */
  lastPollMs: epochMs.nullable(),
});
/** State of the feed, once a second. */
export const STATE = { subject: 'walletbell.state', asked: stateMessage };
export type FeedState = z.infer<typeof stateMessage>;

/** The account charged for something. Payer and owner are names that only the bot can interpret. */
const account = z.object({
  payer: z.string().max(32),
  owner: z.string().max(32),
  weight: z.number().min(LEAST_WEIGHT).max(GREATEST_WEIGHT),
}) satisfies z.ZodType<Account>;

/** A watched wallet in a bot's poll list. */
const listEntry = z.object({
  wallet: walletSchema,
  /** The accounts that share the cost of its polls. */
  watchers: atMost(64, account),
  /** The pollId of the last page that the bot has processed, by endpoint. */
  committed: z.partialRecord(endpointName, committedId),
  /**
   * Endpoints from which another page is wanted soon, because the last page left something open.
   */
  open: atMost(ENDPOINT_NAMES.length, endpointName),
});
export type ListEntry = z.infer<typeof listEntry>;

const pollListMessage = z.object({
  /** Id of the bot's store, and a random id of its run. */
  bot: z.string().regex(/^[\w-]{1,64}$/),
  instance: z.string().regex(/^[\w-]{1,64}$/),
  /** True once a feed has accepted this run, which then logs in to Discord and sends. */
  isWorking: z.boolean(),
  /** Its gateway shards; null: all of them. */
  shards: z.object({ ids: atMost(10_000, count), count }).nullable(),
  /**
   * Index of this part of a whole list, from 0 in order, and the number of parts; null: only the
   * changes since the last message.
   */
  part: z
    .object({ index: count, count: z.int().min(1).max(500) })
    .refine(({ index, count: parts }) => index < parts)
    .nullable(),
  entries: atMost(1_000, listEntry),
  removed: atMost(20_000, walletSchema),
  /**
   * The bot has processed all received pages up to this pollId; null: all of them, and nothing more
   * has arrived for a while.
   */
  received: pollId.nullable(),
});
export type PollListMessage = z.infer<typeof pollListMessage>;

const pollListReply = z.object({
  /**
   * `resend`: the feed lacks what this message is based on. `wait`: the feed does not know yet
   * which bots work. `refused`: the bot must end.
   */
  answer: z.enum(['taken', 'resend', 'wait', 'refused']),
  reason: z.string().nullable(),
});
export type PollListReply = z.infer<typeof pollListReply>;

/** Bots send what they watch and which pages they have. */
export const POLL_LIST = {
  subject: 'walletbell.poll-list',
  asked: pollListMessage,
  answered: pollListReply,
};

/** Turns to log in to Discord's gateway, shared by all bots of a token. */
export const IDENTIFY = {
  subject: 'walletbell.identify',
  /** Shard id modulo Discord's max_concurrency. */
  asked: z.object({ bucket: count }),
  /** Time to wait before asking again; 0: it is the asker's turn. */
  answered: z.object({ waitMs: z.number().min(0).max(60_000) }),
};

const lookupMessage = z.object({
  endpoint: endpointName,
  wallet: walletSchema,
  priority: z.enum(PRIORITIES).exclude(['poller']),
  /** Time after which the answer is no longer awaited, in ms; the venue is then not asked. */
  withinMs: z.int().min(1).max(60_000),
  /** Account of the person who asks; null if irrelevant. */
  account: account.nullable(),
  ...activityFiltersSchema.shape,
});
export type LookupRequest = z.infer<typeof lookupMessage>;

/**
 * Lookups, answered by {@link lookUpReply} of the endpoint's records, with the budget after the
 * lookup.
 */
export const LOOKUP = { subject: 'walletbell.look-up', asked: lookupMessage };

export const lookupReply = <Item extends z.ZodType>(item: Item) =>
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

/** Lookups of the address under which the venue lists the activity of a signer's wallet. */
export const PROXY = {
  subject: 'walletbell.proxy',
  asked: z.object({ wallet: walletSchema, account: account.nullable() }),
  /** Null if there is none or the venue does not report it. */
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

/** Prefix of the subjects that NATS clients create for replies. */
const INBOX = '_INBOX.';

/**
 * Sends a request to the feed.
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
 * Handles the messages on a subject, and replies with the result of `handle`, if any.
 *
 * @param onFault called for messages that cannot be read or handled
 */
export function listen<Said, Answer extends object>(
  connection: NatsConnection,
  {
    subject,
    asked,
  }: { subject: string; asked: z.ZodType<Said>; answered?: z.ZodType<unknown, Answer> },
  handle: (message: Said) => Promise<Answer> | Answer | undefined,
  onFault: (error: unknown, subject: string) => void,
): void {
  const take = async (error: Error | null, message: Msg) => {
    if (error !== null) throw error;
    const answer = await handle(decode(asked, message.data));
    // Responds only to an inbox subject. The requester chooses the subject, and it could name one
    // of pages or of the feed's state.
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

/**
 * @throws {OtherVersion}, or {@link Unreadable} for anything that is not a message of this version
 */
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

/** Reports only the first fault, because a forged message may have as many faults as characters. */
function checked<Content>(schema: z.ZodType<Content>, json: unknown): Content {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw unreadable(`${issue?.path.join('.')}: ${issue?.message}`);
}
