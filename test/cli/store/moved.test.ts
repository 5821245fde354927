import { describe, expect, inject, it } from 'vitest';
import { dropMoved } from '../../../src/app/load.ts';
import { sqlitePath } from '../../../src/store/address.ts';
import { StoreUnfit } from '../../../src/store/error.ts';
import { openStore } from '../../../src/store/store.ts';
import { collectingLog } from '../../support/log.ts';
import { runProgram } from '../../support/program.ts';
import {
  channelId,
  FULL_WORLD,
  guildId,
  walletAddress,
  worldDocuments,
} from '../../support/stored-world.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { variants, within } from '../../support/thorough.ts';
import { contents, copyStore, documentOf, spawnStore, storeKinds, writeStore } from './stores.ts';

const kinds = storeKinds();
const fullWorld = worldDocuments(FULL_WORLD);

/** Why a store is not opened; undefined if it is. */
async function refusal(
  url: string,
  shards?: Parameters<typeof openStore>[1],
): Promise<string | undefined> {
  return openStore(url, shards).then(
    async (store) => {
      await store.close();
      return undefined;
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnfit);
      return (error as Error).message;
    },
  );
}

/** What a store keeps at a start with these two of four shards, and the log says of it. */
async function started(url: string, ...ids: number[]) {
  const store = await openStore(url, { shards: { ids, count: 4 } });
  const { log, lines } = collectingLog();
  await dropMoved(store, log);
  await dropMoved(store, log);
  await store.close();
  return { left: await contents(url), lines };
}

/** What a program makes of a store. */
function program(
  main: 'botMain' | 'doctorMain' | 'backupMain',
  storeUrl: string,
  environment: Record<string, string> = {},
) {
  const texts = main === 'backupMain' ? ['copy'] : [];
  return runProgram([inject(main), ...texts], temporaryFolder(), {
    DISCORD_TOKEN: 'a.token.of-no-bot',
    DISCORD_API_URL: 'http://127.0.0.1:65530',
    VENUE_BASE_URL: 'http://127.0.0.1:65530',
    VENUE_API_KEY: 'a-key-of-nobody',
    STORE_URL: storeUrl,
    ...environment,
  });
}

/** What a bot has said last. */
function lastLine(output = '') {
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
}

describe('a store that has moved', { timeout: within(120_000) }, () => {
  it.each(variants(kinds.names, (kind) => kind === 'SQLite'))(
    'is not started any more on %s, and says where to',
    async (kind) => {
      const [from, to] = await kinds.pair(fullWorld, kind);
      const { output } = await copyStore(from, to, '--retire');
      expect(output).toMatch(
        /^\S+ is marked as moved: no bot starts on it any more\. Set STORE_URL to the new store\.$/m,
      );
      const { protocol, host, pathname } = new URL(to);
      const where = kind === 'SQLite' ? sqlitePath(to) : `${protocol}//${host}${pathname}`;
      const text = await refusal(from);
      expect(text).toMatch(
        /^The store \S+ has moved to \S+: with a bot on each store alerts may come twice\. Set STORE_URL/,
      );
      expect(text).toContain(` to ${where}: `);
      expect(await refusal(from, { shards: { ids: [3], count: 16 } })).toBe(text);
      expect(await refusal(to)).toBeUndefined();
      expect(await copyStore(from, await kinds.newStore())).toEqual({
        exitCode: 78,
        output: '',
        errors: `${text} Copy from there.\n`,
      });
      expect(await contents(from)).toEqual(fullWorld);
    },
  );

  it('ends the bot and the backup with 78, and is a fault to the doctor', async () => {
    const [from, to] = await kinds.pair(fullWorld);
    await copyStore(from, to, '--retire');
    const text = await refusal(from);
    const mains = ['botMain', 'doctorMain', 'backupMain'] as const;
    const [bot, doctor, backup] = await Promise.all(mains.map((main) => program(main, from)));
    expect(bot).toMatchObject({ exitCode: 78, errors: '' });
    expect(lastLine(bot?.output)).toMatchObject({
      event: 'start.failed',
      err: { message: text },
    });
    expect(doctor).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining(`fail  store       ${text}`),
    });
    expect(backup).toMatchObject({
      exitCode: 78,
      output: '',
      errors: `${text} Nothing has been backed up.\n`,
    });
  });

  it('in parts is not started with these shards, also of another number, and can be copied and started with the others', async () => {
    const [from, to] = await kinds.pair(fullWorld);
    const { output } = await copyStore(from, to, '--shards 0,1 --of 4 --retire');
    expect(output).toMatch(/^Shards 0,1 of 4 of \S+ are marked as moved: /m);
    const of = (count: number, ...ids: number[]) => refusal(from, { shards: { ids, count } });
    const said =
      /^Shards 0,1 of 4 of the store \S+ are served from \S+: .* or SHARDS to the shards that are left\.$/m;
    for (const text of [
      await refusal(from),
      await of(4, 1, 2),
      await of(8, 4),
      await of(2, 0),
      await of(3, 2),
    ]) {
      expect(text).toMatch(said);
    }
    for (const text of [await of(4, 2, 3), await of(8, 2, 7)]) expect(text).toBeUndefined();
    const copied = async (options = '') =>
      (await copyStore(from, await kinds.newStore(), options)).exitCode;
    expect(await copied('--shards 1,2 --of 4')).toBe(78);
    expect(await copied()).toBe(78);
    expect(await copied('--shards 2,3 --of 4')).toBe(0);

    const few = { SHARDS: '1,5/8' };
    const bot = await program('botMain', from, few);
    expect({ ...bot, text: lastLine(bot.output).err.message }).toMatchObject({
      exitCode: 78,
      text: expect.stringMatching(said),
    });
    expect(await program('backupMain', from, few)).toMatchObject({
      exitCode: 0,
      errors: expect.stringMatching(said),
    });
    expect(await copied('--shards 2,3 --of 4 --retire')).toBe(0);
    expect(await of(4, 2)).toMatch(/^Shards 2,3 of 4 of /);
    // Nor is a bot with the shards that are left started on the copy.
    expect(await refusal(to, { shards: { ids: [0, 1], count: 4 } })).toBeUndefined();
    for (const shards of ['auto', { ids: [1, 2], count: 4 }, { ids: [6], count: 8 }] as const) {
      expect(await refusal(to, { shards })).toMatch(
        /^Shards 2,3 of 4 of the store \S+ are served from \S+: /,
      );
    }
  });

  it('in parts loses what the other one serves at the next start, and nothing else', async () => {
    const documents = new Map([...fullWorld, ['quarantine:x', 1]]);
    const [from, to] = await kinds.pair(documents);
    await copyStore(from, to, '--shards 0,1 --of 4 --retire');
    for (const url of [from, to]) expect(await contents(url)).toEqual(documents);
    const dropped = async (url: string, ids: number[]) => {
      const { left, lines } = await started(url, ...ids);
      expect(lines).toMatchObject([
        { event: 'store.moved_dropped', documents: documents.size - left.size },
      ]);
      expect(left.get('quarantine:x')).toBe(1);
      return JSON.stringify([...left]);
    };
    const [here, there] = [await dropped(from, [2, 3]), await dropped(to, [0, 1])];
    for (const guild of [0, 1, 4, 5]) {
      expect(here).not.toContain(guildId(guild));
      expect(there).toContain(guildId(guild));
    }
    for (const guild of [2, 3]) {
      expect(here).toContain(guildId(guild));
      expect(there).not.toContain(guildId(guild));
    }
  });

  it('keeps a wallet’s alerts that cannot be read', async () => {
    const key = `wallet:${walletAddress(1)}`;
    const before = fullWorld.get(key) as { outbox: unknown[] };
    const torn = { ...before, outbox: [...before.outbox, { id: 'torn' }] };
    const [from, to] = await kinds.pair([...fullWorld, [key, torn]]);
    await copyStore(from, to, '--shards 0,1 --of 4 --skip-damaged --retire');
    const { left } = await started(from, 2, 3);
    expect(left.get(key)).toMatchObject({
      outbox: [{ channels: [channelId(2), channelId(3)] }, { id: 'torn' }],
    });
  });

  it.each(['', 'quarantine:'])(
    'keeps what it knows of a wallet for a watch that cannot be read (%s)',
    async (aside) => {
      const channel = { isSet: false, hasDigest: false, isBusy: false, hasDead: false };
      const documents = worldDocuments({
        channels: [
          { ...channel, guild: 0 },
          { ...channel, guild: 2 },
        ],
        watches: [0, 1].map((index) => ({ channel: index, wallet: 0 })),
        alerts: [{ wallet: 0, channels: [0, 1] }],
        followed: [0, 1].map((index) => ({ channel: index, wallet: 0 })),
        guildDocuments: [],
        isOld: false,
      });
      const key = `watch:${channelId(1)}:${walletAddress(0)}`;
      documents.delete(key);
      const [from, to] = await kinds.pair([...documents, [aside + key, {}]]);
      await copyStore(from, to, '--shards 0,1 --of 4 --skip-damaged --retire');
      const { left } = await started(from, 2, 3);
      const wallet = JSON.stringify(left.get(`wallet:${walletAddress(0)}`));
      expect(wallet).toContain(channelId(1));
      expect(wallet).not.toContain(channelId(0));
    },
  );

  it('counts as moved if its mark cannot be read', async () => {
    const url = await kinds.newStore();
    await writeStore(url, [...fullWorld, ['moved', { version: 7 }]]);
    expect(await refusal(url, { shards: { ids: [0], count: 4 } })).toMatch(
      /has moved to another store/,
    );
  });
});

describe('a copy that is killed', { timeout: within(120_000) }, () => {
  const killed = (at: string, ...texts: string[]) =>
    spawnStore(['copy', ...texts], { WALLETBELL_TEST_KILL_AT: at });

  it.each(variants(kinds.names, (kind) => kind === 'SQLite'))(
    'on %s leaves a store that is not started, and that the next copy fills anew',
    async (kind) => {
      const [from, to] = await kinds.pair(fullWorld, kind);
      const lists = Array.from({ length: 60 }, (_, index) => `list:other${index}`);
      const [other] = await kinds.pair(lists.map((key) => [key, fullWorld.get('list:2')]));
      expect(await killed('copy.stored:20', other, to)).toMatchObject({
        signal: 'SIGKILL',
        output: '',
      });
      expect((await contents(to)).size).toBeGreaterThanOrEqual(20);
      const text = await refusal(to);
      expect(text).toMatch(
        /^The store \S+ is incomplete: a copy of \S+ into it has not been finished\. Repeat it/,
      );
      expect(await copyStore(to, await kinds.newStore())).toMatchObject({
        exitCode: 78,
        errors: `${text}\n`,
      });
      if (kind === 'SQLite') {
        const refused = { exitCode: 78, errors: `${text} Nothing has been backed up.\n` };
        expect(await program('backupMain', to)).toMatchObject(refused);
      }
      expect(await copyStore(from, to)).toMatchObject({ exitCode: 0 });
      expect(await contents(to)).toEqual(fullWorld);
      expect(await refusal(to)).toBeUndefined();
    },
  );

  it('once it has been checked leaves FROM as it was', async () => {
    const [from, to] = await kinds.pair(fullWorld);
    expect(await killed('copy.checked', from, to, '--retire')).toMatchObject({ signal: 'SIGKILL' });
    expect(await refusal(from)).toBeUndefined();
    expect(await refusal(to)).toMatch(/is incomplete/);
  });

  it('once FROM is marked as moved leaves neither to be started, until it is repeated as it was', async () => {
    const [from, to] = await kinds.pair(fullWorld);
    const shards = '--shards 0,2 --of 4';
    const { signal } = await killed('copy.retired', from, to, ...shards.split(' '), '--retire');
    expect(signal).toBe('SIGKILL');
    expect(await refusal(from)).toMatch(/are served from/);
    expect(await refusal(to)).toMatch(/is incomplete/);
    for (const other of ['', '--shards 0 --of 4']) {
      const { exitCode, errors } = await copyStore(from, to, other);
      expect(`${exitCode} ${errors}`).toMatch(
        /^78 .*Repeat the copy that was broken off with the same --shards and --of\.\n$/,
      );
    }
    expect(await copyStore(from, await kinds.newStore(), shards)).toMatchObject({ exitCode: 78 });
    expect(await copyStore(from, to, shards)).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('are marked as moved'),
    });
    expect(await refusal(to, { shards: { ids: [0, 2], count: 4 } })).toBeUndefined();
    expect(await refusal(from)).toMatch(/are served from/);
    expect(await documentOf(from, 'moved')).toMatchObject({
      moves: [{ shards: { ids: [0, 2], count: 4 } }],
    });
  });
});
