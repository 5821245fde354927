import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { type Config, ConfigError, readConfig } from '../../app/config.ts';
import { secretsOf } from '../../app/secrets.ts';
import { printEnd, readWords } from '../../lib/command-line.ts';
import { createRedactor } from '../../lib/redact.ts';
import { parseAddress } from '../../venue/address.ts';
import { checkAddresses } from './addresses.ts';
import { checkDiscord } from './discord.ts';
import { type Finding, fail, line, ok, verdict } from './finding.ts';
import { checkHttp } from './http.ts';
import { checkNats } from './nats.ts';
import { checkStore } from './store.ts';
import { checkVenue } from './venue.ts';

const USAGE = `Use: npm run doctor
Looks at everything that the bot needs, by the same variables or .env, and changes nothing. Exit code 0 if it would work.`;

/** Any wallet will do to ask for where none is watched. */
const NOBODY = parseAddress(`0x${'0'.repeat(40)}`);

/** `npm run doctor`: looks at everything that the bot needs, and changes nothing. Exit code 0 if it would work. */
async function main(): Promise<void> {
  const texts = readWords(process.argv.slice(2), USAGE);
  if ('exitCode' in texts) {
    process.exitCode = printEnd(texts);
    return;
  }
  // SQLite may have to make its files beside a store that nobody has open.
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const findings: Finding[] = [];
  const redact = createRedactor(secretsOf(process.env));
  const say = (found: readonly Finding[]) => {
    findings.push(...found);
    for (const finding of found) process.stdout.write(`${redact(line(finding))}\n`);
  };
  const config = read();
  if (config instanceof ConfigError) {
    say(config.faults.map((fault) => fail('variables', fault)));
  } else {
    await checkAll(config, say);
  }
  process.stdout.write(`${verdict(findings)}\n`);
  process.exitCode = findings.some(({ level }) => level === 'fail') ? 1 : 0;
}

/** Looks at each thing that a process of this role uses. */
async function checkAll(config: Config, say: (found: readonly Finding[]) => void): Promise<void> {
  say([ok('variables', 'all there, none with a fault.')]);
  const { venueBaseUrl, discordApiUrl, heartbeatUrl } = config;
  say(
    checkAddresses({
      VENUE_BASE_URL: config.role === 'bot' ? null : venueBaseUrl,
      DISCORD_API_URL: discordApiUrl,
      HEARTBEAT_URL: heartbeatUrl,
      NATS_URL: config.nats?.urls.find((url) => url.startsWith('nats:')) ?? null,
    }),
  );
  const { findings: ofStore, watches, isInUse } = await checkStore(config.storeUrl, config.sharding);
  say(ofStore);
  if (config.http !== null) say(await checkHttp(config.http, isInUse).catch(unforeseen('http')));
  if (config.nats !== null) say(await checkNats(config.nats, config.role).catch(unforeseen('nats')));
  const wallet = watches[0]?.wallet ?? (NOBODY.ok ? NOBODY.address : undefined);
  // A bot has no key, and a feed no token.
  if (wallet !== undefined && config.role !== 'bot') {
    const { venueBaseUrl: baseUrl, venueApiKey: apiKey, budgetShare, pollMinSeconds } = config;
    const wallets = new Set(watches.map((watch) => watch.wallet)).size;
    const log = pino({ level: 'silent' });
    const check = { baseUrl, apiKey, budgetShare, pollMinSeconds, wallets, wallet, log };
    say(await checkVenue(check).catch(unforeseen('venue')));
  }
  const { discordApiUrl: apiUrl, discordToken: token, sharding } = config;
  if (config.role !== 'feed')
    say(await checkDiscord({ apiUrl, token, sharding, watches }).catch(unforeseen('discord')));
}

/** What no check has foreseen must not keep the others from being made, nor show a secret in a stack. */
function unforeseen(subject: string): (error: unknown) => readonly Finding[] {
  return (error) => [fail(subject, error instanceof Error ? error.message : String(error))];
}

function read(): Config | ConfigError {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

await main();
