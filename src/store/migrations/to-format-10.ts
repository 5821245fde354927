import type { Step } from './step.ts';

/** Leads from format 9: channels have quiet hours and a delay, none until somebody sets them. */
export const toFormat10: Step = (key, document) => {
  const isChannel = key.startsWith('channel:');
  if (!isChannel || typeof document !== 'object' || document === null) return document;
  return { ...document, quiet: null, delay: null };
};
