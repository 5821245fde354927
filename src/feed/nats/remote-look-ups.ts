import type { NatsConnection } from '@nats-io/transport-node';
import type * as z from 'zod';
import type { WalletAddress } from '../../domain/address.ts';
import { type ActivityFilters, type CallOptions, USUAL_CALL_LIMIT_MS } from '../../venue/client.ts';
import { VenueError } from '../../venue/errors.ts';
import type { LookUps } from '../availability.ts';
import * as wire from './wire.ts';

/** A look-up that has no answer so long after the feed itself has given up has failed, ms. */
const ANSWER_DELAY_MS = 2_000;

/** Look-ups that the feed of another process answers. @throws VenueError */
export function createRemoteLookUps(connection: Pick<NatsConnection, 'request'>): LookUps {
  const lookUp =
    <Page>(
      endpoint: wire.LookUpRequest['endpoint'],
      answered: z.ZodType<
        { readonly page: Page } | { readonly error: Pick<VenueError, 'kind' | 'message' | 'retryAtMs'> }
      >,
    ) =>
    async (wallet: WalletAddress, filters: ActivityFilters, options: CallOptions): Promise<Page> => {
      const { withinMs = USUAL_CALL_LIMIT_MS, guildId: guild = null } = options;
      const priority = options.priority === 'background' ? 'background' : 'person';
      const request = { endpoint, wallet, priority, withinMs, guild, ...filters } as const;
      const call = { endpoint, wallet };
      const permit = await options.budget?.acquire(priority, options.signal);
      try {
        const exchange = { ...wire.LOOK_UP, answered };
        const answer = await wire.ask(connection, exchange, { request }, withinMs + ANSWER_DELAY_MS);
        if ('page' in answer) return answer.page;
        const { kind, message, retryAtMs } = answer.error;
        throw new VenueError(kind, message, { call, retryAtMs, cause: answer.error });
      } catch (error) {
        if (error instanceof VenueError) throw error;
        if (error instanceof wire.Unreadable) {
          throw new VenueError('badResponse', 'The answer of the feed cannot be read.', { call, cause: error });
        }
        throw new VenueError('unreachable', 'The feed does not answer.', { call, cause: error, isFeedAway: true });
      } finally {
        permit?.complete(null);
      }
    };
  return {
    activity: lookUp('activity', wire.activityReply),
    transfers: lookUp('deposits-withdrawals', wire.transfersReply),
  };
}
