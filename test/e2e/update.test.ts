import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { build } from '../../src/build/bundle.js';
import { ROOT } from '../../src/build/state.js';
import { createFormat, FORMAT } from '../../src/store/format.ts';
import { readMeta } from '../../src/store/marks.ts';
import { closing, inspectStore } from '../../src/store/store.ts';
import { storeKinds } from '../cli/store/stores.ts';
import { KEPT } from '../releases/keep.ts';
import { STEPS as NEXT_STEPS } from '../releases/next-steps.ts';
import { type DatabaseServer, hasNats, startNats } from '../support/servers.ts';
import { sharedFolder } from '../support/temp.ts';
import { IS_THOROUGH, variants, within } from '../support/thorough.ts';
import { tradingOf } from './account.ts';
import { openFixture } from './fixture.ts';

const NEXT_VERSION = '0.9.99';
const NEXT = createFormat(FORMAT.first, NEXT_STEPS);

/** Variables for both programs. 0.9.0 refuses the fixture's limits file, because it has defaults. */
const FOR_BOTH = { HTTP_PORT: '0', LIMITS_FILE: '' };

const kinds = storeKinds();

/** The program of the first release, and of one that is a format above today's. */
const shared = sharedFolder();
afterAll(shared.remove);
let older = '';
let newer = '';
beforeAll(async () => {
  const folderOf = (name: string) => {
    const folder = join(shared.folder, name);
    mkdirSync(folder);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  };
  const dist = join(folderOf('newer'), 'dist');
  const steps = join(ROOT, 'test/releases/next-steps.ts');
  await build(['main'], { dist, version: NEXT_VERSION, steps });
  newer = join(dist, 'main.js');
  const archive = join(KEPT, '0.9.0.tgz');
  if (!existsSync(archive)) {
    older = inject('botMain');
    return;
  }
  const folder = folderOf('older');
  execFileSync('tar', ['-C', folder, '-xzf', archive]);
  older = join(folder, 'dist', 'main.js');
});
/** A server whose bot is of the older release. */
async function openOlder(storeUrl: string) {
  const fixture = await openFixture({
    withoutBot: true,
    environment: { ...FOR_BOTH, STORE_URL: storeUrl },
  });
  await fixture.startBot({}, { main: older });
  const { account, watch, play, settled } = tradingOf(fixture);
  await watch();
  await play();
  await settled();
  return { fixture, account, play, settled };
}

const metaOf = (url: string) => closing(inspectStore(url, { format: NEXT }), readMeta);

describe('an update', { timeout: within(120_000) }, () => {
  it.each(variants(kinds.names, (name) => name === 'SQLite'))(
    'of one process on %s loses and doubles nothing of what is traded meanwhile',
    async (name) => {
      const url = await kinds.newStore(name);
      const { fixture, account, play, settled } = await openOlder(url);
      // What is traded just before, and while nothing runs, is announced by the next one.
      await play();
      expect(await fixture.bot.stop()).toBe(0);
      await play();
      await fixture.startBot({}, { main: newer });
      expect(await fixture.logged('store.converting')).toMatchObject({
        toFormat: NEXT.version,
      });
      await play();
      await settled();
      expect(account.balance()).toMatchObject({ alerts: 4, lost: 0, duplicates: 0 });
      expect(await metaOf(url)).toMatchObject({
        schemaVersion: NEXT.version,
        writtenBy: { version: NEXT_VERSION },
      });
      expect(await fixture.bot.stop()).toBe(0);
      // The older one touches nothing any more.
      await expect(fixture.startBot({}, { main: older })).rejects.toThrow();
      expect(await fixture.logged('start.failed')).toMatchObject({
        err: { message: expect.stringContaining(`Start ${NEXT_VERSION}`) },
      });
    },
  );

  // By a standby, and of a cluster, the same is done with other programs: the thorough run has all.
  it.each(variants(kinds.names, () => false))(
    'by a standby on %s loses and doubles nothing: it is ready, and says that it will convert',
    async (name) => {
      const url = await kinds.newStore(name);
      const { fixture, account, play, settled } = await openOlder(url);
      const active = fixture.bot;
      await fixture.startBot({ STANDBY: 'true' }, { main: newer, until: 'standby.ready' });
      expect(await fixture.logged('standby.ready')).toMatchObject({
        store: expect.stringContaining(
          `format ${FORMAT.first}, mine ${NEXT.version}: will convert`,
        ),
      });
      // It has read all and written nothing: the older one goes on.
      await play();
      await settled();
      await play();
      expect(await active.stop()).toBe(0);
      await play();
      await settled();
      await fixture.logged('discord.ready');
      expect(account.balance()).toMatchObject({ alerts: 4, lost: 0, duplicates: 0 });
      expect(await metaOf(url)).toMatchObject({ schemaVersion: NEXT.version });
    },
  );

  it('is taken back by the copy: no trade is lost, and what came since comes once more', async () => {
    const url = await kinds.newStore();
    const path = url.replace('sqlite://', '');
    const { fixture, account, play, settled } = await openOlder(url);
    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot({}, { main: newer });
    await fixture.logged('store.copied');
    await play();
    await settled();
    expect(await fixture.bot.stop()).toBe(0);
    await play();
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    cpSync(`${path}.before-${NEXT_VERSION}`, path);
    await fixture.startBot({}, { main: older });
    await play();
    await settled();
    const { lost, duplicates } = account.balance();
    expect(lost).toBe(0);
    // One trade was announced by the newer one.
    expect(duplicates).toBeLessThanOrEqual(1);
    expect(existsSync(`${path}.before-${NEXT_VERSION}`)).toBe(true);
  });

  describe.skipIf(!hasNats || !IS_THOROUGH)('of a cluster', () => {
    let nats: DatabaseServer;
    beforeAll(async () => {
      nats = await startNats();
    });
    afterAll(() => nats?.stop());

    const orders = [
      ['feed first', ['feed', 'bot']],
      ['bot first', ['bot', 'feed']],
    ] as const;
    it.each(orders)('loses and doubles nothing, with the %s', async (_order, roles) => {
      const environment = { ...FOR_BOTH, NATS_URL: await nats.newStore() };
      const fixture = await openFixture({ withoutBot: true, environment });
      const { account, watch, play, settled } = tradingOf(fixture);
      const starts = {
        feed: async (main: string) => {
          const STORE_URL = `sqlite://${join(fixture.directory, 'data', 'feed.sqlite')}`;
          await fixture.startBot({ ROLE: 'feed', STORE_URL }, { main, until: 'http.listening' });
          return fixture.bot;
        },
        bot: async (main: string) => {
          await fixture.startBot({ ROLE: 'bot', VENUE_BASE_URL: '', VENUE_API_KEY: '' }, { main });
          return fixture.bot;
        },
      };
      const running = { feed: await starts.feed(older), bot: await starts.bot(older) };
      await watch();
      await play();
      await settled();
      for (const role of roles) {
        await play();
        expect(await running[role].stop()).toBe(0);
        await play();
        running[role] = await starts[role](newer);
        await play();
        await settled();
      }
      expect(account.balance()).toMatchObject({ alerts: 7, lost: 0, duplicates: 0 });
    });
  });
});
