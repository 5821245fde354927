/**
 * Returns the venue's name in the forms that sentences need.
 *
 * @param name the operator’s own name for it, escaped; null if there is none
 */
export function venueForms(name: string | null) {
  const label = name ?? '交易平台';
  // A space separates Latin words from Chinese ones.
  const space = /[\x21-\x7e]$/.test(label) ? ' ' : '';
  return { name: `${space}${label}${space}`, start: `${label}${space}`, label };
}
export type VenueForms = ReturnType<typeof venueForms>;
