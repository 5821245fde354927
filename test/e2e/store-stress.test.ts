import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { describe, expect, it } from 'vitest';
import { MAY_MOUNT, smallDisk } from '../support/full-disk.ts';
import { inMarket, nowSeconds, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { tradingOf } from './account.ts';
import { messageChange, openFixture, openWatched, query } from './fixture.ts';

const OTHER = `0x${'b'.repeat(40)}`;

describe('the store under stress', () => {
  it('puts damaged documents aside, says in the channels what may be missing, and goes on with the others', async () => {
    const fixture = await openWatched();
    await fixture.say('watch add', { wallet: OTHER, label: 'Other' });
    await fixture.trades(trade(), trade({ trader: OTHER }));
    await fixture.alerted(2);
    await fixture.bot.stop();
    await query(
      fixture,
      `UPDATE keyv SET value = '{"value":{"ver' WHERE key = 'walletbell:wallet:${WALLET}'`,
    );
    for (const key of [`watch:1:${OTHER}`, 'import:1', 'list:1'])
      await query(
        fixture,
        `INSERT INTO keyv VALUES ('walletbell:${key}', '{"value":{"version":1}}')`,
      );
    await query(
      fixture,
      `UPDATE keyv SET value = json_set(value, '$.value.state.activity.detectionState.earliestAcceptedSeconds', NULL) WHERE key = 'walletbell:wallet:${OTHER}'`,
    );

    await fixture.startBot();
    const moved = () =>
      fixture.logLines.filter(({ event }) => event === 'store.quarantined').map(({ key }) => key);
    // Wallets are read beside the work.
    await expect
      .poll(moved)
      .toEqual(
        expect.arrayContaining([`wallet:${WALLET}`, `watch:1:${OTHER}`, 'import:1', 'list:1']),
      );
    await fixture.alerted(5);
    expect(fixture.lines().slice(2).toSorted()).toEqual([
      expect.stringMatching(/^Other:? some trades may be missing here$/),
      expect.stringMatching(/^Whale:? some trades may be missing here$/),
      expect.stringMatching(/^Whale:? some transfers may be missing here$/),
    ]);
    await fixture.trades(trade({ ...inMarket(2), time: nowSeconds() + 1, quantity: 2 }));
    await fixture.trades(trade({ ...inMarket(2), trader: OTHER, quantity: 3 }));
    await fixture.alerted(7);
    expect(fixture.lines().slice(5).toSorted()).toEqual(['Other BUY 3 Yes', 'Whale BUY 2 Yes']);
    // Each once: what has been put aside does not come back at the next poll.
    expect(moved()).toHaveLength(5);
    expect(fixture.logLines.filter(({ event }) => event === 'poll.failed')).toEqual([]);
  });

  it('loses nothing and doubles nothing when the disk is full, once there is space again', async () => {
    const fixture = await openFixture({ withoutBot: true });
    const { account, watch, play, settled } = tradingOf(fixture);
    // A limit on file sizes fails a write as a full disk does; 300 KiB are reached after some
    // alerts.
    await fixture.startBot(
      {},
      { launcher: ['bash', '-c', 'trap "" XFSZ; ulimit -f 300; exec "$0" "$@"'] },
    );
    await watch();
    // Whoever writes first when there is no space left: the poller, or the delivery worker, which
    // then sends nothing more.
    const refused = () =>
      fixture.logLines.find(
        ({ event }) => event === 'poll.failed' || event === 'delivery.channel_failed',
      );
    for (let count = 1; count <= 90 && refused() === undefined; count += 1) {
      await play();
      const failures = ['poll.failed', 'delivery.channel_failed'].map((event) =>
        fixture.logged(event),
      );
      for (const failure of failures) failure.catch(() => {});
      await Promise.race([...failures, messageChange(fixture.discord)]);
    }
    expect(JSON.stringify(refused()?.['err'])).toMatch(/SQLITE_(FULL|IOERR)/);
    await fixture.bot.kill();
    await fixture.startBot();
    await settled();
    expect(account.balance()).toMatchObject({ lost: 0, duplicates: 0 });
  });

  it.skipIf(!MAY_MOUNT)(
    'says to whoever types that its disk is full, and goes on when there is room',
    async () => {
      const disk = smallDisk(1_000);
      const fixture = await openFixture({
        environment: { STORE_URL: `sqlite://${join(disk.folder, 'bot.sqlite')}` },
      });
      const { say } = fixture;
      await say('watch add', { wallet: WALLET });
      disk.fill();
      await fixture.ledger.addActivity(WALLET, 1, trade());
      await fixture.logged('poll.failed');
      expect((await say('watch add', { wallet: OTHER })).content).toMatch(
        /^My disk is full, so nothing was changed/,
      );
      const status = JSON.stringify(await say('watch status'));
      expect(status).not.toContain('No request has been sent');
      disk.free();
      await fixture.alerted(1);
      expect(JSON.stringify(await say('watch add', { wallet: OTHER, label: 'Other' }))).toContain(
        'Watching **Other**',
      );
    },
  );

  it('waits while another program holds the store, and sends everything once afterwards', async () => {
    const fixture = await openFixture();
    const { account, watch, play } = tradingOf(fixture);
    await watch();
    const holder = new sqlite3.Database(join(fixture.directory, 'data', 'bot.sqlite'));
    await new Promise<void>((resolve) => holder.exec('BEGIN IMMEDIATE', () => resolve()));
    await play();
    expect(JSON.stringify((await fixture.logged('poll.failed'))['err'])).toContain('SQLITE_BUSY');
    await new Promise<void>((resolve) =>
      holder.exec('COMMIT', () => holder.close(() => resolve())),
    );
    await fixture.alerted(1);
    expect(account.balance()).toMatchObject({ alerts: 1, lost: 0, duplicates: 0 });
  });
});
