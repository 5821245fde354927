import type { Step } from '../../src/store/migrations/step.ts';
import { STEPS as TODAYS_STEPS } from '../../src/store/migrations/steps.ts';

/** A step of the tests' own: it marks the label of each watch, so that twice would be seen. */
const markLabel: Step = (key, document) => {
  if (!key.startsWith('watch:')) return document;
  const watch = document as { readonly label?: string | null };
  return watch.label == null ? watch : { ...watch, label: `${watch.label}⇧` };
};

/** In the place of today's steps, for a build that is one format higher. */
export const STEPS: readonly Step[] = [...TODAYS_STEPS, markLabel];
