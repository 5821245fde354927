import type { Alert } from '../alerts/alert.ts';
import { type AlertGroup, totalUsdc } from '../alerts/alert-group.ts';
import { fillsOf, type GroupSums, resultsOf, sumUp } from '../alerts/group.ts';
import { parseAddress, shortAddress, type WalletAddress, ZERO_ADDRESS } from '../domain/address.ts';
import { type ActionKind, actionKind, transferKind } from '../domain/kinds.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { type Headline, marketNameOf, missingKind, outcomeNames, present } from './embed-parts.ts';
import { readFlow } from './flow.ts';
import { consensusHeadline, resultGain, resultHeadline } from './news-embed.ts';
import { escapeText, wordAmongFigures } from './text/escape.ts';

/** The wide emoji that begin first lines: a direction is seen without its colour and without reading. */
const EMOJI = { buy: '🟢', sell: '🔴', redeem: '🏁', deposit: '⬇️', withdrawal: '⬆️', other: '⚪' } as const;
const MISSING = '⚠️';
const LATE = '🕓';
const WORD_MAX = 24;
/** Code points. */
const NAME_MAX = 24;
/** Ems that two lines of a phone (390 px) hold, what a word too long leaves at the end of the first one taken off. */
const TWO_LINES = 33;
/** A market's name is not cut below this. */
const LEAST_NAME = 5;
/** Characters that are drawn as wide as they are high, and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60mwMW%@…]/u;
const NARROW = /[ .,:;'’|!ijlItfr()·\p{M}\p{Cf}]/u;
const BROAD = /[\p{Lu}\d$≈+−±×]/u;

/** What is said of one alert, or of fills that belong together. */
type Announced = Pick<AlertGroup, 'alerts' | 'earlierUsdc'>;

/** Says of one alert, or of fills that belong together, what happened: `🟢 Whale BUY **Yes** $786.34 at 63.6¢`. */
export function headlineOf(group: Announced, language: Language): Headline {
  const [{ event }] = group.alerts;
  switch (event.kind) {
    case 'activity':
      return tradeHeadline(group, language);
    case 'transfer':
      return transferHeadline(event.item, language);
    case 'consensus':
      return consensusHeadline(event.consensus, language);
    case 'result':
      return resultHeadline(event.result, language);
    case 'gap': {
      const { missing } = language.texts.alerts.headline;
      const said = missing[missingKind(event.gap)];
      return { emoji: MISSING, says: ownedBy(said, language), market: undefined };
    }
  }
}

/**
 * The text above the embeds, which is all that a lock screen shows: the first line of the largest of these groups, and how
 * many more there are. Two lines on a phone.
 */
export function messageContent(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  labelOf: (wallet: WalletAddress) => string | undefined,
  language: Language,
): string {
  const { format, texts } = language;
  const sizes = groups.map((group) => totalUsdc(group)?.toNumber() ?? 0);
  const largest = groups[sizes.indexOf(Math.max(...sizes))] ?? groups[0];
  const [{ wallet }] = largest.alerts;
  const name = escapeText(labelOf(wallet) ?? '', NAME_MAX, shortAddress(wallet));
  const { emoji, says, market } =
    largest.kind === 'late' ? lateHeadline(largest.alerts, language) : headlineOf(largest, language);
  const left = groups.length - 1;
  const more = left === 0 ? undefined : texts.alerts.headline.more(format.quantity(left), left);
  const said = `${emoji} ${says(name)}`;
  if (market === undefined) return present(said, more);
  const room = Math.max(LEAST_NAME, TWO_LINES - emsIn(present(said, '', more)));
  const title = marketNameOf(market);
  return present(said, escapeText(title, codePointsWithin(title, room), texts.alerts.marketWithoutTitle), more);
}

/** Several alerts of a wallet that come late. */
function lateHeadline(alerts: readonly Alert[], language: Language): Headline {
  const said = language.texts.alerts.headline.late(language.format.quantity(alerts.length), alerts.length);
  return { emoji: LATE, says: ownedBy(said, language), market: undefined };
}

/** `Whale: 14 alerts arriving late`. */
function ownedBy(said: string, { texts }: Language): Headline['says'] {
  return (wallet) => (wallet === '' ? said : texts.alerts.headline.of(wallet, said));
}

function tradeHeadline(group: Announced, language: Language): Headline {
  const { texts, format } = language;
  const items = fillsOf(group.alerts);
  const { headline } = texts.alerts;
  const sums = sumUp(items);
  const newest = newestOf(items);
  const kind = actionKind(newest.action);
  const action = kind === 'other' ? wordAmongFigures(newest.action, WORD_MAX, headline.unknownAction) : headline[kind];
  const outcome = outcomeNames(items, WORD_MAX, headline.unknownOutcome);
  // A redemption carries 100 cents, at which nobody traded.
  const price = kind === 'redeem' ? undefined : averagePrice(sums);
  const said = headline.trade(
    action,
    outcome,
    flow(kind, sums, language),
    price === undefined ? price : format.cents(price),
  );
  const total = group.earlierUsdc === undefined ? null : totalUsdc(group);
  const part = total === null ? undefined : headline.partOf(format.roundUsdc(total.toNumber()));
  const gains = resultsOf(group.alerts).map((result) => resultGain(result, language));
  return { emoji: EMOJI[kind], says: (wallet) => present(spaced(wallet, said), part, ...gains), market: newest };
}

/** What was paid or received, by the sign of the amount. That is said where the action does not say it already. */
function flow(kind: ActionKind, { netUsdc }: GroupSums, { texts, format }: Language): string {
  const { direction, usdc } = readFlow(netUsdc.toNumber());
  const amount = format.roundUsdc(usdc);
  const isSaid = kind === 'buy' ? direction !== 'received' : kind !== 'other' && direction !== 'paid';
  return isSaid ? amount : texts.alerts.lines[direction](amount);
}

/** The newest of the items: a market's titles may change. */
export function newestOf(items: readonly ActivityItem[]): ActivityItem {
  return items.reduce((newest, item) => (item.time >= newest.time ? item : newest));
}

/** Volume-weighted, in cents; undefined without shares. */
function averagePrice({ averageCents, lowestCents, highestCents }: GroupSums): number | undefined {
  return lowestCents === highestCents ? lowestCents : averageCents?.toNumber();
}

function transferHeadline(item: TransferItem, { texts, format }: Language): Headline {
  const { headline, lines, transfers } = texts.alerts;
  const kind = transferKind(item.type);
  const amount = `**${format.roundUsdc(item.amount)}**`;
  const moved =
    kind === 'other'
      ? headline.otherTransfer(wordAmongFigures(item.type, WORD_MAX, headline.unknownTransfer), amount)
      : headline[kind](amount);
  const parsed = parseAddress(item.address);
  const address = parsed.ok
    ? shortAddress(parsed.address)
    : escapeText(item.address, WORD_MAX, transfers.unknownAddress);
  const where = isBridged(item)
    ? lines.viaBridge
    : lines[kind === 'deposit' ? 'from' : kind === 'withdrawal' ? 'to' : 'otherSide'](address);
  const said = headline.moved(moved, where);
  return { emoji: EMOJI[kind], says: (wallet) => spaced(wallet, said), market: undefined };
}

/** A deposit from the zero address came over a bridge, its sender is unknown. */
export function isBridged({ type, address }: TransferItem): boolean {
  return transferKind(type) === 'deposit' && address.toLowerCase() === ZERO_ADDRESS;
}

function spaced(wallet: string, said: string): string {
  return wallet === '' ? said : `${wallet} ${said}`;
}

/** About how wide a text is drawn, in ems of a grotesque. Marks of markdown do not show. */
function emsIn(markdown: string): number {
  return Array.from(markdown.replaceAll('**', '').replaceAll('\\', '')).reduce((ems, one) => ems + emsOf(one), 0);
}

function emsOf(character: string): number {
  if (WIDE.test(character)) return 1;
  if (NARROW.test(character)) return 0.29;
  return BROAD.test(character) ? 0.62 : 0.54;
}

/** How many code points of an escaped text fit a width. At least 1; enough for all of it, escapes included, if it fits. */
function codePointsWithin(text: string, ems: number): number {
  let left = ems;
  let count = 0;
  for (const character of text) {
    left -= emsOf(character);
    if (left < 0) return Math.max(1, count);
    count += 1;
  }
  return 2 * count + 1;
}
