/** Digests, charts and the answers of `/watch digest`. */
export const digest = {};
export type DigestWords = typeof digest;
