/** How long a nonce counts: Discord says only "the past few minutes". */
const WINDOW_MS = 3 * 60_000;

/** Remembers which nonces an author has used with `enforce_nonce` in the past few minutes. */
export interface Nonces {
  /** The message made with this nonce inside the window; undefined if there is none. */
  find(authorId: string, nonce: string | number): string | undefined;
  remember(authorId: string, nonce: string | number, messageId: string): void;
}

/** Uniqueness is per author, whatever the channel (resources/message.mdx, "Create Message"). */
export function createNonces(now: () => number): Nonces {
  const used = new Map<string, { messageId: string; atMs: number }>();
  const keyOf = (authorId: string, nonce: string | number) => `${authorId} ${nonce}`;

  return {
    find(authorId, nonce) {
      const entry = used.get(keyOf(authorId, nonce));
      return entry && now() - entry.atMs < WINDOW_MS ? entry.messageId : undefined;
    },

    remember(authorId, nonce, messageId) {
      const nowMs = now();
      for (const [key, entry] of used) {
        if (nowMs - entry.atMs < WINDOW_MS) break;
        used.delete(key);
      }
      const key = keyOf(authorId, nonce);
      used.delete(key);
      used.set(key, { messageId, atMs: nowMs });
    },
  };
}
