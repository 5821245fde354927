import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { describe, expect, it } from 'vitest';
import { createAccount, followMessages } from '../../src/sandbox/reconcile.ts';
import { inMarket, messageChange, nowSeconds, openRoom, type Room, trade, WALLET } from './room.ts';

const OTHER = `0x${'b'.repeat(40)}`;

async function execute(room: Room, sql: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const database = new sqlite3.Database(join(room.directory, 'data', 'bot.sqlite'));
    database.exec(sql, (error) => database.close(() => (error ? reject(error) : resolve())));
  });
}

function accountOf(room: Room) {
  const account = createAccount();
  followMessages(account, room.discord.events);
  return account;
}

describe('the store under stress', () => {
  it('puts damaged documents aside, says in the channels what may be missing, and goes on with the others', async () => {
    const room = await openRoom({ asProcess: true });
    await room.say('watch add', { wallet: WALLET, label: 'Whale' });
    await room.say('watch add', { wallet: OTHER, label: 'Other' });
    await room.ledger.addActivity(WALLET, 1, trade());
    await room.ledger.addActivity(OTHER, 1, trade({ trader: OTHER }));
    await room.alerted(2);
    await room.bot.stop();
    await execute(room, `UPDATE keyv SET value = '{"value":{"ver' WHERE key = 'walletbell:wallet:${WALLET}'`);
    for (const key of [`watch:1:${OTHER}`, 'import:1', 'list:1'])
      await execute(room, `INSERT INTO keyv VALUES ('walletbell:${key}', '{"value":{"version":1}}')`);
    await execute(
      room,
      `UPDATE keyv SET value = json_set(value, '$.value.poll.activity.state.earliestAcceptedSeconds', NULL) WHERE key = 'walletbell:wallet:${OTHER}'`,
    );

    await room.startBot();
    const moved = () => room.logLines.filter(({ event }) => event === 'store.quarantined').map(({ key }) => key);
    expect(moved()).toEqual(expect.arrayContaining([`wallet:${WALLET}`, `watch:1:${OTHER}`, 'import:1', 'list:1']));
    await room.alerted(5);
    expect(
      room
        .alerts()
        .slice(2)
        .map(({ line }) => line)
        .toSorted(),
    ).toEqual([
      expect.stringMatching(/^Other:? some trades may be missing here$/),
      expect.stringMatching(/^Whale:? some trades may be missing here$/),
      expect.stringMatching(/^Whale:? some transfers may be missing here$/),
    ]);
    await room.ledger.addActivity(WALLET, 2, trade({ ...inMarket(2), time: nowSeconds() + 1, quantity: 2 }));
    await room.ledger.addActivity(OTHER, 2, trade({ ...inMarket(2), trader: OTHER, quantity: 3 }));
    await room.alerted(7);
    const later = room
      .alerts()
      .slice(5)
      .map(({ line }) => line);
    expect(later.toSorted()).toEqual(['Other BUY 3 Yes', 'Whale BUY 2 Yes']);
    // Each once: what has been put aside does not come back at the next poll.
    expect(moved()).toHaveLength(5);
    expect(room.logLines.filter(({ event }) => event === 'poll.failed')).toEqual([]);
  });

  it('loses nothing and doubles nothing when the disk is full, once there is space again', async () => {
    const room = await openRoom({ asProcess: true, withoutBot: true });
    const account = accountOf(room);
    // A limit on file sizes fails a write as a full disk does; 300 KiB are reached after some alerts.
    await room.startBot({}, ['bash', '-c', 'trap "" XFSZ; ulimit -f 300; exec "$0" "$@"']);
    await room.discord.waitForMessage(room.channelId, () => true, 1).catch(() => {});
    account.watch(WALLET, room.channelId, nowSeconds());
    while (room.discord.commands().length === 0)
      await new Promise((resolve) => room.discord.events.once('commands', resolve));
    await room.say('watch add', { wallet: WALLET });
    // Whoever writes first when there is no space left: the poller, or the delivery worker, which then sends nothing more.
    const refused = () =>
      room.logLines.find(({ event }) => event === 'poll.failed' || event === 'delivery.channel_failed');
    for (let count = 1; count <= 90 && refused() === undefined; count += 1) {
      const record = {
        kind: 'activity',
        wallet: WALLET,
        block: count,
        item: trade({ ...inMarket(count), quantity: count }),
      } as const;
      await room.ledger.addAll([record]);
      account.expect(record);
      const failures = ['poll.failed', 'delivery.channel_failed'].map((event) => room.logged(event));
      for (const failure of failures) failure.catch(() => {});
      await Promise.race([...failures, messageChange(room.discord)]);
    }
    expect(JSON.stringify(refused()?.['err'])).toMatch(/SQLITE_(FULL|IOERR)/);
    await room.bot.kill();
    await room.startBot();
    while (account.balance().lost > 0) await messageChange(room.discord);
    expect(account.balance()).toMatchObject({ lost: 0, duplicates: 0 });
  }, 60_000);

  it('waits while another program holds the store, and sends everything once afterwards', async () => {
    const room = await openRoom({ asProcess: true });
    const account = accountOf(room);
    account.watch(WALLET, room.channelId, nowSeconds());
    await room.say('watch add', { wallet: WALLET });
    const holder = new sqlite3.Database(join(room.directory, 'data', 'bot.sqlite'));
    await new Promise<void>((resolve) => holder.exec('BEGIN IMMEDIATE', () => resolve()));
    const record = { kind: 'activity', wallet: WALLET, block: 1, item: trade() } as const;
    await room.ledger.addAll([record]);
    account.expect(record);
    expect(JSON.stringify((await room.logged('poll.failed'))['err'])).toContain('SQLITE_BUSY');
    await new Promise<void>((resolve) => holder.exec('COMMIT', () => holder.close(() => resolve())));
    await room.alerted(1);
    expect(account.balance()).toMatchObject({ alerts: 1, lost: 0, duplicates: 0 });
  });
});
