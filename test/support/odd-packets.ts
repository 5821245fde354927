/** Values that a field of Discord never has, or hardly ever. */
const ODD_VALUES: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => true,
  () => -1,
  () => 1.5,
  () => 99,
  () => 2 ** 70,
  () => '',
  () => '0',
  () => '99999999999999999999999',
  () => '\ud800',
  () => '\u202e@everyone',
  () => '__proto__',
  () => 'constructor',
  () => 'x'.repeat(6_000),
  () => [],
  () => [null],
  () => ({}),
  () => JSON.parse('{"__proto__":{"odd":1}}'),
  () => nested(2_000),
];

/** Location of a value in a packet's data: the names that lead to it; empty for the data itself. */
type Path = readonly string[];

/**
 * Returns a packet like a real one, but with one to three fields odd or missing.
 *
 * @param random in [0, 1)
 * @param data the data of the real packet
 */
export function oddPacket(random: () => number, data: unknown): unknown {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  let odd = structuredClone(data);
  for (let changes = 1 + Math.floor(random() ** 3 * 3); changes > 0; changes -= 1) {
    odd = replaced(odd, pick(pathsOf(odd)), pick(ODD_VALUES)());
  }
  return odd;
}

/** Returns all paths in a value, the root first. Deeply nested values count as leaves. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || path.length > 12) return [path];
  const below = Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]));
  return [path, ...below];
}

/**
 * Replaces the value at a path.
 *
 * @param odd undefined deletes the field
 */
function replaced(value: unknown, [name, ...rest]: Path, odd: unknown): unknown {
  if (name === undefined) return odd ?? null;
  const holder = value as Record<string, unknown>;
  if (rest.length > 0) holder[name] = replaced(holder[name], rest, odd);
  else if (odd === undefined) delete holder[name];
  else holder[name] = odd;
  return holder;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
