/**
 * The forms of a noun that depend on its number, by language (CLDR, "Language Plural Rules"): French says "1,5 part" and
 * "0 part", English "1.5 shares" and "0 shares". Japanese and Chinese have one form and need none of this. In Spanish,
 * French and Portuguese whole millions have a form of their own, "1 millón de acciones", but not where all digits are
 * written, as here: they take the form of other numbers.
 */
interface Forms {
  readonly 'en-US': 'one' | 'other';
  readonly de: 'one' | 'other';
  readonly 'es-ES': 'one' | 'other';
  readonly fr: 'one' | 'other';
  readonly 'pt-BR': 'one' | 'other';
}

/**
 * Chooses the form of a noun for a number in a language.
 *
 * @returns a function of the number, which is shown with at most two decimals, and the forms
 */
export function plural<Tag extends keyof Forms>(
  tag: Tag,
): (count: number, forms: Readonly<Record<Forms[Tag], string>>) => string {
  const rules = new Intl.PluralRules(tag, { maximumFractionDigits: 2 });
  return (count, forms) => {
    const { one, other }: Readonly<Record<'one' | 'other', string>> = forms;
    return rules.select(count) === 'one' ? one : other;
  };
}
