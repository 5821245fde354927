import { resetWallet } from '../../alerts/build.ts';
import { looseDocumentSchema, WALLET_PREFIX } from '../../alerts/wallet-document.ts';
import { groupBy } from '../../lib/group-by.ts';
import { quarantinedKey } from '../../store/quarantine.ts';
import type { Store } from '../../store/store.ts';
import { restingKind } from '../../watches/resting-owners.ts';
import { WATCH_PREFIX, type Watch, watchSchema } from '../../watches/watch.ts';
import { described } from './kinds.ts';

type Entries = Pick<Store, 'entries'>;
export type Survey = Awaited<ReturnType<typeof surveyStore>>;

/** Reads all documents once. */
export async function surveyStore(store: Entries) {
  const watches: Watch[] = [];
  /** Ids of servers that rest. */
  const resting = new Set<string>();
  let waitingAlerts = 0;
  /** Keys of documents that cannot be read: in which parts; none if wholly. */
  const damaged = new Map<string, readonly string[]>();
  /** Keys of documents that nobody here keeps. */
  const foreign: string[] = [];
  /** Keys under which documents stood that an earlier start has put aside. */
  const quarantined: string[] = [];
  for await (const [key, description, document] of described(store)) {
    const putAside = quarantinedKey(key);
    if (putAside !== undefined) quarantined.push(putAside);
    if (description === 'foreign') foreign.push(key);
    if (description === 'damaged') damaged.set(key, []);
    if (typeof description === 'string') continue;
    if (description.damage !== undefined) damaged.set(key, description.damage.parts);
    if (key.startsWith(WATCH_PREFIX)) watches.push(watchSchema.parse(document));
    if (restingKind.holds(key)) resting.add(restingKind.idOf(key));
    if (key.startsWith(WALLET_PREFIX)) waitingAlerts += looseDocumentSchema.parse(document).outbox.length;
  }
  return { watches, resting, waitingAlerts, damaged, foreign, quarantined };
}

/** The documents that a copy is to hold, each once. What cannot be read is left out; watched wallets begin anew then. */
export async function* wantedDocuments(
  store: Entries,
  { watches, damaged }: Survey,
  nowMs: () => number,
): AsyncGenerator<readonly [key: string, document: unknown]> {
  for await (const [key, description, document] of described(store)) {
    if (typeof description !== 'string') yield [key, description.damage?.sound ?? document];
  }
  const anew = watches.filter(({ wallet }) => damaged.get(WALLET_PREFIX + wallet)?.length === 0);
  for (const [wallet, ofWallet] of groupBy(anew, (watch) => watch.wallet))
    yield [WALLET_PREFIX + wallet, resetWallet(wallet, ofWallet, nowMs())];
}
