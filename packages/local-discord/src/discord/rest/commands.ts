import * as z from 'zod';
import { commandSchema } from '../forms/command.ts';
import { readForm } from '../forms/form.ts';
import { type FormError, Refusal, refusals } from '../refusal.ts';
import type { RestContext } from './context.ts';
import { ok, type RestAnswer, type RestRequest, type Route } from './routes.ts';

/**
 * Returns the routes of the application's commands, global ones and those of single servers
 * (interactions/application-commands.mdx). Server commands are never shown or used here.
 */
export function commandRoutes({ world, commands: globalCommands }: RestContext): Route[] {
  /** Returns the commands that a request refers to. */
  function commandsOf(request: RestRequest) {
    checkApplication(request);
    if (request.param('guild') === '') return globalCommands;
    const guildId = request.id('guild');
    if (!world.botGuilds().some(({ id }) => id === guildId)) throw refusals.missingAccess();
    return globalCommands.inGuild(guildId);
  }

  function checkApplication(request: RestRequest): void {
    if (request.id('application') !== world.applicationId) throw refusals.unknownApplication();
  }

  function read(request: RestRequest): RestAnswer {
    const commands = commandsOf(request);
    const all = commands.list().map(commands.wire);
    return ok(request.query.get('with_localizations') === 'true' ? all : withoutLocalisations(all));
  }

  function overwrite(request: RestRequest): RestAnswer {
    const commands = commandsOf(request);
    const forms = readForm(z.array(commandSchema), request.json);
    const duplicates = forms.flatMap(({ name }, index): FormError[] => {
      if (forms.findIndex((other) => other.name === name) === index) return [];
      const message = 'Application command names must be unique';
      return [{ path: [index, 'name'], code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message }];
    });
    if (duplicates.length > 0) throw new Refusal(400, 50035, 'Invalid Form Body', duplicates);
    return ok(commands.overwrite(forms).map(commands.wire));
  }

  const patterns = [
    '/applications/:application/commands',
    '/applications/:application/guilds/:guild/commands',
  ];
  return patterns.flatMap((pattern): Route[] => [
    { method: 'GET', pattern, auth: 'bot', bucket: 'other', handle: read },
    { method: 'PUT', pattern, auth: 'bot', bucket: 'other', handle: overwrite },
  ]);
}

/** Removes the localized texts. Lists of commands contain them only on request. */
function withoutLocalisations(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutLocalisations);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key]) => key !== 'name_localizations' && key !== 'description_localizations')
      .map(([key, value]) => [key, withoutLocalisations(value)]),
  );
}
