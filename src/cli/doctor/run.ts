import { type Config, ConfigError, readConfig } from '../../app/config.ts';
import { secretsOf } from '../../app/secrets.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { reasonOf } from '../../lib/error.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import { checkAddresses, checkHttp } from './addresses.ts';
import { checkDiscord } from './discord.ts';
import { type Finding, fail, line, ok, verdict } from './finding.ts';
import { checkNats } from './nats.ts';
import { checkStore } from './store.ts';
import { checkVenue } from './venue.ts';

/** Any wallet will do to ask for where none is watched. */
const NOBODY = `0x${'0'.repeat(40)}` as WalletAddress;

/**
 * Looks at everything that the bot needs, and changes nothing.
 *
 * @param print takes each finding as a line without its end, as soon as it is known, and the verdict
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
  try {
    await checkAll(readConfig(environment), say);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.faults.map((fault) => fail('variables', fault)));
  }
  print(verdict(findings));
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
}

/** Looks at each thing that a process of this role uses. */
async function checkAll(config: Config, say: (found: readonly Finding[]) => void): Promise<void> {
  say([ok('variables', 'all there, none with a fault.')]);
  say(checkAddresses(config));
  const { findings: ofStore, watches, isInUse } = await checkStore(config.STORE_URL, config.sharding);
  say(ofStore);
  if (config.http !== null) say(await checkHttp(config.http, isInUse).catch(unforeseen('http')));
  if (config.nats !== null) say(await checkNats(config.nats, config.ROLE, isInUse).catch(unforeseen('nats')));
  const wallet = watches[0]?.wallet ?? NOBODY;
  // A bot has no key, and a feed no token.
  if (config.ROLE !== 'bot') {
    const wallets = new Set(watches.map((watch) => watch.wallet)).size;
    say(await checkVenue(config, wallets, wallet).catch(unforeseen('venue')));
  }
  if (config.ROLE !== 'feed') say(await checkDiscord(config, watches).catch(unforeseen('discord')));
}

/** What no check has foreseen must not keep the others from being made, nor show a secret in a stack. */
function unforeseen(subject: string): (error: unknown) => readonly Finding[] {
  return (error) => [fail(subject, reasonOf(error))];
}
