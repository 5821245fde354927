import * as z from 'zod';
import type { LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import { figureOption } from '../../slash-commands/options.ts';
import { CENTS } from './cells.ts';
import { readFigure, type Setting } from './setting.ts';

/** Trades outside this price band (inclusive) are not announced. Redemptions and transfers have no price. */
type Band = { min: number; max: number } | null;

const cents = z.number().min(0).max(100);
const takes: LocalizedText = ({ texts }) => texts.watch.settings.accepted.cents;

export const priceCents: Setting<Band> = {
  schema: z
    .object({ min: cents, max: cents })
    .refine(({ min, max }) => min <= max)
    .nullable()
    .default(null),
  options: [
    figureOption('min-price', ({ settings }) => settings.minPrice, 100),
    figureOption('max-price', ({ settings }) => settings.maxPrice, 100),
  ],
  isFilter: true,
  resetName: ({ texts }) => texts.watch.settings.resetPrice,
  read(given, present) {
    const min = readFigure(given, 'min-price', 100, takes, present?.min ?? 0);
    const max = readFigure(given, 'max-price', 100, takes, present?.max ?? 100);
    if (min <= max) return min === 0 && max === 100 ? null : { min, max };
    throw new UserError(({ texts, format }) => texts.watch.settings.bandWrong(format.cents(min), format.cents(max)));
  },
  say({ min, max }, { texts, format }) {
    const { priceUpTo, priceFrom, priceExactly, priceBetween } = texts.watch.settings;
    if (min === 0) return priceUpTo(format.cents(max));
    if (max === 100) return priceFrom(format.cents(min));
    return min === max ? priceExactly(format.cents(min)) : priceBetween(format.cents(min), format.cents(max));
  },
  passes: ({ min, max }, { trade }) => trade === null || (trade.price >= min && trade.price <= max),
  columns: { minPriceCents: (value) => value?.min ?? null, maxPriceCents: (value) => value?.max ?? null },
  fromFile(cells) {
    const [min, max] = [cells.number('minPriceCents', CENTS), cells.number('maxPriceCents', CENTS)];
    if (min === null && max === null) return null;
    const band = { min: min ?? 0, max: max ?? 100 };
    if (band.min <= band.max) return band;
    throw cells.fault(({ bandReversed }) => bandReversed(band.min, band.max));
  },
};
