import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startBot } from '../../../src/demo/bot-process.ts';
import type { NatsServers } from '../../../src/feed/nats/address.ts';
import { connectNats } from '../../../src/feed/nats/connection.ts';
import { collectingLog, quietLog } from '../../support/log.ts';
import { createAuthority, createNatsAccount } from '../../support/nats-identities.ts';
import { hasNats, PASSWORD, startNats } from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { BOT_FLAGS } from '../../support/thorough.ts';

const TOKEN = 'planted-token-0123456789';
const LOGIN = `bell:${encodeURIComponent(PASSWORD)}@`;

/** A server that lets in whom its settings say, and how to reach it. */
async function serverWith(login?: readonly string[], settings: readonly string[] = []) {
  const nats = await startNats(settings, login);
  onTestFinished(nats.stop);
  const { port } = new URL(await nats.newStore());
  const url = (scheme: string, user = '', host = '127.0.0.1'): string =>
    `${scheme}://${user}${host}:${port}`;
  const address = (
    scheme: string,
    user?: string,
    files: NatsServers['files'] = {},
    host?: string,
  ): NatsServers => ({ urls: [url(scheme, user, host)], files });
  return { nats, url, address };
}

/** Connects, and sees that a message comes back. */
async function expectIn(address: NatsServers): Promise<void> {
  const connection = await connectNats(address, 'test', quietLog());
  const echo = connection.subscribe('echo', { max: 1 });
  connection.publish('echo', 'heard');
  for await (const message of echo) expect(message.string()).toBe('heard');
  await connection.close();
}

/** Why nobody is let in; with all that the error holds, which must be no secret. */
async function expectOut(
  address: NatsServers,
  reason: RegExp,
  secrets: readonly string[] = [],
): Promise<void> {
  const error: unknown = await connectNats(address, 'test', quietLog()).then(
    () => 'let in',
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ name: 'NatsError', message: expect.stringMatching(reason) });
  const whole = inspect(error, { depth: 9 });
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), TOKEN, ...secrets])
    expect(whole).not.toContain(secret);
}

describe.skipIf(!hasNats)('a connection to NATS', () => {
  it('is made with user and password, or with a token, and says which variable is wrong', async () => {
    const byPassword = await serverWith();
    const refused = /refuses us: check user, password, token or credentials in NATS_URL/;
    await expectIn(byPassword.address('nats', LOGIN));
    for (const user of ['', 'bell:wrong@', `other:${encodeURIComponent(PASSWORD)}@`, `${TOKEN}@`]) {
      await expectOut(byPassword.address('nats', user), refused);
    }
    await expectOut(byPassword.address('tls', LOGIN), /offers no TLS, which NATS_URL asks for/);
    const byToken = await serverWith(['--auth', TOKEN]);
    await expectIn(byToken.address('nats', `${TOKEN}@`));
    await expectOut(byToken.address('nats', 'wrong@'), refused);
    const nowhere = { urls: ['nats://127.0.0.1:1'], files: {} };
    await expectOut(nowhere, /cannot be reached: check NATS_URL/);
  });

  it('is made with a credentials file, and refused with one that has expired or is of others', async () => {
    const folder = temporaryFolder();
    const account = createNatsAccount(folder);
    const { address } = await serverWith(['-c', account.configuration]);
    const files = (credentials: string) => address('nats', '', { credentials });
    const good = account.user('good');
    await expectIn(files(good.file));
    const expired = account.user('expired', Math.floor(Date.now() / 1000) - 60);
    await expectOut(files(expired.file), /refuses us: .*credentials in NATS_URL/, [expired.seed]);
    const foreign = createNatsAccount(temporaryFolder()).user('foreign');
    await expectOut(files(foreign.file), /refuses us: .*credentials in NATS_URL/, [foreign.seed]);
    const damaged = join(folder, 'damaged.creds');
    writeFileSync(damaged, good.seed);
    await expectOut(files(damaged), /credentials in NATS_URL names no credentials file/, [
      good.seed,
    ]);
  });

  it('is encrypted, with a server whose certificate is by a known authority, for its name, and of today', async () => {
    const folder = temporaryFolder();
    const authority = createAuthority(folder, 'authority');
    const other = createAuthority(folder, 'other');
    const tls = ({ certificate, key }: { readonly certificate: string; readonly key: string }) =>
      serverWith(undefined, ['--tls', '--tlscert', certificate, '--tlskey', key]);
    const ca = { ca: authority.ca };

    const byAddress = await tls(authority.issue('by-address', 'IP:127.0.0.1'));
    await expectIn(byAddress.address('tls', LOGIN, ca));
    // A server that offers TLS gets it, whatever the address says.
    await expectIn(byAddress.address('nats', LOGIN, ca));
    await expectOut(byAddress.address('tls', 'bell:wrong@', ca), /refuses us/);
    const unknown = /authority that is not known: check ca in NATS_URL/;
    await expectOut(byAddress.address('tls', LOGIN, { ca: other.ca }), unknown);
    await expectOut(byAddress.address('tls', LOGIN), unknown);
    await expectOut(byAddress.address('nats', LOGIN), unknown);
    const misnamed = /certificate of another name: name it in NATS_URL/;
    await expectOut(byAddress.address('tls', LOGIN, ca, 'localhost'), misnamed);

    const byName = await tls(authority.issue('by-name', 'DNS:localhost'));
    await expectIn(byName.address('tls', LOGIN, ca, 'localhost'));
    await expectOut(byName.address('tls', LOGIN, ca), misnamed);

    const expired = await tls(authority.issue('expired', 'IP:127.0.0.1', -1));
    await expectOut(expired.address('tls', LOGIN, ca), /certificate that has expired: renew it/);
  });

  it('shows a certificate of its own where the server wants one', async () => {
    const folder = temporaryFolder();
    const authority = createAuthority(folder, 'authority');
    const server = authority.issue('server', 'IP:127.0.0.1');
    const own = authority.issue('own', 'DNS:walletbell');
    const files = ['--tlscert', server.certificate, '--tlskey', server.key];
    const verify = ['--tlsverify', '--tlscacert', authority.ca];
    const { address } = await serverWith(undefined, [...verify, ...files]);
    const foreign = createAuthority(folder, 'other').issue('foreign', 'DNS:walletbell');
    const withCertificate = (cert: string, key: string) =>
      address('tls', LOGIN, { ca: authority.ca, cert, key });
    await expectIn(withCertificate(own.certificate, own.key));
    await expectOut(
      withCertificate(own.certificate, foreign.key),
      /in NATS_URL, key is not the key of the certificate in cert/,
    );
    await Promise.all([
      expectOut(address('tls', LOGIN, { ca: authority.ca }), /cert and key/),
      expectOut(withCertificate(foreign.certificate, foreign.key), /cert and key/),
    ]);
  });

  it('is made again when the server is back, also after it has refused us, and says so a minute at most', async () => {
    const folder = temporaryFolder();
    const passwords = join(folder, 'users.conf');
    const letIn = (password: string) =>
      writeFileSync(passwords, `authorization { user: bell, password: "${password}" }\n`);
    letIn(PASSWORD);
    const { nats, address } = await serverWith(['-c', passwords]);
    const { log, lines } = collectingLog();
    const changes: boolean[] = [];
    const onChange = (isUp: boolean) => changes.push(isUp);
    const connection = await connectNats(address('nats', LOGIN), 'test', log, onChange);
    onTestFinished(() => connection.close());
    await nats.kill();
    letIn('changed');
    await nats.start();
    const count = (event: string) => lines.filter((line) => line['event'] === event).length;
    await expect.poll(() => count('nats.error')).toBe(1);
    // Several times it is refused, and tries again.
    const refusals = async () => {
      for (let seen = 0; seen < 3; ) {
        for await (const { type } of connection.status())
          if (type === 'error' && ++seen >= 3) break;
      }
    };
    await refusals();
    await nats.kill();
    letIn(PASSWORD);
    await nats.start();
    await expect.poll(() => changes).toEqual([false, true]);
    expect(count('nats.error')).toBe(1);
    expect(lines.find(({ event }) => event === 'nats.error_over')).toMatchObject({
      failures: expect.any(Number),
    });
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });

  it('that cannot be made ends the process with its reason, and without a secret', async () => {
    const folder = temporaryFolder();
    const account = createNatsAccount(folder);
    const { url } = await serverWith(['-c', account.configuration]);
    const { file, seed } = createNatsAccount(temporaryFolder()).user('foreign');
    const run = async (environment: Record<string, string>) => {
      const lines: unknown[] = [];
      const feed = startBot({
        ...BOT_FLAGS,
        directory: folder,
        main: inject('botMain'),
        environment: {
          ROLE: 'feed',
          VENUE_BASE_URL: 'http://127.0.0.1:1',
          VENUE_API_KEY: 'key-of-the-venue',
          STORE_URL: 'sqlite://feed.sqlite',
          LOG_LEVEL: 'trace',
          ...environment,
        },
        onLine: (line) => lines.push(line),
      });
      onTestFinished(() => feed.kill());
      await once(feed.process, 'close');
      return { exitCode: feed.process.exitCode, text: JSON.stringify(lines) };
    };
    const natsUrl = url('nats', `${TOKEN}@`);
    const refused = await run({ NATS_URL: `${natsUrl}?credentials=${file}` });
    expect(refused).toMatchObject({
      exitCode: 1,
      text: expect.stringMatching(/refuses us: .*credentials in NATS_URL/),
    });
    const damaged = join(folder, 'damaged.creds');
    writeFileSync(damaged, seed);
    const unfit = await run({ NATS_URL: `${natsUrl}?credentials=${damaged}&ca=${damaged}` });
    expect(unfit).toMatchObject({
      exitCode: 78,
      text: expect.stringMatching(
        /parameter credentials, which names a file that is not .* ca, which names a file that is not/,
      ),
    });
    for (const { text } of [refused, unfit])
      for (const secret of [seed, TOKEN]) expect(text).not.toContain(secret);
  });
});
