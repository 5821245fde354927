import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { reasonOf } from '../lib/error.ts';
import type { Account } from '../lib/fair-shares/account.ts';
import type { Machine } from '../lib/machine.ts';
import { parseJson } from '../lib/text/json.ts';
import type { HttpAnswer } from './http-transport.ts';
import type { Budget } from './rate-limit/budget.ts';
import { tolerantEnvelopeSchema } from './words.ts';

/**
 * Longest time that a person waits for the address, in ms; short because the address is only a
 * hint.
 */
export const PROXY_LIMIT_MS = 4_000;

const answerSchema = tolerantEnvelopeSchema.extend({
  success: z.literal(true),
  data: z.record(z.string(), z.unknown()).catch({}),
});
const proxySchema = z.string().toLowerCase().pipe(walletSchema);

/** Budget and account that the request is charged to; default: the client's own budget. */
interface ProxyCall {
  readonly budget?: Pick<Budget, 'acquire'>;
  readonly account?: Account;
}

/** Finds the address under which the venue lists the activity of a signer's wallet. */
export type ProxyLookup = (wallet: WalletAddress, call: ProxyCall) => Promise<WalletAddress | null>;

/**
 * A response, and whether it is the venue's own: a proxy in front of it sends no rate-limit
 * headers.
 */
interface ProxyAnswer {
  readonly answer: HttpAnswer;
  readonly isVenues: boolean;
}

/**
 * Creates the lookup of a venue's proxy addresses. A venue need not have them: once it responds
 * with 404, or with a page without the field, no more requests are sent. Any other response may be
 * a temporary fault. The lookup never rejects; it returns null if there is no proxy address or the
 * venue does not say.
 */
export function createProxyLookup(
  { log }: Machine,
  ask: (wallet: WalletAddress, call: ProxyCall) => Promise<ProxyAnswer>,
): ProxyLookup {
  let isServed = true;
  return async (wallet, call) => {
    if (!isServed) return null;
    try {
      const { answer, isVenues } = await ask(wallet, call);
      const isPage = answer.status === 200 && answer.fault === null;
      const page = isPage ? answerSchema.safeParse(parseJson(answer.text())).data : undefined;
      const isOtherPage = page !== undefined && !Object.hasOwn(page.data, 'proxy');
      isServed = !isOtherPage && !(answer.status === 404 && isVenues);
      const proxy = proxySchema.safeParse(page?.data['proxy']).data ?? null;
      return proxy === wallet ? null : proxy;
    } catch (error) {
      log.debug({ event: 'venue.proxy_unknown', wallet, reason: reasonOf(error) });
      return null;
    }
  };
}
