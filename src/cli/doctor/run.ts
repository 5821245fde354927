import type { AlertsOut } from '../../alerts-out/settings.ts';
import { type Config, ConfigError, readConfig } from '../../app/config.ts';
import { secretsOf } from '../../app/secrets.ts';
import { reasonOf } from '../../lib/error.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import { RELEASE, shownRelease } from '../../lib/release.ts';
import { FORMAT } from '../../store/format.ts';
import { checkAddresses, checkHttp } from './addresses.ts';
import { checkDiscord } from './discord.ts';
import { type Finding, fail, line, ok, verdict } from './finding.ts';
import { checkNats } from './nats.ts';
import { checkStore } from './store.ts';
import { checkVenue } from './venue.ts';

/**
 * Looks at everything that the bot needs, and changes nothing.
 *
 * @param print takes each finding as a line without its end, as soon as it is known, and the
 *   verdict
 * @returns the exit code: 0 if the bot would work
 */
export async function runDoctor(
  environment: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<number> {
  const findings: Finding[] = [];
  const redact = createRedactor(secretsOf(environment));
  const say = (found: readonly Finding[]) => {
    findings.push(...found);
    for (const finding of found) print(redact(line(finding)));
  };
  const release = `walletbell ${shownRelease(RELEASE)}, for stores of format ${FORMAT.version}.`;
  say([ok('version', release)]);
  try {
    await checkAll(readConfig(environment), say);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.faults.map((fault) => fail('variables', fault)));
  }
  print(verdict(findings));
  if (findings.some(({ level }) => level === 'fail')) return 1;
  return 0;
}

async function checkAll(config: Config, say: (found: readonly Finding[]) => void): Promise<void> {
  /**
   * A fault that no check has foreseen must not keep the others from being made, nor show a secret
   * in a stack.
   */
  const sayAll = async (subject: string, check: Promise<readonly Finding[]>) =>
    say(await check.catch((error: unknown) => [fail(subject, reasonOf(error))]));
  say([ok('variables', 'all there, none with a fault.')]);
  say(checkAddresses(config));
  const {
    findings: ofStore,
    watches,
    isInUse,
  } = await checkStore(config.STORE_URL, config.sharding);
  say(ofStore);
  if (config.HEARTBEAT_URL !== null) {
    say([
      ok('heartbeat', 'HEARTBEAT_URL is not asked: that would count as a sign of life of the bot.'),
    ]);
  }
  if (config.alertsOut !== null && config.ROLE !== 'feed') {
    say([alertsOutFinding(config.alertsOut)]);
  }
  const { HTTP_HOST: host, HTTP_PORT: port, NATS_URL: urls } = config;
  if (port !== null) await sayAll('http', checkHttp(host, port, isInUse));
  if (urls !== null) await sayAll('nats', checkNats(urls, config, isInUse));
  // A bot has no key, and a feed no token.
  if (config.ROLE !== 'bot') await sayAll('venue', checkVenue(config, watches));
  if (config.ROLE !== 'feed') await sayAll('discord', checkDiscord(config, watches));
}

/** Says what goes out; the address is a secret. */
function alertsOutFinding({ guilds, keys }: AlertsOut): Finding {
  const servers = guilds === '*' ? 'all servers' : `servers: ${[...guilds].join(', ')}`;
  const signatures = keys.length === 1 ? 'one secret' : 'two secrets';
  return ok(
    'alerts out',
    `alerts go to ALERTS_URL, signed with ${signatures}, of ${servers}. It is ` +
      'not asked: that would be an alert.',
  );
}
