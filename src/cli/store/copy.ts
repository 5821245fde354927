import { isDeepStrictEqual } from 'node:util';
import { surveyStore, wantedDocuments } from '../../app/documents/kinds.ts';
import { shownStore } from '../../store/address.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import * as marks from '../../store/marks.ts';
import { closing, inspectStore, openStore, type Store } from '../../store/store.ts';
import { requireStore } from './dump.ts';
import {
  beginFilling,
  finishFilling,
  kindCounts,
  printable,
  refuseFull,
  type StoreTool,
} from './fill.ts';

/** Maximum number of keys that are listed. Beyond it, only the number of further keys is shown. */
const LISTED_KEYS = 20;

interface CopyRequest {
  /** Addresses, as in STORE_URL. */
  readonly from: string;
  readonly to: string;
  /** The shards that the bot on the copy will serve; null: all that FROM has. */
  readonly shards: marks.Shards | null;
  /** Marks everything in FROM, or these shards, as moved. */
  readonly isRetiring: boolean;
  /** Leaves out documents that cannot be read or that no part of the bot uses. */
  readonly skipsDamaged: boolean;
}

/**
 * Copies a store into an empty one, and compares the result. Until then, the new store counts as
 * incomplete. With `isRetiring`, FROM counts as moved before the new store counts as complete, so
 * that bots can never start on both. With `shards`, a bot with only these starts on the new store
 * and deletes the other shards' data there; in FROM these shards count as moved.
 *
 * @returns lines about what was copied
 * @throws {StoreError} with the reason why nothing was copied, or that the copy is incomplete;
 *   {@link StoreUnfit} if FROM has already moved, or is itself incomplete
 */
export async function copyStore(tool: StoreTool, request: CopyRequest): Promise<string> {
  await requireStore(request.from, 'to copy. Check FROM.');
  const open = (url: string) =>
    openStore(url, { shards: null, onWarning: (text) => tool.warn(`${shownStore(url)}: ${text}`) });
  return closing(open(request.from), async (from) => {
    // An address can be written in many ways, so this compares the stores themselves.
    if ((await closing(inspectStore(request.to), marks.readId)) === from.id) {
      throw new StoreError('FROM and TO are the same store, or one is a backup of the other.');
    }
    return closing(open(request.to), (to) => copyBetween(tool, from, to, request));
  });
}

async function copyBetween(
  tool: StoreTool,
  from: Store,
  to: Store,
  request: CopyRequest,
): Promise<string> {
  const { nowMs, onFailpoint, progress } = tool;
  const { shards } = request;
  const fromShown = shownStore(request.from);
  const toShown = shownStore(request.to);
  /**
   * True if an earlier copy into this store was interrupted. `wasRetired`: it had marked FROM as
   * moved.
   */
  const isRepeated = (await marks.incompleteness(to, toShown)) !== null;
  const wasRetired = await refuseMoved(from, to, request, isRepeated);
  await refuseFull(to, toShown);
  const survey = await surveyStore({ entries: () => progress.counted(from.entries(), 'Reading') });
  const left = survey.damaged.size + survey.foreign.length;
  if (left > 0 && !request.skipsDamaged) {
    const damaged = [...survey.damaged].map(([key, parts]) => {
      if (parts.length === 0) return key;
      return `${key} (${parts.join(', ')})`;
    });
    const lines = [
      ...keyList('Documents that cannot be read', damaged),
      ...keyList('Documents that belong to nobody', survey.foreign),
      'With --skip-damaged these stay where they are, and the rest is copied.',
      'Nothing has been copied.',
    ];
    throw new StoreError(lines.join('\n'));
  }

  await beginFilling(to, fromShown);
  const others = shards === null ? null : marks.otherShards(shards);
  const isForSome = others !== null && others.ids.length > 0;
  const move = { to: fromShown, storeId: from.id, shards: others };
  await marks.writeMark(to, 'moved', isForSome ? { moves: [move] } : null);
  const wanted = wantedDocuments(from, survey, nowMs);
  const written = await finishFilling(tool, to, toShown, wanted, null);
  onFailpoint('copy.checked');
  // A process that was paused for long may have lost it to a bot that has written since then.
  await from.prove();
  if (request.isRetiring && !wasRetired) {
    const moves = [...(await marks.readMoves(from)), { to: toShown, storeId: to.id, shards }];
    await marks.writeMark(from, 'moved', { moves });
    onFailpoint('copy.retired');
  }
  await marks.writeMark(to, 'copying', null);
  const lines = [
    `Copied ${fromShown} to ${toShown}: ${written.length} documents, read back and compared.`,
    ...kindCounts(written).map((counted) => `  ${counted}`),
  ];
  if (left > 0) {
    lines.push(`Left in ${fromShown}: ${left} that cannot be read or belong to nobody.`);
  }
  const isRetired = request.isRetiring || wasRetired;
  const shownShards = shards && marks.shownShards(shards);
  return [...lines, ...startLines(fromShown, toShown, shownShards, isRetired)].join('\n');
}

/**
 * Returns on which of the stores a bot can now start, and with which settings.
 *
 * @param isRetired whether FROM is marked as moved
 */
function startLines(
  from: string,
  to: string,
  shards: string | null,
  isRetired: boolean,
): readonly string[] {
  const whose = shards === null ? '' : ` of shards ${shards}`;
  const isTwice =
    `A bot can still be started on ${from}. ` +
    `If one ran on it and one on ${to}, both would post every alert${whose}: each twice. ` +
    `Start one alone. With --retire a start on ${from} would be refused.`;
  const isMoved =
    `${from} is marked as moved: no bot starts on it any more. ` +
    'Set STORE_URL to the new store.';
  if (shards === null) return [isRetired ? isMoved : isTwice];
  const areMoved =
    `Shards ${shards} of ${from} are marked as moved: no bot with them starts on it any more. ` +
    'A bot with the shards that are left may; it first deletes there what has moved.';
  const rest = 'a bot with these deletes the rest there when it starts.';
  const dropped = `${to} is for shards ${shards}: ${rest}`;
  return [dropped, isRetired ? areMoved : isTwice];
}

/**
 * Rejects data that has moved, except by this same copy, interrupted after FROM was marked.
 *
 * @returns whether it is the same copy
 */
async function refuseMoved(
  from: Store,
  to: Store,
  request: CopyRequest,
  isRepeated: boolean,
): Promise<boolean> {
  const { shards } = request;
  const shown = shownStore(request.from);
  const incomplete = await marks.incompleteness(from, shown);
  if (incomplete !== null) throw new StoreUnfit(incomplete);
  const moves = (await marks.readMoves(from)).filter((move) => marks.overlap(move.shards, shards));
  const [move] = moves;
  if (move === undefined) return false;
  const isOurs = isRepeated && moves.length === 1 && move.storeId === to.id;
  if (isOurs && isDeepStrictEqual(move.shards, shards)) return true;
  const advice = isOurs
    ? 'Repeat the copy that was broken off with the same --shards and --of.'
    : 'Copy from there.';
  throw new StoreUnfit(`${marks.movedText(shown, move)} ${advice}`);
}

/** Returns a heading with the number of keys, and the first keys below it; empty without keys. */
function keyList(heading: string, keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return [];
  const more = keys.length - LISTED_KEYS;
  const lines = keys.slice(0, LISTED_KEYS).map((key) => `  ${printable(key)}`);
  if (more > 0) lines.push(`  … and ${more} more: ${kindCounts(keys).join(', ')}`);
  return [`${heading}: ${keys.length}`, ...lines];
}
