import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { listenLocally } from './listen.ts';

export type VenueMood =
  | 'served'
  | 'unauthorized'
  | 'forbidden'
  | 'failing'
  | 'garbage'
  | 'cut'
  | 'limited'
  | 'paused';

export interface HostileVenue {
  readonly url: string;
  mood: VenueMood;
  /** Returns the mood for a single request, by method and address, if it differs. */
  moodOf: (request: string) => VenueMood | undefined;
  /** Returns a promise that delays the response; undefined to answer at once. */
  delayOf: (request: string) => Promise<unknown> | undefined;
  /** Items of the activity pages, newest first. */
  activity: unknown[];
  transfers: unknown[];
  /** Times at which pages of activity were requested, by a monotonic clock, in ms. */
  readonly askedMs: number[];
  /** Method and address of each request. */
  readonly requests: string[];
  /** Value of the header with the delay of the venue's lists; null omits the header. */
  listingDelay: string | null;
  /** Proxy address of each wallet; undefined if the venue has no such path. */
  proxy: string | null | undefined;
  close(): Promise<void>;
}

/** Starts a venue that leaks the key of requests in headers, messages, bodies and records. */
export async function startHostileVenue(): Promise<HostileVenue> {
  const server = createServer(async (incoming, outgoing) => {
    const request = `${incoming.method} ${incoming.url}`;
    venue.requests.push(request);
    if (request.includes(`/${ENDPOINT_NAMES[0]}`)) venue.askedMs.push(performance.now());
    await venue.delayOf(request);
    answer(venue, venue.moodOf(request) ?? venue.mood, incoming, outgoing);
  });
  const venue: HostileVenue = {
    ...(await listenLocally(server)),
    mood: 'served',
    moodOf: () => undefined,
    delayOf: () => undefined,
    activity: [],
    transfers: [],
    askedMs: [],
    requests: [],
    listingDelay: null,
    proxy: undefined,
  };
  return venue;
}

const STATUS: Readonly<Record<Exclude<VenueMood, 'cut'>, number>> = {
  served: 200,
  unauthorized: 401,
  forbidden: 403,
  failing: 500,
  garbage: 200,
  limited: 429,
  /** With a wait of forty days. */
  paused: 429,
};

function answer(
  venue: HostileVenue,
  mood: VenueMood,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { authorization = '' } = incoming.headers;
  const isActivity = incoming.url?.includes(`/${ENDPOINT_NAMES[0]}`) === true;
  if (mood === 'cut') return void outgoing.destroy();
  const key = authorization.replace('Bearer ', '');
  const echo = `${authorization} ${encodeURIComponent(key)} ${Buffer.from(`x:${key}`).toString('base64')}`;
  const status = STATUS[mood];
  const resetSeconds = Math.ceil(Date.now() / 1000) + (mood === 'limited' ? 2 : 60);
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'www-authenticate': echo,
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': mood === 'limited' ? '0' : '500',
    'x-ratelimit-reset': String(resetSeconds),
    ...(venue.listingDelay !== null && { 'x-listing-delay-seconds': venue.listingDelay }),
    ...(mood === 'paused' ? { 'retry-after': String(40 * 86_400) } : {}),
  });
  if (mood === 'garbage') return void outgoing.end(`<html>${echo}`);
  const isProxy = incoming.url?.endsWith('/proxy') === true && venue.proxy !== undefined;
  const list = { items: isActivity ? venue.activity : venue.transfers, nextCursor: null };
  const data = status === 200 ? (isProxy ? { proxy: venue.proxy } : list) : null;
  outgoing.end(
    JSON.stringify({
      success: status === 200,
      code: status === 200 ? '0' : String(status),
      message: echo,
      data,
    }),
  );
}
