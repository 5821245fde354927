import { CannotDo, type OptionValues } from '../discord/fake-discord.ts';
import { PERMISSIONS, USUAL_BOT_PERMISSIONS } from '../discord/permissions.ts';
import type { Sandbox } from '../sandbox.ts';
import { typedCommands } from './commands.ts';
import type { SiteRequest } from './requests.ts';
import type { Person } from './view.ts';

const TAKEN = {
  view: PERMISSIONS.VIEW_CHANNEL,
  send: PERMISSIONS.SEND_MESSAGES,
  embed: PERMISSIONS.EMBED_LINKS,
} as const;

/**
 * Does what the page asks for, and returns what it is to show at once; all else comes as events.
 *
 * @throws CannotDo, or Error with a text for the person, for what cannot be done
 */
export async function act(sandbox: Sandbox, people: readonly Person[], request: SiteRequest): Promise<unknown> {
  const { discord } = sandbox;
  const who = (id: string) => {
    const person = people.find(({ ref }) => ref.userId === id);
    if (!person) throw new CannotDo(`Nobody here has the id ${id}.`);
    return person.ref;
  };
  switch (request.do) {
    case 'commands': {
      const ref = who(request.as);
      return typedCommands(discord.offered(ref, request.channelId), discord.user(ref.userId)?.locale ?? 'en-US');
    }
    case 'command': {
      const ref = who(request.as);
      const handle = await discord.command(ref, request.channelId, request.line, optionValues(request.values));
      await handle.acknowledged();
      return null;
    }
    case 'autocomplete': {
      const { channelId, line, values, focused } = request;
      return discord.autocomplete(who(request.as), channelId, line, optionValues(values), focused);
    }
    case 'press':
      await (await discord.press(who(request.as), request.messageId, request.customId)).acknowledged();
      return null;
    case 'select':
      await (await discord.select(who(request.as), request.messageId, request.customId, request.values)).acknowledged();
      return null;
    case 'say':
      discord.say(who(request.as), request.channelId, request.content);
      return null;
    case 'language':
      discord.setLocale(who(request.as).userId, request.locale);
      return null;
    case 'deed':
      return { records: (await sandbox.simulator.act(request.wallet, request.deed)).length };
    case 'venue':
      await sandbox.venue.set(request.mode);
      return null;
    case 'permission': {
      const { take, channelId } = request;
      const left = take === 'nothing' ? null : USUAL_BOT_PERMISSIONS & ~TAKEN[take];
      discord.setBotPermissions(channelId, left);
      return null;
    }
    case 'createChannel':
      return { id: discord.createChannel(sandbox.guildId, { name: request.name }).id };
    case 'deleteChannel':
      discord.deleteChannel(request.channelId);
      sandbox.account.channelGone(request.channelId);
      return null;
    case 'bot':
      if (request.order === 'kill') await sandbox.bot.kill();
      else sandbox.bot.start();
      return null;
  }
}

function optionValues(values: Extract<SiteRequest, { do: 'command' }>['values']): OptionValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? { filename: value.filename, data: Buffer.from(value.base64, 'base64') } : value,
    ]),
  );
}
