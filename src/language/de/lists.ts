import type { ListWords } from '../en/lists.ts';

export const lists: ListWords = {};
