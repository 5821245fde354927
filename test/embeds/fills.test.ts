import { describe, expect, it } from 'vitest';
import { readFlow } from '../../src/embeds/item-lines.ts';

describe('which way the money went', () => {
  it.each([
    [5, { direction: 'paid', usdc: 5 }],
    [-5, { direction: 'received', usdc: 5 }],
    [0, { direction: 'net', usdc: 0 }],
    [-1e-12, { direction: 'received', usdc: 1e-12 }],
  ])('of %d is known by its sign', (net, flow) => expect(readFlow(net)).toEqual(flow));
});
