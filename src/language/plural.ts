/**
 * Chooses the form of a noun for a number in a language (CLDR, "Language Plural Rules"): French has
 * "1,5 part" and "0 part", English "1.5 shares" and "0 shares". Japanese and Chinese have one form
 * and do not need this. A number whose form is not given uses `other`: in Spanish, French and
 * Portuguese, whole millions have their own form ("1 millón de acciones"), but not if all digits
 * are written, as here.
 *
 * @returns a function of the number, which is shown with at most two decimals, and the forms
 */
export function plural(tag: string) {
  const rules = new Intl.PluralRules(tag, { maximumFractionDigits: 2 });
  return (count: number, forms: Readonly<Record<'one' | 'other', string>>): string =>
    rules.select(count) === 'one' ? forms.one : forms.other;
}
