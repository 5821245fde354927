import { createServer, type ServerResponse } from 'node:http';
import {
  type ActivityItem,
  ENDPOINT_NAMES,
  type EndpointName,
  type TransferItem,
} from '../../../src/domain/records.ts';
import { listenLocally } from '../listen.ts';

/** The venue's current behavior. */
export type VenueMood = 'well' | 'down' | 'cut' | 'keyRefused' | 'noTransfers';

export type SoakVenue = Awaited<ReturnType<typeof startSoakVenue>>;

/**
 * Older records of a wallet are dropped from the venue, so that only the bot's memory is measured.
 */
const HISTORY_LIMIT = 400;
const WINDOW_SECONDS = 60;

/**
 * Serves the venue's two lists over real HTTP with a simulated clock: a small history per wallet,
 * and a rate limit per minute.
 */
export async function startSoakVenue(clock: { readonly nowMs: number }, limit: number) {
  const histories = new Map<string, (ActivityItem | TransferItem)[]>();
  const window = { index: 0, count: 0 };

  const answer = (response: ServerResponse, status: number, data: unknown) => {
    const success = status === 200;
    response.writeHead(status, {
      'content-type': 'application/json',
      date: new Date(clock.nowMs).toUTCString(),
      'x-ratelimit-limit': limit,
      'x-ratelimit-remaining': Math.max(0, limit - window.count),
      'x-ratelimit-reset': (window.index + 1) * WINDOW_SECONDS,
    });
    const code = success ? '0' : String(status);
    response.end(JSON.stringify({ success, code, message: success ? 'success' : 'no', data }));
  };

  const server = createServer((request, response) => {
    const index = Math.floor(clock.nowMs / 1000 / WINDOW_SECONDS);
    if (index !== window.index) Object.assign(window, { index, count: 0 });
    window.count += 1;
    const url = new URL(request.url ?? '', 'http://venue');
    const [, , , wallet = '', name = ''] = url.pathname.split('/');
    if (venue.mood === 'cut') return void request.socket.destroy();
    if (window.count > limit) {
      venue.refused += 1;
      return answer(response, 429, null);
    }
    if (venue.mood === 'down') return answer(response, 503, null);
    if (venue.mood === 'keyRefused') return answer(response, 401, null);
    if (venue.mood === 'noTransfers' && name !== 'activity') return answer(response, 403, null);
    const fromSeconds = Number(url.searchParams.get('fromTimestamp') ?? 0);
    const pageSize = Number(url.searchParams.get('limit') ?? 50);
    const found = (histories.get(`${wallet}:${name}`) ?? []).filter(
      ({ time }) => time >= fromSeconds,
    );
    answer(response, 200, {
      items: found.slice(0, pageSize),
      nextCursor: found.length > pageSize ? String(found[pageSize - 1]?.time) : null,
    });
  });
  const { url, close } = await listenLocally(server);
  const venue = {
    url,
    close,
    mood: 'well' as VenueMood,
    /** Number of requests beyond the limit. */
    refused: 0,
    add(wallet: string, name: EndpointName, item: ActivityItem | TransferItem): void {
      const history = histories.get(`${wallet}:${name}`) ?? [];
      histories.set(`${wallet}:${name}`, [item, ...history].slice(0, HISTORY_LIMIT));
    },
    forget(wallet: string): void {
      for (const name of ENDPOINT_NAMES) histories.delete(`${wallet}:${name}`);
    },
  };
  return venue;
}
