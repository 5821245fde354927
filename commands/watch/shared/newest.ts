import type { RecordEvent } from '../../../src/alerts/decisions.ts';
import type { WalletAddress } from '../../../src/domain/address.ts';
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type EndpointName,
  hashesOf,
  type RecordOf,
} from '../../../src/domain/records.ts';
import type { VenuePage } from '../../../src/feed/interface.ts';
import { reachOf } from '../../../src/watches/watch.ts';
import type { CommandContext } from '../../shared/context.ts';

/** Number of items read when a watch is added, the same as in a poll. */
const BASELINE_ITEMS = 100;

type Pages = { readonly [Name in EndpointName]?: VenuePage<RecordOf<Name>> };

/**
 * Reads the newest page of each of a wallet's endpoints. `errors`: why pages could not be read.
 * `newest`: the newest record of all pages, null if none could be read. `identitiesAt` returns the
 * identities of their records in one second. `reachSeconds`: how far back the page of trades goes,
 * in Unix seconds; null if unknown.
 */
export async function readNewest(wallet: WalletAddress, { venue }: CommandContext) {
  const found: Pages = {};
  const readPage = async <Name extends EndpointName>(name: Name) => {
    // The compiler cannot infer the call's type from the name.
    const lookUp = venue[ENDPOINTS[name].call] as (
      wallet: WalletAddress,
      filters: { readonly limit: number },
    ) => Promise<VenuePage<RecordOf<Name>>>;
    const page = await lookUp(wallet, { limit: BASELINE_ITEMS });
    Object.assign(found, { [name]: page });
    return (seconds: number) => {
      const present = page.items.filter(({ time }) => time === seconds);
      return hashesOf(name, present, 'identity');
    };
  };
  const read = await Promise.allSettled(ENDPOINT_NAMES.map((name) => readPage(name)));
  const errors = read.flatMap((page) => (page.status === 'rejected' ? [page.reason] : []));
  const { activity } = found;
  return {
    identitiesAt: (seconds: number) =>
      read.flatMap((page) => (page.status === 'fulfilled' ? page.value(seconds) : [])),
    newest: newestOf(found),
    trades: activity?.items ?? [],
    reachSeconds: activity === undefined ? null : reachOf(activity),
    errors,
  };
}

function newestOf(found: Pages): RecordEvent | null {
  const [trade] = found.activity?.items ?? [];
  const [transfer] = found['deposits-withdrawals']?.items ?? [];
  const ofTrade = trade && ({ kind: 'activity', item: trade } as const);
  const ofTransfer = transfer && ({ kind: 'transfer', item: transfer } as const);
  if (ofTrade === undefined || ofTransfer === undefined) return ofTrade ?? ofTransfer ?? null;
  return ofTransfer.item.time > ofTrade.item.time ? ofTransfer : ofTrade;
}

export type Newest = Awaited<ReturnType<typeof readNewest>>;
