import { ENGLISH } from '../../../src/language/language.ts';
import { type Changed, type Form, givenBy } from '../../../src/watches/forms/form.ts';
import type { Field } from '../../../src/watches/settings/field.ts';
import { type Change, FORMS, type FormName } from '../../../src/watches/settings/setting.ts';
import { LABEL_LIMIT } from '../../../src/watches/watch.ts';
import { SETTING_NAMES, settingOf, settingsInForms } from '../../../src/watches/watch-settings.ts';
import { type Editable, readOptions } from '../edit.ts';
import { resetName } from '../shared/resettable.ts';
import type { WatchFormName } from './rows.ts';

const NAME: Field = {
  option: 'label',
  control: { kind: 'text', most: LABEL_LIMIT },
  cleared: 'none',
};
const FIELDS = Object.fromEntries(
  FORMS.map((form) => [
    form,
    SETTING_NAMES.map(settingOf)
      .filter((row) => row.form === form)
      .flatMap(({ fields }) => fields),
  ]),
) as unknown as Readonly<Record<FormName, readonly Field[]>>;

/**
 * Returns a form of a watch, filled in with its settings. A role that no longer exists is left out,
 * because Discord cannot show it: so whoever leaves its field empty as it was does not clear it.
 * @param isRole whether the server has a role; by default it has all
 */
export function watchForm(
  name: WatchFormName,
  { label, settings }: Editable,
  isRole: (id: string) => boolean = () => true,
): Form {
  if (name === 'name') return { fields: [NAME], texts: label === null ? {} : { label } };
  const { mention: roleId, ...texts } = settingsInForms(settings);
  const isShown = roleId !== undefined && isRole(roleId);
  return { fields: FIELDS[name], texts: isShown ? { ...texts, mention: roleId } : texts };
}

/**
 * Reads a form's changes as changes of a watch.
 * @throws {UserError} as the command's options do
 */
export function readWatchForm(changed: Changed, guildId: string | null): Change<Editable> {
  const resets = { mention: resetName('mention', ENGLISH) };
  return readOptions(givenBy(changed, guildId, resets));
}
