import type { NatsConnection } from '@nats-io/transport-node';
import type * as z from 'zod';
import type { WalletAddress } from '../../domain/address.ts';
import { type CallOptions, USUAL_CALL_LIMIT_MS } from '../../venue/client.ts';
import { VenueError } from '../../venue/errors.ts';
import type { LookUps } from '../availability.ts';
import {
  activityReply,
  decode,
  encode,
  LOOK_UP_SUBJECT,
  type LookUpFailure,
  type LookUpRequest,
  OtherVersion,
  transfersReply,
  Unreadable,
} from './wire.ts';

/** A look-up that has no answer so long after the feed itself has given up has failed, ms. */
const ANSWER_DELAY_MS = 2_000;

/** Look-ups that the feed of another process answers. @throws VenueError */
export function createRemoteLookUps(connection: Pick<NatsConnection, 'request'>): LookUps {
  const ask = async <Page>(
    schema: z.ZodType<{ readonly page: Page } | { readonly error: LookUpFailure }>,
    request: LookUpRequest,
    options: CallOptions,
  ): Promise<Page> => {
    const { endpoint, wallet, priority, withinMs } = request;
    const call = { endpoint, wallet };
    const permit = await options.budget?.acquire(priority, options.signal);
    try {
      const timeout = withinMs + ANSWER_DELAY_MS;
      const reply = await connection.request(LOOK_UP_SUBJECT, encode({ request }), { timeout });
      const read = decode(schema, reply.data);
      if ('page' in read) return read.page;
      const { kind, message, retryAtMs } = read.error;
      throw new VenueError(kind, message, { call, retryAtMs, cause: read.error });
    } catch (error) {
      if (error instanceof VenueError) throw error;
      if (error instanceof Unreadable || error instanceof OtherVersion) {
        throw new VenueError('badResponse', 'The answer of the feed cannot be read.', { call, cause: error });
      }
      throw new VenueError('unreachable', 'The feed does not answer.', { call, cause: error, isFeedAway: true });
    } finally {
      permit?.complete(null);
    }
  };

  return {
    async activity(wallet, { marketIds, ...filters }, options) {
      const markets = marketIds === undefined ? {} : { marketIds: [...marketIds] };
      const request = { endpoint: 'activity', ...commonOf(wallet, options), ...filters, ...markets } as const;
      return ask(activityReply, request, options);
    },
    async transfers(wallet, paging, options) {
      const request = { endpoint: 'deposits-withdrawals', ...commonOf(wallet, options), ...paging } as const;
      return ask(transfersReply, request, options);
    },
  };
}

function commonOf(wallet: WalletAddress, options: CallOptions) {
  const { withinMs = USUAL_CALL_LIMIT_MS, guildId: guild = null } = options;
  const priority = options.priority === 'background' ? ('background' as const) : ('person' as const);
  return { wallet, priority, withinMs, guild };
}
