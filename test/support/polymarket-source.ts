import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * A simulation of Polymarket's Data API v2 and Gamma for tests, as documented in November 2026 and
 * observed by public clients. The real services cannot be reached from here.
 */

/** A row of `/v2/activity`, with all of its fields. */
export interface SourceRow {
  proxy_wallet: string;
  timestamp: number;
  condition_id: string;
  type: string;
  size: number;
  usdc_size: number;
  transaction_hash: string;
  price: number;
  token_id: string;
  side: string;
  outcome_index: number;
  title: string;
  slug: string;
  icon: string;
  event_slug: string;
  outcome: string;
  name: string;
  pseudonym: string;
  bio: string;
  profile_image: string;
  profile_image_optimized: string;
  is_combo?: boolean;
}

/** A market of Gamma, whose lists are JSON texts. */
export interface SourceMarket {
  id: string;
  conditionId: string;
  question: string;
  slug: string;
  outcomes: string;
  clobTokenIds: string;
  positionIds?: string;
  closed: boolean;
  events: { slug: string }[];
}

/** A fault of a future response; each is used once. */
export interface SourceFault {
  readonly path: RegExp;
  /** Pattern of the query; any query by default. */
  readonly query?: RegExp;
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Delays the response until this resolves. */
  readonly until?: Promise<unknown>;
}

const THREE_YEARS_SECONDS = 3 * 365 * 86_400;
export const ROW_WALLET = '0x56687bf447db6ffa42ffe2204a05edaa20f55839';
export const hash32 = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

/** Returns a market with two outcomes, whose condition and tokens are derived from the number. */
export function sourceMarket(n: number, over: Partial<SourceMarket> = {}): SourceMarket {
  return {
    id: String(500_000 + n),
    conditionId: hash32(0xc0de0000 + n),
    question: `Will number ${n} come up?`,
    slug: `will-number-${n}-come-up`,
    outcomes: '["Yes", "No"]',
    clobTokenIds: JSON.stringify([`${n}1000000001`, `${n}2000000002`]),
    closed: false,
    events: [{ slug: `numbers-${n}` }],
    ...over,
  };
}

export const tokensOf = (market: SourceMarket): string[] => JSON.parse(market.clobTokenIds);

/** Returns a purchase of the market's first outcome: 100 shares at 40 cents. */
export function sourceTrade(market: SourceMarket, over: Partial<SourceRow> = {}): SourceRow {
  const index = over.outcome_index ?? 0;
  const size = over.size ?? 100;
  const price = over.price ?? 0.4;
  return {
    proxy_wallet: ROW_WALLET,
    timestamp: 1_790_000_000,
    condition_id: market.conditionId,
    type: 'TRADE',
    size,
    usdc_size: size * price,
    transaction_hash: hash32(1),
    price,
    token_id: tokensOf(market)[index] ?? '',
    side: 'BUY',
    outcome_index: index,
    title: market.question,
    slug: market.slug,
    icon: 'https://example.com/icon.png',
    event_slug: market.events[0]?.slug ?? '',
    outcome: JSON.parse(market.outcomes)[index] ?? '',
    name: 'A Person',
    pseudonym: 'Calm-Owl',
    bio: 'A bio',
    profile_image: 'https://example.com/person.png',
    profile_image_optimized: '',
    ...over,
  };
}

/** Returns a redemption as it is often listed: without token, side and outcome. */
export function sourceRedeem(
  market: SourceMarket,
  usdc: number,
  over: Partial<SourceRow> = {},
): SourceRow {
  return sourceTrade(market, {
    type: 'REDEEM',
    size: usdc,
    usdc_size: usdc,
    price: 0,
    token_id: '',
    side: '',
    outcome: '',
    outcome_index: 999,
    ...over,
  });
}

/** Returns a deposit or withdrawal: no market, an empty hash. */
export function sourceTransfer(over: Partial<SourceRow> = {}): SourceRow {
  return sourceTrade(sourceMarket(0), {
    type: 'DEPOSIT',
    size: 50,
    usdc_size: 50,
    price: 0,
    token_id: '',
    side: '',
    outcome: '',
    outcome_index: 999,
    condition_id: '',
    title: '',
    slug: '',
    icon: '',
    event_slug: '',
    transaction_hash: '',
    ...over,
  });
}

/** Serves rows and markets. Within a second, rows added later are newer. */
export async function startSource({ nowSeconds = () => Date.now() / 1_000 } = {}) {
  const rows: { readonly row: SourceRow; readonly sequence: number }[] = [];
  const markets: SourceMarket[] = [];
  const resolutions: Record<string, unknown>[] = [];
  const proxies = new Map<string, string>();
  const faults: SourceFault[] = [];
  const requests: URL[] = [];
  let ageSeconds = 0;
  let lagSeconds = 2;

  const error = (status: number, message: string) => ({
    status,
    body: { error: message, code: String(status), retryable: status >= 429, trace_id: 'abc' },
  });

  const activity = (query: URLSearchParams) => {
    if (query.getAll('type').length > 1) return error(400, 'type must be one value');
    const limit = Number(query.get('limit') ?? 100);
    if (!(limit >= 1 && limit <= 1_000)) return error(400, 'limit is at most 1000');
    const user = query.get('user')?.toLowerCase();
    const types = query.get('type')?.split(',');
    const conditions = query.get('condition')?.split(',');
    if ((conditions?.length ?? 0) > 20) return error(400, 'at most 20 conditions');
    const start = Number(query.get('start') ?? 0) || nowSeconds() - THREE_YEARS_SECONDS;
    const end = Number(query.get('end') ?? 0) || nowSeconds() + 86_400;
    const showsTransfers = query.get('exclude_deposits_withdrawals') === 'false';
    const after = query.get('cursor');
    const anchor: unknown = after === null ? null : decodeAnchor(after);
    if (anchor === undefined) return error(400, 'malformed cursor');
    const [timestamp = Number.POSITIVE_INFINITY, sequence = 0] = (anchor ?? []) as number[];
    const matching = rows
      .filter(({ row }) => row.proxy_wallet.toLowerCase() === user)
      .filter(({ row }) => types?.includes(row.type) ?? row.type !== 'TIP')
      .filter(({ row }) => showsTransfers || !['DEPOSIT', 'WITHDRAWAL'].includes(row.type))
      .filter(({ row }) => conditions?.includes(row.condition_id) ?? true)
      .filter(({ row }) => row.timestamp >= start && row.timestamp <= end)
      .filter(
        (one) =>
          one.row.timestamp < timestamp ||
          (one.row.timestamp === timestamp && one.sequence < sequence),
      )
      .sort((a, b) => b.row.timestamp - a.row.timestamp || b.sequence - a.sequence);
    const page = matching.slice(0, limit);
    const last = page.at(-1);
    const hasMore = matching.length > limit;
    const cursor =
      hasMore && last !== undefined
        ? Buffer.from(JSON.stringify([last.row.timestamp, last.sequence])).toString('base64url')
        : null;
    return {
      status: 200,
      body: {
        data: page.map(({ row }) => row),
        pagination: { limit, offset: 0, has_more: hasMore, next_cursor: cursor },
      },
    };
  };

  const answer = (path: string, query: URLSearchParams) => {
    if (path === '/v2/activity') return activity(query);
    if (path === '/v2/resolutions') {
      const conditions = query.get('condition')?.split(',') ?? [];
      const data = resolutions.filter(({ condition_id: id }) => conditions.includes(String(id)));
      return { status: 200, body: { data } };
    }
    if (path === '/v2/status') {
      const serving = { lag_seconds: lagSeconds, mechanisms: [], worst: 'activity_feed' };
      return { status: 200, body: { data: { age_seconds: 1, serving } } };
    }
    if (path === '/markets') {
      const isClosed = query.get('closed') === 'true';
      const asked = query.getAll('condition_ids');
      const found = markets.filter(
        ({ conditionId, closed }) => asked.includes(conditionId) && closed === isClosed,
      );
      return { status: 200, body: found };
    }
    if (path === '/public-profile') {
      const proxyWallet = proxies.get(query.get('address') ?? '');
      return proxyWallet === undefined
        ? error(404, 'profile not found')
        : { status: 200, body: { proxyWallet, name: 'A Person' } };
    }
    return error(404, 'no route');
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://source');
    requests.push(url);
    const index = faults.findIndex(
      ({ path, query = /^/ }) => path.test(url.pathname) && query.test(url.search),
    );
    const [fault] = index === -1 ? [] : faults.splice(index, 1);
    await fault?.until;
    const { status, body } = answer(url.pathname, url.searchParams);
    const isFaulty = fault !== undefined && fault.status !== 0;
    const text = isFaulty ? (fault.body ?? '') : JSON.stringify(body);
    const isZipped = /gzip/.test(String(request.headers['accept-encoding'] ?? ''));
    response.writeHead(isFaulty ? fault.status : status, {
      'Content-Type': 'application/json',
      ...(ageSeconds > 0 && { Age: String(ageSeconds), 'Cache-Control': 'max-age=300' }),
      ...(isZipped && { 'Content-Encoding': 'gzip' }),
      ...fault?.headers,
    });
    response.end(isZipped ? gzipSync(text) : text);
  };

  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Adds rows, oldest first. */
    list(...added: readonly SourceRow[]): void {
      for (const row of added) rows.push({ row, sequence: rows.length });
    },
    /** Changes a listed row, like labels that are filled in later. */
    amend(row: SourceRow, change: Partial<SourceRow>): void {
      Object.assign(row, change);
    },
    addMarkets: (...added: readonly SourceMarket[]) => void markets.push(...added),
    resolve: (market: SourceMarket, payouts: readonly number[] | null) =>
      void resolutions.push({
        condition_id: market.conditionId,
        status: 'resolved',
        ...(payouts !== null && { payouts }),
        last_update_timestamp: '1787133600',
      }),
    addProxy: (signer: string, proxy: string) => void proxies.set(signer, proxy),
    fail: (...added: readonly SourceFault[]) => void faults.push(...added),
    setAge(seconds: number): void {
      ageSeconds = seconds;
    },
    setLag(seconds: number): void {
      lagSeconds = seconds;
    },
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
export type TestSource = Awaited<ReturnType<typeof startSource>>;

function decodeAnchor(text: string): unknown {
  try {
    const anchor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(anchor) && anchor.length === 2 ? anchor : undefined;
  } catch {
    return undefined;
  }
}
