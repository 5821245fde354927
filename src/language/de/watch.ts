import type { WatchWords } from '../en/watch.ts';

export const watch: WatchWords = {};
