import { z } from 'zod';
import { codePoints, complain, list, text } from './form.ts';

/** Interaction callback types (interactions/receiving-and-responding.mdx). */
export const CALLBACKS = {
  MESSAGE: 4,
  DEFERRED_MESSAGE: 5,
  DEFERRED_UPDATE: 6,
  UPDATE: 7,
  AUTOCOMPLETE: 8,
  MODAL: 9,
} as const;

export const callbackSchema = z.object({ type: z.int(), data: z.unknown().optional() });
export const deferSchema = z.object({ flags: z.int().min(0).nullish() }).nullish();

const choiceSchema = z.object({ name: text(1, 100), value: z.union([z.string(), z.number()]) });
/** Up to 25 suggestions; their values have the type of the option that is being typed. */
export function choicesForm(kind: 'string' | 'number') {
  return z.object({ choices: list(choiceSchema, 0, 25) }).superRefine(({ choices }, ctx) => {
    choices.forEach(({ value }, index) => {
      const path = ['choices', index, 'value'];
      if (typeof value !== kind) complain(ctx, 'BASE_TYPE_INVALID', `A ${kind} is wanted.`, path);
      if (typeof value === 'string' && (value === '' || codePoints(value) > 100)) {
        complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.', path);
      }
    });
  });
}

const customId = text(1, 100);
const inputBase = {
  type: z.literal(4),
  custom_id: customId,
  style: z.int().min(1).max(2),
  min_length: z.int().min(0).max(4000).nullish(),
  max_length: z.int().min(1).max(4000).nullish(),
  required: z.boolean().nullish(),
  value: text(0, 4000).nullish(),
  placeholder: text(0, 100).nullish(),
};
const modalRow = z.discriminatedUnion('type', [
  z.object({ type: z.literal(1), components: list(z.object({ ...inputBase, label: text(1, 45) }), 1, 1) }),
  z.object({
    type: z.literal(18),
    label: text(1, 45),
    description: text(0, 100).nullish(),
    component: z.object({ ...inputBase, label: text(0, 45).nullish() }),
  }),
]);

/** A modal of text inputs, each in an action row or a label. */
export const modalSchema = z
  .object({ custom_id: customId, title: text(1, 45), components: list(modalRow, 1, 5) })
  .superRefine(({ components }, ctx) => {
    const seen = new Set<string>();
    components.forEach((row, index) => {
      const id = inputOf(row)?.custom_id ?? '';
      if (seen.has(id)) {
        complain(ctx, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated', [
          'components',
          index,
        ]);
      }
      seen.add(id);
    });
  });
export type Modal = z.output<typeof modalSchema>;

/** The text input of a modal's row. */
export function inputOf(row: Modal['components'][number]) {
  return row.type === 1 ? row.components[0] : row.component;
}
