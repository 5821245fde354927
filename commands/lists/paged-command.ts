import { MessageFlags } from 'discord.js';
import { sendFile } from '../../src/discord/attachments.ts';
import { parseAddress } from '../../src/domain/address.ts';
import { walletName } from '../../src/embeds/embed-parts.ts';
import { VenueError } from '../../src/feed/interface.ts';
import { UserError } from '../../src/language/user-error.ts';
import { isPostFiltered, NO_FILTERS } from '../../src/lookups/filters.ts';
import { describeCoverage } from '../../src/lookups/list-summary.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { lookUp } from '../../src/slash-commands/options.ts';
import type { ButtonUse, SlashCommand } from '../../src/slash-commands/slash-command.ts';
import { LABEL_LIMIT } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import { readWallet, WALLET } from '../shared/wallet-option.ts';
import { FIRST_PAGE, showPage } from './list-page.ts';
import {
  cacheOf,
  fileName,
  type OpenList,
  type PagedList,
  readRows,
  type Timed,
} from './open-list.ts';

/** Maximum length, enough for a label and an address. */
const TYPED_MAX = 120;
/** Used instead of a list's id: the button opens a list for the person who presses it. */
const OPEN = 'open';

type Asked = Pick<Pager, 'wallet' | 'typed' | 'filters'>;

/**
 * Creates the command: newest page first, with buttons that continue by cursor and survive a
 * restart of the bot. A button under another message with the custom id `NAME:open:WALLET` shows
 * the list only to the person who presses it.
 */
export function pagedCommand<Item extends Timed>(
  list: PagedList<Item>,
): SlashCommand<CommandContext, Asked> {
  const { name } = list;
  const expired = (cause?: unknown) =>
    new UserError(({ texts }) => texts.lists[name].expired, { cause });

  const openFor = (id: string, context: CommandContext, asked: Asked): OpenList<Item> => {
    const { place, nowMs, venueNowSeconds, language } = context;
    const pager: Pager = {
      list: name,
      ownerId: place.ownerId,
      ...asked,
      anchorSeconds: null,
      asOfSeconds: Math.floor(venueNowSeconds()),
      createdAtMs: nowMs(),
      language: language.tag,
    };
    return { list, context, id, pager };
  };

  /** Shows the list only to the person who pressed its button under another message. */
  const openAlone = (interaction: ButtonUse, address: string, context: CommandContext) => {
    const parsed = parseAddress(address);
    if (!parsed.ok) throw new UserError(({ texts }) => texts.errors.unknownButton);
    const asked = { wallet: parsed.address, typed: '', filters: NO_FILTERS };
    const open = openFor(interaction.id, context, asked);
    return showPage(open, FIRST_PAGE, (message) =>
      interaction.followUp({ ...message, flags: MessageFlags.Ephemeral }),
    );
  };

  return {
    ...lookUp(name, list.about, [WALLET, ...list.options]),
    check(interaction, context) {
      const typed = interaction.options.getString('wallet', true);
      const wallet = readWallet(typed, context.place.ownerId, context.registry);
      return {
        wallet,
        typed: typed.slice(0, TYPED_MAX),
        filters: list.filters(interaction, context),
      };
    },
    execute(interaction, context, asked) {
      const open = openFor(interaction.id, context, asked);
      return showPage(open, FIRST_PAGE, (message) => interaction.editReply(message));
    },
    isOwnPress: ([id]) => id === OPEN,
    async press(interaction, [id = '', page = '', from = ''], context) {
      if (id === OPEN) return openAlone(interaction, page, context);
      const cache = cacheOf(list, context);
      await cache.runExclusive(id, async () => {
        const { ownerId } = context.place;
        const pager = await context.pagers.get(id, { ownerId, list: name });
        const isPlace = [page, from].every((part) => /^\d{1,6}$/.test(part));
        if (pager === undefined || !(isPlace || page === 'csv')) throw expired();
        try {
          if (page === 'csv') return await sendRead(interaction, { list, context, id, pager });
          // The list keeps the language of the person who opened it.
          const own = { ...context, language: context.languageFor(pager.language) };
          const place = { index: Number(page), from: Number(from) };
          await showPage({ list, context: own, id, pager }, place, (message) =>
            interaction.editReply(message),
          );
        } catch (error) {
          const isRefused = error instanceof VenueError && error.kind === 'badResponse';
          // The venue's API does not define its answer to a cursor that it no longer accepts.
          throw isRefused && cache.get(id) !== undefined ? expired(error) : error;
        }
      });
    },
  };
}

/** Sends the records read of a list as a CSV file, with a sentence on the period they cover. */
async function sendRead<Item extends Timed>(
  interaction: ButtonUse,
  open: OpenList<Item>,
): Promise<void> {
  const { list, context, id, pager } = open;
  const { language } = context;
  const { texts, format } = language;
  const begin = cacheOf(list, context).get(id)?.before ?? 0;
  const { scan } = await readRows(open, begin, 0);
  const { data, rows, left } = await list.csv(scan.items);
  const { wallet, typed, filters } = pager;
  const name = walletName(wallet, context.labelOf(wallet, typed), LABEL_LIMIT);
  const content = [
    texts.lists[list.name].file(name, format.quantity(rows), rows),
    describeCoverage(scan, isPostFiltered(filters), language),
  ];
  if (left > 0) content.push(texts.lists.fileTooLarge(format.quantity(left), left));
  const file = { attachment: data, name: `${fileName(list, wallet)}.csv` };
  await sendFile(interaction, file, content.join(texts.lists.gap), context);
}
