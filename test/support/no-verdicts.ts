import type { Verdicts } from '../../src/watches/verdicts.ts';

/** Verdicts that judge no wallet and never have. */
export const NO_VERDICTS: Pick<Verdicts, 'of' | 'judge'> = { of: () => 'none', judge() {} };
