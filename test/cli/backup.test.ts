import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { backUpSqlite } from '../../src/store/sqlite.ts';
import { openFixture } from '../e2e/fixture.ts';
import { all, opened } from '../store/contract.ts';
import { fullDisk, MAY_MOUNT } from '../support/full-disk.ts';
import { runProgram } from '../support/program.ts';
import { inMarket, redemption, sale, trade } from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';

async function backUp(directory: string, storeUrl: string, ...texts: string[]) {
  const main = inject('backupMain');
  const { exitCode, output, errors } = await runProgram([main, ...texts], directory, {
    STORE_URL: storeUrl,
  });
  return { exitCode, output: output + errors };
}

describe('the backup', { timeout: within(60_000) }, () => {
  it('is sound and whole while the store is being written, and holds all that was acknowledged before', async () => {
    const folder = temporaryFolder();
    const path = join(folder, "it's a store.sqlite");
    const store = await opened(`sqlite://${path}`);
    let acknowledged = 0;
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        await store.set(`w:${acknowledged}`, 'x'.repeat(1_000));
        acknowledged += 1;
      }
    })();
    for (let round = 0; round < 5; round += 1) {
      const before = acknowledged;
      const target = join(folder, `it's backup ${round}.sqlite`);
      await backUpSqlite(path, target);
      const copy = await opened(`sqlite://${target}`);
      expect((await all(copy)).size).toBeGreaterThanOrEqual(before);
      await copy.close();
      expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    }
    isWriting = false;
    await writing;
    expect(acknowledged).toBeGreaterThan(5);
  });

  it('never writes over a file, and says what is wrong', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'store.sqlite');
    await expect(backUpSqlite(path, join(folder, 'copy'))).rejects.toThrow(/There is no store at/);
    await (await opened(`sqlite://${path}`)).close();
    writeFileSync(join(folder, 'copy'), 'precious');
    await expect(backUpSqlite(path, join(folder, 'copy'))).rejects.toThrow(/exists already/);
    await expect(backUpSqlite(path, join(folder, 'no', 'folder'))).rejects.toThrow(
      /must exist and be writable/,
    );
    writeFileSync(join(folder, 'broken'), 'no database '.repeat(1_000));
    await expect(backUpSqlite(join(folder, 'broken'), join(folder, 'new'))).rejects.toThrow(
      /not a sound SQLite/,
    );
  });

  it('lets one of two that run at once into one file succeed, and says to the other that the file is there', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'store.sqlite');
    const store = await opened(`sqlite://${path}`);
    await store.set('a', 'x'.repeat(1_000_000));
    await store.close();
    const target = join(folder, 'copy.sqlite');
    const results = await Promise.allSettled([1, 2, 3].map(() => backUpSqlite(path, target)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          message: `${target} exists already. Name a file that does not.`,
        });
    }
    expect(readdirSync(folder).filter((name) => !name.startsWith('store.'))).toEqual([
      'copy.sqlite',
    ]);
    const copy = await opened(`sqlite://${target}`);
    expect((await all(copy)).size).toBe(1);
    await copy.close();
  });

  it.skipIf(!MAY_MOUNT)('blames the target when the target has no space', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    await (await opened(`sqlite://${path}`)).close();
    const full = fullDisk();
    await expect(backUpSqlite(path, join(full, 'copy'))).rejects.toThrow(
      /^The backup \S+copy cannot be written: its disk is full/,
    );
    expect(readdirSync(full)).toEqual(['filler']);
  });

  it('is its owner’s alone, and brings a bot back: nothing is lost, and only alerts since then are sent again', async () => {
    const fixture = await openFixture();
    // Results of what was alerted stand among the alerts.
    const texts = () =>
      fixture.alerts().flatMap(({ line }) => /BUY|SELL|REDEEM/.exec(line)?.[0] ?? []);
    await fixture.say('watch add', { wallet: WALLET });
    await fixture.ledger.addActivity(WALLET, 1, trade());
    await fixture.alerted(1);
    await fixture.say('watch list');
    expect(await backUp(fixture.directory, 'sqlite://data/bot.sqlite', 'copy.sqlite')).toEqual({
      exitCode: 0,
      output: `Backed up ${fixture.directory}/data/bot.sqlite to copy.sqlite.\n`,
    });
    expect(statSync(join(fixture.directory, 'copy.sqlite')).mode & 0o777).toBe(0o600);
    await fixture.ledger.addActivity(WALLET, 2, sale());
    await fixture.alerted(2);
    await fixture.bot.stop();

    await fixture.ledger.addActivity(WALLET, 3, redemption(inMarket(9)));
    // As docs/operating.md says it.
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(fixture.directory, `data/bot.sqlite${end}`), { force: true });
    renameSync(join(fixture.directory, 'copy.sqlite'), join(fixture.directory, 'data/bot.sqlite'));
    await fixture.startBot();
    const sent = () => fixture.logLines.filter(({ event }) => event === 'alert.sent').length;
    // The sale, with what came of the position, and the redemption. Discord knows the sale by its nonce,
    // for some minutes.
    await expect.poll(sent).toBe(2);
    expect(texts().toSorted()).toEqual(['BUY', 'REDEEM', 'SELL']);
  });

  it('says how it is used, and that other stores have their own means', async () => {
    const folder = temporaryFolder();
    const usage = expect.stringMatching(/^(|.*--force.*\n)Use: npm run backup -- FILE\n/);
    expect(await backUp(folder, '', '--help')).toEqual({ exitCode: 0, output: usage });
    expect(await backUp(folder, '', '--force')).toEqual({ exitCode: 64, output: usage });
    expect(await backUp(folder, 'sqlite://:memory:', 'copy')).toEqual({
      exitCode: 78,
      output: expect.stringMatching(/^STORE_URL is not a file/),
    });
    expect(await backUp(folder, `sqlite://${folder}`, 'copy')).toEqual({
      exitCode: 78,
      output: expect.stringMatching(/is a folder/),
    });
    expect(readdirSync(folder)).toEqual([]);
    const { exitCode, output } = await backUp(
      folder,
      'postgres://bell:planted@127.0.0.1/bell',
      'file',
    );
    expect({ exitCode, output }).toMatchObject({
      exitCode: 64,
      output: expect.stringContaining('pg_dump'),
    });
    expect(output).not.toContain('planted');
  });
});
