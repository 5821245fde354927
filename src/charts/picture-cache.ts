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
  /** The least lately used comes first. */
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
