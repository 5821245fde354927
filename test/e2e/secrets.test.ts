import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHostileVenue, type VenueMood } from '../support/hostile-venue.ts';
import { inMarket, trade, transfer } from '../support/records.ts';
import { IS_THOROUGH, variants, within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, query, runToEnd, TOKEN, textOf } from './fixture.ts';

const KEY = 'planted/venue+key=0123456789';
const PASSWORD = 'planted-store-password';
const HEARTBEAT_SECRET = 'planted0heartbeat0path';
const INTERACTION = 'planted-interaction-token';
const SECRETS = [TOKEN, KEY, PASSWORD, HEARTBEAT_SECRET, INTERACTION];
/** On SIGUSR2 the process fails as nobody expected, with all that it must not tell in the error. */
const CRASH_ON_SIGNAL = `--import=data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', () => {
    const { DISCORD_TOKEN: token, VENUE_API_KEY: key, HEARTBEAT_URL: url } = process.env;
    process.emitWarning('with ' + token + ' and ' + btoa('bot:' + key));
    const cause = new AggregateError([new Error(key)], encodeURIComponent(key));
    throw Object.assign(new Error('with ' + token + ' ' + url, { cause }), { headers: { authorization: 'Bearer ' + key } });
  });
`)}`;

/**
 * Every way in which a secret may stand in a text, found without the means of the program itself.
 */
function leaks(text: string): string[] {
  const runs = text.match(/[A-Za-z0-9+/_=-]{16,}/g) ?? [];
  const decodedRuns = runs.flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')),
  );
  const unescaped = text.replaceAll('\\', '');
  const urlDecoded = text.replace(/%[0-9a-f]{2}/gi, (hex) =>
    decodeURIComponent(/%[89a-f]/i.test(hex) ? '' : hex),
  );
  return SECRETS.filter((secret) =>
    [text, unescaped, urlDecoded, ...decodedRuns].some((form) =>
      form.includes(secret.slice(0, 20)),
    ),
  );
}

describe('planted secrets', { timeout: within(90_000) }, () => {
  it('are found by the search of this test in every form', () => {
    for (const secret of SECRETS) {
      for (const form of [
        secret,
        encodeURIComponent(secret),
        ...['', 'a', 'ab'].map((before) =>
          Buffer.from(`${before}${secret} and more`).toString('base64'),
        ),
      ]) {
        expect(leaks(`{"a":"${form}"}`)).toContain(secret);
      }
    }
  });

  it('stay secret while venue, Discord, store and heartbeat fail and echo them, and in the crash at the end', async () => {
    const venue = await startHostileVenue();
    onTestFinished(venue.close);
    const refusing = createServer(
      (socket) => void socket.end(`HTTP/1.1 500 ${HEARTBEAT_SECRET}\r\n\r\n`),
    );
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void refusing.close());
    const { port: heartbeatPort } = refusing.address() as AddressInfo;
    let tokens = 0;
    const fixture = await openFixture({
      asProcess: true,
      newSecret: () => {
        tokens += 1;
        return `${INTERACTION}-${tokens}`;
      },
      environment: {
        VENUE_BASE_URL: venue.url,
        VENUE_API_KEY: KEY,
        LOG_LEVEL: 'trace',
        HTTP_PORT: '0',
        HEARTBEAT_URL: `http://127.0.0.1:${heartbeatPort}/api/v1/heartbeat/${HEARTBEAT_SECRET}`,
        NODE_OPTIONS: CRASH_ON_SIGNAL,
      },
    });
    const { discord, channelId, say } = fixture;
    await fixture.logged('heartbeat.failed');

    // A record that holds the key, in the channel and in a list; another that cannot be read; and a
    // text that Discord echoes.
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    venue.transfers = [transfer({ type: KEY }), { ...transfer(), time: KEY }];
    venue.activity = [trade({ marketTitle: `Is ${KEY} the key?` })];
    await fixture.logged('venue.items_skipped');
    await fixture.alerted(1);
    await say('activity', { wallet: WALLET });
    await say('flows', { wallet: WALLET });
    const route = 'POST /channels/:channel/messages';
    discord.faults.refuseRest({ status: 500, message: `Bot ${TOKEN}`, route });
    discord.faults.refuseRest({
      status: 400,
      code: 50035,
      message: `Not with Bot ${TOKEN}`,
      route,
    });
    venue.activity = [trade(inMarket(2)), ...venue.activity];
    await fixture.logged('alert.rejected');
    // It is said to be rejected a moment before it is put aside.
    let told = '';
    while (!told.includes('Not with')) told = textOf(await say('watch list')) ?? '';
    expect(told).toMatch(/Not with Bot .*redacted/);
    discord.faults.refuseRest({ status: 400, message: `Bot ${TOKEN}`, route: 'PATCH /webhooks/' });
    await say('watch status');
    expect(JSON.stringify(await fixture.logged('command.failed'))).toMatch(
      /webhooks\/\d+\/\[redacted\]\//,
    );

    // The table is taken from under the bot's store.
    await query(fixture, 'ALTER TABLE keyv RENAME TO hidden');
    venue.activity = [trade(inMarket(3)), ...venue.activity];
    await fixture.logged('poll.failed');
    const url = String((await fixture.logged('http.listening'))['url']);
    const ready = await (await fetch(`${url}/readyz`)).text();
    expect(JSON.parse(ready)).toMatchObject({ ready: false, checks: { store: { ok: false } } });
    await query(fixture, 'ALTER TABLE hidden RENAME TO keyv');

    const moods: readonly VenueMood[] = [
      'failing',
      'garbage',
      'cut',
      'forbidden',
      'unauthorized',
      'limited',
    ];
    for (const mood of moods) {
      venue.mood = mood;
      await say('activity', { wallet: WALLET });
    }
    await fixture.logged('venue.key_refused');
    const pages = ['readyz', 'metrics', 'healthz', 'x'].map(async (page) =>
      (await fetch(`${url}/${page}`)).text(),
    );
    const served = [ready, ...(await Promise.all(pages))].join('\n');
    expect(served).toContain('walletbell_store_errors_total{operation="set"}');
    // A word of the address is no secret, and a name of a metric is never struck out.
    expect(served).toContain('walletbell_heartbeats_total{outcome="failed"} 1');
    expect(served.match(/^walletbell_\S*redacted/m)).toBeNull();

    fixture.bot.process.kill('SIGUSR2');
    await once(fixture.bot.process, 'close');
    expect(fixture.bot.process.exitCode).toBe(1);
    expect(await fixture.logged('crashed')).toMatchObject({
      err: { message: expect.stringContaining('[redacted]') },
    });
    await fixture.logged('process.warning');
    const messages = discord.messages(channelId, 'all').map(({ raw }) => raw);
    const shown = [JSON.stringify(fixture.logLines), JSON.stringify(messages)].join('\n');
    expect(shown).toContain('[redacted]');
    expect(leaks(shown)).toEqual([]);
    expect(leaks(served)).toEqual([]);
  });

  it('stay secret where Discord cannot be reached or refuses the token, and in faults of configuration and store', async () => {
    const fixture = await openFixture({ withoutBot: true });
    fixture.discord.revokeToken();
    const { port } = new URL(fixture.discord.apiUrl);
    await expect(fixture.startBot(working(fixture))).rejects.toThrow('The bot has ended');
    expect(await fixture.bot.stop()).toBe(78);
    expect(leaks(JSON.stringify(fixture.logLines))).toEqual([]);
    const said = fixture.logLines.filter(({ event }) => event === 'discord.token_refused');
    expect(said).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('Check DISCORD_TOKEN') }),
    ]);
    expect(JSON.stringify(said)).not.toContain('stack');

    const cases: readonly Record<string, string>[] = [
      { STORE_URL: `postgres://bell:${PASSWORD}@127.0.0.1:1/bell` },
      { DISCORD_API_URL: `https://127.0.0.1:${port}/api` },
      { HTTP_PORT: port },
      {
        VENUE_API_KEY: `${KEY} ${KEY}`,
        VENUE_BASE_URL: `https://bell:${PASSWORD}@venue.example/`,
      },
    ];
    // That faults of variables repeat no secret `test/app/config.test.ts` tests as well.
    const isNeeded = (environment: Record<string, string>) => cases.indexOf(environment) < 1;
    const runs = await Promise.all(
      variants(cases, isNeeded).map((environment) =>
        runToEnd({ ...working(fixture), ...environment }, { until: 'discord.login_failed' }),
      ),
    );
    for (const { output } of runs) {
      expect(output.length).toBeGreaterThan(20);
      expect(leaks(output)).toEqual([]);
    }
    if (IS_THOROUGH)
      expect(runs[1]?.lines.map(({ event }) => event)).toContain('discord.login_failed');
  });
});

function working(fixture: Fixture): Record<string, string> {
  return {
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_URL: fixture.discord.apiUrl,
    VENUE_BASE_URL: fixture.venue.url,
    VENUE_API_KEY: KEY,
    STORE_URL: fixture.storeUrl,
    HEARTBEAT_URL: `http://127.0.0.1:1/${HEARTBEAT_SECRET}`,
    LOG_LEVEL: 'trace',
  };
}
