import type { RecordEvent } from '../../../src/alerts/decisions.ts';
import type { WalletAddress } from '../../../src/domain/address.ts';
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type EndpointName,
  hashesOf,
  type RecordOf,
} from '../../../src/domain/records.ts';
import { recordLine } from '../../../src/embeds/item-lines.ts';
import type { Links } from '../../../src/embeds/links.ts';
import type { VenuePage } from '../../../src/feed/interface.ts';
import type { Language } from '../../../src/language/language.ts';
import { reachOf } from '../../../src/watches/watch.ts';
import type { CommandContext } from '../../shared/context.ts';

/** Number of items read when a watch is added, the same as in a poll. */
const BASELINE_ITEMS = 100;

/** Newest page of one of a wallet's endpoints. */
interface NewestPage {
  /** Returns the identities of its records in one second. */
  readonly identitiesAt: (seconds: number) => readonly string[];
  /** Its first record, as a line; null if it has none. */
  readonly first: { readonly time: number; readonly line: LineText } | null;
}
type LineText = (links: Links, language: Language) => string;

/**
 * Reads the newest page of each of a wallet's endpoints. `errors`: why pages could not be read.
 * `newest`: the newest record of all pages, null if none could be read. `reachSeconds`: how far
 * back the page of trades goes, in Unix seconds; null if unknown.
 */
export async function readNewest(wallet: WalletAddress, { venue }: Pick<CommandContext, 'venue'>) {
  const found: { readonly [Name in EndpointName]?: VenuePage<RecordOf<Name>> } = {};
  const readPage = async <Name extends EndpointName>(name: Name): Promise<NewestPage> => {
    // The compiler cannot infer the call's type from the name.
    const lookUp = venue[ENDPOINTS[name].call] as (
      wallet: WalletAddress,
      filters: { readonly limit: number },
    ) => Promise<VenuePage<RecordOf<Name>>>;
    const page = await lookUp(wallet, { limit: BASELINE_ITEMS });
    Object.assign(found, { [name]: page });
    return newestPage(name, page.items);
  };
  const read = await Promise.allSettled(ENDPOINT_NAMES.map((name) => readPage(name)));
  const pages: NewestPage[] = [];
  const errors: unknown[] = [];
  for (const page of read) {
    if (page.status === 'fulfilled') pages.push(page.value);
    else errors.push(page.reason);
  }
  const { activity } = found;
  return {
    pages,
    newest: newestOf(found),
    trades: activity?.items ?? [],
    reachSeconds: activity === undefined ? null : reachOf(activity),
    errors,
  };
}

function newestOf(
  found: {
    readonly [Name in EndpointName]?: VenuePage<RecordOf<Name>>;
  },
): RecordEvent | null {
  const [trade] = found.activity?.items ?? [];
  const [transfer] = found['deposits-withdrawals']?.items ?? [];
  const ofTrade = trade && ({ kind: 'activity', item: trade } as const);
  const ofTransfer = transfer && ({ kind: 'transfer', item: transfer } as const);
  if (ofTrade === undefined || ofTransfer === undefined) return ofTrade ?? ofTransfer ?? null;
  return ofTransfer.item.time > ofTrade.item.time ? ofTransfer : ofTrade;
}

export type Newest = Awaited<ReturnType<typeof readNewest>>;

function newestPage<Name extends EndpointName>(
  name: Name,
  items: readonly RecordOf<Name>[],
): NewestPage {
  const identitiesAt = (seconds: number) => {
    const present = items.filter(({ time }) => time === seconds);
    return hashesOf(name, present, 'identity');
  };
  const [first] = items;
  if (first === undefined) return { identitiesAt, first: null };
  const line: LineText = (links, language) => recordLine(name, first, links, language);
  return { identitiesAt, first: { time: first.time, line } };
}
