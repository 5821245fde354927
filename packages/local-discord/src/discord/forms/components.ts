import * as z from 'zod';
import { codePoints, complain, list, snowflake, text, url } from './form.ts';

/** Supported component types (components/reference.mdx). */
export const COMPONENT_TYPES = {
  ACTION_ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  TEXT_DISPLAY: 10,
  LABEL: 18,
  FILE_UPLOAD: 19,
  RADIO_GROUP: 21,
  CHECKBOX_GROUP: 22,
  CHECKBOX: 23,
} as const;

const T = COMPONENT_TYPES;
type Context = Parameters<typeof complain>[0];

export const id = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
  .nullish();
export const customId = z.string().superRefine((value, ctx) => {
  const length = codePoints(value);
  if (length < 1 || length > 100) {
    complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
  }
});
const emoji = z.object({
  id: snowflake.nullish(),
  name: z.string().nullish(),
  animated: z.boolean().nullish(),
});

const button = z
  .object({
    type: z.literal(T.BUTTON),
    id,
    style: z.int().min(1).max(6),
    label: text(0, 80).nullish(),
    emoji: emoji.nullish(),
    custom_id: customId.nullish(),
    url: url(['http', 'https', 'discord'], 512).nullish(),
    sku_id: snowflake.nullish(),
    disabled: z.boolean().nullish(),
  })
  .superRefine((value, ctx) => {
    const isLink = value.style === 5;
    const isPremium = value.style === 6;
    if (isLink && !value.url) complain(ctx, 'BASE_TYPE_REQUIRED', 'A url is required', ['url']);
    if (!isLink && value.url) {
      complain(ctx, 'BUTTON_COMPONENT_URL_INVALID', 'Only link buttons have a url', ['url']);
    }
    if (isPremium && !value.sku_id) {
      complain(ctx, 'BASE_TYPE_REQUIRED', 'This field is required', ['sku_id']);
    }
    if (!isLink && !isPremium && (value.custom_id === undefined || value.custom_id === null)) {
      complain(ctx, 'BASE_TYPE_REQUIRED', 'A custom id is required', ['custom_id']);
    }
    if ((isLink || isPremium) && value.custom_id) {
      complain(ctx, 'BUTTON_COMPONENT_CUSTOM_ID_INVALID', 'This style has no custom id', [
        'custom_id',
      ]);
    }
    if (!isPremium && !value.label && !value.emoji) {
      complain(ctx, 'BASE_TYPE_REQUIRED', 'A label or an emoji is required', ['label']);
    }
  });

const selectOption = z.object({
  label: text(1, 100),
  value: text(1, 100),
  description: text(0, 100).nullish(),
  emoji: emoji.nullish(),
  default: z.boolean().nullish(),
});

/** Fields of every kind of select menu, in messages and in modals. */
export const selectFields = {
  id,
  custom_id: customId,
  placeholder: text(0, 150).nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
  disabled: z.boolean().nullish(),
  required: z.boolean().nullish(),
};

export const stringSelectFields = {
  type: z.literal(T.STRING_SELECT),
  ...selectFields,
  options: list(selectOption, 1, 25),
};

interface Counts {
  readonly min_values?: number | null | undefined;
  readonly max_values?: number | null | undefined;
}

/** Checks `min_values` against `max_values` and `required`. */
export function checkCounts(
  { min_values: min, max_values: max }: Counts,
  isRequired: boolean,
  ctx: Context,
): void {
  if ((min ?? 1) > (max ?? 1)) {
    complain(ctx, 'SELECT_COMPONENT_MIN_ABOVE_MAX', 'min_values must not exceed max_values', [
      'min_values',
    ]);
  }
  if (min === 0 && isRequired) {
    complain(
      ctx,
      'SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES',
      'Select menus marked as required cannot have a min_values of 0',
      ['min_values'],
    );
  }
}

interface Option {
  readonly value: string;
  readonly default?: boolean | null | undefined;
}

/** Checks that each value is unique, and that not too many options are selected by default. */
export function checkOptions(options: readonly Option[], max: number, ctx: Context): void {
  const seen = new Set<string>();
  options.forEach(({ value }, index) => {
    if (seen.has(value)) {
      complain(
        ctx,
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
        ['options', index, 'value'],
      );
    }
    seen.add(value);
  });
  if (options.filter((option) => option.default).length > max) {
    complain(
      ctx,
      'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES',
      'More default options than max_values',
      ['options'],
    );
  }
}

/** Checks the counts and options of a string select menu, or of a checkbox group. */
export function checkSelect(
  select: Counts & { readonly options: readonly Option[] },
  isRequired: boolean,
  ctx: Context,
): void {
  const max = select.max_values ?? 1;
  checkCounts(select, isRequired, ctx);
  checkOptions(select.options, max, ctx);
  if (max > select.options.length) {
    complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'max_values exceeds the number of options', [
      'max_values',
    ]);
  }
}

/** In messages, `required` affects nothing but `min_values` (ISSUE discord-api-docs#7800). */
const stringSelect = z
  .object(stringSelectFields)
  .superRefine((select, ctx) => checkSelect(select, select.required ?? false, ctx));

const inRow = z.discriminatedUnion('type', [button, stringSelect]);
export type InRowComponent = z.output<typeof inRow>;

/**
 * The only top-level component of a message. Components V2 are rejected because no bot here uses
 * them.
 */
export const componentSchema = z
  .object({
    type: z.literal(T.ACTION_ROW),
    id,
    components: list(inRow, 1, 5),
  })
  .superRefine((row, ctx) => {
    const selects = row.components.filter((component) => component.type !== T.BUTTON).length;
    if (selects > 0 && row.components.length > 1) {
      complain(
        ctx,
        'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
        'The specified component exceeds the maximum width',
        ['components'],
      );
    }
  });
export type Component = z.output<typeof componentSchema>;

/**
 * Checks the rules that span the whole message: at most five rows, and unique custom ids
 * (components/reference.mdx).
 */
export function checkComponents(rows: readonly Component[], ctx: Context): void {
  if (rows.length > 5) {
    complain(ctx, 'BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length.', ['components']);
  }
  checkCustomIds(
    rows.flatMap((row, rowIndex) =>
      row.components.map(({ custom_id: key }, index) => ({
        key,
        path: ['components', rowIndex, 'components', index, 'custom_id'],
      })),
    ),
    ctx,
  );
}

interface Placed {
  readonly key: string | null | undefined;
  readonly path: (string | number)[];
}

/** Checks that no two components have the same custom id. */
export function checkCustomIds(customIds: readonly Placed[], ctx: Context): void {
  const seen = new Set<string>();
  for (const { key, path } of customIds) {
    if (key === undefined || key === null) continue;
    if (seen.has(key)) {
      complain(
        ctx,
        'COMPONENT_CUSTOM_ID_DUPLICATED',
        'Component custom id cannot be duplicated',
        path,
      );
    }
    seen.add(key);
  }
}
