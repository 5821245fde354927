import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { interfaceContract, MOVED, TRADED } from '../../packages/venue-server/test/contract.ts';
import {
  activity,
  OTHER_WALLET,
  readReply,
  WALLET,
} from '../../packages/venue-server/test/support.ts';
import { listIn, marketsOf } from './rows-of-records.ts';
import { KEY, startInTest } from './running.ts';

/** Records as the gateway shows them: Polymarket names no role and no other side. */
const SHOWN = {
  activity: TRADED.map((item) => ({
    ...item,
    liquidityRole: null,
    logo: 'https://example.com/icon.png',
  })),
  'deposits-withdrawals': MOVED.map((item) => ({ ...item, address: '' })),
};

interfaceContract(async () => {
  const { source, url, stop } = await startInTest({ requestsPerMinute: 6_000 });
  const records: readonly LedgerRecord[] = [
    ...TRADED.map((item) => ({ kind: 'activity', wallet: WALLET, block: 0, item }) as const),
    ...MOVED.map((item) => ({ kind: 'transfer', wallet: WALLET, item }) as const),
    activity({ trader: OTHER_WALLET }),
  ];
  listIn(source, records, marketsOf(TRADED));
  const get = async (
    path: string,
    { key = KEY, method = 'GET' }: { readonly key?: string | null; readonly method?: string } = {},
  ) => {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}${path}`, { method, headers });
    return readReply(response.status, response.headers, await response.text());
  };
  // Markets are known once a trade of each was listed.
  await get(`/v1/trader/${WALLET}/activity?limit=100`);
  return { url, key: KEY, get, shown: SHOWN, marketIdsMost: 20, stop };
});
