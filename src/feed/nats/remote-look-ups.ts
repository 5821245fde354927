import type { NatsConnection } from '@nats-io/transport-node';
import type * as z from 'zod';
import type { WalletAddress } from '../../domain/address.ts';
import type { EndpointName } from '../../domain/records.ts';
import { type CallOptions, USUAL_CALL_LIMIT_MS } from '../../venue/client.ts';
import { VenueError, type VenueErrorKind } from '../../venue/errors.ts';
import type { LookUps } from '../observe.ts';
import {
  activityReply,
  decode,
  encode,
  LOOK_UP_SUBJECT,
  type LookUpRequest,
  OtherVersion,
  transfersReply,
  Unreadable,
} from './wire.ts';

/** A look-up that has no answer so long after the feed itself has given up has failed, ms. */
const ANSWER_DELAY_MS = 2_000;

interface LookUpFailure {
  readonly kind: VenueErrorKind;
  readonly message: string;
  readonly retryAtMs: number | null;
}
type ReplySchema<Page> = z.ZodType<{ readonly page: Page } | { readonly error: LookUpFailure }>;

const NO_ANSWER: LookUpFailure = { kind: 'unreachable', message: 'The feed does not answer.', retryAtMs: null };
const UNREADABLE_ANSWER: LookUpFailure = {
  kind: 'badResponse',
  message: 'The answer of the feed cannot be read.',
  retryAtMs: null,
};

/** A look-up that the feed could not answer. */
class RemoteVenueError extends VenueError {
  readonly kind: VenueErrorKind;
  override readonly isFeedAway: boolean;

  constructor(endpoint: EndpointName, wallet: WalletAddress, failure: LookUpFailure, cause: unknown) {
    const { kind, message, retryAtMs } = failure;
    super(message, { call: { endpoint, wallet }, retryAtMs, cause });
    this.kind = kind;
    this.isFeedAway = failure === NO_ANSWER;
  }
}

/** Look-ups that the feed of another process answers. */
export function createRemoteLookUps(connection: Pick<NatsConnection, 'request'>): LookUps {
  /** @throws RemoteVenueError */
  const ask = async <Page>(schema: ReplySchema<Page>, request: LookUpRequest, options: CallOptions): Promise<Page> => {
    const { endpoint, wallet, priority, withinMs } = request;
    const permit = await options.budget?.acquire(priority, options.signal);
    try {
      const timeout = withinMs + ANSWER_DELAY_MS;
      const reply = await connection.request(LOOK_UP_SUBJECT, encode({ request }), { timeout });
      const read = decode(schema, reply.data);
      if ('page' in read) return read.page;
      throw new RemoteVenueError(endpoint, wallet, read.error, read.error);
    } catch (error) {
      if (error instanceof RemoteVenueError) throw error;
      throw new RemoteVenueError(endpoint, wallet, isUnreadable(error) ? UNREADABLE_ANSWER : NO_ANSWER, error);
    } finally {
      permit?.complete(null);
    }
  };

  return {
    async activity(wallet, { marketIds, ...filters }, options) {
      const request = {
        endpoint: 'activity' as const,
        ...commonOf(wallet, options),
        ...filters,
        ...(marketIds === undefined ? {} : { marketIds: [...marketIds] }),
      };
      return ask(activityReply, request, options);
    },
    async transfers(wallet, paging, options) {
      const request = { endpoint: 'deposits-withdrawals' as const, ...commonOf(wallet, options), ...paging };
      return ask(transfersReply, request, options);
    },
  };
}

function commonOf(wallet: WalletAddress, options: CallOptions) {
  const { withinMs = USUAL_CALL_LIMIT_MS, guildId: guild = null } = options;
  const priority = options.priority === 'background' ? ('background' as const) : ('person' as const);
  return { wallet, priority, withinMs, guild };
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Unreadable || error instanceof OtherVersion;
}
