/** How long a nonce counts: Discord says only "the past few minutes". */
const WINDOW_MS = 3 * 60_000;

export type Nonces = ReturnType<typeof createNonces>;

/**
 * Remembers which nonces an author has used with `enforce_nonce` in the past few minutes.
 * Uniqueness is per author, whatever the channel (resources/message.mdx, "Create Message").
 */
export function createNonces(now: () => number) {
  const used = new Map<string, { messageId: string; atMs: number }>();
  const keyOf = (authorId: string, nonce: string | number) => `${authorId} ${nonce}`;

  return {
    /** The message made with this nonce inside the window; undefined if there is none. */
    find(authorId: string, nonce: string | number): string | undefined {
      const entry = used.get(keyOf(authorId, nonce));
      return entry && now() - entry.atMs < WINDOW_MS ? entry.messageId : undefined;
    },

    remember(authorId: string, nonce: string | number, messageId: string): void {
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
