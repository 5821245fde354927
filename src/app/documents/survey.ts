import { WALLET_PREFIX } from '../../alerts/outbox.ts';
import { isMark } from '../../store/marks.ts';
import { quarantinedKey } from '../../store/quarantine.ts';
import type { Store } from '../../store/store.ts';
import { parseWatchKey, type Watch, watchSchema } from '../../watches/watch.ts';
import type { Description } from './description.ts';
import { describeDocument } from './kinds.ts';
import { createDirectory, type Directory, type Selection, shareOf } from './split.ts';
import { walletAnew } from './wallet.ts';

/** What a reading of all documents has found. */
export interface Survey {
  readonly directory: Directory;
  /** Keys of documents that cannot be read, wholly or in parts, with what of them. */
  readonly damaged: readonly string[];
  /** Wallets whose document cannot be read at all. */
  readonly damagedWallets: ReadonlySet<string>;
  /** Wallets with a watch that cannot be read, here or put aside: nobody can tell by whom else they are watched. */
  readonly unsureWallets: ReadonlySet<string>;
  /** Keys of documents that nobody here keeps. */
  readonly foreign: readonly string[];
}

/** What is to be copied. */
export interface Wanted {
  readonly survey: Survey;
  /** Null: everything. */
  readonly selection: Selection | null;
  readonly keepsUnassigned: boolean;
  readonly nowMs: () => number;
}

type Entries = Pick<Store, 'entries'>;

/** Reads all documents once. */
export async function surveyStore(store: Entries): Promise<Survey> {
  const directory = createDirectory();
  const damaged: string[] = [];
  const damagedWallets = new Set<string>();
  const unsureWallets = new Set<string>();
  const foreign: string[] = [];
  for await (const [key, description] of described(store)) {
    const unread = description === 'damaged' ? key : quarantinedKey(key);
    const place = unread === undefined ? undefined : parseWatchKey(unread);
    if (place !== undefined) unsureWallets.add(place.wallet);
    if (description === 'foreign') foreign.push(key);
    else if (description === 'damaged') {
      damaged.push(key);
      if (key.startsWith(WALLET_PREFIX)) damagedWallets.add(key.slice(WALLET_PREFIX.length));
    } else {
      directory.add(description);
      damaged.push(...partlyDamaged(key, description));
    }
  }
  return { directory, damaged, damagedWallets, unsureWallets, foreign };
}

/** The key with what of the document cannot be read; nothing if all of it can. */
function partlyDamaged(key: string, { parts }: Description): readonly string[] {
  return parts === undefined || parts.faults.length === 0 ? [] : [`${key} (${parts.faults.join(', ')})`];
}

/** Keys of documents of which nobody can tell the server, wholly or of some channels, for these servers. */
export async function findUnassigned(
  store: Entries,
  { directory }: Survey,
  selection: Selection,
): Promise<readonly string[]> {
  const unassigned: string[] = [];
  for await (const [key, description] of described(store)) {
    if (typeof description === 'string') continue;
    const { kind, unassignedChannels } = shareOf(description, directory, selection, true);
    if (kind === 'unassigned') unassigned.push(key);
    else if (unassignedChannels > 0) unassigned.push(`${key} (channels: ${unassignedChannels})`);
  }
  return unassigned;
}

/** The documents that a copy is to hold, each once. What cannot be read is left out; watched wallets begin anew then. */
export async function* wantedDocuments(
  store: Entries,
  wanted: Wanted,
): AsyncGenerator<readonly [key: string, document: unknown]> {
  const watchesOfDamaged = new Map<string, [Watch, ...Watch[]]>();
  for await (const [key, description, document] of described(store)) {
    if (typeof description === 'string') continue;
    const share = wantedShare(description, document, wanted);
    if (share === null) continue;
    yield [key, share.document];
    const { watch } = description;
    if (watch === undefined || !wanted.survey.damagedWallets.has(watch.wallet)) continue;
    const others = watchesOfDamaged.get(watch.wallet) ?? [];
    watchesOfDamaged.set(watch.wallet, [watchSchema.parse(document), ...others]);
  }
  for (const [wallet, watches] of watchesOfDamaged) yield [WALLET_PREFIX + wallet, walletAnew(watches, wanted.nowMs())];
}

/** What of a document is copied; null: nothing. */
function wantedShare(
  description: Description,
  document: unknown,
  { survey: { directory }, selection, keepsUnassigned }: Wanted,
): { readonly document: unknown } | null {
  const whole = { document: description.parts?.sound ?? document };
  if (selection === null) return description.owner.of === 'store' ? null : whole;
  const share = shareOf(description, directory, selection, keepsUnassigned);
  switch (share.kind) {
    case 'whole':
      return whole;
    case 'part':
      return { document: share.document };
    case 'none':
      return null;
    case 'unassigned':
      return keepsUnassigned ? whole : null;
  }
}

/** All documents but what the store says of itself. */
async function* described(store: Entries) {
  for await (const [key, document] of store.entries()) {
    if (!isMark(key)) yield [key, describeDocument(key, document), document] as const;
  }
}
