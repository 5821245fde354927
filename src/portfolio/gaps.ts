import * as z from 'zod';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { DAY_SECONDS } from '../lib/time.ts';

/**
 * Time for which gaps are kept, in seconds. The same as for volume, because no digest looks back
 * further.
 */
const KEPT_SECONDS = 32 * DAY_SECONDS;
/**
 * Maximum number of gaps kept for a wallet. Beyond it, the two oldest are merged, including the
 * time between them.
 */
const GAPS_LIMIT = 50;

const spanSchema = z.object({ fromSeconds: z.number(), toSeconds: z.number() });
/** Periods in which records of an endpoint may be missing, in Unix seconds, oldest first. */
export const gapsSchema = z.array(spanSchema.extend({ endpoint: z.enum(ENDPOINT_NAMES) }));
export type Gaps = z.infer<typeof gapsSchema>;
export type GapSpan = Readonly<z.infer<typeof spanSchema>>;

/**
 * Adds a gap, and removes those older than 32 days.
 * @param nowSeconds the venue's clock
 */
export function addGap(gaps: Gaps, gap: Gaps[number], nowSeconds: number): Gaps {
  const kept = [...gaps, gap].filter(({ toSeconds }) => toSeconds >= nowSeconds - KEPT_SECONDS);
  const own = kept.filter(({ endpoint }) => endpoint === gap.endpoint);
  const [first, second, ...rest] = own;
  if (own.length <= GAPS_LIMIT || first === undefined || second === undefined) return kept;
  const others = kept.filter(({ endpoint }) => endpoint !== gap.endpoint);
  return [...others, { ...gap, ...around([first, second]) }, ...rest];
}

/**
 * Returns the time from an endpoint's first gap in a period to its last, cut to the period, in Unix
 * seconds; null without one.
 */
export function gapBetween(
  gaps: Gaps,
  name: EndpointName,
  { fromSeconds, toSeconds }: GapSpan,
): GapSpan | null {
  const own = gaps.filter(
    (gap) => gap.endpoint === name && gap.toSeconds >= fromSeconds && gap.fromSeconds < toSeconds,
  );
  if (own.length === 0) return null;
  const span = around(own);
  return {
    fromSeconds: Math.max(fromSeconds, span.fromSeconds),
    toSeconds: Math.min(toSeconds, span.toSeconds),
  };
}

function around(spans: readonly GapSpan[]): GapSpan {
  return {
    fromSeconds: Math.min(...spans.map(({ fromSeconds }) => fromSeconds)),
    toSeconds: Math.max(...spans.map(({ toSeconds }) => toSeconds)),
  };
}
