import fc from 'fast-check';

/** Returns one of several kinds of events for `fc.oneof`, with its additional fields. */
export function happening<const Kind extends string, Rest extends object = object>(
  weight: number,
  kind: Kind,
  rest?: { readonly [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) {
  const arbitrary = fc.record({ kind: fc.constant(kind), ...rest });
  return { weight, arbitrary: arbitrary as fc.Arbitrary<{ readonly kind: Kind } & Rest> };
}
