import { createHmac } from 'node:crypto';
import type { StoredFile } from '../model.ts';

const LIFE_MS = 24 * 60 * 60 * 1000;

export type Cdn = ReturnType<typeof createCdn>;

/** Creates a store of uploaded files in memory that signs their addresses. */
export function createCdn(deps: { now: () => number; secret: string; baseUrl: () => string }) {
  const { now, secret, baseUrl } = deps;
  const files = new Map<string, StoredFile>();

  const pathOf = (channelId: string, file: StoredFile) =>
    `/cdn/attachments/${channelId}/${file.id}/${encodeURIComponent(file.filename)}`;
  const sign = (path: string, expires: string, issued: string) =>
    createHmac('sha256', secret).update(`${path}?${expires}&${issued}`).digest('hex');

  return {
    /** Stores a file of a channel for later download. */
    keep: (channelId: string, file: StoredFile) => void files.set(pathOf(channelId, file), file),

    /**
     * Returns a signed address that expires after a day (reference.mdx, "Signed Attachment CDN
     * URLs").
     */
    url(channelId: string, file: StoredFile): string {
      const path = pathOf(channelId, file);
      const issued = Math.floor(now() / 1000).toString(16);
      const expires = Math.floor((now() + LIFE_MS) / 1000).toString(16);
      return `${baseUrl()}${path}?ex=${expires}&is=${issued}&hm=${sign(path, expires, issued)}&`;
    },

    /**
     * Returns the file of a request to `/cdn/…`, or null for an unknown file, a wrong signature or
     * an expired address.
     */
    read(path: string, query: URLSearchParams): StoredFile | null {
      const file = files.get(path);
      const expires = query.get('ex') ?? '';
      const issued = query.get('is') ?? '';
      if (!file || query.get('hm') !== sign(path, expires, issued)) return null;
      return Number.parseInt(expires, 16) * 1000 > now() ? file : null;
    },
  };
}
