import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { reasonOf } from '../lib/error.ts';
import type { Account } from '../lib/fair-shares/account.ts';
import type { Machine } from '../lib/machine.ts';
import type { HttpAnswer } from './http-transport.ts';
import type { Budget } from './rate-limit/budget.ts';
import { parseJson, tolerantEnvelopeSchema } from './words.ts';

/** Longest time that a person waits for the address, ms: it is a hint. */
export const PROXY_LIMIT_MS = 4_000;

const answerSchema = tolerantEnvelopeSchema.extend({
  success: z.literal(true),
  data: z.record(z.string(), z.unknown()).catch({}),
});
const proxySchema = z.string().toLowerCase().pipe(walletSchema);

/** Budget that the request is taken from, and whose people ask; the client's own if left out. */
interface ProxyCall {
  readonly budget?: Pick<Budget, 'acquire'>;
  readonly account?: Account;
}

/** Finds the address under which the venue lists what a signer's wallet does. */
export type ProxyLookup = (wallet: WalletAddress, call: ProxyCall) => Promise<WalletAddress | null>;

/** An answer, and whether it is the venue's own: a proxy before it answers without rate headers. */
interface ProxyAnswer {
  readonly answer: HttpAnswer;
  readonly isVenues: boolean;
}

/**
 * Makes the lookup of a venue's proxy addresses. Venues need not have them: one that answers 404, or
 * a page without the field, is not asked again. Any other answer may be a passing fault. The lookup
 * never rejects; null: there is none, or the venue does not say.
 */
export function createProxyLookup(
  { log }: Pick<Machine, 'log'>,
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
