/** The texts of a language's folder: all or some of the English ones, and no other. */
export type Translated<Text> = Text extends
  | string
  | readonly unknown[]
  | ((...parts: never[]) => unknown)
  ? Text
  : { readonly [Name in keyof Text]?: Translated<Text[Name]> };

/** Texts by their names, in groups within groups. */
type Group = Readonly<Record<string, unknown>>;

/** Returns a language's own texts, and the English one wherever one is missing. */
export function completed<Text>(english: Text, own: NoInfer<Translated<Text>> | undefined): Text {
  return join(english, own) as Text;
}

/** Returns the paths of the English texts that a language lacks, such as `watch.add.latest`. */
export function missing<Text>(english: Text, own: NoInfer<Translated<Text>>): string[] {
  return lacking(english, own, []);
}

function join(english: unknown, own: unknown): unknown {
  if (!isGroup(english)) return own ?? english;
  const texts = isGroup(own) ? own : {};
  return Object.fromEntries(
    Object.entries(english).map(([name, text]) => [name, join(text, texts[name])]),
  );
}

function lacking(english: unknown, own: unknown, path: readonly string[]): string[] {
  if (!isGroup(english)) return own === undefined ? [path.join('.')] : [];
  const texts = isGroup(own) ? own : {};
  return Object.entries(english).flatMap(([name, text]) =>
    lacking(text, texts[name], [...path, name]),
  );
}

function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
