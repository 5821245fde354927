/**
 * Returns the venue's name in the forms that sentences need.
 *
 * @param name the operator’s own name for it, escaped; null if there is none
 */
export function venueForms(name: string | null) {
  return name === null
    ? { start: 'Die Plattform', dative: 'der Plattform', label: 'Plattform' }
    : { start: name, dative: name, label: name };
}
export type VenueForms = ReturnType<typeof venueForms>;
