import type { Step } from './step.ts';
import { toFormat10 } from './to-format-10.ts';
import { toFormat11 } from './to-format-11.ts';
import { toFormat12 } from './to-format-12.ts';

/**
 * Conversion steps, each in a file next to this one, oldest first; the first one leads from the
 * format of 0.9.0 to the next. A released step is never changed again.
 */
export const STEPS: readonly Step[] = [toFormat10, toFormat11, toFormat12];
