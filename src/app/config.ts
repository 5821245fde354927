import { readAlertsOut } from '../alerts-out/settings.ts';
import { readSharding } from '../discord/gateway/shards.ts';
import { NATS_ACCEPTED } from '../feed/nats/address.ts';
import { EXIT_CONFIG, OperatorError } from '../lib/error.ts';
import { FILE_VARIABLES, secretFileFaults } from '../lib/secret-files.ts';
import { readPolymarket } from '../polymarket/settings.ts';
import { storeFault } from '../store/address.ts';
import { StoreUnfit } from '../store/error.ts';
import { readLimitsAtStart } from './limits.ts';
import { OLD_NAMES, withNewNames } from './old-names.ts';
import { DEFAULT_STORE_URL, ROLES, type Role, variablesSchema } from './variables.ts';

export type { Role } from './variables.ts';

/** Thrown with all faults of the environment, one line per variable. */
export class ConfigError extends OperatorError {
  override readonly exitCode = EXIT_CONFIG;
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const bullets = faults.map((fault) => `  - ${fault}`).join('\n');
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`The configuration has ${count}:\n${bullets}`);
    this.faults = faults;
  }
}

/** Names of all variables that walletbell reads. */
export const VARIABLES: readonly string[] = [
  ...Object.keys(variablesSchema.shape),
  'LIMITS_FILE',
  'SHARDS',
  'ALERTS_URL',
  'ALERTS_SECRET',
  'ALERTS_GUILDS',
  'POLYMARKET_DATA_URL',
  'POLYMARKET_GAMMA_URL',
  'POLYMARKET_REQUESTS_PER_MINUTE',
];
/** All variables, with old names and names of secret files. */
export const NAMES: readonly string[] = [...VARIABLES, ...OLD_NAMES, ...FILE_VARIABLES];

/**
 * Variables that a role does not use. They need not be set, and a key had better not be there at
 * all.
 */
const UNUSED: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  all: {},
  feed: { DISCORD_TOKEN: 'unused' },
  bot: { VENUE_BASE_URL: 'http://unused', VENUE_API_KEY: 'unused' },
};

/** Value of VENUE_BASE_URL for Polymarket's public Data API, without a key. */
const POLYMARKET = 'polymarket';
/** Defaults of variables with that value. */
const POLYMARKET_VALUES = {
  VENUE_NAME: 'Polymarket',
  MARKET_URL: 'https://polymarket.com/event/{eventSlug}/{marketSlug}',
  WALLET_URL: 'https://polymarket.com/profile/{address}',
  TX_URL: 'https://polygonscan.com/tx/{txHash}',
};
/** Placeholders until the gateway to Polymarket listens and reports its own. */
const OF_GATEWAY = { VENUE_BASE_URL: 'http://127.0.0.1', VENUE_API_KEY: 'of-the-gateway' };

/** Finds the faults of an environment with VENUE_BASE_URL=polymarket. */
function polymarketFaults(given: ReadonlyMap<string, string>, role: Role | undefined) {
  const faults: string[] = [];
  if (given.has('VENUE_API_KEY')) {
    faults.push(
      'VENUE_API_KEY is set, and VENUE_BASE_URL=polymarket needs no key. Remove VENUE_API_KEY.',
    );
  }
  if (role === 'bot') {
    faults.push(
      'VENUE_BASE_URL is polymarket, and ROLE is bot, which asks no venue. ' +
        'Accepted: VENUE_BASE_URL=polymarket beside ROLE=feed.',
    );
  }
  return faults;
}

/**
 * Finds the fault of NATS_URL in combination with a role.
 *
 * @param role undefined if the role is unknown
 */
function roleFaults(given: ReadonlyMap<string, string>, role: Role | undefined): readonly string[] {
  if (role === undefined || (role !== 'all') === given.has('NATS_URL')) return [];
  if (role === 'all') {
    return [
      'NATS_URL is set, and ROLE is all, which needs no NATS. ' +
        'Accepted: ROLE=feed, ROLE=bot, or no NATS_URL.',
    ];
  }
  return [`NATS_URL is missing: ROLE=${role} works with other processes. ${NATS_ACCEPTED}`];
}

/**
 * Removes the quotes around values, because Docker's --env-file and some supervisors pass them on,
 * where a shell or .env removes them.
 */
function withoutQuotes(environment: NodeJS.ProcessEnv) {
  const quoted: string[] = [];
  const written = { ...environment };
  for (const name of [...VARIABLES, ...OLD_NAMES]) {
    const [, , inner] = /^(["'])(.*)\1$/s.exec(environment[name]?.trim() ?? '') ?? [];
    if (inner === undefined) continue;
    quoted.push(name);
    written[name] = inner;
  }
  return { written, quoted };
}

/**
 * Reads the environment. An empty variable counts as unset, and an old name as the new one.
 *
 * @throws {ConfigError} with every fault at once, each with its variable's name; never with a
 *   secret's text
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const { written, quoted } = withoutQuotes(environment);
  const old = withNewNames(written);
  const given = new Map(Object.entries(old.environment));
  const role = ROLES.find((name) => name === (given.get('ROLE') ?? 'all'));
  const isPolymarket = given.get('VENUE_BASE_URL')?.toLowerCase() === POLYMARKET;
  const polymarket = isPolymarket ? readPolymarket(old.environment) : { settings: null };
  const parsed = variablesSchema.safeParse({
    ...(isPolymarket && POLYMARKET_VALUES),
    ...old.environment,
    ...(isPolymarket && OF_GATEWAY),
    ...(role && UNUSED[role]),
  });
  const shards = readSharding(given.get('SHARDS'));
  const alertsOut = readAlertsOut(old.environment);
  const limits = readLimitsAtStart(given.get('LIMITS_FILE'), old.usualLimits);
  const fileFaults = secretFileFaults(environment);
  // A secret whose file is faulty is missing only for that reason.
  const ofFiles: readonly unknown[] = fileFaults.map(({ name }) => name);
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !ofFiles.includes(path[0]));
  const faults = [
    ...fileFaults.map(({ fault }) => fault),
    ...quoted.map(
      (name) => `${name} stands in quotes, which belong to it here. Write the value without them.`,
    ),
    ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    ...('faults' in shards ? shards.faults : []),
    ...('faults' in alertsOut ? alertsOut.faults : []),
    ...('faults' in limits ? limits.faults : []),
    ...(isPolymarket ? polymarketFaults(given, role) : []),
    ...('faults' in polymarket ? polymarket.faults : []),
    ...roleFaults(given, role),
  ].map(old.asWritten);
  faults.push(...old.faults);
  const areGroupsFaulty =
    'faults' in shards || 'faults' in alertsOut || 'faults' in polymarket || 'faults' in limits;
  if (faults.length > 0 || !parsed.success || areGroupsFaulty) throw new ConfigError(faults);
  return {
    ...parsed.data,
    /** The gateway shards of this process (SHARDS). */
    sharding: shards.sharding,
    /** Receiver outside Discord (ALERTS_URL and related variables); null if there is none. */
    alertsOut: alertsOut.settings,
    /**
     * Settings of the gateway to Polymarket (VENUE_BASE_URL=polymarket); null if there is none. The
     * venue's address and key are then the gateway's, once it runs.
     */
    polymarket: polymarket.settings,
    /** Limits of servers and people (LIMITS_FILE) at startup. */
    limits: limits.settings,
    /** Minimum interval between polls of one endpoint, in seconds; shorter in tests. */
    pollMinSeconds: Number(environment['WALLETBELL_TEST_POLL_MIN_SECONDS'] ?? 1),
    /** Old names that are set, and their replacements. */
    oldNames: old.oldNames,
  };
}

/**
 * Returns STORE_URL, for programs that use nothing else.
 *
 * @throws {StoreUnfit} if it is not the address of a store
 */
export function readStoreUrl(environment: NodeJS.ProcessEnv): string {
  const ofFile = secretFileFaults(environment).find(({ name }) => name === 'STORE_URL');
  if (ofFile !== undefined) throw new StoreUnfit(ofFile.fault);
  const url = environment['STORE_URL']?.trim() || DEFAULT_STORE_URL;
  const fault = storeFault(url);
  if (fault !== null) throw new StoreUnfit(`STORE_URL ${fault}`);
  return url;
}

/**
 * Everything that `start` reads from its environment, validated: each variable by name, and the
 * results of combined variables.
 */
export type Config = Readonly<ReturnType<typeof readConfig>>;
