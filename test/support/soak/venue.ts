import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ActivityItem, EndpointName, TransferItem } from '../../../src/domain/records.ts';

/** How the venue treats requests at present. */
export type VenueMood = 'well' | 'down' | 'cut' | 'keyRefused' | 'noTransfers';

export interface SoakVenue {
  readonly url: string;
  mood: VenueMood;
  add(wallet: string, name: EndpointName, item: ActivityItem | TransferItem): void;
  forget(wallet: string): void;
  readonly requests: number;
  readonly refused: number;
  close(): Promise<void>;
}

/** Older records of a wallet leave the venue, so that only the bot's memory is measured. */
const HISTORY_LIMIT = 400;
const WINDOW_SECONDS = 60;

/** The venue's two lists over real HTTP with a simulated clock: a small history a wallet, and a limit a minute. */
export async function startSoakVenue(clock: { readonly nowMs: number }, limit: number): Promise<SoakVenue> {
  const histories = new Map<string, (ActivityItem | TransferItem)[]>();
  const window = { index: 0, count: 0 };
  let requests = 0;
  let refused = 0;

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
    requests += 1;
    const index = Math.floor(clock.nowMs / 1000 / WINDOW_SECONDS);
    if (index !== window.index) Object.assign(window, { index, count: 0 });
    window.count += 1;
    const url = new URL(request.url ?? '', 'http://venue');
    const [, , , wallet = '', name = ''] = url.pathname.split('/');
    if (venue.mood === 'cut') return void request.socket.destroy();
    if (window.count > limit) {
      refused += 1;
      return answer(response, 429, null);
    }
    if (venue.mood === 'down') return answer(response, 503, null);
    if (venue.mood === 'keyRefused') return answer(response, 401, null);
    if (venue.mood === 'noTransfers' && name !== 'activity') return answer(response, 403, null);
    const fromSeconds = Number(url.searchParams.get('fromTimestamp') ?? 0);
    const pageSize = Number(url.searchParams.get('limit') ?? 50);
    const found = (histories.get(`${wallet}:${name}`) ?? []).filter(({ time }) => time >= fromSeconds);
    answer(response, 200, {
      items: found.slice(0, pageSize),
      nextCursor: found.length > pageSize ? String(found[pageSize - 1]?.time) : null,
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const venue: SoakVenue = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'well',
    add(wallet, name, item) {
      const history = histories.get(`${wallet}:${name}`) ?? [];
      histories.set(`${wallet}:${name}`, [item, ...history].slice(0, HISTORY_LIMIT));
    },
    forget(wallet) {
      for (const name of ['activity', 'deposits-withdrawals']) histories.delete(`${wallet}:${name}`);
    },
    get requests() {
      return requests;
    },
    get refused() {
      return refused;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return venue;
}
