import type { ErrorWords } from '../en/errors.ts';

export const errors: ErrorWords = {};
