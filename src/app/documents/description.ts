import type { Place } from '../../store/collection.ts';
import type { Watch } from '../../watches/watch.ts';

/** What a document says of itself. */
export interface Description extends Place {
  /** The watch that it is. */
  readonly watch?: Watch;
  /** What of it cannot be read, and the document without that; missing if all of it can. */
  readonly damage?: { readonly parts: readonly string[]; readonly sound: unknown };
}
