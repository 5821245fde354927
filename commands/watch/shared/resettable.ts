import type { Language } from '../../../src/language/language.ts';
import { SETTING_NAMES, type SettingName, settingOf } from '../../../src/watches/watch-settings.ts';

/** Names that the option `reset` accepts; `all` keeps the label. */
export const RESETTABLE: readonly (SettingName | 'label' | 'all')[] = [
  ...SETTING_NAMES,
  'label',
  'all',
];
export type Resettable = (typeof RESETTABLE)[number];

/** Returns the name by which a part is reset, mostly the option's own name. */
export function resetName(part: Resettable, language: Language): string {
  const { options, typed } = language.texts.names;
  if (part === 'all') return typed.all;
  if (part === 'label') return options.label;
  const row = settingOf(part);
  return row.resetName?.(language) ?? options[row.options[0].name];
}
