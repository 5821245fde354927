import * as z from 'zod';
import {
  COMPONENT_TYPES,
  checkCounts,
  checkCustomIds,
  checkOptions,
  checkSelect,
  customId,
  id,
  selectFields,
  stringSelectFields,
} from './components.ts';
import { codePoints, complain, list, readForm, snowflake, text } from './form.ts';

const T = COMPONENT_TYPES;
type Context = Parameters<typeof complain>[0];

/** Longest text that a person can type into a field, or that a bot can prefill. */
export const MAX_TEXT_LENGTH = 4000;

const textInput = z
  .object({
    type: z.literal(T.TEXT_INPUT),
    id,
    custom_id: customId,
    style: z.int().min(1).max(2),
    label: text(1, 45).nullish(),
    min_length: z.int().min(0).max(MAX_TEXT_LENGTH).nullish(),
    max_length: z.int().min(1).max(MAX_TEXT_LENGTH).nullish(),
    required: z.boolean().nullish(),
    // Not trimmed because spaces count.
    value: z.string().nullish(),
    placeholder: text(0, 100).nullish(),
    disabled: z.unknown().optional(),
  })
  .superRefine((input, ctx) => {
    refuseDisabled(input, ctx);
    const min = input.min_length ?? 0;
    const max = input.max_length ?? MAX_TEXT_LENGTH;
    if (min > (input.max_length ?? min)) {
      complain(ctx, 'TEXT_INPUT_MIN_ABOVE_MAX', 'min_length must not exceed max_length', [
        'min_length',
      ]);
    }
    if (typeof input.value !== 'string') return;
    const length = codePoints(input.value);
    if (length < min || length > max) {
      complain(ctx, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`, [
        'value',
      ]);
    }
  });

const stringSelect = z.object(stringSelectFields).superRefine((select, ctx) => {
  refuseDisabled(select, ctx);
  checkSelect(select, isRequired(select), ctx);
});

/** A list of distinct channel types (resources/channel.mdx). */
const channelTypes = z
  .array(z.literal([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15]))
  .superRefine((types, ctx) => {
    if (new Set(types).size === types.length) return;
    complain(ctx, 'SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value');
  });

/** Returns the schema of a menu that Discord fills with the server's people, roles or channels. */
function entitySelect<Type extends number, Kind extends string>(
  type: Type,
  kinds: readonly [Kind, ...Kind[]],
) {
  const defaultValue = z.object({ id: snowflake, type: z.enum(kinds) });
  return z
    .object({
      type: z.literal(type),
      ...selectFields,
      default_values: list(defaultValue, 0, 25).nullish(),
      channel_types: channelTypes.nullish(),
    })
    .superRefine((select, ctx) => {
      refuseDisabled(select, ctx);
      checkCounts(select, isRequired(select), ctx);
      const count = select.default_values?.length;
      const min = select.min_values ?? 1;
      const max = select.max_values ?? 1;
      if (count !== undefined && (count < min || count > max)) {
        complain(
          ctx,
          'SELECT_COMPONENT_INVALID_DEFAULT_VALUES',
          `Must have between ${min} and ${max} default values.`,
          ['default_values'],
        );
      }
    });
}

const groupOption = z.object({
  label: text(1, 100),
  value: text(1, 100),
  description: text(0, 100).nullish(),
  default: z.boolean().nullish(),
});
const groupFields = {
  id,
  custom_id: customId,
  required: z.boolean().nullish(),
  disabled: z.unknown().optional(),
};

const radioGroup = z
  .object({
    type: z.literal(T.RADIO_GROUP),
    ...groupFields,
    options: list(groupOption, 2, 10),
  })
  .superRefine((group, ctx) => {
    refuseDisabled(group, ctx);
    checkOptions(group.options, 1, ctx);
  });

const checkboxGroup = z
  .object({
    type: z.literal(T.CHECKBOX_GROUP),
    ...groupFields,
    options: list(groupOption, 1, 10),
    min_values: z.int().min(0).max(10).nullish(),
    max_values: z.int().min(1).max(10).nullish(),
  })
  .superRefine((group, ctx) => {
    refuseDisabled(group, ctx);
    const max_values = group.max_values ?? group.options.length;
    checkSelect({ ...group, max_values }, isRequired(group), ctx);
  });

const checkbox = z
  .object({
    type: z.literal(T.CHECKBOX),
    id,
    custom_id: customId,
    default: z.boolean().nullish(),
    disabled: z.unknown().optional(),
  })
  .superRefine(refuseDisabled);

const fileUpload = z
  .object({
    type: z.literal(T.FILE_UPLOAD),
    ...groupFields,
    min_values: z.int().min(0).max(10).nullish(),
    max_values: z.int().min(1).max(10).nullish(),
    file_types: list(z.string().regex(/^(audio|image|video|\.\w+)$/), 0, 10).nullish(),
  })
  .superRefine((upload, ctx) => {
    refuseDisabled(upload, ctx);
    checkCounts(upload, isRequired(upload), ctx);
  });

const field = z.discriminatedUnion('type', [
  textInput,
  stringSelect,
  entitySelect(T.USER_SELECT, ['user']),
  entitySelect(T.ROLE_SELECT, ['role']),
  entitySelect(T.MENTIONABLE_SELECT, ['user', 'role']),
  entitySelect(T.CHANNEL_SELECT, ['channel']),
  radioGroup,
  checkboxGroup,
  checkbox,
  fileUpload,
]);
/** A modal component that a person fills in. */
export type ModalField = z.output<typeof field>;

const MENUS = [
  T.STRING_SELECT,
  T.USER_SELECT,
  T.ROLE_SELECT,
  T.MENTIONABLE_SELECT,
  T.CHANNEL_SELECT,
] as const;
type Menu = Extract<ModalField, { readonly type: (typeof MENUS)[number] }>;

function isMenu(one: ModalField): one is Menu {
  return MENUS.some((type) => type === one.type);
}

const label = z
  .object({
    type: z.literal(T.LABEL),
    id,
    label: text(1, 45),
    description: text(1, 100).nullish(),
    component: field,
  })
  .superRefine(({ component }, ctx) => {
    if (component.type !== T.TEXT_INPUT || !component.label) return;
    const message = 'A text input in a label has no label of its own.';
    complain(ctx, 'TEXT_INPUT_LABEL_NOT_ALLOWED', message, ['component', 'label']);
  });

const textDisplay = z.object({ type: z.literal(T.TEXT_DISPLAY), id, content: text(1, 4000) });

/** Deprecated: one text input with its own label. */
const row = z
  .object({ type: z.literal(T.ACTION_ROW), id, components: list(textInput, 1, 1) })
  .superRefine(({ components }, ctx) => {
    if (components[0] && !components[0].label) {
      complain(ctx, 'BASE_TYPE_REQUIRED', 'This field is required', ['components', 0, 'label']);
    }
  });

const component = z.discriminatedUnion('type', [label, textDisplay, row]);
export type ModalComponent = z.output<typeof component>;

/**
 * A modal, with every limit of interactions/receiving-and-responding.mdx and
 * components/reference.mdx.
 */
const modal = z
  .object({
    custom_id: customId,
    title: text(1, 45),
    components: list(component, 1, 5),
  })
  .superRefine(({ components }, ctx) => {
    const fields = components.flatMap((one, index) => placedFields(one, ['components', index]));
    checkCustomIds(
      fields.map(({ part, path }) => ({
        key: 'custom_id' in part ? part.custom_id : null,
        path: [...path, 'custom_id'],
      })),
      ctx,
    );
    checkIds(fields, ctx);
  })
  .transform((form) => ({ ...form, components: withIds(form.components) }));
/** An accepted modal in which every component has an `id`. */
export type Modal = z.output<typeof modal>;

/** @throws Refusal 50035 */
export function readModal(data: unknown): Modal {
  return readForm(z.object({ data: modal }), { data }).data;
}

/** Returns the fields in order of display, each with its label and description. */
export function labelledFields({ components }: Modal) {
  return components.flatMap((one) => {
    if (one.type === T.TEXT_DISPLAY) return [];
    if (one.type === T.LABEL) {
      return [{ label: one.label, description: one.description ?? null, field: one.component }];
    }
    return one.components.map((input) => ({
      label: input.label ?? '',
      description: null,
      field: input,
    }));
  });
}

/** Whether a field has to be filled in, which is the default. */
export function isRequired({ required }: { readonly required?: boolean | null | undefined }) {
  return required ?? true;
}

/**
 * Returns warnings about things that Discord accepts in a modal but that probably don't do what was
 * meant.
 */
export function doubtsAbout(accepted: Modal): string[] {
  return labelledFields(accepted).flatMap(({ field: one }) => {
    const name = `The field ${one.custom_id}`;
    if (one.type === T.TEXT_INPUT && one.style === 1 && one.value?.includes('\n')) {
      return [`${name} has one line: line breaks of its value are lost.`];
    }
    if (!isMenu(one) || isRequired(one) || one.min_values === 0) return [];
    return [`${name} is optional without min_values 0: phones cannot empty it (#8272).`];
  });
}

function refuseDisabled({ disabled }: { readonly disabled?: unknown }, ctx: Context): void {
  if (disabled === undefined || disabled === null) return;
  complain(ctx, 'COMPONENT_DISABLED_NOT_ALLOWED', 'Components in modals cannot be disabled.', [
    'disabled',
  ]);
}

type Part = ModalComponent | ModalField;
interface PlacedPart {
  readonly part: Part;
  readonly path: (string | number)[];
}

/** Returns a component of a modal and its children, each with its path in the form. */
function placedFields(one: ModalComponent, path: (string | number)[]): PlacedPart[] {
  const own = { part: one, path };
  if (one.type === T.LABEL) return [own, { part: one.component, path: [...path, 'component'] }];
  if (one.type === T.TEXT_DISPLAY) return [own];
  const inner = one.components.map((part, index) => ({
    part,
    path: [...path, 'components', index],
  }));
  return [own, ...inner];
}

function checkIds(parts: readonly PlacedPart[], ctx: Context): void {
  const seen = new Set<number>();
  for (const { part, path } of parts) {
    if (!part.id) continue;
    if (seen.has(part.id)) {
      const message = 'Component id cannot be duplicated';
      complain(ctx, 'COMPONENT_ID_DUPLICATED', message, [...path, 'id']);
    }
    seen.add(part.id);
  }
}

/** Assigns ids to components that have none, in order, skipping ids that are taken. */
function withIds(components: readonly ModalComponent[]) {
  const parts = components.flatMap((one) => placedFields(one, []));
  const taken = new Set(parts.map(({ part }) => part.id));
  let last = 0;
  const idOf = (given: number | null | undefined): number => {
    if (given) return given;
    do last += 1;
    while (taken.has(last));
    return last;
  };
  return components.map((one) => {
    const ownId = idOf(one.id);
    if (one.type === T.LABEL) {
      const inner = { ...one.component, id: idOf(one.component.id) };
      return { ...one, id: ownId, component: inner };
    }
    if (one.type === T.TEXT_DISPLAY) return { ...one, id: ownId };
    const inner = one.components.map((input) => ({ ...input, id: idOf(input.id) }));
    return { ...one, id: ownId, components: inner };
  });
}
