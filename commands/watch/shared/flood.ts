import { requireWriting } from '../../../src/discord/permissions.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import type { Language } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { sum } from '../../../src/lib/exact.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import { DAY_SECONDS } from '../../../src/lib/time.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import { outcomeKey } from '../../../src/portfolio/market.ts';
import { EFFECTS } from '../../../src/portfolio/trade-context.ts';
import { SIZES_NEEDED, tradeSizes, usualSizes } from '../../../src/portfolio/trades/trades.ts';
import { passesWords } from '../../../src/watches/settings/words.ts';
import { passesFilters, type Watch } from '../../../src/watches/watch.ts';
import { SETTINGS, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { addedRow } from '../panel/rows.ts';
import {
  changeWatch,
  readPressed,
  requireManaging,
  type Subcommand,
  unknownButton,
} from './command.ts';
import { channelName, shownWatch } from './words.ts';

/** Minimum number of trades for an estimate, because fewer may be close together by chance. */
const TRADES_NEEDED = 10;
/** Number of trades per day from which on a channel is offered settings with fewer alerts. */
export const FLOOD_A_DAY = 100;
/**
 * Maximum time between consecutive fills of one purchase that count once, as their alert does, in
 * seconds.
 */
const PIECES_SECONDS = 120;
const COOLDOWN_SECONDS = 600;

/**
 * Estimates how many alerts a watch will get about trades: buys and sells that pass its filters. A
 * trade in several fills counts once.
 * @param items the wallet's newest records, in any order
 * @param filters the watch's filters, and the words of its channel
 * @param nowSeconds the venue's clock, in Unix seconds
 * @returns null if there are too few trades, or fewer than one a day, or if the filters depend on
 *   the position. `tradesADay` and `usualUsdc`, the median, have two significant digits; `seconds`:
 *   how far back the trades go; `usualUsdc` is 0 if there are too few of them
 */
export function expectedTrades(
  items: readonly ActivityItem[],
  { settings, words }: { readonly settings: WatchSettings } & Pick<WatchSettings, 'words'>,
  nowSeconds: number,
) {
  const asksEffect = settings.kinds?.some((kind) => EFFECTS.some((effect) => effect === kind));
  if (asksEffect) return null;
  const trades = items
    .filter(({ action }) => action === 'Buy' || action === 'Sell')
    .toSorted((a, b) => a.time - b.time);
  const isWanted = (item: ActivityItem) =>
    passesFilters(settings, { kind: 'activity', item }) && passesWords(words, item);
  const wanted = trades.filter(isWanted);
  const alerts = settings.style === 'each' ? wanted.map((item) => [item]) : purchases(wanted);
  const usdcOf = (fills: readonly ActivityItem[]) =>
    sum(fills.map((fill) => Math.abs(fill.transferNetAmount)));
  const count = alerts.filter((fills) => usdcOf(fills).gte(settings.minUsdc)).length;
  const oldestSeconds = Math.min(...items.map(({ time }) => time));
  const seconds = Math.max(1, nowSeconds - oldestSeconds);
  const tradesADay = inTwoDigits((count * DAY_SECONDS) / seconds);
  if (count < TRADES_NEEDED || tradesADay < 1) return null;
  const sizes = [...tradeSizes(trades).values()].map(([, usdc]) => usdc);
  const median = sizes.length < SIZES_NEEDED ? 0 : (usualSizes(sizes)?.median ?? 0);
  const usualUsdc = Number(inTwoDigits(median).toFixed(2));
  return { tradesADay, seconds, usualUsdc };
}

function inTwoDigits(value: number): number {
  return Number(value.toPrecision(2));
}

/** @param items oldest first */
function purchases(items: readonly ActivityItem[]): ActivityItem[][] {
  const found: ActivityItem[][] = [];
  const ofOutcome = groupBy(items, (item) => `${item.action}:${outcomeKey(item)}`);
  for (const fills of ofOutcome.values()) {
    let lastSeconds = Number.NEGATIVE_INFINITY;
    for (const fill of fills) {
      if (fill.time - lastSeconds > PIECES_SECONDS) found.push([]);
      found.at(-1)?.push(fill);
      lastSeconds = fill.time;
    }
  }
  return found;
}

/**
 * Returns buttons that reduce a flood of alerts. Each button sets one setting, or undoes it if it
 * is set.
 */
export function floodButtons(
  { channelId, wallet, settings }: Watch,
  usualUsdc: number,
  { texts, format }: Language,
) {
  const { flood } = texts.watch;
  const offered = [
    ['cooldownSeconds', COOLDOWN_SECONDS, flood.cooldown(format.duration(COOLDOWN_SECONDS))],
    ['minUsdc', usualUsdc, flood.minUsdc(format.settingUsdc(usualUsdc))],
  ] as const;
  const buttons = [];
  for (const [name, value, label] of offered) {
    if (value === 0) continue;
    const idOf = (wanted: number) =>
      `watch:add:${channelId}:${wallet}:${name}:${wanted}:${usualUsdc}`;
    // A setting that someone has set to another value stays.
    if (settings[name] === 0) buttons.push(button(idOf(value), label));
    else if (settings[name] === value) buttons.push(button(idOf(0), flood.undo(label)));
  }
  if (buttons.length === 0) return [];
  return [buttonRow(...buttons)];
}

/**
 * Handles a button of {@link floodButtons}. The answer names the change above the embed, which
 * stays, and has an undo button.
 */
export const pressFlood: NonNullable<Subcommand['press']> = async (interaction, args, context) => {
  const [channelId = '', wallet = '', name = '', wanted = '', usdc = ''] = args;
  requireManaging(context);
  requireWriting(interaction, channelId);
  const watch = readPressed(channelId, wallet, context);
  const usualUsdc = SETTINGS.minUsdc.schema.safeParse(Number(usdc)).data ?? 0;
  const value = name === 'minUsdc' ? usualUsdc : COOLDOWN_SECONDS;
  const isKnown = value > 0 && ['0', String(value)].includes(wanted);
  if (!isKnown || (name !== 'minUsdc' && name !== 'cooldownSeconds')) {
    throw unknownButton();
  }
  const changed = await changeWatch(context, watch, ({ settings, ...present }) => {
    if (![0, value].includes(settings[name])) {
      throw new UserError(({ texts }) => texts.watch.flood.edited);
    }
    return { ...present, settings: { ...settings, [name]: Number(wanted) } };
  });
  const { language } = context;
  const { flood } = language.texts.watch;
  const say = wanted === '0' ? flood.undone : flood.changed;
  const content = say(
    `<@${context.personId}>`,
    shownWatch(changed),
    channelName(channelId, context),
    SETTINGS[name].say(value, language, Infinity),
  );
  const components = [...floodButtons(changed, usualUsdc, language), addedRow(changed, context)];
  return { content, components };
};
