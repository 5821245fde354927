import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAY_MOUNT, smallDisk } from '../support/full-disk.ts';
import { collectingLog } from '../support/log.ts';
import { hash32, sourceTrade, startSource } from '../support/polymarket-source.ts';
import { MARKET, openGateway, startInTest, T0, YES } from './running.ts';

/** A row whose outcome the source fills in later. */
const blank = (n: number) =>
  sourceTrade(MARKET, {
    token_id: '',
    outcome: '',
    outcome_index: 999,
    timestamp: T0 + n,
    transaction_hash: hash32(n),
  });

it.skipIf(!MAY_MOUNT)(
  'a full disk is said once, loses no page, and what is shown meanwhile is kept once there is room',
  async () => {
    const { folder, fill, free } = smallDisk(4_096);
    const file = join(folder, 'gateway.sqlite');
    const { log, lines } = collectingLog();
    const clock = { nowMs: Date.now() };
    const nowMs = () => clock.nowMs;
    const source = await startSource();
    const first = await startInTest({ source, file, nowMs, log });
    const rows = Array.from({ length: 40 }, (_, n) => blank(n + 1));
    source.list(...rows.slice(0, 1));
    await first.activity();
    fill();
    source.list(...rows.slice(1));
    clock.nowMs += 5_000;
    const shown = (await first.activity('?limit=100')).items;
    expect(shown).toHaveLength(40);
    const events = () => lines.map(({ event }) => event);
    expect(events().filter((event) => event === 'polymarket.disk')).toHaveLength(1);
    expect(lines.find(({ event }) => event === 'polymarket.disk')).toMatchObject({
      file,
      reason: expect.stringMatching(/full|no space|SQLITE_FULL|I\/O/i),
    });
    // Labels come: what was shown stays as it was, from memory.
    source.addMarkets(MARKET);
    for (const row of rows) source.amend(row, { token_id: YES, outcome: 'Yes', outcome_index: 0 });
    clock.nowMs += 5_000;
    expect((await first.activity('?limit=100')).items).toEqual(shown);
    free();
    clock.nowMs += 5_000;
    expect((await first.activity('?limit=100')).items).toEqual(shown);
    expect(events()).toContain('polymarket.disk_again');
    await first.closeGateway();
    const second = await openGateway({ source, file, nowMs });
    expect((await second.activity('?limit=100')).items).toEqual(shown);
  },
);
