import about from '../../package.json' with { type: 'json' };

/** Release that a program was built of. */
export interface Release {
  /** Version in package.json, such as `0.9.0`. */
  readonly version: string;
  /**
   * Git's commit, such as `1a2b3c4`, with a `+` if files had been changed since; `unknown` where
   * the build saw no Git.
   */
  readonly commit: string;
}

/** Put in by the build; sources that are run as they are have none. */
declare const BUILT_RELEASE: Release | undefined;

/** Release that this program was built of. */
export const RELEASE: Release =
  typeof BUILT_RELEASE === 'undefined'
    ? { version: about.version, commit: 'unbuilt' }
    : BUILT_RELEASE;

/** Release as it is shown: `0.9.0, 1a2b3c4`. */
export function shownRelease({ version, commit }: Release): string {
  return `${version}, ${commit}`;
}
