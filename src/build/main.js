import { buildFault } from './state.js';
import { loadBundle } from './tools.js';

/** Exit code for wrong usage (EX_USAGE in sysexits.h). */
const EXIT_USAGE = 64;
const isPreparation = process.env['npm_lifecycle_event'] === 'prepare';

/**
 * `npm run build [-- PROGRAM…]`: builds dist/, with all programs if none is named. `npm ci` also
 * calls it (`prepare`), and skips the build if the tools are not installed.
 */
async function main() {
  const bundle = await loadBundle();
  if (bundle !== null) {
    const programs = process.argv.slice(2);
    const unknown = programs.find((name) => !bundle.PROGRAM_NAMES.includes(name));
    if (unknown === undefined) return bundle.build(programs);
    process.stderr.write(
      `There is no program "${unknown}". Accepted: ${bundle.PROGRAM_NAMES.join(', ')}.\n`,
    );
    process.exitCode = EXIT_USAGE;
    return;
  }
  const fault = buildFault('main');
  if (isPreparation && fault === null) {
    process.stdout.write('walletbell: dist/ is of these sources; nothing to build.\n');
    return;
  }
  process[isPreparation ? 'stdout' : 'stderr'].write(
    'walletbell: the build of dist/ is skipped, ' +
      'because its tools are not installed (--omit=dev or NODE_ENV=production).\n' +
      'To build: npm ci --include=dev. ' +
      'What only the build needs goes afterwards: npm prune --omit=dev.\n',
  );
  if (!isPreparation) process.exitCode = 1;
}

await main();
