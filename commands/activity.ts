import type { SlashCommandStringOption } from 'discord.js';
import { activityIdentity } from '../src/domain/identity.ts';
import { ACTIONS } from '../src/domain/kinds.ts';
import type { ActivityItem } from '../src/domain/records.ts';
import { activityRows, isOneRow } from '../src/embeds/item-lines.ts';
import { UserError } from '../src/language/user-error.ts';
import { inTurns } from '../src/lib/async/turns.ts';
import { activityCsv } from '../src/lookups/csv.ts';
import { type Filters, passes, readFilters, venueFilters } from '../src/lookups/filters.ts';
import { tradesChart } from '../src/lookups/list-charts.ts';
import { describeActivityTotals } from '../src/lookups/list-summary.ts';
import { marketChoices, marketIdOf } from '../src/lookups/market-choices.ts';
import { VENUE_PAGE } from '../src/lookups/page-scan.ts';
import { activityTotals } from '../src/lookups/totals.ts';
import { choices, localised } from '../src/slash-commands/options.ts';
import type { CommandUse } from '../src/slash-commands/slash-command.ts';
import { readCard } from './lists/card.ts';
import { lookUp, pagedCommand } from './lists/paged-list.ts';
import type { CommandContext } from './shared/context.ts';
import { namedWallet, walletOption } from './shared/wallet-option.ts';

/** `/activity wallet [market] [action] [from] [to] [transaction]`: trades and redemptions of a wallet, page by page. */
export const activity = pagedCommand<ActivityItem>({
  name: 'activity',
  definition: lookUp('activity', ({ activity }) => activity.description)
    .addStringOption(walletOption)
    .addStringOption((option) =>
      localised(option, 'market', ({ activity }) => activity.market)
        .setMaxLength(200)
        .setAutocomplete(true),
    )
    .addStringOption((option) =>
      localised(option, 'action', ({ activity }) => activity.action).addChoices(
        ...choices(ACTIONS, (action, { texts }) => texts.commands.activity.actions[action]),
      ),
    )
    .addStringOption((option) => timeOption(option, 'from'))
    .addStringOption((option) => timeOption(option, 'to'))
    .addStringOption((option) =>
      localised(option, 'transaction', ({ activity }) => activity.transaction).setMaxLength(100),
    ),
  names: ({ lists }) => lists.activity,
  filters: typedFilters,
  autocomplete: (interaction, context) =>
    marketChoices(
      interaction.options.getFocused(),
      context.scans.activity.values(),
      context.place.ownerId,
      namedWallet(interaction, context),
    ),
  cache: ({ scans }) => scans.activity,
  source: ({ venue }, wallet, filters) => ({
    fetch(cursor, anchorSeconds) {
      const toSeconds =
        anchorSeconds === null ? filters.toSeconds : Math.min(anchorSeconds, filters.toSeconds ?? anchorSeconds);
      const paging = { limit: VENUE_PAGE, ...(cursor === undefined ? {} : { cursor }) };
      return venue.activity(wallet, { ...venueFilters({ ...filters, toSeconds }), ...paging }, { priority: 'person' });
    },
    matches: (item) => passes(item, filters),
    identify: activityIdentity,
  }),
  isOneRow,
  rows: activityRows,
  async totals({ items }, _asOfSeconds, language) {
    let totals = activityTotals([]);
    for await (const piece of inTurns(items)) totals = activityTotals(piece, totals);
    return describeActivityTotals(totals, language);
  },
  chart: ({ items }, name, _asOfSeconds, language) => tradesChart(items, name, language),
  csv: activityCsv,
  opening: readCard,
});

function timeOption(option: SlashCommandStringOption, name: 'from' | 'to'): SlashCommandStringOption {
  return localised(option, name, ({ activity }) => activity[name]).setMaxLength(60);
}

function typedFilters({ options }: CommandUse, { venueClock, scans, place }: CommandContext): Filters {
  const typed = {
    market: options.getString('market'),
    action: options.getString('action'),
    from: options.getString('from'),
    to: options.getString('to'),
    transaction: options.getString('transaction'),
  };
  const nowSeconds = Math.floor(venueClock().nowMs / 1000);
  const read = readFilters(typed, nowSeconds, marketIdOf(scans.activity.values(), place.ownerId));
  if (!read.ok) throw new UserError(read.reason);
  return read.filters;
}
