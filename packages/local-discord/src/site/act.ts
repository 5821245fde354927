import { CannotDo, type FakeDiscord } from '../discord/fake-discord.ts';
import { type InteractionHandle, NotAnswered } from '../discord/people/handle.ts';
import { PERMISSIONS, USUAL_BOT_PERMISSIONS } from '../discord/permissions.ts';
import { typedCommands } from './commands.ts';
import type { PageLanguage } from './protocol.ts';
import type { SiteRequest } from './requests.ts';
import { type Autocomplete, readCommand, suggestionsFor } from './typed-line.ts';
import { type Person, USUAL_LOCALE, type View } from './view.ts';

const TAKEN = {
  view: PERMISSIONS.VIEW_CHANNEL,
  send: PERMISSIONS.SEND_MESSAGES,
  embed: PERMISSIONS.EMBED_LINKS,
} as const;

export interface ActDeps {
  readonly discord: FakeDiscord;
  readonly guildId: string;
  readonly people: readonly Person[];
  readonly languages: readonly PageLanguage[];
  readonly view: View;
  /**
   * Presses a button of the panel.
   *
   * @param choice what is chosen beside it; null where there is no choice
   * @returns what is to be said of it
   * @throws Error with a text for the person
   */
  readonly press: (control: string, button: string, choice: string | null) => Promise<string>;
}

/**
 * Does what the page asks for, and returns what it is to show at once; all else comes as events.
 *
 * @throws CannotDo, or Error with a text for the person, for what cannot be done
 */
export async function act(deps: ActDeps, request: SiteRequest): Promise<unknown> {
  const { discord, guildId, people, languages, view } = deps;
  const person = (id: string) => {
    const found = people.find(({ ref }) => ref.userId === id);
    if (!found) throw new CannotDo(`Nobody here has the id ${id}.`);
    return found;
  };
  const who = (id: string) => person(id).ref;
  const typing = ({ as, channelId }: { readonly as: string; readonly channelId: string }) => {
    const me = person(as);
    const locale = discord.user(as)?.locale ?? USUAL_LOCALE;
    return {
      ref: me.ref,
      world: view.world(me),
      commands: typedCommands(discord.offered(me.ref, channelId), locale),
    };
  };
  switch (request.do) {
    case 'suggest': {
      const { text, channelId, picked } = request;
      const { ref, world, commands } = typing(request);
      const autocomplete: Autocomplete = (line, values, focused) =>
        discord.autocomplete(ref, channelId, line, values, focused);
      return suggestionsFor(commands, text, world, autocomplete, picked);
    }
    case 'send': {
      const { text, file, channelId, picked } = request;
      const { ref, world, commands } = typing(request);
      if (!text.startsWith('/')) {
        discord.say(ref, channelId, text);
        return null;
      }
      const upload = file && { filename: file.filename, data: Buffer.from(file.base64, 'base64') };
      const { line, values } = readCommand(commands, text, world, upload, picked);
      const unanswered = await waitFor(await discord.command(ref, channelId, line, values));
      return unanswered && view.unanswered(channelId, unanswered);
    }
    case 'press': {
      const { as, messageId, customId } = request;
      return { isAnswered: !(await waitFor(await discord.press(who(as), messageId, customId))) };
    }
    case 'select': {
      const { as, messageId, customId, values } = request;
      const handle = await discord.select(who(as), messageId, customId, values);
      return { isAnswered: !(await waitFor(handle)) };
    }
    case 'useOnMessage': {
      const { as, messageId } = request;
      const unanswered = await waitFor(await discord.useOnMessage(who(as), messageId));
      const channelId = discord.message(messageId)?.channelId ?? '';
      return unanswered && view.unanswered(channelId, unanswered);
    }
    case 'language':
      if (!languages.some(({ locale }) => locale === request.locale)) {
        throw new CannotDo(`There is no language ${request.locale}.`);
      }
      discord.setLocale(who(request.as).userId, request.locale);
      return null;
    case 'control':
      return { note: await deps.press(request.control, request.button, request.choice) };
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
      return { id: discord.createChannel(guildId, { name: request.name }).id };
    case 'deleteChannel':
      discord.deleteChannel(request.channelId);
      return null;
  }
}

/** Waits for the bot. @returns the interaction's id where it does not answer in time, else null */
async function waitFor(handle: InteractionHandle): Promise<string | null> {
  try {
    await handle.acknowledged();
    return null;
  } catch (error) {
    if (error instanceof NotAnswered) return error.interactionId;
    throw error;
  }
}
