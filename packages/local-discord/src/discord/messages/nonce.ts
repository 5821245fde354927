/** Lifetime of a nonce; Discord says only "the past few minutes". */
const WINDOW_MS = 3 * 60_000;

export type Nonces = ReturnType<typeof createNonces>;

/**
 * Creates a store of the nonces that authors have used with `enforce_nonce` in the past few
 * minutes. They are unique per author, whatever the channel (resources/message.mdx, "Create
 * Message").
 */
export function createNonces(now: () => number) {
  const used = new Map<string, { messageId: string; atMs: number }>();
  const keyOf = (authorId: string, nonce: string | number) => `${authorId} ${nonce}`;

  return {
    /**
     * Returns the message created with this nonce within the window, or undefined if there is none.
     */
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
