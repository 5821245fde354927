import {
  type APIEmbed,
  ApplicationIntegrationType,
  type AttachmentPayload,
  InteractionContextType,
  type InteractionEditReplyOptions,
  MessageFlags,
} from 'discord.js';
import { sendWithFiles } from '../../src/discord/attachments.ts';
import type { ButtonUse, SlashCommand } from '../../src/discord/slash-command.ts';
import { parseAddress } from '../../src/domain/address.ts';
import { VenueError } from '../../src/feed/interface.ts';
import { languageFor } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { NO_FILTERS } from '../../src/lookups/filters.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import type { CommandContext } from '../shared/context.ts';
import { readWallet, suggestWallets } from '../shared/wallet-option.ts';
import type { PagedList } from './list.ts';
import { type PageAnswer, type PageFile, renderFile, renderPage } from './page.ts';

/** Look-ups work anywhere: in servers, in direct messages with the bot, in private channels; */
export const LOOKUP_CONTEXTS = [
  InteractionContextType.Guild,
  InteractionContextType.BotDM,
  InteractionContextType.PrivateChannel,
] as const;
/** for members of servers that have invited the bot, and for people who have installed it for themselves. */
export const LOOKUP_INSTALLS = [
  ApplicationIntegrationType.GuildInstall,
  ApplicationIntegrationType.UserInstall,
] as const;

/** A label and an address fit. */
const TYPED_MAX = 120;

/**
 * The command: newest page first, with buttons that go on by cursor and survive a restart of the bot. A button under
 * another message with the custom id `NAME:open:WALLET` shows the list to the person who presses it alone.
 */
export function pagedCommand<Item extends { readonly time: number }>(
  list: PagedList<Item>,
): SlashCommand<CommandContext> {
  const pressOpen = async (interaction: ButtonUse, address: string, context: CommandContext) => {
    const parsed = parseAddress(address);
    if (!parsed.ok) throw new UserError(({ texts }) => texts.errors.unknownButton);
    const pager = newPager(list.name, { wallet: parsed.address, typed: '', filters: NO_FILTERS }, context);
    const answer = await renderPage(list, context, interaction.id, pager, 0);
    await send(answer, (message) => interaction.followUp({ ...message, flags: MessageFlags.Ephemeral }), context);
  };

  /** @param page index of the page, or null for the CSV file */
  const pressUnderList = async (interaction: ButtonUse, id: string, page: string | null, context: CommandContext) => {
    const pager = await context.pagers.get(id, { ownerId: context.place.ownerId, list: list.name });
    if (pager === undefined) throw expired(list.names);
    try {
      if (page === null) return await sendFile(interaction, await renderFile(list, context, id, pager), context);
      if (!/^\d{1,4}$/.test(page)) throw expired(list.names);
      const answer = await renderPage(list, inLanguageOf(pager, context), id, pager, Number(page));
      await send(answer, (message) => interaction.editReply(message), context);
    } catch (error) {
      // The venue's contract does not say what it answers to a cursor that it no longer takes.
      if (error instanceof VenueError && error.kind === 'badResponse' && list.cache(context).get(id) !== undefined)
        throw expired(list.names, error);
      throw error;
    }
  };

  return {
    definition: list.definition,
    isPrivate: () => false,
    check(interaction, context) {
      readWallet(interaction.options.getString('wallet', true), context.place.ownerId, context.registry);
      list.filters(interaction, context);
    },
    async execute(interaction, context) {
      const { id } = interaction;
      const typed = interaction.options.getString('wallet', true);
      const wallet = readWallet(typed, context.place.ownerId, context.registry);
      const pager = newPager(
        list.name,
        { wallet, typed: typed.slice(0, TYPED_MAX), filters: list.filters(interaction, context) },
        context,
      );
      const answer = await renderPage(list, context, id, pager, 0);
      await send(answer, (message) => interaction.editReply(message), context);
    },
    autocomplete(interaction, context) {
      const { name } = interaction.options.getFocused(true);
      if (name !== 'wallet') return list.autocomplete?.(interaction, context) ?? [];
      return suggestWallets(interaction, context);
    },
    async press(interaction, [first = '', second = ''], context) {
      if (first === 'open') return pressOpen(interaction, second, context);
      const [id, page] = first === 'csv' ? [second, null] : [first, second];
      await list.cache(context).runExclusive(id, () => pressUnderList(interaction, id, page, context));
    },
  };
}

type Message = Pick<InteractionEditReplyOptions, 'components'> & {
  readonly embeds: APIEmbed[];
  readonly files: AttachmentPayload[];
  readonly attachments: [];
  readonly allowedMentions: { readonly parse: [] };
};

/** Sends with the picture, or without it where Discord does not take it. */
async function send(
  { embeds, picture, components }: PageAnswer,
  deliver: (message: Message) => Promise<unknown>,
  { log, language }: CommandContext,
): Promise<void> {
  await sendWithFiles(
    'picture',
    picture === null ? [] : [picture],
    (files, leftOut) =>
      deliver({
        embeds: embeds(files[0] ?? null, leftOut?.(language) ?? null),
        components,
        files: [...files],
        // Removes the attachments of the page before.
        attachments: [],
        allowedMentions: { parse: [] },
      }),
    log,
  );
}

async function sendFile(
  interaction: ButtonUse,
  { content, file }: PageFile,
  { log, language }: CommandContext,
): Promise<void> {
  await sendWithFiles(
    'file',
    [file],
    (files, leftOut) =>
      interaction.followUp({
        content: leftOut?.(language) ?? content,
        files: [...files],
        flags: MessageFlags.Ephemeral,
        allowedMentions: { parse: [] },
      }),
    log,
  );
}

function newPager(
  list: string,
  asked: Pick<Pager, 'wallet' | 'typed' | 'filters'>,
  { place: { ownerId }, nowMs, venueClock, language }: CommandContext,
): Pager {
  const asOfSeconds = Math.floor(venueClock().nowMs / 1000);
  const createdAtMs = nowMs();
  return {
    version: 2,
    list,
    ownerId,
    ...asked,
    anchorSeconds: null,
    asOfSeconds,
    createdAtMs,
    language: language.tag,
  };
}

/** The list stays in the language of whoever asked first. */
function inLanguageOf({ language }: Pager, context: CommandContext): CommandContext {
  return language === undefined ? context : { ...context, language: languageFor(language) };
}

function expired(names: PagedList<{ readonly time: number }>['names'], cause?: unknown): UserError {
  return new UserError(({ texts }) => names(texts).expired, { cause });
}
