import type { Logger } from 'pino';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { type GatewayOptions, startGateway } from '../../src/polymarket/gateway.ts';
import { quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import {
  ROW_WALLET,
  sourceMarket,
  startSource,
  type TestSource,
  tokensOf,
} from '../support/polymarket-source.ts';

export const KEY = 'a-key-of-the-tests';
export const MARKET = sourceMarket(7);
/** Tokens of its outcomes. */
export const [YES = '', NO = ''] = tokensOf(MARKET);
/** Unix seconds of the first row of a test. */
export const T0 = 1_790_000_000;

const replySchema = z.object({
  success: z.boolean(),
  code: z.string(),
  message: z.string(),
  data: z
    .object({
      items: z.array(z.record(z.string(), z.unknown())),
      nextCursor: z.string().nullable(),
    })
    .or(z.object({ proxy: z.string().nullable() }))
    .nullable(),
});

/** A gateway before a source of the tests; both stop with `stop`. */
export async function startInTest(
  options: Partial<GatewayOptions> & {
    readonly source?: TestSource;
    readonly nowMs?: () => number;
    readonly log?: Logger;
  } = {},
) {
  const source = options.source ?? (await startSource());
  const log = options.log ?? quietLog();
  const nowMs = options.nowMs ?? Date.now;
  const gateway = await startGateway(testMachine({ log, nowMs }), {
    dataUrl: source.url,
    gammaUrl: source.url,
    requestsPerMinute: 600,
    key: KEY,
    host: '127.0.0.1',
    port: 0,
    file: ':memory:',
    ...options,
  });
  const get = async (path: string, { key = KEY, method = 'GET' } = {}) => {
    const asked = { method, headers: { authorization: `Bearer ${key}` } };
    const response = await fetch(`${gateway.url}${path}`, asked);
    const reply = replySchema.parse(await response.json());
    const { items, nextCursor } =
      reply.data !== null && 'items' in reply.data ? reply.data : { items: [], nextCursor: null };
    return { ...reply, status: response.status, headers: response.headers, items, nextCursor };
  };
  return {
    source,
    url: gateway.url,
    get,
    activity: (query = '', wallet = ROW_WALLET) => get(`/v1/trader/${wallet}/activity${query}`),
    transfers: (query = '', wallet = ROW_WALLET) =>
      get(`/v1/trader/${wallet}/deposits-withdrawals${query}`),
    closeGateway: gateway.close,
    async stop() {
      await gateway.close();
      await source.stop();
    },
  };
}

/**
 * All pages of a list, by its cursor.
 *
 * @param between runs before each page but the first
 */
export async function pagesOf(
  read: (query: string) => ReturnType<Awaited<ReturnType<typeof startInTest>>['get']>,
  limit: number,
  between: (page: number) => unknown = () => undefined,
) {
  const pages: Record<string, unknown>[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    if (pages.length > 0) between(pages.length);
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const reply = await read(`?limit=${limit}${query}`);
    expect(reply.status, reply.message).toBe(200);
    pages.push(reply.items);
    cursor = reply.nextCursor;
  }
  return pages;
}

/** The same, until the test ends. */
export async function openGateway(options: Parameters<typeof startInTest>[0] = {}) {
  const running = await startInTest(options);
  onTestFinished(running.stop);
  return running;
}

/** The same, with a clock that the test sets. */
export async function openWithClock(options: Parameters<typeof startInTest>[0] = {}) {
  const clock = { nowMs: Date.now() };
  return { ...(await openGateway({ ...options, nowMs: () => clock.nowMs })), clock };
}
