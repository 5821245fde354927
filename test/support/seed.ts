import fc from 'fast-check';

/**
 * The seed of all random cases (`WALLETBELL_TEST_SEED`, as in CI, so that a run there can be
 * repeated exactly). Without it every run draws different cases.
 */
const seed = process.env['WALLETBELL_TEST_SEED'];

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  // Otherwise `maxLength: 60` draws ten elements at most.
  defaultSizeToMaxWhenMaxSpecified: true,
  ...(seed !== undefined && { seed: Number(seed) }),
});
