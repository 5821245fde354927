/**
 * Returns the venue's name in the forms that sentences need.
 *
 * @param name the operator’s own name for it, escaped; null if there is none
 */
export function venueForms(name: string | null) {
  const label = name ?? '取引所';
  return { name: label, label };
}
export type VenueForms = ReturnType<typeof venueForms>;
