/**
 * Loads the module that builds the programs.
 *
 * @returns {Promise<typeof import('./bundle.js') | null>} null if its tools are not installed
 */
export async function loadBundle() {
  try {
    return await import('./bundle.js');
  } catch (error) {
    // esbuild is not installed.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
