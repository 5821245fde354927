import type { DigestWords } from '../en/digest.ts';

export const digest: DigestWords = {};
