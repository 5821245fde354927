import { WALLET_PREFIX } from '../../alerts/wallet-document.ts';
import { PROBE_KEY } from '../../ops/readiness.ts';
import { isMark } from '../../store/marks.ts';
import type { Store } from '../../store/store.ts';
import type { Watch } from '../../watches/watch.ts';
import { describeDocument } from './kinds.ts';
import { walletAnew } from './wallet.ts';

type Entries = Pick<Store, 'entries'>;

/** Reads all documents once. */
export async function surveyStore(store: Entries) {
  /** Keys of documents that cannot be read, wholly or in parts, with what of them. */
  const damaged: string[] = [];
  /** Wallets whose document cannot be read at all. */
  const damagedWallets = new Set<string>();
  /** Keys of documents that nobody here keeps. */
  const foreign: string[] = [];
  for await (const [key, description] of described(store)) {
    if (description === 'foreign') foreign.push(key);
    else if (description === 'damaged') {
      damaged.push(key);
      if (key.startsWith(WALLET_PREFIX)) damagedWallets.add(key.slice(WALLET_PREFIX.length));
    } else if (description.damage !== undefined) {
      damaged.push(`${key} (${description.damage.parts.join(', ')})`);
    }
  }
  return { damaged, damagedWallets, foreign };
}

/** The documents that a copy is to hold, each once. What cannot be read is left out; watched wallets begin anew then. */
export async function* wantedDocuments(
  store: Entries,
  damagedWallets: ReadonlySet<string>,
  nowMs: () => number,
): AsyncGenerator<readonly [key: string, document: unknown]> {
  const watchesOfDamaged = new Map<string, [Watch, ...Watch[]]>();
  for await (const [key, description, document] of described(store)) {
    if (typeof description === 'string') continue;
    yield [key, description.damage === undefined ? document : description.damage.sound];
    const { watch } = description;
    if (watch === undefined || !damagedWallets.has(watch.wallet)) continue;
    watchesOfDamaged.set(watch.wallet, [watch, ...(watchesOfDamaged.get(watch.wallet) ?? [])]);
  }
  for (const [wallet, watches] of watchesOfDamaged) yield [WALLET_PREFIX + wallet, walletAnew(watches, nowMs())];
}

/** All documents but what is of the store itself. */
async function* described(store: Entries) {
  for await (const [key, document] of store.entries()) {
    if (!isMark(key) && key !== PROBE_KEY) yield [key, describeDocument(key, document), document] as const;
  }
}
