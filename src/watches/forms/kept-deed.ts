import type { Filled } from './controls.ts';
import type { Wish } from './form.ts';
import type { Subject } from './form-id.ts';

/** Settings by name, and the label of a watch. */
export type Parts = Readonly<Record<string, unknown>>;

/** The action of a settings panel's button that does not fit into its custom id. */
export type KeptDeed = { readonly personId: string } & (
  | {
      /** Opens a form again with the submitted values. */
      readonly kind: 'again';
      readonly form: string;
      /** Arguments of the form's custom id. */
      readonly args: readonly string[];
      readonly filled: Filled;
    }
  | {
      /** Carries out a wish; with `isSure` even one that needs confirmation. */
      readonly kind: 'wish';
      readonly form: string;
      readonly subject: Subject;
      readonly wish: Wish;
      readonly isSure: boolean;
    }
  | {
      /** Undoes a change. */
      readonly kind: 'undo';
      readonly subject: Subject;
      readonly before: Parts;
      readonly after: Parts;
    }
);
