/** A picture; its title also serves as its alternative text. */
export interface Picture {
  readonly title: string;
  readonly png: Buffer;
}

/** Pictures by key, limited by bytes; the least recently used ones are dropped first. */
export interface PictureCache {
  /** The picture of a key, drawn if it is not cached; null where there is nothing to draw, which is cached too. */
  get(key: string, draw: () => Promise<Picture | null>): Promise<Picture | null>;
  /** Bytes of all cached pictures. */
  readonly bytes: number;
}

/** Estimated bytes of a key. */
const KEY_BYTES = 500;

/** @param maxBytes of all pictures together; a single larger one is not cached */
export function createPictureCache(maxBytes: number): PictureCache {
  /** Least recently used first. */
  const pictures = new Map<string, Picture | null>();
  let bytes = 0;
  const sizeOf = (picture: Picture | null) => KEY_BYTES + (picture?.png.byteLength ?? 0);
  const drop = (key: string) => {
    const picture = pictures.get(key);
    if (picture === undefined) return;
    pictures.delete(key);
    bytes -= sizeOf(picture);
  };
  return {
    async get(key, draw) {
      const picture = pictures.get(key) ?? (pictures.has(key) ? null : await draw());
      drop(key);
      pictures.set(key, picture);
      bytes += sizeOf(picture);
      for (const oldest of pictures.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
      return picture;
    },
    get bytes() {
      return bytes;
    },
  };
}
