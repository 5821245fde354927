import type { EndpointName } from '../domain/records.ts';
import type { VenueClient } from '../venue/client.ts';
import { VenueError } from '../venue/errors.ts';
import type { VenueAvailability } from './availability.ts';

/** What people look up: the venue's two lists. */
export type LookUps = Pick<VenueClient, 'activity' | 'transfers'>;

/** The same client, whose calls also report whether the venue takes the key: a person may be the first to know. */
export function reportingAvailability(
  client: LookUps,
  availability: Pick<VenueAvailability, 'succeeded' | 'failed'>,
): LookUps {
  const watchCall = async <Page>(name: EndpointName, call: Promise<Page>): Promise<Page> => {
    try {
      const page = await call;
      availability.succeeded(name);
      return page;
    } catch (error) {
      const isRefusal = error instanceof VenueError && (error.kind === 'unauthorized' || error.kind === 'notInPlan');
      if (isRefusal) availability.failed(name, error);
      throw error;
    }
  };
  return {
    ...client,
    activity: (...call) => watchCall('activity', client.activity(...call)),
    transfers: (...call) => watchCall('deposits-withdrawals', client.transfers(...call)),
  };
}
