/** Watches in one file. */
export const FILE_LIMIT_WATCHES = 1_000;
