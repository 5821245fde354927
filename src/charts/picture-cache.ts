import { LRUCache } from 'lru-cache';

/** A picture, and what it shows, for where it cannot be seen. */
export interface Picture {
  readonly title: string;
  readonly png: Buffer;
}

/** Pictures that may be shown again, up to so many bytes together: the least lately used ones go first. */
export interface PictureCache {
  /** The picture of a key, drawn if it is not there; null where there is nothing to draw, which is kept as well. */
  get(key: string, draw: () => Promise<Picture | null>): Promise<Picture | null>;
  /** Bytes of all that are kept. */
  readonly bytes: number;
}

/** What a key takes, roughly. */
const KEY_BYTES = 500;

/** @param maxBytes of all pictures together; one alone that is larger is not kept */
export function createPictureCache(maxBytes: number): PictureCache {
  const pictures = new LRUCache<string, { readonly picture: Picture | null }>({
    maxSize: maxBytes,
    sizeCalculation: ({ picture }) => KEY_BYTES + (picture?.png.byteLength ?? 0),
  });
  return {
    async get(key, draw) {
      const kept = pictures.get(key);
      if (kept !== undefined) return kept.picture;
      const picture = await draw();
      pictures.set(key, { picture });
      return picture;
    },
    get bytes() {
      return pictures.calculatedSize;
    },
  };
}
