import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ActionRowBuilder,
  type APIEmbed,
  type AttachmentPayload,
  type ButtonBuilder,
  DiscordAPIError,
  type InteractionEditReplyOptions,
  MessageFlags,
} from 'discord.js';
import { drawable } from '../../src/charts/text.ts';
import { escapeText } from '../../src/embeds/escape.ts';
import { embedSize } from '../../src/embeds/limits.ts';
import type { Links } from '../../src/embeds/links.ts';
import type { Texts } from '../../src/language/en/index.ts';
import type { ListNames } from '../../src/language/en/lists.ts';
import { type Language, languageFor } from '../../src/language/language.ts';
import { explainToPerson, UserError } from '../../src/lib/errors.ts';
import type { Csv } from '../../src/lookups/csv.ts';
import { type Filters, isNarrowed, isPostFiltered, NO_FILTERS } from '../../src/lookups/filters.ts';
import type { Chart } from '../../src/lookups/list-charts.ts';
import { describeCoverage } from '../../src/lookups/list-summary.ts';
import { beginScan, canShow, newCursors, type PageScan, type PageSource, scanTo } from '../../src/lookups/page-scan.ts';
import type { PageScanCache } from '../../src/lookups/page-scan-cache.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { spaceBeside } from '../../src/lookups/wallet-card.ts';
import { parseAddress, shortAddress, type WalletAddress } from '../../src/venue/address.ts';
import { BadResponse } from '../../src/venue/errors.ts';
import type { CommandContext, GuildButton, GuildCommand, SlashCommand } from '../shared/command.ts';
import { addressTrouble, readWallet, suggestWallets } from '../shared/wallet-option.ts';
import { LINES, listEmbed } from './list-message.ts';
import { pageButtons, plainButton } from './page-buttons.ts';

const LABEL_LIMIT = 64;
const CHART_LABEL_LIMIT = 26;

/** A slash command that shows one of the venue's lists page by page, with totals, a chart and a CSV file. */
export interface PagedList<Item extends { readonly time: number }> {
  readonly name: string;
  readonly definition: SlashCommand['definition'];
  /** What the list is called. */
  readonly names: (texts: Texts) => ListNames;
  /** What the list is narrowed to. @throws UserError for an option that cannot be read */
  readonly filters: (interaction: GuildCommand, context: CommandContext) => Filters;
  /** Other options than the wallet. */
  readonly autocomplete?: SlashCommand['autocomplete'];
  readonly cache: (context: CommandContext) => PageScanCache<Item>;
  readonly source: (context: CommandContext, wallet: WalletAddress, filters: Filters) => PageSource<Item>;
  /** Items as texts of one line or more, markdown escaped. */
  readonly rows: (items: readonly Item[], links: Links, language: Language) => readonly string[];
  /** Markdown of at most 800 code points. */
  readonly totals: (scan: PageScan<Item>, asOfSeconds: number, language: Language) => string;
  /** @param name of the wallet, as a chart can draw it */
  readonly chart: (scan: PageScan<Item>, name: string, asOfSeconds: number, language: Language) => Chart | null;
  readonly csv: (items: readonly Item[]) => Promise<Csv>;
  /** An embed above the first page, unless the list is narrowed: rendered into the code points that are left; null for none. */
  readonly opening?: (
    context: CommandContext,
    pager: Pager,
    label: string | null,
    scan: PageScan<Item>,
  ) => Promise<((room: number) => APIEmbed) | null>;
}

/**
 * Makes the command: newest page first, with buttons that go on by cursor and survive a restart of the bot. A button
 * elsewhere with the custom id `NAME:open:WALLET` shows the list to whoever presses it, and to nobody else.
 */
export function pagedCommand<Item extends { readonly time: number }>(list: PagedList<Item>): SlashCommand {
  const walked = async (context: CommandContext, id: string, pager: Pager, fromIndex: number, toIndex: number) => {
    const cache = list.cache(context);
    const kept = cache.get(id);
    const scan = kept !== undefined && canShow(kept, fromIndex, toIndex) ? kept : beginScan<Item>(pager, fromIndex);
    const trouble = await scanTo(scan, toIndex, list.source(context, pager.wallet, pager.filters));
    cache.set(id, scan);
    await context.pagers.set(id, { ...pager, cursors: scan.cursors });
    return { scan, trouble };
  };

  const page = async (context: CommandContext, id: string, pager: Pager, index: number): Promise<Answer> => {
    const from = index * LINES;
    const { scan, trouble } = await walked(context, id, pager, from, from + LINES);
    const items = scan.items.slice(from - scan.before, from - scan.before + LINES);
    const troubleText = trouble === null ? null : explainToPerson(trouble, context.language);
    // A bug of ours is no trouble that a person is to live with.
    if (trouble !== null && (items.length === 0 || troubleText === null)) throw trouble;
    const label = labelOf(context, pager);
    const picture = await draw(list, context, id, scan, pager, label);
    const isPartial = items.length < LINES && scan.cursor !== null;
    const hasNext = scan.cursor !== null || scan.before + scan.items.length > from + LINES;
    const prefix = `${list.name}:${id}`;
    const { language } = context;
    const buttons = pageButtons(prefix, index, hasNext, language, isPartial);
    const csv = plainButton('CSV', `${list.name}:csv:${id}`);
    const { wallet, filters, asOfSeconds } = pager;
    const { rows } = list;
    const names = list.names(language.texts);
    const shown = { names, rows, label, wallet, filters, index, items, scan, links: context.links, language };
    const totals = list.totals(scan, asOfSeconds, language);
    const opens = index === 0 && !isNarrowed(filters);
    const opening = opens ? await list.opening?.(context, pager, label, scan) : null;
    return {
      withPicture(chart) {
        const embed = listEmbed({ ...shown, totals, trouble: troubleText, picture: chart, asOfSeconds });
        return opening ? [opening(spaceBeside(embedSize(embed))), embed] : [embed];
      },
      picture,
      components:
        scan.items.length === 0 && !hasNext
          ? []
          : [(index === 0 && !hasNext ? new ActionRowBuilder<ButtonBuilder>() : buttons).addComponents(csv)],
    };
  };

  const exported = async (context: CommandContext, id: string, pager: Pager) => {
    const begin = list.cache(context).get(id)?.before ?? 0;
    const { scan } = await walked(context, id, pager, begin, begin);
    await nextTurn();
    const { data, rows, left } = await list.csv(scan.items);
    await nextTurn();
    const name = escapeText(labelOf(context, pager) ?? '', LABEL_LIMIT, shortAddress(pager.wallet));
    const { language } = context;
    const { texts, format } = language;
    const { lists } = texts;
    const sentences = [
      list.names(texts).file(name, format.quantity(rows), rows),
      describeCoverage(scan, isPostFiltered(pager.filters), language),
      ...(left === 0 ? [] : [lists.fileTooLarge(format.quantity(left), left)]),
    ];
    return {
      content: sentences.join(lists.gap),
      files: [{ attachment: data, name: `${fileName(list.name, pager.wallet)}.csv` }],
    };
  };

  return {
    definition: list.definition,
    isPrivate: () => false,
    check(interaction, context) {
      readWallet(interaction.options.getString('wallet', true), interaction.guildId, context.registry);
      list.filters(interaction, context);
    },
    async execute(interaction, context) {
      const { guildId, id } = interaction;
      const wallet = readWallet(interaction.options.getString('wallet', true), guildId, context.registry);
      const pager = newPager(list.name, guildId, wallet, list.filters(interaction, context), context);
      await send(await page(context, id, pager, 0), (answer) => interaction.editReply(answer), context);
    },
    autocomplete(interaction, context) {
      const { name } = interaction.options.getFocused(true);
      if (name !== 'wallet') return list.autocomplete?.(interaction, context) ?? [];
      return suggestWallets(interaction, context);
    },
    async press(interaction, [first = '', second = ''], context) {
      const { guildId } = interaction;
      if (first === 'open') {
        const parsed = parseAddress(second);
        if (!parsed.ok) throw new UserError(addressTrouble(parsed));
        const pager = newPager(list.name, guildId, parsed.address, NO_FILTERS, context);
        const answer = await page(context, interaction.id, pager, 0);
        await send(answer, (message) => interaction.followUp({ ...message, flags: MessageFlags.Ephemeral }), context);
        return;
      }
      const id = first === 'csv' ? second : first;
      await list.cache(context).runExclusive(id, async () => {
        const pager = await context.pagers.get(id, { guildId, list: list.name });
        if (pager === undefined) throw expired(list.names);
        try {
          if (first === 'csv') return await sendFile(interaction, await exported(context, id, pager));
          if (!/^\d{1,4}$/.test(second)) throw expired(list.names);
          const answer = await page(inLanguageOf(pager, context), id, pager, Number(second));
          await send(answer, (message) => interaction.editReply(message), context);
        } catch (error) {
          // What the venue answers to a cursor that it does not take any more is not told by its contract.
          if (error instanceof BadResponse && pager.cursors.checkpoints.length > 0) throw expired(list.names, error);
          throw error;
        }
      });
    },
  };
}

interface Answer {
  readonly withPicture: (picture: AttachmentPayload | null) => APIEmbed[];
  readonly picture: AttachmentPayload | null;
  readonly components: NonNullable<InteractionEditReplyOptions['components']>;
}

type Message = Pick<InteractionEditReplyOptions, 'components'> & {
  readonly embeds: APIEmbed[];
  readonly files: AttachmentPayload[];
  readonly attachments: [];
  readonly allowedMentions: { readonly parse: [] };
};

/** Sends with the picture, or without it where Discord does not take it. */
async function send(
  { withPicture, picture, components }: Answer,
  deliver: (message: Message) => Promise<unknown>,
  { log }: CommandContext,
): Promise<void> {
  const message = (shown: AttachmentPayload | null): Message => ({
    embeds: withPicture(shown),
    components,
    files: shown === null ? [] : [shown],
    // What an earlier page had attached goes.
    attachments: [],
    allowedMentions: { parse: [] },
  });
  try {
    await deliver(message(picture));
  } catch (error) {
    if (picture === null || !isRefusal(error)) throw error;
    log.warn({ event: 'chart.refused', err: error });
    await deliver(message(null));
  }
}

async function sendFile(
  interaction: GuildButton,
  { content, files }: { readonly content: string; readonly files: AttachmentPayload[] },
): Promise<void> {
  try {
    await interaction.followUp({ content, files, flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new UserError(({ texts }) => texts.lists.fileRefused, { cause: error });
  }
}

/** Discord has read the message and does not want it so; an interaction that is gone is 404 or 401. */
function isRefusal(error: unknown): boolean {
  return error instanceof DiscordAPIError && [400, 403, 413].includes(error.status);
}

async function draw<Item extends { readonly time: number }>(
  list: PagedList<Item>,
  { charts, pictures, log, language }: CommandContext,
  id: string,
  scan: PageScan<Item>,
  { wallet, asOfSeconds }: Pager,
  label: string | null,
): Promise<AttachmentPayload | null> {
  const name = drawable(label ?? '', CHART_LABEL_LIMIT, shortAddress(wallet));
  // As long as nothing more has been read, the picture is the same on every page.
  const read = [scan.before, scan.items.length, scan.scanned, scan.newestSeconds, scan.oldestSeconds];
  const key = JSON.stringify([list.name, id, ...read, name, language.tag]);
  try {
    const picture = await pictures.get(key, async () => {
      const chart = list.chart(scan, name, asOfSeconds, language);
      return chart === null ? null : { title: chart.title, png: await charts.png(chart.svg) };
    });
    if (picture === null) return null;
    return { attachment: picture.png, name: `${fileName(list.name, wallet)}.png`, description: picture.title };
  } catch (error) {
    log.error({ event: 'chart.failed', list: list.name, wallet, err: error });
    return null;
  }
}

function newPager(
  list: string,
  guildId: string,
  wallet: WalletAddress,
  filters: Filters,
  { nowMs, venueClock, language }: CommandContext,
): Pager {
  const asOfSeconds = Math.floor(venueClock().nowMs / 1000);
  const createdAtMs = nowMs();
  const cursors = newCursors();
  return { version: 2, list, guildId, wallet, filters, cursors, asOfSeconds, createdAtMs, language: language.tag };
}

/** The list stays in the language of whoever asked first. */
function inLanguageOf({ language }: Pager, context: CommandContext): CommandContext {
  return language === undefined ? context : { ...context, language: languageFor(language) };
}

function fileName(list: string, wallet: WalletAddress): string {
  return `${list}-${wallet.slice(2, 10)}`;
}

function expired(names: PagedList<{ readonly time: number }>['names'], cause?: unknown): UserError {
  return new UserError(({ texts }) => names(texts).expired, { cause });
}

function labelOf({ watchesForAll }: CommandContext, { wallet }: Pager): string | null {
  return watchesForAll(wallet).find(({ label }) => label !== null)?.label ?? null;
}
