import about from '../../package.json' with { type: 'json' };

/** The release from which a program was built. */
export interface Release {
  /** Version in package.json, such as `0.9.0`. */
  readonly version: string;
  /**
   * Git's commit, such as `1a2b3c4`, with a `+` if files had been changed since; `unknown` if the
   * build had no Git.
   */
  readonly commit: string;
}

/** Inserted by the build; undefined if the sources are run directly. */
declare const BUILT_RELEASE: Release | undefined;

/** The release from which this program was built. */
export const RELEASE: Release =
  typeof BUILT_RELEASE === 'undefined'
    ? { version: about.version, commit: 'unbuilt' }
    : BUILT_RELEASE;

/** Formats a release for display: `0.9.0, 1a2b3c4`. */
export function shownRelease({ version, commit }: Release): string {
  return `${version}, ${commit}`;
}
