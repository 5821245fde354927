import fc from 'fast-check';

/**
 * The seed of all random cases (`WALLETBELL_TEST_SEED`, as in CI, so that a run there can be
 * repeated exactly). Without it every run draws different cases.
 */
const seed = process.env['WALLETBELL_TEST_SEED'];

if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
