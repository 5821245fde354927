import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buy, inMarket, nowSeconds } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture, textOf } from './fixture.ts';

/** Passes lines on, until there is a file `stall`; then it takes nothing more from its pipe. */
const READER = `
import fcntl, os, sys, time
F_SETPIPE_SZ = 1031
fcntl.fcntl(0, F_SETPIPE_SZ, 4096)
for line in iter(sys.stdin.readline, ''):
    while os.path.exists('stall'):
        time.sleep(0.05)
    sys.stdout.write(line)
    sys.stdout.flush()
`;

it(
  'a reader of the log that stalls holds up no alert and no answer',
  async () => {
    const fixture = await openFixture({ withoutBot: true });
    const reader = join(fixture.directory, 'reader.py');
    writeFileSync(reader, READER);
    const script = `cd ${fixture.directory}; exec "$@" > >(exec python3 ${reader})`;
    await fixture.startBot({ LOG_LEVEL: 'trace' }, { launcher: ['bash', '-c', script, 'bot'] });
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    const stall = join(fixture.directory, 'stall');
    writeFileSync(stall, '');
    onTestFinished(() => rmSync(stall, { force: true }));
    for (let n = 1; n <= 40; n += 1) {
      await fixture.trades(buy(n, 50, { ...inMarket(n), time: nowSeconds() }));
      if (n % 10 !== 0) continue;
      const bought = `Yes $${(n / 2).toFixed(2)}**`;
      // An alert of a single trade says it above the embed, one of several within it.
      await fixture.until(() => JSON.stringify(fixture.posted()).includes(bought));
      expect(textOf(await fixture.say('watch list'))).toContain('Whale');
    }
    rmSync(stall);
    // What has waited comes, too.
    expect(await fixture.bot.stop()).toBe(0);
    expect(fixture.logLines.at(-1)).toMatchObject({ event: 'stopped' });
  },
  within(90_000),
);
