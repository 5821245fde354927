import { existsSync } from 'node:fs';
import type { AlertsOut } from '../../alerts-out/settings.ts';
import { type Config, ConfigError, readConfig } from '../../app/config.ts';
import type { OldName } from '../../app/old-names.ts';
import { secretsOf } from '../../app/secrets.ts';
import { reasonOf } from '../../lib/error.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import { nodeUnsupportedSince } from '../../lib/node-support.ts';
import type { Progress } from '../../lib/progress.ts';
import { RELEASE, shownRelease } from '../../lib/release.ts';
import { FORMAT } from '../../store/format.ts';
import { checkAddresses, checkHttp } from './addresses.ts';
import { checkDiscord } from './discord.ts';
import { type Finding, fail, line, ok, verdict, warn } from './finding.ts';
import { checkNames } from './names.ts';
import { checkNats } from './nats.ts';
import { checkPolymarket } from './polymarket.ts';
import { checkStore } from './store.ts';
import { checkVenue } from './venue.ts';

/**
 * Checks everything that the bot needs, and changes nothing.
 *
 * @param print receives each finding as a line without its line break, as soon as it is known, and
 *   the verdict
 * @param fileNames names of variables in `.env`
 * @param nodeVersion for example "26.10.0"
 * @param progress shows which check is taking its time; `print` must clear it
 * @returns the exit code: 0 if the bot would work
 */
export async function runDoctor(
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  fileNames: readonly string[],
  nodeVersion: string,
  progress: Progress,
): Promise<number> {
  const findings: Finding[] = [];
  const redact = createRedactor(secretsOf(environment));
  const say = (found: readonly Finding[]) => {
    findings.push(...found);
    for (const finding of found) print(redact(line(finding)));
  };
  const release = `walletbell ${shownRelease(RELEASE)}, for stores of format ${FORMAT.version}.`;
  say([ok('version', release), ...nodeFindings(nodeVersion)]);
  say(checkNames(environment, fileNames));
  try {
    await checkAll(readConfig(environment), say, progress);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.faults.map((fault) => fail('variables', fault)));
  }
  print(verdict(findings));
  if (findings.some(({ level }) => level === 'fail')) return 1;
  return 0;
}

function nodeFindings(version: string): Finding[] {
  const since = nodeUnsupportedSince(version, Date.now());
  if (since === null) return [];
  const text = `Node.js ${version} has had no security fixes since ${since}. Use Node.js 24 or 26.`;
  return [warn('node', text)];
}

async function checkAll(
  config: Config,
  say: (found: readonly Finding[]) => void,
  progress: Progress,
): Promise<void> {
  /** An unexpected error must not prevent the other checks, nor reveal a secret in a stack. */
  const sayAll = async (subject: string, check: Promise<readonly Finding[]>) =>
    say(await check.catch((error: unknown) => [fail(subject, reasonOf(error))]));
  say([ok('variables', 'all there, none with a fault.')]);
  say(config.oldNames.map(oldNameFinding));
  const { NATS_URL: nats, HTTP_PORT: address } = config;
  say(checkAddresses({ ...config, NATS_URL: nats?.urls[0] ?? null }));
  const { path: limitsPath } = config.limits;
  if (limitsPath !== null && !existsSync(limitsPath)) {
    const text = `LIMITS_FILE: there is no ${limitsPath} yet. Until it comes nobody has limits of their own. Make it, or check the path.`;
    say([warn('limits', text)]);
  }
  const {
    findings: ofStore,
    watches,
    limits,
    isInUse,
  } = await checkStore(config.STORE_URL, config.sharding, progress);
  say(ofStore);
  if (config.HEARTBEAT_URL !== null) {
    say([
      ok('heartbeat', 'HEARTBEAT_URL is not asked: that would count as a sign of life of the bot.'),
    ]);
  }
  if (config.alertsOut !== null && config.ROLE !== 'feed') {
    say([alertsOutFinding(config.alertsOut)]);
  }
  if (address !== null) await sayAll('http', checkHttp(address, isInUse));
  if (nats !== null) progress.say('Listening to NATS');
  if (nats !== null) await sayAll('nats', checkNats(nats, config.ROLE, isInUse));
  // A bot has no key, and a feed has no token.
  if (config.ROLE !== 'bot') {
    const { polymarket } = config;
    progress.say('Asking the venue');
    const check =
      polymarket === null
        ? checkVenue(config, watches, limits)
        : checkPolymarket(config, polymarket, watches, limits);
    await sayAll('venue', check);
  }
  if (config.ROLE !== 'feed') progress.say('Asking Discord');
  if (config.ROLE !== 'feed') await sayAll('discord', checkDiscord(config, watches, isInUse));
}

function oldNameFinding({ variable, instead, goneWith }: OldName): Finding {
  const text = `${variable} is an old name, which does nothing from ${goneWith} on. Write instead:`;
  return warn('variables', `${text} ${instead}`);
}

/** Returns which alerts are sent to receivers; the URL is a secret. */
function alertsOutFinding({ guilds, keys }: AlertsOut): Finding {
  const servers = guilds === '*' ? 'all servers' : `servers: ${[...guilds].join(', ')}`;
  const signatures = keys.length === 1 ? 'one secret' : 'two secrets';
  return ok(
    'alerts out',
    `alerts go to ALERTS_URL, signed with ${signatures}, of ${servers}. It is ` +
      'not asked: that would be an alert.',
  );
}
