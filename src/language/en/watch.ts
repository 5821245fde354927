/** Answers of `/watch` but for its digest. */
export const watch = {};
export type WatchWords = typeof watch;
