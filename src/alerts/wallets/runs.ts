import * as z from 'zod';
import { groupBy } from '../../lib/group-by.ts';
import {
  type AlertedPositions,
  alertedPositionSchema,
} from '../../portfolio/results/alerted-positions.ts';

/** A position in its stored form. Its container names the channel. */
export const storedPositionSchema = alertedPositionSchema.omit({ channelId: true });
export type StoredPosition = z.infer<typeof storedPositionSchema>;

/**
 * A channel's positions in the wallet's document. Positions held in the channel's document are
 * given as ranges of indexes there (from, to); others are stored here. A channel that has a
 * document has at least one range, possibly `[0, 0]`, so that a missing document is noticed.
 */
const runsSchema = z.array(z.union([z.tuple([z.int().min(0), z.int()]), storedPositionSchema]));
export type Runs = z.infer<typeof runsSchema>;

/** Positions by channel. For a channel that is left out, its own document determines them. */
export const runsByChannelSchema = z.record(z.string(), runsSchema);
export type RunsByChannel = Readonly<Record<string, Runs>>;

/** @param documents positions in each channel's document */
export function runsByChannel(
  positions: AlertedPositions,
  documents: ReadonlyMap<string, { readonly positions: AlertedPositions }>,
): RunsByChannel {
  const byChannel = groupBy(positions, ({ channelId }) => channelId);
  const runs: Record<string, Runs> = {};
  for (const channelId of new Set([...byChannel.keys(), ...documents.keys()])) {
    runs[channelId] = runsOf(byChannel.get(channelId) ?? [], documents.get(channelId)?.positions);
  }
  return runs;
}

/** @param own positions in the channel's document; undefined if it has none */
function runsOf(positions: AlertedPositions, own: AlertedPositions | undefined): Runs {
  if (own === undefined) return positions.map(withoutChannel);
  const isSame =
    positions.length === own.length && positions.every((one, index) => one === own[index]);
  if (isSame) return [[0, own.length]];
  const places = new Map(own.map((position, place) => [position, place]));
  const runs: Runs = [[0, 0]];
  for (const position of positions) {
    const place = places.get(position);
    const last = runs.at(-1);
    if (place === undefined) runs.push(withoutChannel(position));
    else if (Array.isArray(last) && last[1] === place) last[1] = place + 1;
    else runs.push([place, place + 1]);
  }
  return runs;
}

/**
 * Returns the positions that runs refer to.
 * @param own positions in the channel's document
 */
export function positionsOfRuns(
  channelId: string,
  runs: Runs,
  own: AlertedPositions,
): AlertedPositions {
  return runs.flatMap((run) => (Array.isArray(run) ? own.slice(...run) : [{ ...run, channelId }]));
}

/**
 * Whether a channel's document lacks positions that the runs refer to.
 * @param length number of positions in the document; undefined if there is no document
 */
export function isShortOf(runs: Runs, length: number | undefined): boolean {
  return runs.some((run) => Array.isArray(run) && (length === undefined || run[1] > length));
}

/** Returns the size of the positions that the wallet's document holds itself, in bytes. */
export function inlineBytes(runs: Runs): number {
  const inline = runs.filter((run) => !Array.isArray(run));
  return inline.length === 0 ? 0 : JSON.stringify(inline).length;
}

export function inChannel(
  channelId: string,
  positions: readonly StoredPosition[],
): AlertedPositions {
  return positions.map((position) => ({ ...position, channelId }));
}

export function withoutChannel({
  channelId: _,
  ...position
}: AlertedPositions[number]): StoredPosition {
  return position;
}
