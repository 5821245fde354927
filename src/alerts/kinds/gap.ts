import * as z from 'zod';
import { ENDPOINT_NAMES, type EndpointName } from '../../domain/records.ts';
import {
  EMBED_COLOURS,
  present,
  smallPrint,
  timeRange,
  walletLink,
} from '../../embeds/embed-parts.ts';
import type { Language } from '../../language/language.ts';
import { type Watch, wantsGapsOf } from '../../watches/watch.ts';
import { type AlertKind, countOf, type Look } from './kind.ts';

const EMOJI = '⚠️';
/**
 * Maximum length of the wallet's URL, in characters. A description has 4,096, and its other text
 * has fewer than 950 code points.
 */
const URL_MAX = 3_100;

const gapSchema = z.object({
  /**
   * `overflow`: more records arrived between two polls than a first page shows. `unclear`: the
   * venue returned unreadable records, or may have changed records. `damage`: the wallet's stored
   * data is unreadable. `backlog`: more alerts waited for a channel that could not be posted to
   * than are kept. `watch`: the channel's watch is unreadable, so that from `fromSeconds` on there
   * are no alerts from either endpoint.
   */
  cause: z.enum(['overflow', 'unclear', 'damage', 'backlog', 'watch']),
  endpoint: z.enum(ENDPOINT_NAMES),
  /** Unix seconds, both ends included. Nothing is missing before or after. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
/** A period in which something may be missing. */
export type Gap = Readonly<z.infer<typeof gapSchema>>;

const schema = z.object({ kind: z.literal('gap'), gap: gapSchema });

export const gapKind: AlertKind<Readonly<z.infer<typeof schema>>> = {
  schema,
  isNotice: true,
  seconds: ({ gap }) => [gap.fromSeconds, gap.toSeconds],
  endpoint: ({ gap }) => gap.endpoint,
  isForNewcomer: ({ gap }, watch, fromSeconds) =>
    gap.toSeconds >= fromSeconds && wantsGap(watch, gap),
  headline({ event: { gap } }, { texts }) {
    const { missing, of } = texts.alerts.headline;
    const sentence = missing[missingKind(gap)];
    return { emoji: EMOJI, says: (wallet) => (wallet === '' ? sentence : of(wallet, sentence)) };
  },
  line({ event }, { wallet, language }) {
    const sentence = gapSentence(event.gap, language);
    return `${EMOJI} ${present(wallet || undefined, sentence)}`;
  },
  embed({ event: { gap }, alerts: [alert] }, { language, links }) {
    const cause = language.texts.alerts.gap.causes[gap.cause];
    const small = smallPrint(cause, walletLink(alert.wallet, links, URL_MAX));
    const lines = [gapSentence(gap, language), ...small];
    return { description: lines.join('\n'), color: EMBED_COLOURS.warning };
  },
  looks: ({ gap }) => [BY_ENDPOINT[gap.endpoint].look],
  sumText: countOf('gaps'),
};

/**
 * True if a watch gets a gap's notice: it began before the gap's end and has not switched off
 * notices for the endpoint.
 */
export function wantsGap(watch: Watch, { toSeconds, endpoint }: Gap): boolean {
  return watch.sinceSeconds <= toSeconds && wantsGapsOf(watch, endpoint);
}

/** Records that may be missing for each endpoint, and the list that shows them. */
const BY_ENDPOINT: Readonly<
  Record<EndpointName, { readonly missing: 'trades' | 'transfers'; readonly look: Look }>
> = {
  activity: { missing: 'trades', look: 'activity' },
  'deposits-withdrawals': { missing: 'transfers', look: 'flows' },
};

function missingKind({ cause, endpoint }: Gap): 'trades' | 'transfers' | 'watch' {
  return cause === 'watch' ? 'watch' : BY_ENDPOINT[endpoint].missing;
}

function gapSentence(gap: Gap, { texts }: Language): string {
  return texts.alerts.gap.missing[missingKind(gap)](...timeRange(gap.fromSeconds, gap.toSeconds));
}
