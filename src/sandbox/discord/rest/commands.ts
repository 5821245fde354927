import { z } from 'zod';
import { commandSchema } from '../forms/command.ts';
import { readForm } from '../forms/form.ts';
import { type FormError, Refusal, refusals } from '../refusal.ts';
import { noContent, ok, type RestAnswer, type RestRequest, type Route } from '../routes.ts';
import type { RestContext } from './context.ts';

/** Global and server commands of the application (interactions/application-commands.mdx). */
export function commandRoutes({ world, commands, access }: RestContext): Route[] {
  function scopeOf(request: RestRequest, isGuild: boolean): string | null {
    if (request.id('application') !== world.applicationId) throw refusals.unknownApplication();
    if (!isGuild) return null;
    const guildId = request.id('guild');
    if (!world.guild(guildId)?.members.has(world.bot.id)) throw refusals.missingAccess();
    return guildId;
  }

  function overwrite(request: RestRequest, scope: string | null): RestAnswer {
    const forms = readForm(z.array(commandSchema), request.json);
    const duplicates: FormError[] = [];
    const seen = new Set<string>();
    forms.forEach((form, index) => {
      const key = `${form.type ?? 1} ${form.name}`;
      if (seen.has(key)) {
        const message = 'Application command names must be unique';
        duplicates.push({ path: [index, 'name'], code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message });
      }
      seen.add(key);
    });
    if (duplicates.length > 0) throw new Refusal(400, 50035, 'Invalid Form Body', duplicates);
    return ok(commands.overwrite(scope, forms).map(commands.wire));
  }

  function upsert(request: RestRequest, scope: string | null): RestAnswer {
    const { command, isNew } = commands.upsert(scope, readForm(commandSchema, request.json));
    return { status: isNew ? 201 : 200, body: commands.wire(command) };
  }

  function update(request: RestRequest, scope: string | null): RestAnswer {
    const present = commands.get(scope, request.id('command'));
    const changes = readForm(z.record(z.string(), z.unknown()), request.json);
    const form = readForm(commandSchema, { ...commands.wire(present), ...changes });
    return ok(commands.wire(commands.update(scope, present.id, form)));
  }

  const exceptionsWire = (guildId: string, commandId: string) => ({
    id: commandId,
    application_id: world.applicationId,
    guild_id: guildId,
    permissions: access.exceptions(guildId, commandId),
  });
  const permissionsPath = '/applications/:application/guilds/:guild/commands';
  const readPermissions: Route[] = [
    {
      method: 'GET',
      pattern: `${permissionsPath}/permissions`,
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const guildId = scopeOf(request, true) ?? '';
        const all = [...commands.list(guildId), ...commands.list(null)].map(({ id }) => exceptionsWire(guildId, id));
        return ok(all.filter(({ permissions }) => permissions.length > 0));
      },
    },
    {
      method: 'GET',
      pattern: `${permissionsPath}/:command/permissions`,
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const guildId = scopeOf(request, true) ?? '';
        const commandId = request.id('command');
        // Discord answers 10066 where no exception was ever set.
        if (access.exceptions(guildId, commandId).length === 0) throw refusals.unknownPermissions();
        return ok(exceptionsWire(guildId, commandId));
      },
    },
  ];
  const readWrite = [false, true].flatMap((isGuild): Route[] => {
    const base = isGuild ? '/applications/:application/guilds/:guild/commands' : '/applications/:application/commands';
    const route = (
      method: Route['method'],
      pattern: string,
      handle: (request: RestRequest, scope: string | null) => RestAnswer,
    ): Route => ({
      method,
      pattern,
      auth: 'bot',
      bucket: 'other',
      handle: (request) => handle(request, scopeOf(request, isGuild)),
    });
    return [
      route('GET', base, ({ query }, scope) => {
        const all = commands.list(scope).map(commands.wire);
        return ok(query.get('with_localizations') === 'true' ? all : withoutLocalisations(all));
      }),
      route('PUT', base, overwrite),
      route('POST', base, upsert),
      route('GET', `${base}/:command`, (request, scope) =>
        ok(commands.wire(commands.get(scope, request.id('command')))),
      ),
      route('PATCH', `${base}/:command`, update),
      route('DELETE', `${base}/:command`, (request, scope) => {
        commands.delete(scope, request.id('command'));
        return noContent;
      }),
    ];
  });
  return [...readPermissions, ...readWrite];
}

/** Lists of commands hold the texts of all languages only for who asks for them. */
function withoutLocalisations(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutLocalisations);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key]) => key !== 'name_localizations' && key !== 'description_localizations')
      .map(([key, value]) => [key, withoutLocalisations(value)]),
  );
}
