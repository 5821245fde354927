import type { Step } from './step.ts';

/** Converts from format 9: channels get quiet hours and a delay, both unset. */
export const toFormat10: Step = (key, document) => {
  const isChannel = key.startsWith('channel:');
  if (!isChannel || typeof document !== 'object' || document === null) return document;
  return { ...document, quiet: null, delay: null };
};
