import { describe, expect, it } from 'vitest';
import { takePermission, timeOut } from '../bench/refusals/whole-bot.ts';
import { startBotHere } from '../support/bot-here.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';
import type { launch } from '../support/world.ts';

const CHANNELS = 20;
const start = (...[{ environment }, variables, onLine = () => {}]: Parameters<typeof launch>) =>
  startBotHere({ POLL_CRON: '* * * * * *', ...environment, ...variables }, onLine).bot;
const options = () => ({ channels: CHANNELS, start, directory: temporaryFolder() });

describe('a server in which the bot cannot write', { timeout: within(60_000) }, () => {
  it('costs hardly a refusal while the bot is timed out, whatever is changed there, and gets everything when that ends', async () => {
    const { figures, listed } = await timeOut({ ...options(), changes: 5 });
    expect(listed).toMatch(/timed me out.*Alerts are waiting/);
    expect(figures.refused[403] ?? 0).toBeLessThanOrEqual(1);
    expect(figures).toMatchObject({ alerts: CHANNELS, lost: 0, duplicates: 0 });
  });

  it('costs hardly a refusal where a permission is taken and given back around trades', async () => {
    const { refused, ...figures } = await takePermission({ ...options(), rounds: 2 });
    expect(refused[403] ?? 0).toBeLessThanOrEqual(1);
    expect(figures).toMatchObject({ alerts: 2 * CHANNELS, lost: 0, duplicates: 0 });
  });
});
