/**
 * Names of the venue, in the forms that sentences need.
 *
 * @param name the operator’s own, escaped; null: none
 */
export function venueForms(name: string | null) {
  return name === null
    ? { name: 'la plateforme', start: 'La plateforme', label: 'Plateforme' }
    : { name, start: name, label: name };
}
export type VenueForms = ReturnType<typeof venueForms>;
