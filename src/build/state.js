import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Written last, so that a build that was cut short does not count. */
export const STAMP_FILE = join(ROOT, 'dist', 'sources.sha256');

/** The oldest Node that runs it: `engines` of package.json. */
const NODE_NEEDED = /** @type {const} */ ([20, 19]);

/**
 * @param {string} [version] such as "20.19.0"; this Node's if left out
 * @returns {string | null} that it is too old; null if it is not
 */
export function nodeFault(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = NODE_NEEDED;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return null;
  return `walletbell needs Node.js ${NODE_NEEDED.join('.')} or newer; this is ${version}.`;
}

/** Folders below the project's that a build is made of, beside what the lock file names. */
const SOURCE_FOLDERS = [
  'commands',
  'src',
  'packages/local-discord/src',
  'packages/venue-server/src',
];

/**
 * Hashes the sources by their content: times of files say little after a clone or a copy.
 *
 * @returns {string} SHA-256, as hex digits
 */
export function sourcesHash() {
  const hash = createHash('sha256');
  const files = SOURCE_FOLDERS.map((name) => join(ROOT, name))
    // An image is built without packages/.
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of [...files, join(ROOT, 'package-lock.json')].toSorted()) {
    const content = readFileSync(file);
    hash.update(`${relative(ROOT, file)}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Tells whether a program in dist/ can be run and is made of the sources as they are.
 *
 * @param {string} program such as "main"
 * @returns {string | null} what is wrong and what to type; null if nothing is
 */
export function buildFault(program) {
  if (!existsSync(STAMP_FILE) || !existsSync(programFile(program))) {
    return (
      'walletbell is not built: there is no complete dist/. ' +
      'Type: npm ci (without --omit=dev), or npm run build.'
    );
  }
  if (readFileSync(STAMP_FILE, 'utf8') === sourcesHash()) return null;
  return (
    'The build in dist/ is not of these sources: they have changed since. ' +
    'Type: npm ci (without --omit=dev), or npm run build.'
  );
}

/** @param {string} program such as "main" */
export function programFile(program) {
  return join(ROOT, 'dist', `${program}.js`);
}
