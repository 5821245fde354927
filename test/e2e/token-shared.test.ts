import { expect, it } from 'vitest';
import { doctor, doctorEnvironment } from '../support/doctor.ts';
import { openFixture } from './fixture.ts';

it('another process that uses the token is named in the log, in /readyz and by the doctor, and an answer that was cut off is not', async () => {
  const fixture = await openFixture({ environment: { HTTP_PORT: '0' } });
  const { discord } = fixture;
  const { url } = await fixture.logged('http.listening');
  const shared = () => fixture.logLines.filter(({ event }) => event === 'discord.token_shared');

  // Discord has taken the answer, and the connection is cut: it comes again, and is refused.
  discord.faults.cutAfterAccept({ route: '/callback' });
  await fixture.say('watch status').catch(() => {});
  await fixture.say('watch status');
  expect(shared()).toEqual([]);
  expect((await fixture.readiness()).checks['gateway']).toMatchObject({ ok: true, reason: null });

  // The other process is quicker.
  discord.faults.refuseRest({ status: 400, code: 40060, route: '/callback' });
  await discord.command(fixture.admin, fixture.channelId, 'watch status', {});
  expect(await fixture.logged('discord.token_shared')).toMatchObject({
    advice: expect.stringContaining('Another process uses this token'),
  });
  await fixture.logged('interaction.unanswered');
  const failed = fixture.logLines.filter(({ event }) => event === 'command.failed');
  expect(failed.filter(({ interaction }) => interaction === shared()[0]?.['interaction'])).toEqual(
    [],
  );
  expect((await fixture.readiness()).checks['gateway']).toMatchObject({
    ok: true,
    reason: expect.stringContaining('Another process uses this bot’s token'),
  });
  const { lines } = await doctor({
    ...doctorEnvironment(fixture),
    STORE_URL: fixture.storeUrl,
    HTTP_PORT: new URL(String(url)).port,
  });
  expect(lines.join('\n')).toMatch(/^warn {2}token {7}Another process uses this bot’s token/m);
  // It is served all the same.
  expect((await fixture.say('watch status')).embeds).not.toEqual([]);
});
