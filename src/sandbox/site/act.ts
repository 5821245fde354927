import { ENGLISH } from '../../language/language.ts';
import { CannotDo } from '../discord/fake-discord.ts';
import { PERMISSIONS, USUAL_BOT_PERMISSIONS } from '../discord/permissions.ts';
import type { Sandbox } from '../sandbox.ts';
import { typedCommands } from './commands.ts';
import type { SiteRequest } from './requests.ts';
import { readCommand, suggestionsFor } from './typed-line.ts';
import type { Person, View } from './view.ts';

const TAKEN = {
  view: PERMISSIONS.VIEW_CHANNEL,
  send: PERMISSIONS.SEND_MESSAGES,
  embed: PERMISSIONS.EMBED_LINKS,
} as const;

export interface ActDeps {
  readonly sandbox: Sandbox;
  readonly people: readonly Person[];
  readonly view: View;
}

/**
 * Does what the page asks for, and returns what it is to show at once; all else comes as events.
 *
 * @throws CannotDo, or Error with a text for the person, for what cannot be done
 */
export async function act({ sandbox, people, view }: ActDeps, request: SiteRequest): Promise<unknown> {
  const { discord } = sandbox;
  const person = (id: string) => {
    const found = people.find(({ ref }) => ref.userId === id);
    if (!found) throw new CannotDo(`Nobody here has the id ${id}.`);
    return found;
  };
  const who = (id: string) => person(id).ref;
  const typing = ({ as, channelId }: { readonly as: string; readonly channelId: string }) => {
    const me = person(as);
    const locale = discord.user(as)?.locale ?? ENGLISH.tag;
    return { ref: me.ref, world: view.world(me), commands: typedCommands(discord.offered(me.ref, channelId), locale) };
  };
  switch (request.do) {
    case 'suggest': {
      const { text, channelId } = request;
      const { ref, world, commands } = typing(request);
      return suggestionsFor(commands, text, world, (line, values, focused) =>
        discord.autocomplete(ref, channelId, line, values, focused),
      );
    }
    case 'send': {
      const { text, file, channelId } = request;
      const { ref, world, commands } = typing(request);
      if (!text.startsWith('/')) {
        discord.say(ref, channelId, text);
        return null;
      }
      const picked = file && { filename: file.filename, data: Buffer.from(file.base64, 'base64') };
      const { line, values } = readCommand(commands, text, world, picked);
      await (await discord.command(ref, channelId, line, values)).acknowledged();
      return null;
    }
    case 'press':
      await (await discord.press(who(request.as), request.messageId, request.customId)).acknowledged();
      return null;
    case 'select':
      await (await discord.select(who(request.as), request.messageId, request.customId, request.values)).acknowledged();
      return null;
    case 'useOnMessage':
      await (await discord.useOnMessage(who(request.as), request.messageId)).acknowledged();
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
    case 'directMessages':
      discord.setTakesDms(who(request.as).userId, request.isOpen);
      return null;
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
