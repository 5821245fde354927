import type { APIEmbed, SlashCommandBuilder } from 'discord.js';
import { joinFitting } from '../alert/join-fitting.ts';
import type { Links } from '../alert/links.ts';
import { escapeText } from '../alert/text.ts';
import { checksummed, shortAddress, type WalletAddress } from '../venue/address.ts';
import type { CallOptions, VenueClient, VenuePage } from '../venue/client.ts';
import { BadResponse } from '../venue/errors.ts';
import type { Registry } from '../watch/registry.ts';
import type { CommandContext, GuildButton, GuildCommand, SlashCommand } from './command.ts';
import { UserError } from './errors.ts';
import { pageButtons } from './page-buttons.ts';
import type { Pager } from './pager.ts';
import { readWallet, suggestWallets } from './wallet-option.ts';

/** Lines on a page of an answer: as many as are read at a glance on a phone. */
const LINES = 10;
const LIST_COLOUR = 0x5865f2;
const LABEL_LIMIT = 64;

/** A slash command that shows one of the venue's lists page by page. */
export interface PagedList<Item> {
  readonly name: string;
  readonly definition: SlashCommandBuilder;
  readonly title: string;
  readonly nothing: string;
  readonly fetch: (
    venue: VenueClient,
    wallet: WalletAddress,
    paging: { readonly limit: number; readonly cursor?: string },
    options: CallOptions,
  ) => Promise<VenuePage<Item>>;
  /** One item, markdown escaped. */
  readonly line: (item: Item, links: Links) => string;
}

/** Makes the command: newest page first, with buttons that go on by cursor and survive a restart of the bot. */
export function pagedCommand<Item>(list: PagedList<Item>): SlashCommand {
  const show = async (
    interaction: GuildCommand | GuildButton,
    context: CommandContext,
    place: { readonly id: string; readonly index: number; readonly pager: Pager },
  ) => {
    const { id, index, pager } = place;
    const cursor = index === 0 ? undefined : pager.cursors[index - 1];
    if (index > 0 && cursor === undefined) throw expired(list.name);
    const paging = cursor === undefined ? { limit: LINES } : { limit: LINES, cursor };
    const page = await list.fetch(context.venue, pager.wallet, paging, { priority: 'person' });
    if (page.nextCursor !== null && page.nextCursor !== pager.cursors[index]) {
      pager.cursors.splice(index, Number.POSITIVE_INFINITY, page.nextCursor);
    }
    await context.pagers.set(id, pager);
    await interaction.editReply({
      embeds: [pageEmbed(list, page, pager, index, context)],
      components:
        index === 0 && page.nextCursor === null
          ? []
          : [pageButtons(`${list.name}:${id}`, index, page.nextCursor !== null)],
      allowedMentions: { parse: [] },
    });
  };

  return {
    definition: list.definition,
    isPrivate: () => false,
    check(interaction, { registry }) {
      readWallet(interaction.options.getString('wallet', true), interaction.guildId, registry);
    },
    async execute(interaction, context) {
      const { guildId, id } = interaction;
      const wallet = readWallet(interaction.options.getString('wallet', true), guildId, context.registry);
      const pager: Pager = { version: 1, guildId, wallet, cursors: [], createdAtMs: context.nowMs() };
      await show(interaction, context, { id, index: 0, pager });
    },
    autocomplete: suggestWallets,
    async press(interaction, [id = '', page = ''], context) {
      const index = /^\d{1,4}$/.test(page) ? Number(page) : Number.NaN;
      const pager = await context.pagers.get(id, interaction.guildId);
      if (pager === undefined || Number.isNaN(index)) throw expired(list.name);
      try {
        await show(interaction, context, { id, index, pager });
      } catch (error) {
        // What the venue answers to a cursor that it does not take any more is not told by its contract.
        if (error instanceof BadResponse && index > 0) throw expired(list.name, error);
        throw error;
      }
    },
  };
}

function expired(name: string, cause?: unknown): UserError {
  return new UserError(`This list has expired. Run \`/${name}\` again.`, { cause });
}

function pageEmbed<Item>(
  list: PagedList<Item>,
  page: VenuePage<Item>,
  { wallet, guildId }: Pager,
  index: number,
  { links, registry }: CommandContext,
): APIEmbed {
  const url = links.wallet(wallet);
  const address = `\`${checksummed(wallet)}\``;
  const head = url === undefined ? address : `${address} · [open the wallet](${url})`;
  const rows = page.items.map((item) => list.line(item, links));
  const joined = joinFitting([head, ...(rows.length === 0 ? [index === 0 ? list.nothing : 'Nothing more.'] : rows)]);
  const notes = [
    `Page ${index + 1}, newest first`,
    ...(page.skipped.length > 0 ? [`${page.skipped.length} records could not be read`] : []),
    ...(joined.left > 0 ? [`${joined.left} did not fit`] : []),
  ];
  return {
    title: `${list.title} of ${escapeText(labelOf(registry, guildId, wallet) ?? '', LABEL_LIMIT, shortAddress(wallet))}`,
    description: joined.text,
    color: LIST_COLOUR,
    footer: { text: notes.join(' · ') },
  };
}

function labelOf(registry: Registry, guildId: string, wallet: WalletAddress): string | null {
  const watches = registry.ofWallet(wallet).filter((watch) => watch.guildId === guildId);
  return watches.find(({ label }) => label !== null)?.label ?? null;
}
