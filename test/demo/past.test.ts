import { expect, inject, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/demo/sandbox.ts';
import { within } from '../support/thorough.ts';

/** A row of a rank; above the rows of a verdict stands the verdict. */
const RANK = /^\d+\\\. /;
const VERDICT = /^\*\*([^*]+)\*\*$/;

it('watches traders that it has known for months: their scores are there at once, and nothing of the past is posted', {
  timeout: within(90_000),
}, async () => {
  const logged: unknown[] = [];
  const sandbox = await createSandbox({
    discordPort: 0,
    historyHours: 2_400,
    seed: 'months',
    botMain: inject('botMain'),
    say: () => {},
    complain: () => {},
    onBotLine: ({ event }) => void logged.push(event),
  });
  onTestFinished(() => sandbox.close());
  const { discord, simulator, account, admin } = sandbox;
  await sandbox.open();
  const channels = [...(discord.guild(sandbox.guildId)?.channels.values() ?? [])];
  const scores = async (name: string) => {
    const channelId = channels.find((channel) => channel.name === name)?.id ?? '';
    const reply = await (await discord.command(admin, channelId, 'watch scores')).reply();
    let verdict = '';
    return (reply.embeds[0]?.description?.split('\n') ?? []).flatMap((line) => {
      verdict = VERDICT.exec(line)?.[1] ?? verdict;
      return RANK.test(line) ? [`${verdict}: ${line}`] : [];
    });
  };

  let ranked: string[] = [];
  const rank = async () => {
    ranked = await scores('all-wallets');
    return ranked.length;
  };
  await expect.poll(rank).toBeGreaterThan(5);
  // The markets of these months, of which there are others each day, may hide an edge.
  expect(ranked.find((line) => line.includes('copperline'))).toMatch(
    /^(Better than luck|Could be luck): .*copperline\W+\+/,
  );
  const others = ranked.filter((line) => !line.includes('copperline'));
  expect(others.filter((line) => line.startsWith('Better than luck'))).toEqual([]);
  expect(await scores('whales')).toHaveLength(3);

  for (const { address } of simulator.traders) await simulator.act(address, 'deposit');
  await sandbox.drained();
  expect(account.balance()).toEqual({
    alerts: 11,
    duplicates: 0,
    lost: 0,
    announced: 0,
    differences: [],
  });
  const posted = channels.flatMap(({ id }) =>
    discord.messages(id).filter(({ interactionId }) => interactionId === null),
  );
  const words = posted.map(({ content, embeds }) =>
    [content, ...embeds.map((embed) => embed.description)].join('\n'),
  );
  expect(words.filter((text) => !text.includes('deposited'))).toEqual([]);
  expect(logged).not.toContain('wallet.read_back');
  expect(logged).not.toContain('poll.gap');
});
