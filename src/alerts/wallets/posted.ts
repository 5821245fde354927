import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { onlyChannels, type Unannounced } from '../../portfolio/positions/unannounced.ts';
import type { AlertedPositions } from '../../portfolio/results/alerted-positions.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import {
  inChannel,
  inlineBytes,
  isShortOf,
  positionsOfRuns,
  type RunsByChannel,
  runsByChannel,
  storedPositionSchema,
  withoutChannel,
} from './runs.ts';
import {
  channelsById,
  type NewAlert,
  type StoredWallet,
  storedAlertSchema,
  type WalletDocument,
  withoutChannels,
} from './wallet-document.ts';

export const POSTED_PREFIX = 'posted:';

/**
 * A channel's document about a wallet, with what was posted there. It completes the wallet's
 * document of the same `revision`: as long as the revisions match, this document determines the
 * channel's `positions` and the fields below. Once the wallet's document has a higher revision,
 * that one does.
 */
export const postedSchema = z.object({
  channelId: z.string(),
  wallet: walletSchema,
  /** Revision of the wallet's document when this document was written. */
  revision: z.int().min(0),
  positions: z.array(storedPositionSchema).readonly(),
  /** Ids of alerts in the wallet's document that the channel has received or will never receive. */
  done: z.array(z.string()).readonly(),
  /** Outcomes in the wallet document's `unannounced` whose first alert the channel has received. */
  reached: z.array(z.string()).readonly(),
  /** Resulting alerts for this channel only. */
  added: z.array(storedAlertSchema).readonly(),
});

/** A document of this kind in memory. */
export interface Posted extends Omit<Readonly<z.infer<typeof postedSchema>>, 'positions'> {
  readonly positions: AlertedPositions;
}

/** Parts that an acknowledgement changes, in addition to positions. */
export type PostedSince = Pick<Posted, 'done' | 'reached' | 'added'>;
type Since = readonly (PostedSince & Pick<Posted, 'channelId'>)[];
const NOTHING_SINCE: PostedSince = { done: [], reached: [], added: [] };

/** Stored parts of a wallet: its own document's revision, and its channels' documents. */
export interface Parts {
  readonly revision: number;
  readonly posted: ReadonlyMap<string, Posted>;
}

/** Returns the key of a document of this kind. */
export function postedKey({ channelId, wallet }: Pick<Posted, 'channelId' | 'wallet'>): string {
  return `${POSTED_PREFIX}${channelId}:${wallet}`;
}

/** Returns the channel and wallet of a key, or null if the key is not of this kind. */
export function postedPlace(key: string) {
  const [, channelId = '', address] = /^posted:([^:]+):([^:]+)$/.exec(key) ?? [];
  const { data: wallet } = walletSchema.safeParse(address);
  return wallet === undefined ? null : { channelId, wallet };
}

/** Reads a stored document. Returns null if it is invalid or belongs under another key. */
export function readPosted(key: string, stored: unknown): Posted | null {
  const { data } = postedSchema.safeParse(stored);
  if (data === undefined || postedKey(data) !== key) return null;
  return { ...data, positions: inChannel(data.channelId, data.positions) };
}

/** Returns a document in its stored form. */
export function storedPosted(posted: Posted): z.infer<typeof postedSchema> {
  return { ...posted, positions: posted.positions.map(withoutChannel) };
}

/**
 * Returns the wallet's document in its stored form.
 * @param parts what is stored now, including the channels' documents
 */
export function storedWallet({ state, outbox }: WalletDocument, parts: Parts): StoredWallet {
  const { knowledge, ...others } = state;
  const revision = parts.revision + 1;
  if (knowledge === undefined) return { state: others, outbox, revision };
  const alertedPositions = runsByChannel(knowledge.alertedPositions, parts.posted);
  return { state: { ...others, knowledge: { ...knowledge, alertedPositions } }, outbox, revision };
}

/** Documents of a wallet's channels. */
interface Found {
  readonly posted: ReadonlyMap<string, Posted>;
  /** Channels whose document is unreadable. */
  readonly unreadable: Iterable<string>;
}

/**
 * Assembles a wallet from its stored documents.
 * @returns `damaged`: channels whose document is unreadable, lacks something that the wallet's
 *   document refers to, or was written for a later revision. Alerts waiting for these channels and
 *   their positions are lost
 */
export function wholeWallet(stored: StoredWallet, { posted, unreadable }: Found) {
  const { state, outbox, revision } = stored;
  const damaged = damagedChannels(stored, posted, unreadable);
  const sound = [...posted.values()].filter(({ channelId }) => !damaged.has(channelId));
  const since = sound.filter((one) => one.revision === revision);
  const parts = { revision, posted: new Map(sound.map((one) => [one.channelId, one])) };
  const left =
    damaged.size === 0
      ? outbox
      : withoutChannels(outbox, new Map(outbox.map(({ id }) => [id, damaged])));
  const document = withSince({ state, outbox: left }, since, (runs) =>
    positionsOf(runs, parts, damaged),
  );
  return { document, parts, damaged };
}

/**
 * Returns a wallet's document after channels have received some of its alerts.
 * @param since the channels' documents
 * @param positionsIn returns the positions of the given runs
 */
function withSince(
  { state: { knowledge: stored, ...others }, outbox }: Omit<StoredWallet, 'revision'>,
  since: Since,
  positionsIn: (runs: RunsByChannel) => AlertedPositions,
): WalletDocument {
  const left = outboxSince(outbox, since);
  if (stored === undefined) return { state: others, outbox: left };
  const knowledge: WalletKnowledge = {
    ...stored,
    unannounced: unannouncedSince(stored.unannounced, since),
    alertedPositions: positionsIn(stored.alertedPositions),
  };
  return { state: { ...others, knowledge }, outbox: left };
}

/** @param stored positions in the wallet's document, by channel */
function positionsOf(
  stored: RunsByChannel,
  { posted, revision }: Parts,
  damaged: ReadonlySet<string>,
): AlertedPositions {
  const positions: AlertedPositions[number][] = [];
  for (const channelId of new Set([...Object.keys(stored), ...posted.keys()])) {
    if (damaged.has(channelId)) continue;
    const own = posted.get(channelId);
    const runs = own?.revision === revision ? undefined : stored[channelId];
    if (runs === undefined) positions.push(...(own?.positions ?? []));
    else positions.push(...positionsOfRuns(channelId, runs, own?.positions ?? []));
  }
  return positions;
}

/**
 * Parts of a channel's document needed at the start. For its positions, only the markets are
 * needed.
 */
export interface LoadedPosted extends PostedSince, Pick<Posted, 'channelId' | 'revision'> {
  /** Key of each position's market. */
  readonly positions: readonly string[];
}

/**
 * Assembles the parts of a wallet needed at the start.
 * @returns `state`: contains only the positions held in the wallet's own document; `followed`:
 *   market keys of all positions in the channels' documents; `damaged` as in `wholeWallet`
 */
export function wholeAtStart(stored: StoredWallet, posted: ReadonlyMap<string, LoadedPosted>) {
  const { revision } = stored;
  const damaged = damagedChannels(stored, posted, []);
  const all = [...posted.values()];
  const since = all.filter((one) => one.revision === revision);
  const document = withSince(stored, since, (runs) =>
    positionsOf(runs, { revision, posted: new Map() }, damaged),
  );
  return { ...document, followed: all.flatMap(({ positions }) => positions), damaged };
}

/**
 * Returns channels whose documents are damaged, either in themselves or compared with the wallet's
 * document.
 */
function damagedChannels(
  { state: { knowledge }, revision }: StoredWallet,
  posted: ReadonlyMap<string, Posted | LoadedPosted>,
  unreadable: Iterable<string>,
): ReadonlySet<string> {
  const damaged = new Set(unreadable);
  for (const own of posted.values()) if (own.revision > revision) damaged.add(own.channelId);
  for (const [channelId, runs] of Object.entries(knowledge?.alertedPositions ?? {})) {
    const own = posted.get(channelId);
    if (own?.revision === revision) continue;
    if (isShortOf(runs, own?.positions.length)) damaged.add(channelId);
  }
  return damaged;
}

/**
 * Returns a wallet's alerts that still wait after channels have received some of them.
 * @param since the channels' documents
 */
function outboxSince(outbox: readonly NewAlert[], since: Since): readonly NewAlert[] {
  if (since.length === 0) return outbox;
  const got = since.flatMap(({ channelId, done }) =>
    done.map((id) => ({ id, channels: [channelId] })),
  );
  const left = withoutChannels(outbox, channelsById(got));
  const added = since.flatMap((one) => one.added);
  return [...left, ...added.toSorted((a, b) => a.seenAtMs - b.seenAtMs)];
}

/**
 * Returns the unannounced positions without those that channels have since received an alert about.
 */
function unannouncedSince(before: Unannounced, since: Since): Unannounced {
  const reached = new Set(
    since.flatMap((one) => one.reached.map((outcome) => `${one.channelId} ${outcome}`)),
  );
  if (reached.size === 0) return before;
  return onlyChannels(before, (channelId, outcome) => !reached.has(`${channelId} ${outcome}`));
}

/**
 * Returns a channel's document after an acknowledgement, if nothing else changes.
 * @param since the channel's current positions; `done`: all acknowledged ids; `added`: resulting
 *   alerts
 * @returns null if another part of the wallet changes as well
 */
export function postedAfter(
  { state: before, outbox }: WalletDocument,
  { state: after }: WalletDocument,
  parts: Parts,
  since: Pick<Posted, 'channelId' | 'wallet' | 'positions' | 'done' | 'added'>,
): Posted | null {
  const { channelId, wallet, positions } = since;
  if (!isOfChannelsAlone(before, after)) return null;
  const reached = reachedBetween(before.knowledge, after.knowledge, channelId);
  const known = parts.posted.get(channelId);
  const earlier = known?.revision === parts.revision ? known : NOTHING_SINCE;
  const addedIds = new Set(earlier.added.map(({ id }) => id));
  const ids = new Set(since.done);
  const done = outbox
    .filter(({ id, channels }) => ids.has(id) && channels.includes(channelId) && !addedIds.has(id))
    .map(({ id }) => id);
  return {
    channelId,
    wallet,
    positions,
    revision: parts.revision,
    done: [...earlier.done, ...done],
    reached: [...earlier.reached, ...reached],
    added: [...earlier.added.filter(({ id }) => !ids.has(id)), ...since.added],
  };
}

/** Names of the parts of a wallet's knowledge that channels' documents also contain. */
const OF_CHANNELS: ReadonlySet<string> = new Set(['alertedPositions', 'unannounced']);

/** True if two states differ only in the parts that channels' documents contain. */
function isOfChannelsAlone(
  before: WalletDocument['state'],
  after: WalletDocument['state'],
): boolean {
  const { knowledge: known, ...others } = before;
  const { knowledge: next, ...rest } = after;
  return isSameBut(others, rest, new Set()) && isSameBut(known ?? {}, next ?? {}, OF_CHANNELS);
}

function isSameBut(before: object, after: object, names: ReadonlySet<string>): boolean {
  const values = new Map<string, unknown>(Object.entries(before));
  const others = Object.entries(after).filter(([name]) => !names.has(name));
  return (
    Object.keys(before).every((name) => names.has(name) || Object.hasOwn(after, name)) &&
    others.every(([name, value]) => values.get(name) === value)
  );
}

/** Returns the outcomes for which the channel is no longer listed as unannounced. */
function reachedBetween(
  before: WalletKnowledge | undefined,
  after: WalletKnowledge | undefined,
  channelId: string,
): readonly string[] {
  const same = new Set(after?.unannounced);
  const changed = (before?.unannounced ?? []).filter((position) => !same.has(position));
  const isUnreached = ({ outcome }: Unannounced[number]) =>
    after?.unannounced.some((one) => one.outcome === outcome && one.channels.includes(channelId));
  return changed
    .filter((position) => position.channels.includes(channelId) && isUnreached(position) !== true)
    .map(({ outcome }) => outcome);
}

/**
 * Maximum size of the positions that a wallet's document holds itself, in bytes. Beyond it, they
 * move to the channels' documents.
 */
const INLINE_BYTES = 100_000;
/** Maximum number of channels' documents written before one page. */
const FLUSHED_AT_ONCE = 20;

/**
 * Returns channels' documents to write before the wallet's, so that they hold positions it would
 * otherwise contain. The content stays the same, so this is allowed at any time.
 * @param document the document as stored now
 */
export function flushed(
  { state: { knowledge } }: WalletDocument,
  wallet: WalletAddress,
  parts: Parts,
): readonly Posted[] {
  if (knowledge === undefined) return [];
  const runs = runsByChannel(knowledge.alertedPositions, parts.posted);
  const sized = Object.entries(runs)
    .map(([channelId, own]) => ({ channelId, bytes: inlineBytes(own) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  let left = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  const chosen: Posted[] = [];
  for (const { channelId, bytes } of sized.slice(0, FLUSHED_AT_ONCE)) {
    if (left <= INLINE_BYTES) break;
    left -= bytes;
    const positions = knowledge.alertedPositions.filter((one) => one.channelId === channelId);
    const place = { channelId, wallet, revision: parts.revision };
    chosen.push({ ...place, positions, ...NOTHING_SINCE });
  }
  return chosen;
}
