import * as z from 'zod';
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
/**
 * Returns the schema of up to 25 suggestions, whose values must have the type of the option being
 * typed.
 */
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
