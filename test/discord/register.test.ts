import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { activity } from '../../commands/activity.ts';
import { flows } from '../../commands/flows.ts';
import { watch } from '../../commands/watch.ts';
import { logIn } from '../../packages/local-discord/test/client.ts';
import { openFixture } from '../../packages/local-discord/test/fixture.ts';
import { keepRegistering, registerCommands } from '../../src/discord/register.ts';
import type { SlashCommand } from '../../src/slash-commands/slash-command.ts';
import { collectingLog, quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';

const COMMANDS = [watch, activity, flows];
const localisedSchema = z.looseObject({
  description_localizations: z.record(z.string(), z.string()),
});

async function openRegister() {
  const { discord } = await openFixture();
  const client = await logIn(discord);
  if (!client.isReady()) throw new Error('The client is not ready.');
  return {
    discord,
    client,
    register: (commands: readonly SlashCommand<never>[]) =>
      registerCommands(client, commands, quietLog()),
  };
}

describe('registering the commands', () => {
  it('takes one request in the life of a version, with every language in it', async () => {
    const { discord, register } = await openRegister();
    await register(COMMANDS);
    await register(COMMANDS);
    expect(discord.commandCounts).toMatchObject({ puts: 1, creates: 3 });
    expect(discord.rejections).toEqual([]);
  });

  it('is done again when a text of one language has changed', async () => {
    const { discord, register } = await openRegister();
    await register(COMMANDS);
    const json = flows.definition.toJSON();
    const { description_localizations } = localisedSchema.parse(json);
    const changed = {
      ...json,
      description_localizations: { ...description_localizations, de: 'Einzahlungen' },
    };
    await register([
      watch,
      activity,
      { ...flows, definition: { name: 'flows', toJSON: () => changed } },
    ]);
    expect(discord.commandCounts).toMatchObject({ puts: 2, unchangedPuts: 0, creates: 3 });
  });

  it('is for people who install the bot for themselves if the application is set up for that', async () => {
    const { discord, register } = await openRegister();
    discord.faults.refuseRest({
      status: 200,
      body: { id: discord.bot.id, integration_types_config: { 0: {} } },
      route: 'GET /applications/@me',
    });
    await register(COMMANDS);
    const offered = () =>
      discord
        .commands()
        .map(({ name, contexts, integration_types }) => ({ name, contexts, integration_types }));
    expect(offered()).toEqual([
      { name: 'watch', contexts: [0, 1], integration_types: [0] },
      { name: 'activity', contexts: [0, 1], integration_types: [0] },
      { name: 'flows', contexts: [0, 1], integration_types: [0] },
    ]);
    await register(COMMANDS);
    expect(offered()).toEqual([
      { name: 'watch', contexts: [0, 1], integration_types: [0, 1] },
      { name: 'activity', contexts: [0, 1, 2], integration_types: [0, 1] },
      { name: 'flows', contexts: [0, 1, 2], integration_types: [0, 1] },
    ]);
  });

  it('goes on until Discord has them, whatever answers in its place, unless Discord does not want them', async () => {
    const { discord, client } = await openRegister();
    const { log, lines } = collectingLog();
    const { signal } = new AbortController();
    const sleep = async () => {};
    const register = () =>
      keepRegistering(testMachine({ sleep, random: () => 0.5, log }), {
        client,
        commands: COMMANDS,
        signal,
      });
    discord.faults.refuseRest({ status: 400, code: 30034, route: 'PUT /applications/' });
    await register();
    expect(discord.commands()).toEqual([]);
    for (const [status, method] of [
      [404, 'GET'],
      [200, 'GET'],
      [405, 'PUT'],
    ] as const) {
      const body = '<html>Who are you?</html>';
      discord.faults.refuseRest({ status, body, route: `${method} /applications/` });
    }
    await register();
    expect(discord.commands()).toHaveLength(3);
    const failed = lines.filter(({ event }) => event === 'commands.not_registered');
    expect(failed.map((line) => line['attempt'])).toEqual([undefined, 1, 2, 3]);
  });
});
