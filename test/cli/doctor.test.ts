import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { startVenue } from '@walletbell/venue-server/venue';
import { pino } from 'pino';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { VARIABLES } from '../../src/app/config.ts';
import { elsewhere, openFixture, TOKEN } from '../e2e/fixture.ts';
import { doctor, doctorEnvironment } from '../support/doctor.ts';
import { runProgram } from '../support/program.ts';
import { hasNats, startNats } from '../support/servers.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { writeStore } from './store/stores.ts';

const NOWHERE = 'http://127.0.0.1:65530';

const faults = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('fail')).map((line) => line.slice(6));

describe('the doctor', { timeout: within(60_000) }, () => {
  it('finds nothing while all is well, also beside a running bot', async () => {
    const fixture = await openFixture({ environment: { HTTP_PORT: '0' } });
    await fixture.say('watch add', { wallet: WALLET });
    const { port } = new URL(String((await fixture.logged('http.listening'))['url']));
    const HEARTBEAT_URL = 'http://127.0.0.1:9/planted';
    const { exitCode, lines } = await doctor({
      ...doctorEnvironment(fixture),
      HTTP_PORT: port,
      HEARTBEAT_URL,
      ALERTS_URL: 'https://alerts.example/planted',
      ALERTS_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
      ALERTS_GUILDS: '100000000000000001',
    });
    expect(lines).toEqual([
      expect.stringMatching(
        /^ok {4}version {5}walletbell [\w.-]+, \w+, for stores of format \d+\.$/,
      ),
      'ok    variables   all there, none with a fault.',
      `ok    store       ${fixture.directory}/data/bot.sqlite: watches: 1, wallets: 1, alerts waiting: 0.`,
      'ok    store       in use by a running walletbell, which is as it should be. A second one is refused.',
      expect.stringMatching(
        /^ok {4}store {7}written by walletbell [\w.-]+, unbuilt, format \d+\.$/,
      ),
      'ok    heartbeat   HEARTBEAT_URL is not asked: that would count as a sign of life of the bot.',
      'ok    alerts out  alerts go to ALERTS_URL, signed with one secret, of servers: 100000000000000001. It is not asked: that would be an alert.',
      `ok    http        HTTP_PORT ${port} is served by the running walletbell, which is as it should be.`,
      'ok    venue       activity answers (200).',
      'ok    venue       deposits-withdrawals answers (200).',
      expect.stringMatching(
        /^ok {4}limit {7}\d+ requests per window, \d+ left; the bot uses up to \d+ \(BUDGET_SHARE\)\.$/,
      ),
      'ok    pace        2 endpoints of watched wallets, each polled at most once in 1 s: up to 120 requests a minute. What the limit allows beyond stays unspent.',
      // The bot may have learned the length of the window: it has at the end of the venue's minute.
      expect.stringMatching(
        /^ok {4}pace {8}a round of all 2 endpoints takes \d+ s at [\d.]+ requests a minute(?:, if the limit is one of a minute: one look does not show it)?\.$/,
      ),
      'ok    clock       within 1 s of the venue.',
      expect.stringMatching(/^ok {4}token {7}Discord knows the bot as \S+ \(\d+\)\.$/),
      'ok    clock       within 1 s of Discord.',
      'ok    gateway     999 of 1000 log-ins left for today.',
      'ok    install     for servers, and for people themselves (User Install).',
      'ok    channels    1 of 1 watched channels can be written.',
      'ok    commands    walletbell’s own, and no others.',
      'All is well.',
    ]);
    expect(exitCode).toBe(0);
  });

  it('reckons with the length of the window that the bot has learned', async () => {
    const key = { ...DEMO_KEY, limit: 40, windowSeconds: 2 };
    const fixture = await openFixture({ keys: [key] });
    await fixture.say('watch add', { wallet: WALLET });
    const learned = { limit: 40, windowSeconds: 2 };
    expect(await fixture.logged('rate_limit.learned')).toMatchObject(learned);
    await fixture.bot.stop();
    const { lines } = await doctor(doctorEnvironment(fixture));
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ok {4}limit {7}40 requests per window of 2 s, as the bot has learned, \d+ left/,
      ),
    );
    expect(lines).toContain(
      'ok    pace        a round of all 2 endpoints takes 1 s at 1080 requests a minute.',
    );
  });

  it('helps when asked to, and looks at nothing then', async () => {
    expect(await runProgram([inject('doctorMain'), '--help'], temporaryFolder())).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/npm run doctor[^\n]*\n[^\n]+\n$/),
      errors: '',
    });
  });

  it('lists every variable that is missing or wrong', async () => {
    const wrong = { VENUE_BASE_URL: 'planted', STORE_URL: 'mysql://planted' };
    const { exitCode, lines } = await doctor(wrong);
    expect(faults(lines).map((line) => line.split(/\s+/).slice(0, 2).join(' '))).toEqual([
      'variables DISCORD_TOKEN',
      'variables VENUE_BASE_URL',
      'variables VENUE_API_KEY',
      'variables STORE_URL',
    ]);
    expect(lines.at(-1)).toBe('4 faults.');
    expect(exitCode).toBe(1);
  });

  it('warns of names that nobody reads: all of a file, and near ones of the environment', async () => {
    const near = 'ALLOWED_GUILD HTTP_PROT WATCHES_PER_GILD SHARD_CUONT LOOKUP_SHARES';
    const others = 'HTTP_PROXY HOME TX EDITOR NODE_OPTIONS';
    const environment = Object.fromEntries(
      `${near} ${others}`.split(' ').map((name) => [name, '1']),
    );
    const inFile = ['ALLOWED_GUILD', 'EDITOR', 'NODE_OPTIONS'];
    const { lines } = await doctor(environment, { fileNames: inFile, node: '20.19.0' });
    const ofNode = 'warn  node        Node.js 20.19.0 has had no security fixes since 2026-04-30.';
    expect(lines).toContain(`${ofNode} Use Node.js 24 or 26.`);
    expect(lines.filter((line) => line.startsWith('warn  variables'))).toEqual([
      'warn  variables   .env: ALLOWED_GUILD is no variable of walletbell. Is ALLOWED_GUILDS meant?',
      'warn  variables   .env: EDITOR is no variable of walletbell. It does nothing.',
      'warn  variables   HTTP_PROT is no variable of walletbell. Is HTTP_PORT meant?',
      'warn  variables   WATCHES_PER_GILD is no variable of walletbell. Is WATCHES_PER_GUILD meant?',
      'warn  variables   SHARD_CUONT is no variable of walletbell. Is SHARD_COUNT meant?',
      'warn  variables   LOOKUP_SHARES is no variable of walletbell. Is LOOKUP_SHARE meant?',
    ]);
  });

  it('knows each variable that .env.example has', () => {
    const example = readFileSync('.env.example', 'utf8');
    const names = new Set([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
    expect([...names].toSorted()).toEqual([...VARIABLES].toSorted());
  });

  it('says what to do about a wrong token, a wrong key and a damaged store', async () => {
    const fixture = await openFixture({ withoutBot: true });
    writeFileSync(join(fixture.directory, 'store.sqlite'), 'no database '.repeat(1_000));
    const { exitCode, lines } = await doctor({
      ...doctorEnvironment(fixture),
      DISCORD_TOKEN: 'planted.wrong.token',
      VENUE_API_KEY: 'planted-wrong-key',
      STORE_URL: `sqlite://${join(fixture.directory, 'store.sqlite')}`,
    });
    expect(faults(lines)).toEqual([
      expect.stringMatching(
        /^store {7}The store \S+store\.sqlite is not a sound SQLite database .* Put a backup in its place/,
      ),
      expect.stringMatching(/^venue .*refused the key \(401.*Check VENUE_API_KEY/),
      expect.stringMatching(/^token .*refuses it \(401\)\. Check DISCORD_TOKEN/),
    ]);
    expect(exitCode).toBe(1);
  });

  it('counts what cannot be read, and fails where a watch is among it', async () => {
    const fixture = await openFixture();
    const first = fixture.channelId;
    const { id: second } = fixture.discord.createChannel(fixture.guildId, { name: 'second' });
    for (const channel of [first, second])
      await fixture.say('watch add', { wallet: WALLET }, channel);
    await fixture.bot.stop();
    const environment = doctorEnvironment(fixture);
    const url = environment['STORE_URL'] ?? '';
    await writeStore(url, [
      [`watch:${first}:${WALLET}`, {}],
      [`digest:${first}`, {}],
      [`quarantine:watch:${second}:${WALLET}`, {}],
    ]);
    const { exitCode, lines } = await doctor(environment);
    expect(faults(lines)).toEqual([
      `store       watches that cannot be read: 1 (watch:${first}:${WALLET}). The next start puts them aside and tells their channels.`,
    ]);
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringContaining(`documents that cannot be read: 1 (digest:${first}).`),
      expect.stringContaining(
        `documents put aside earlier because they could not be read: 1 (watch:${second}:`,
      ),
    ]);
    expect(exitCode).toBe(1);
    await fixture.startBot();
    await fixture.alerted(1);
    expect(faults((await doctor(environment)).lines)).toEqual([
      expect.stringContaining(
        `store       watches put aside because they could not be read: 1 (watch:${first}:${WALLET})`,
      ),
    ]);
  });

  it('says what cannot be reached', async () => {
    const { lines } = await doctor({
      DISCORD_TOKEN: TOKEN,
      VENUE_API_KEY: 'planted-key',
      DISCORD_API_URL: NOWHERE,
      VENUE_BASE_URL: NOWHERE,
      STORE_URL: 'redis://:planted%20password@127.0.0.1:1',
    });
    expect(faults(lines)).toEqual([
      expect.stringMatching(
        /^store {7}The store redis:\/\/127\.0\.0\.1:1 cannot be reached .*ECONNREFUSED.* Check STORE_URL/,
      ),
      expect.stringMatching(/^venue .*ECONNREFUSED.*check VENUE_BASE_URL/),
      expect.stringMatching(
        /^discord {5}cannot be reached \(ECONNREFUSED\)\. Check the network and DISCORD_API_URL/,
      ),
    ]);
  });

  it('names the endpoint that the plan lacks, the channels that cannot be written, and a clock that is wrong', async () => {
    const fixture = await openFixture();
    const second = fixture.discord.createChannel(fixture.guildId, { name: 'second' }).id;
    const third = fixture.discord.createChannel(fixture.guildId, { name: 'third' }).id;
    for (const channel of [fixture.channelId, second, third])
      await fixture.say('watch add', { wallet: WALLET }, channel);
    const { guildId: strict, say } = elsewhere(fixture);
    await say('watch add', { wallet: WALLET });
    await fixture.bot.stop();
    fixture.discord.timeoutBot(strict, Date.now() + 3_600_000);
    fixture.discord.setBotPermissions(fixture.channelId, 1n << 10n);
    fixture.discord.setBotPermissions(second, 0n);
    fixture.discord.deleteChannel(third);
    const late = await startVenue({
      ledger: fixture.ledger,
      keys: [{ ...DEMO_KEY, endpoints: ['activity'] }],
      now: () => Date.now() + 600_000,
      log: pino({ level: 'silent' }),
    });
    onTestFinished(() => late.close());
    const environment = { ...doctorEnvironment(fixture), VENUE_BASE_URL: late.url };
    const { exitCode, lines } = await doctor(environment);
    expect(faults(lines)).toEqual([
      expect.stringMatching(
        /^venue (?!.*Use a plan.*Use a plan).*does not include the endpoint "deposits-withdrawals" \(403.*Use a plan/,
      ),
      'channels    #alerts in Desk cannot be written. Give the bot Send Messages, Embed Links there.',
      expect.stringMatching(
        /^channels {4}\d+ in Desk cannot be seen \(50001\)\. Give the bot View Channel there\.$/,
      ),
      expect.stringMatching(/^channels {4}\d+ in Desk does not exist any more \(10003\)/),
      expect.stringMatching(
        /^channels {4}#alerts in Elsewhere cannot be written: .* timed the bot out until \d{4}-/,
      ),
    ]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^warn {2}clock {7}(59[89]|60[012]) s behind the venue\..*NTP/),
    );
    expect(lines.at(-1)).toBe('5 faults, 1 warning.');
    expect(exitCode).toBe(1);
  });

  it('compares the shards with what Discord recommends, and is not led astray by their variables', async () => {
    const fixture = await openFixture({ recommendedShards: 2 });
    await fixture.say('watch add', { wallet: WALLET });
    await fixture.bot.stop();
    const about = async (environment: Record<string, string>) => {
      const { lines } = await doctor({ ...doctorEnvironment(fixture), ...environment });
      expect(faults(lines)).toEqual([]);
      expect(lines).toContain('ok    channels    1 of 1 watched channels can be written.');
      return lines.filter((line) => line.includes('shards'));
    };
    expect(await about({ SHARDS: 'auto' })).toEqual([
      'ok    shards      Discord recommends 2; this process takes them all (SHARDS=auto).',
    ]);
    expect(await about({ SHARDS: '0,2/6' })).toEqual([
      'ok    shards      Discord recommends 2; this process takes shards 0, 2 of 6 (SHARDS).',
    ]);
    expect(await about({ SHARDS: '0/1' })).toEqual([
      expect.stringMatching(
        /^warn {2}shards {6}Discord recommends 2, and this process takes shard 0 of 1 .*Raise the number behind the slash/,
      ),
    ]);
  });

  it('says that the rate limit is used up, and that the bot was taken out of a server', async () => {
    const fixture = await openFixture({ keys: [{ ...DEMO_KEY, limit: 1 }] });
    await fixture.say('watch add', { wallet: WALLET });
    await fixture.bot.stop();
    fixture.discord.kickBot(fixture.guildId);
    const { lines } = await doctor(doctorEnvironment(fixture));
    expect(lines).toContainEqual(
      expect.stringMatching(/^warn {2}venue .*rate limit is used up \(429.*lower BUDGET_SHARE/),
    );
    expect(faults(lines)).toEqual([
      expect.stringMatching(/^channels {4}the bot is not in the server \d+ any more \(10004\)/),
    ]);
  });

  it.skipIf(!hasNats)(
    'looks at NATS, the stream and the feed, as a feed and as a bot',
    async () => {
      const nats = await startNats();
      onTestFinished(nats.stop);
      const NATS_URL = await nats.newStore();
      const fixture = await openFixture({ withoutBot: true, environment: { NATS_URL } });
      const of = async (ROLE: 'feed' | 'bot', changes: Record<string, string> = {}) => {
        const role = { NATS_URL, ROLE, ...changes };
        return (await doctor({ ...doctorEnvironment(fixture), ...role })).lines;
      };
      expect(await of('bot')).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^ok {4}nats .*nats:\/\/127\.0\.0\.1:\d+ lets us in\.$/),
          expect.stringMatching(/^ok {4}stream .*not there yet/),
          expect.stringMatching(/^warn {2}feed .*not heard for 3 s.*ROLE=feed/),
        ]),
      );
      await fixture.startBot({ ROLE: 'feed' }, { until: 'store.loaded' });
      const feed = await of('feed');
      expect(feed.filter((line) => /discord/.test(line))).toEqual([]);
      expect(feed).toContainEqual(
        expect.stringMatching(/^ok {4}feed .*running, which is as it should be/),
      );
      const STORE_URL = `sqlite://${join(fixture.directory, 'other.sqlite')}`;
      const other = await of('feed', { STORE_URL });
      expect(other).toContainEqual(
        expect.stringMatching(/^warn {2}feed .*another feed is running/),
      );
      const bot = await of('bot');
      expect(bot.filter((line) => /^\w+ +venue /.test(line))).toEqual([]);
      expect(bot).toContainEqual(expect.stringMatching(/^ok {4}feed .*heard/));
      expect(bot).toContainEqual(expect.stringMatching(/^ok {4}stream .*0 pages/));
      await nats.kill();
      expect(await of('bot')).toContainEqual(
        expect.stringMatching(/^fail {2}nats .*cannot be reached.*NATS_URL/),
      );
    },
  );
});
