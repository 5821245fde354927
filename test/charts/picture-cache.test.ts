import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPictureCache } from '../../src/charts/picture-cache.ts';

describe('pictures that may be shown again', () => {
  it('are drawn once while they are kept, also where there was nothing to draw', async () => {
    const cache = createPictureCache(10_000);
    let drawn = 0;
    const draw = async () => {
      drawn += 1;
      return { title: 'x', png: Buffer.alloc(100) };
    };
    const first = await cache.get('list page', draw);
    expect(await cache.get('list page', draw)).toBe(first);
    expect(drawn).toBe(1);
    let asked = 0;
    const nothing = async () => {
      asked += 1;
      return null;
    };
    expect([await cache.get('empty', nothing), await cache.get('empty', nothing)]).toEqual([null, null]);
    expect(asked).toBe(1);
  });

  it('are asked for again after one could not be drawn', async () => {
    const cache = createPictureCache(10_000);
    await expect(cache.get('x', () => Promise.reject(new Error('no font')))).rejects.toThrow('no font');
    expect(await cache.get('x', async () => ({ title: 'x', png: Buffer.alloc(1) }))).not.toBeNull();
  });

  it('never take more bytes than they may, and the least lately used go first', async () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 6_000 })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (asked) => {
        const cache = createPictureCache(8_000);
        for (const [key, size] of asked) {
          await cache.get(String(key), async () => ({ title: '', png: Buffer.alloc(size) }));
          expect(cache.bytes).toBeLessThanOrEqual(8_000);
          let isDrawn = false;
          await cache.get(String(key), async () => {
            isDrawn = true;
            return { title: '', png: Buffer.alloc(size) };
          });
          expect(isDrawn).toBe(false);
        }
      }),
    );
  });
});
