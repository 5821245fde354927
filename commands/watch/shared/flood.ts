import { requireWriting } from '../../../src/discord/member-rights.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import type { Language } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { sum } from '../../../src/lib/exact.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import { outcomeKey } from '../../../src/portfolio/market.ts';
import { SIZES_NEEDED, tradeSizes, usualSizes } from '../../../src/portfolio/trades/sizes.ts';
import { passesWords } from '../../../src/watches/settings/words.ts';
import { passesFilters, type Watch } from '../../../src/watches/watch.ts';
import { SETTINGS, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { button, buttonRow } from '../../shared/buttons.ts';
import { readPressed, requireManaging } from '../mute.ts';
import type { Subcommand } from './subcommand.ts';
import { changeWatch } from './target.ts';
import { channelName, shownWatch } from './words.ts';

const DAY_SECONDS = 86_400;
/** Trades that an estimate needs: fewer may lie close together by chance. */
const TRADES_NEEDED = 10;
/** Trades a day from which on a room is offered fewer. */
const FLOOD_A_DAY = 100;
/** Fills of one purchase that follow each other within this time count once, as their alert does. */
const PIECES_SECONDS = 120;
const COOLDOWN_SECONDS = 600;

/** What a watch is to expect, as far as a wallet's newest trades tell. */
type Expected = NonNullable<ReturnType<typeof expectedTrades>>;

/**
 * Estimates how many trades a watch will alert to: purchases and sales that pass its filters, those in pieces counted once.
 *
 * @param items the wallet's newest records, in any order
 * @param filters the watch's, and the words of its channel
 * @param nowSeconds the venue's clock, Unix seconds
 * @returns null with too few trades, or less than one a day. `tradesADay`, and `usualUsdc`, the median, have two digits; `seconds`: how
 * far back the trades go; `usualUsdc` is 0 with too few of them
 */
export function expectedTrades(
  items: readonly ActivityItem[],
  { settings, words }: { readonly settings: WatchSettings; readonly words: WatchSettings['words'] },
  nowSeconds: number,
) {
  const trades = items
    .filter(({ action }) => action === 'Buy' || action === 'Sell')
    .toSorted((a, b) => a.time - b.time);
  const wanted = trades.filter(
    (item) => passesFilters(settings, { kind: 'activity', item }) && passesWords(words, item),
  );
  const alerts = settings.style === 'each' ? wanted.map((item) => [item]) : purchases(wanted);
  const count = alerts.filter((fills) => sum(fills.map(paidUsdc)).gte(settings.minUsdc)).length;
  const seconds = Math.max(1, nowSeconds - Math.min(...items.map(({ time }) => time)));
  const tradesADay = twoDigits((count * DAY_SECONDS) / seconds);
  if (count < TRADES_NEEDED || tradesADay < 1) return null;
  const sizes = [...tradeSizes(trades).values()].map(([, usdc]) => usdc);
  const median = sizes.length < SIZES_NEEDED ? 0 : (usualSizes(sizes)?.median ?? 0);
  return { tradesADay, seconds, usualUsdc: Number(twoDigits(median).toFixed(2)) };
}

/** @param items oldest first */
function purchases(items: readonly ActivityItem[]): ActivityItem[][] {
  const found: ActivityItem[][] = [];
  for (const fills of groupBy(items, (item) => `${item.action}:${outcomeKey(item)}`).values()) {
    let lastSeconds = Number.NEGATIVE_INFINITY;
    for (const fill of fills) {
      if (fill.time - lastSeconds > PIECES_SECONDS) found.push([]);
      found.at(-1)?.push(fill);
      lastSeconds = fill.time;
    }
  }
  return found;
}

function paidUsdc({ transferNetAmount }: ActivityItem): number {
  return Math.abs(transferNetAmount);
}

function twoDigits(figure: number): number {
  return Number(figure.toPrecision(2));
}

/** How many trades are to be expected, in words. */
export function expectedLine({ tradesADay, seconds }: Expected, { texts, format }: Language): string {
  return texts.watch.flood.about(format.quantity(tradesADay), format.duration(seconds));
}

/** What a button sets, and what it has to find: what somebody has set otherwise meanwhile stays. */
interface Step {
  readonly name: 'cooldownSeconds' | 'minUsdc';
  readonly from: number;
  readonly to: number;
}

/** By the button's own word; each is undone by the next. @param usualUsdc 0 if it is not known */
function stepsFor(usualUsdc: number): ReadonlyMap<string, Step> {
  return new Map([
    ['slow', { name: 'cooldownSeconds', from: 0, to: COOLDOWN_SECONDS }],
    ['fast', { name: 'cooldownSeconds', from: COOLDOWN_SECONDS, to: 0 }],
    ['large', { name: 'minUsdc', from: 0, to: usualUsdc }],
    ['all', { name: 'minUsdc', from: usualUsdc, to: 0 }],
  ]);
}

/** Buttons against a flood: each sets one thing, or takes it back where it is set. None where no flood is expected. */
export function floodButtons(watch: Watch, { tradesADay, usualUsdc }: Expected, language: Language) {
  return tradesADay < FLOOD_A_DAY ? [] : buttonsOf(watch, usualUsdc, language);
}

function buttonsOf({ channelId, wallet, settings }: Watch, usualUsdc: number, { texts, format }: Language) {
  const { flood } = texts.watch;
  const buttons = [...stepsFor(usualUsdc)].flatMap(([word, { name, from, to }]) => {
    if (from === to || settings[name] !== from) return [];
    const amount = format.settingUsdc(usualUsdc);
    const label = name === 'minUsdc' ? flood.minUsdc(amount) : flood.cooldown(format.duration(COOLDOWN_SECONDS));
    return [button(`watch:add:${channelId}:${wallet}:${word}:${usualUsdc}`, to === 0 ? flood.undo(label) : label)];
  });
  return buttons.length === 0 ? [] : [buttonRow(...buttons)];
}

/** A button of {@link floodButtons}. The answer names what changed, above the embed that stays, and has the button that undoes it. */
export const pressFlood: NonNullable<Subcommand['press']> = async (interaction, args, context) => {
  const [channelId = '', wallet = '', word = '', usdc = ''] = args;
  requireManaging(interaction, context);
  requireWriting(interaction, channelId);
  const watch = readPressed(channelId, wallet, context);
  const { data: usualUsdc } = SETTINGS.minUsdc.schema.safeParse(Number(usdc));
  const step = stepsFor(usualUsdc ?? 0).get(word);
  if (usualUsdc === undefined || step === undefined || step.from === step.to) {
    throw new UserError(({ texts }) => texts.watch.mute.unknownButton);
  }
  const { name, from, to } = step;
  const changed = await changeWatch(context, watch, ({ settings, ...present }) => {
    if (settings[name] !== from && settings[name] !== to) throw new UserError(({ texts }) => texts.watch.flood.edited);
    return { ...present, settings: { ...settings, [name]: to } };
  });
  const { language } = context;
  const { flood } = language.texts.watch;
  const content = (to === 0 ? flood.undone : flood.changed)(
    `<@${interaction.user.id}>`,
    shownWatch(changed),
    channelName(channelId, context.place, language),
    SETTINGS[name].say(Math.max(from, to), language, Infinity),
  );
  return { content, components: buttonsOf(changed, usualUsdc, language) };
};
