import type { Verdicts } from '../../src/watches/verdicts.ts';

/** Of rooms that have found nothing of their wallets, and do not look. */
export const NO_VERDICTS: Pick<Verdicts, 'of' | 'judge'> = { of: () => 'none', judge() {} };
