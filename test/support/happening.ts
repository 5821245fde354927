import fc from 'fast-check';

/**
 * One of several kinds of things that may happen, for `fc.oneof`, with what else there is to know
 * of it.
 */
export function happening<const Kind extends string, Rest extends object = object>(
  weight: number,
  kind: Kind,
  rest?: { readonly [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) {
  const arbitrary = fc.record({ kind: fc.constant(kind), ...rest });
  return { weight, arbitrary: arbitrary as fc.Arbitrary<{ readonly kind: Kind } & Rest> };
}
