import { LRUCache } from 'lru-cache';

/** A picture; its title also serves as its alternative text. */
export interface Picture {
  readonly title: string;
  readonly png: Buffer;
}

/** Estimated bytes of a key. */
const KEY_BYTES = 500;

/**
 * Pictures by key, limited by bytes; the least recently used ones are dropped first.
 *
 * @param maxBytes of all pictures together; a single larger one is not cached
 */
export function createPictureCache(maxBytes: number) {
  const pictures = new LRUCache<string, { readonly picture: Picture | null }>({
    maxSize: maxBytes,
    sizeCalculation: ({ picture }) => KEY_BYTES + (picture?.png.byteLength ?? 0),
  });
  return {
    /** The picture of a key, drawn if it is not cached; null where there is nothing to draw, which is cached too. */
    async get(key: string, draw: () => Promise<Picture | null>): Promise<Picture | null> {
      const kept = pictures.get(key);
      if (kept !== undefined) return kept.picture;
      const picture = await draw();
      pictures.set(key, { picture });
      return picture;
    },
    /** Of all cached pictures. */
    get bytes(): number {
      return pictures.calculatedSize;
    },
  };
}
