/** Exported and imported files: their answers and their faults. */
export const files = {};
export type FileWords = typeof files;
