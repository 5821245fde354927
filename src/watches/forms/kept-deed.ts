import type { Filled } from './controls.ts';
import type { Wish } from './form.ts';
import type { Subject } from './form-id.ts';

/** Settings by their names, and the label of a watch. */
export type Parts = Readonly<Record<string, unknown>>;

/** Work of a button of a settings panel that has no room for it in its custom id. */
export type KeptDeed = { readonly personId: string } & (
  | {
      /** Opens a form again, with what was submitted. */
      readonly kind: 'again';
      readonly form: string;
      /** Arguments of the form's custom id. */
      readonly args: readonly string[];
      readonly filled: Filled;
    }
  | {
      /** Carries a wish out, also one that is doubted if the person is sure. */
      readonly kind: 'wish';
      readonly form: string;
      readonly subject: Subject;
      readonly wish: Wish;
      readonly isSure: boolean;
    }
  | {
      /** Takes a change back. */
      readonly kind: 'undo';
      readonly subject: Subject;
      readonly before: Parts;
      readonly after: Parts;
    }
);
