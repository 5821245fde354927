import * as z from 'zod';
import { codePoints, complain, list, snowflake, text, url } from './form.ts';

/** Component types (components/reference.mdx) that a bot here may use. */
export const COMPONENT_TYPES = { ACTION_ROW: 1, BUTTON: 2, STRING_SELECT: 3 } as const;

const T = COMPONENT_TYPES;
const id = z.int().min(0).nullish();
const customId = z.string().superRefine((value, ctx) => {
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

const stringSelect = z
  .object({
    type: z.literal(T.STRING_SELECT),
    id,
    custom_id: customId,
    placeholder: text(0, 150).nullish(),
    min_values: z.int().min(0).max(25).nullish(),
    max_values: z.int().min(1).max(25).nullish(),
    disabled: z.boolean().nullish(),
    required: z.boolean().nullish(),
    options: list(selectOption, 1, 25),
  })
  .superRefine((value, ctx) => {
    if ((value.min_values ?? 1) > (value.max_values ?? 1)) {
      complain(ctx, 'SELECT_COMPONENT_MIN_ABOVE_MAX', 'min_values must not exceed max_values', [
        'min_values',
      ]);
    }
    const seen = new Set<string>();
    value.options.forEach((option, index) => {
      if (seen.has(option.value)) {
        complain(
          ctx,
          'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
          'The specified option value is already used',
          ['options', index, 'value'],
        );
      }
      seen.add(option.value);
    });
    if ((value.max_values ?? 1) > value.options.length) {
      complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'max_values exceeds the number of options', [
        'max_values',
      ]);
    }
    if (value.options.filter((option) => option.default).length > (value.max_values ?? 1)) {
      complain(
        ctx,
        'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES',
        'More default options than max_values',
        ['options'],
      );
    }
  });

const inRow = z.discriminatedUnion('type', [button, stringSelect]);
export type InRowComponent = z.output<typeof inRow>;

/**
 * The only component at the top of a message: those of Components V2 are refused, no bot here uses
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
 * Rules that span the whole message: five rows, and each custom id once (components/reference.mdx).
 */
export function checkComponents(
  rows: readonly Component[],
  ctx: Parameters<typeof complain>[0],
): void {
  if (rows.length > 5) {
    complain(ctx, 'BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length.', ['components']);
  }
  const seen = new Set<string>();
  rows.forEach((row, rowIndex) => {
    row.components.forEach(({ custom_id: key }, index) => {
      if (key === undefined || key === null) return;
      if (seen.has(key)) {
        const path = ['components', rowIndex, 'components', index, 'custom_id'];
        complain(
          ctx,
          'COMPONENT_CUSTOM_ID_DUPLICATED',
          'Component custom id cannot be duplicated',
          path,
        );
      }
      seen.add(key);
    });
  });
}
