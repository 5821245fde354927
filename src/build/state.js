import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Written last, so that an interrupted build does not count. */
export const STAMP_FILE = join(ROOT, 'dist', 'sources.sha256');

/** The oldest supported Node version, as in `engines` of package.json. */
const NODE_NEEDED = /** @type {const} */ ([20, 19]);

/**
 * @param {string} [version] such as "20.19.0"; by default this Node's version
 * @returns {string | null} an error if it is too old, or null
 */
export function nodeFault(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = NODE_NEEDED;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return null;
  return `walletbell needs Node.js ${NODE_NEEDED.join('.')} or newer; this is ${version}.`;
}

/** Folders of the project that a build depends on, in addition to the packages in the lock file. */
const SOURCE_FOLDERS = [
  'commands',
  'src',
  'packages/local-discord/src',
  'packages/venue-server/src',
];

/**
 * Hashes the contents of the sources, because file times are unreliable after a clone or a copy.
 *
 * @returns {string} SHA-256, as hex digits
 */
export function sourcesHash() {
  const hash = createHash('sha256');
  const files = SOURCE_FOLDERS.map((name) => join(ROOT, name))
    // Container images are built without packages/.
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
 * Checks that a program in dist/ can be run and matches the current sources.
 *
 * @param {string} program such as "main"
 * @returns {string | null} what is wrong and what to type; null if nothing is wrong
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
