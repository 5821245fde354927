/**
 * Names of the venue, in the forms that sentences need.
 *
 * @param name the operator’s own, escaped; null: none
 */
export function venueForms(name: string | null) {
  return name === null
    ? { start: 'Die Plattform', dative: 'der Plattform', label: 'Plattform' }
    : { start: name, dative: name, label: name };
}
export type VenueForms = ReturnType<typeof venueForms>;
