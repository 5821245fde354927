import type { Names, PermissionNames } from './en/names.ts';
import type { SlashTexts } from './slash.ts';

/** Names that texts insert. A locale that uses the texts of another may have its own names. */
export interface Terms {
  readonly names: Names;
  readonly permissions: PermissionNames;
  /** Commands as texts name them. */
  readonly slash: SlashTexts;
}
