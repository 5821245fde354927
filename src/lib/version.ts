import about from '../../package.json' with { type: 'json' };

/** The version of walletbell that runs, as package.json has it. */
export const VERSION: string = about.version;
