import type { NatsConnection } from '@nats-io/transport-node';
import type * as z from 'zod';
import type { WalletAddress } from '../../venue/address.ts';
import type { CallOptions } from '../../venue/client.ts';
import { VenueError, type VenueErrorKind } from '../../venue/errors.ts';
import type { EndpointName } from '../../venue/schema.ts';
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

/** A look-up that has no answer by then has failed: the feed itself gives up before. */
const LOOK_UP_LIMIT_MS = 14_000;

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
    const { endpoint, wallet } = request;
    const permit = await options.budget?.acquire('person', options.signal);
    try {
      const reply = await connection.request(LOOK_UP_SUBJECT, encode({ request }), { timeout: LOOK_UP_LIMIT_MS });
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
        wallet,
        guild: options.guildId ?? null,
        ...filters,
        ...(marketIds === undefined ? {} : { marketIds: [...marketIds] }),
      };
      return ask(activityReply, request, options);
    },
    async transfers(wallet, paging, options) {
      const request = { endpoint: 'deposits-withdrawals' as const, wallet, guild: options.guildId ?? null, ...paging };
      return ask(transfersReply, request, options);
    },
  };
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Unreadable || error instanceof OtherVersion;
}
