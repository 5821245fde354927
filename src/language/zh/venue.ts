/**
 * Names of the venue, in the forms that sentences need.
 *
 * @param name the operator’s own, escaped; null: none
 */
export function venueForms(name: string | null) {
  const label = name ?? '交易平台';
  // Latin words stand apart from Chinese ones.
  const space = /[\x21-\x7e]$/.test(label) ? ' ' : '';
  return { name: `${space}${label}${space}`, start: `${label}${space}`, label };
}
export type VenueForms = ReturnType<typeof venueForms>;
