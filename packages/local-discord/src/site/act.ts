import { CannotDo, type FakeDiscord } from '../discord/fake-discord.ts';
import { CALLBACKS } from '../discord/forms/callback.ts';
import type { PickedFile } from '../discord/people/commandline.ts';
import { AlreadyChosen } from '../discord/people/components.ts';
import type { FieldValue } from '../discord/people/fields.ts';
import { type InteractionHandle, NotAnswered } from '../discord/people/handle.ts';
import { InvalidFields } from '../discord/people/modal.ts';
import { PERMISSIONS, USUAL_BOT_PERMISSIONS } from '../discord/permissions.ts';
import { typedCommands } from './commands.ts';
import type { Modals } from './modals.ts';
import type { PageLanguage, PageOutcome, PageSubmitted } from './protocol.ts';
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
  readonly modals: Modals;
  /**
   * Presses a button of the panel.
   *
   * @param choice the selection beside it; null if there is none
   * @returns a note about the outcome
   * @throws Error with a text for the person
   */
  readonly press: (control: string, button: string, choice: string | null) => Promise<string>;
}

/**
 * Executes a request of the page and returns what to show at once; everything else arrives as
 * events.
 *
 * @throws CannotDo, or Error with a text for the person, if the request cannot be fulfilled
 */
export async function act(deps: ActDeps, request: SiteRequest): Promise<unknown> {
  const { discord, guildId, people, languages, view, modals } = deps;
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
  /** Waits for the bot's first response to a person's action in a channel. */
  const outcome = async (
    as: string,
    channelId: string,
    handle: InteractionHandle,
  ): Promise<PageOutcome> => {
    const unanswered = await waitFor(handle);
    if (unanswered !== null) {
      return { unanswered: view.unanswered(channelId, unanswered), modal: null };
    }
    if (handle.acknowledgement !== CALLBACKS.MODAL) return NOTHING;
    const offered = view.offeredIn(person(as), channelId);
    return { unanswered: null, modal: modals.keep(as, await handle.modal(), offered) };
  };
  const channelOf = (messageId: string) => discord.message(messageId)?.channelId ?? '';
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
        return NOTHING;
      }
      const upload = file && pickedFile(file);
      const { line, values } = readCommand(commands, text, world, upload, picked);
      return outcome(request.as, channelId, await discord.command(ref, channelId, line, values));
    }
    case 'press': {
      const { as, messageId, customId } = request;
      const channelId = channelOf(messageId);
      return outcome(as, channelId, await discord.press(who(as), messageId, customId));
    }
    case 'select': {
      const { as, messageId, customId, values } = request;
      const channelId = channelOf(messageId);
      try {
        return await outcome(
          as,
          channelId,
          await discord.select(who(as), messageId, customId, values),
        );
      } catch (error) {
        if (error instanceof AlreadyChosen) return NOTHING;
        throw error;
      }
    }
    case 'useOnMessage': {
      const { as, messageId } = request;
      const channelId = channelOf(messageId);
      return outcome(as, channelId, await discord.useOnMessage(who(as), messageId));
    }
    case 'submit':
      return submit(modals, request);
    case 'closeModal':
      modals.close(request.as, request.modalId);
      return null;
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

const NOTHING: PageOutcome = { unanswered: null, modal: null };

async function submit(
  modals: Modals,
  { as, modalId, values }: Extract<SiteRequest, { readonly do: 'submit' }>,
): Promise<PageSubmitted> {
  const entered = Object.entries(values).map(([customId, value]) => [customId, read(value)]);
  try {
    const handle = await modals.find(as, modalId).submit(Object.fromEntries(entered));
    if ((await waitFor(handle)) !== null) return { kind: 'unanswered' };
    modals.close(as, modalId);
    return { kind: 'answered' };
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    return { kind: 'invalid', faults: Object.fromEntries(error.faults) };
  }
}

type SentValue = Extract<SiteRequest, { readonly do: 'submit' }>['values'][string];

function read(value: SentValue): FieldValue {
  if (!Array.isArray(value)) return value;
  const texts: string[] = [];
  const files: PickedFile[] = [];
  for (const one of value) {
    if (typeof one === 'string') texts.push(one);
    else files.push(pickedFile(one));
  }
  return files.length > 0 ? files : texts;
}

function pickedFile({ filename, base64 }: { filename: string; base64: string }): PickedFile {
  return { filename, data: Buffer.from(base64, 'base64') };
}

/**
 * Waits for the bot's response.
 *
 * @returns the interaction's id if the bot does not respond in time, else null
 */
async function waitFor(handle: InteractionHandle): Promise<string | null> {
  try {
    await handle.acknowledged();
    return null;
  } catch (error) {
    if (error instanceof NotAnswered) return error.interactionId;
    throw error;
  }
}
