import type { FileWords } from '../en/files.ts';

export const files: FileWords = {};
