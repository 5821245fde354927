import { z } from 'zod';
import { codePoints, complain, list, snowflake, text, url } from './form.ts';

/** Component types (components/reference.mdx). */
export const COMPONENT_TYPES = {
  ACTION_ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  SECTION: 9,
  TEXT_DISPLAY: 10,
  THUMBNAIL: 11,
  MEDIA_GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  CONTAINER: 17,
} as const;

const T = COMPONENT_TYPES;
const id = z.int().min(0).nullish();
const customId = z.string().superRefine((value, ctx) => {
  const length = codePoints(value);
  if (length < 1 || length > 100) complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
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
    if (!isLink && value.url) complain(ctx, 'BUTTON_COMPONENT_URL_INVALID', 'Only link buttons have a url', ['url']);
    if (isPremium && !value.sku_id) complain(ctx, 'BASE_TYPE_REQUIRED', 'This field is required', ['sku_id']);
    if (!isLink && !isPremium && (value.custom_id === undefined || value.custom_id === null)) {
      complain(ctx, 'BASE_TYPE_REQUIRED', 'A custom id is required', ['custom_id']);
    }
    if ((isLink || isPremium) && value.custom_id) {
      complain(ctx, 'BUTTON_COMPONENT_CUSTOM_ID_INVALID', 'This style has no custom id', ['custom_id']);
    }
    if (!isPremium && !value.label && !value.emoji) {
      complain(ctx, 'BASE_TYPE_REQUIRED', 'A label or an emoji is required', ['label']);
    }
  });

const selectBase = {
  id,
  custom_id: customId,
  placeholder: text(0, 150).nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
  disabled: z.boolean().nullish(),
  required: z.boolean().nullish(),
};

const selectOption = z.object({
  label: text(1, 100),
  value: text(1, 100),
  description: text(0, 100).nullish(),
  emoji: emoji.nullish(),
  default: z.boolean().nullish(),
});

interface Range {
  readonly min_values?: number | null | undefined;
  readonly max_values?: number | null | undefined;
}

function checkRange(value: Range, ctx: Parameters<typeof complain>[0]): void {
  if ((value.min_values ?? 1) > (value.max_values ?? 1)) {
    complain(ctx, 'SELECT_COMPONENT_MIN_ABOVE_MAX', 'min_values must not exceed max_values', ['min_values']);
  }
}

const stringSelect = z
  .object({ type: z.literal(T.STRING_SELECT), ...selectBase, options: list(selectOption, 1, 25) })
  .superRefine((value, ctx) => {
    checkRange(value, ctx);
    const seen = new Set<string>();
    value.options.forEach((option, index) => {
      if (seen.has(option.value)) {
        complain(ctx, 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', 'The specified option value is already used', [
          'options',
          index,
          'value',
        ]);
      }
      seen.add(option.value);
    });
    if ((value.max_values ?? 1) > value.options.length) {
      complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'max_values exceeds the number of options', ['max_values']);
    }
    if (value.options.filter((option) => option.default).length > (value.max_values ?? 1)) {
      complain(ctx, 'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES', 'More default options than max_values', ['options']);
    }
  });

function entitySelect<Type extends number>(type: Type) {
  return z
    .object({
      type: z.literal(type),
      ...selectBase,
      channel_types: z.array(z.int()).nullish(),
      default_values: z.array(z.object({ id: snowflake, type: z.enum(['user', 'role', 'channel']) })).nullish(),
    })
    .superRefine(checkRange);
}

const inRow = z.discriminatedUnion('type', [
  button,
  stringSelect,
  entitySelect(T.USER_SELECT),
  entitySelect(T.ROLE_SELECT),
  entitySelect(T.MENTIONABLE_SELECT),
  entitySelect(T.CHANNEL_SELECT),
]);
export type InRowComponent = z.output<typeof inRow>;

const actionRow = z
  .object({ type: z.literal(T.ACTION_ROW), id, components: list(inRow, 1, 5) })
  .superRefine((row, ctx) => {
    const selects = row.components.filter((component) => component.type !== T.BUTTON).length;
    if (selects > 0 && row.components.length > 1) {
      complain(ctx, 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'The specified component exceeds the maximum width', [
        'components',
      ]);
    }
  });

const mediaUrl = z.object({ url: url(['http', 'https', 'attachment']) });
const textDisplay = z.object({ type: z.literal(T.TEXT_DISPLAY), id, content: text(1, 4000) });
const thumbnail = z.object({
  type: z.literal(T.THUMBNAIL),
  id,
  media: mediaUrl,
  description: text(0, 1024).nullish(),
  spoiler: z.boolean().nullish(),
});
const section = z.object({
  type: z.literal(T.SECTION),
  id,
  components: list(textDisplay, 1, 3),
  accessory: z.discriminatedUnion('type', [button, thumbnail]),
});
const mediaGallery = z.object({
  type: z.literal(T.MEDIA_GALLERY),
  id,
  items: list(
    z.object({ media: mediaUrl, description: text(0, 1024).nullish(), spoiler: z.boolean().nullish() }),
    1,
    10,
  ),
});
const file = z.object({
  type: z.literal(T.FILE),
  id,
  file: z.object({ url: url(['attachment']) }),
  spoiler: z.boolean().nullish(),
});
const separator = z.object({
  type: z.literal(T.SEPARATOR),
  id,
  divider: z.boolean().nullish(),
  spacing: z.int().min(1).max(2).nullish(),
});
const container = z.object({
  type: z.literal(T.CONTAINER),
  id,
  components: list(
    z.discriminatedUnion('type', [actionRow, section, textDisplay, mediaGallery, file, separator]),
    1,
    40,
  ),
  accent_color: z.int().min(0).max(16_777_215).nullish(),
  spoiler: z.boolean().nullish(),
});

/** Any component that may stand at the top of a message. */
export const componentSchema = z.discriminatedUnion('type', [
  actionRow,
  section,
  textDisplay,
  mediaGallery,
  file,
  separator,
  container,
]);
export type Component = z.output<typeof componentSchema>;

type AnyComponent = Component | InRowComponent | z.output<typeof thumbnail>;

/** All components, depth first, with where each stands. */
export function flatten(
  components: readonly AnyComponent[],
  path: (string | number)[] = [],
): { component: AnyComponent; path: (string | number)[] }[] {
  return components.flatMap((component, index) => {
    const here = [...path, index];
    const inner = 'components' in component ? flatten(component.components, [...here, 'components']) : [];
    const accessory =
      component.type === T.SECTION ? [{ component: component.accessory, path: [...here, 'accessory'] }] : [];
    return [{ component, path: here }, ...inner, ...accessory];
  });
}

/** The components with which a person can do something. */
export function interactive(components: readonly Component[]): InRowComponent[] {
  return flatten(components).flatMap(({ component }) => {
    switch (component.type) {
      case T.BUTTON:
      case T.STRING_SELECT:
      case T.USER_SELECT:
      case T.ROLE_SELECT:
      case T.MENTIONABLE_SELECT:
      case T.CHANNEL_SELECT:
        return [component];
      default:
        return [];
    }
  });
}

/** The texts of Components V2, in which mentions count as well. */
export function displayedTexts(components: readonly Component[]): string[] {
  return flatten(components).flatMap(({ component }) => (component.type === T.TEXT_DISPLAY ? [component.content] : []));
}

/** Rules that span the whole message: rows, custom ids, and what Components V2 allows (components/reference.mdx). */
export function checkComponents(
  components: readonly Component[],
  isV2: boolean,
  ctx: Parameters<typeof complain>[0],
): void {
  const all = flatten(components, ['components']);
  const seen = new Set<string>();
  for (const { component, path } of all) {
    const key = 'custom_id' in component ? component.custom_id : undefined;
    if (key === undefined || key === null) continue;
    if (seen.has(key)) {
      complain(ctx, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated', [
        ...path,
        'custom_id',
      ]);
    }
    seen.add(key);
  }
  if (isV2) {
    if (all.length > 40) complain(ctx, 'BASE_TYPE_MAX_LENGTH', 'Must be 40 or fewer in length.', ['components']);
    const size = displayedTexts(components).reduce((sum, part) => sum + codePoints(part), 0);
    if (size > 4000) {
      complain(ctx, 'COMPONENT_MAX_TEXT_SIZE_EXCEEDED', 'The displayed text exceeds 4000 characters', ['components']);
    }
    return;
  }
  if (components.length > 5) complain(ctx, 'BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length.', ['components']);
  components.forEach((component, index) => {
    if (component.type !== T.ACTION_ROW) {
      complain(ctx, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1,).', ['components', index, 'type']);
    }
  });
}
