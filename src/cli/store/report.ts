import { type Shards, shownShards } from '../../store/marks.ts';

/** Keys that are listed; of more, their number is. */
const LISTED_KEYS = 20;

/** What was copied. */
export interface Copied {
  /** The stores, as they may be shown. */
  readonly from: string;
  readonly to: string;
  /** The shards that the bot on the new store is to serve; null: all. */
  readonly shards: Shards | null;
  /** Keys of the documents in the new store. */
  readonly keys: readonly string[];
  /** Documents that stayed behind, wholly or in parts, because they cannot be read or nobody keeps such documents. */
  readonly skipped: number;
  /** Whether FROM is marked as moved. */
  readonly isRetired: boolean;
}

/** What a copy has come to, in lines. */
export function report({ from, to, shards, keys, skipped, isRetired }: Copied): string {
  return [
    `Copied ${from} to ${to}: ${keys.length} documents, read back and compared.`,
    ...kindCounts(keys).map(([kind, count]) => `  ${kind.padEnd(12)}${String(count).padStart(8)}`),
    ...(skipped > 0 ? [`Left in ${from}: ${skipped} that cannot be read or belong to nobody.`] : []),
    ...(shards === null
      ? []
      : [`${to} is for shards ${shownShards(shards)}: a bot with these deletes the rest there when it starts.`]),
    isRetired ? retired(from, shards) : notRetired(from, to, shards),
  ].join('\n');
}

function retired(from: string, shards: Shards | null): string {
  if (shards === null)
    return `${from} is marked as moved: no bot starts on it any more. Set STORE_URL to the new store.`;
  return `Shards ${shownShards(shards)} of ${from} are marked as moved: no bot with them starts on it any more. A bot with the shards that are left may; it first deletes there what has moved.`;
}

function notRetired(from: string, to: string, shards: Shards | null): string {
  const whose = shards === null ? '' : ` of shards ${shownShards(shards)}`;
  return `A bot can still be started on ${from}. If one ran on it and one on ${to}, both would post every alert${whose}: each twice. Start one alone. With --retire a start on ${from} would be refused.`;
}

/** Such as `watch: 3, wallet: 2`. */
export function shownCounts(keys: readonly string[]): string {
  return kindCounts(keys)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ');
}

/** A heading with the number of keys, and the first keys below it. */
export function keyList(heading: string, keys: readonly string[]): string {
  const more = keys.length - LISTED_KEYS;
  return [
    `${heading}: ${keys.length}`,
    ...keys.slice(0, LISTED_KEYS).map((key) => `  ${printable(key)}`),
    ...(more > 0 ? [`  … and ${more} more: ${shownCounts(keys)}`] : []),
  ].join('\n');
}

/** How many keys there are of each kind, by what stands before the first colon. */
function kindCounts(keys: readonly string[]): readonly (readonly [kind: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const kind = printable(key.split(':', 1)[0] ?? '');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A key of another program may be anything. */
export function printable(key: string): string {
  return key.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
