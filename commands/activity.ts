import { type ActivityItem, activityIdentity } from '../src/domain/records.ts';
import { activityRows, isOneRow } from '../src/embeds/item-lines.ts';
import { activityCsv } from '../src/lookups/csv.ts';
import { passes, readFilters, venueFilters } from '../src/lookups/filters.ts';
import { tradesChart } from '../src/lookups/list-charts.ts';
import { describeActivityTotals } from '../src/lookups/list-summary.ts';
import { choiceOption, textOption } from '../src/slash-commands/options.ts';
import type { Completion } from '../src/slash-commands/slash-command.ts';
import { readCard } from './lists/card.ts';
import type { PagedList } from './lists/open-list.ts';
import { pagedCommand } from './lists/paged-command.ts';
import type { CommandContext } from './shared/context.ts';
import { choosable, marketChoices, marketIdOf, seenMarkets } from './shared/market-choices.ts';
import { namedWallet } from './shared/wallet-option.ts';

export const activityOf: PagedList<ActivityItem>['source'] = ({ venue }, wallet, filters) => ({
  fetch(paging, anchorSeconds) {
    const toSeconds = Math.min(anchorSeconds ?? Infinity, filters.toSeconds ?? Infinity);
    const to = toSeconds === Infinity ? null : toSeconds;
    return venue.activity(wallet, { ...venueFilters({ ...filters, toSeconds: to }), ...paging });
  },
  matches: (item) => passes(item, filters),
  identify: activityIdentity,
});

/**
 * `/activity wallet [market] [action] [from] [to] [transaction]`: a wallet's trades and
 * redemptions, page by page.
 */
export const activity = pagedCommand<ActivityItem>({
  name: 'activity',
  about: ({ activity }) => activity.description,
  options: [
    textOption('market', ({ activity }) => activity.market, 200, suggestMarkets),
    choiceOption('action', ({ activity }) => [activity.action, activity.actions]),
    textOption('from', ({ activity }) => activity.from, 60),
    textOption('to', ({ activity }) => activity.to, 60),
    textOption('transaction', ({ activity }) => activity.transaction, 100),
  ],
  filters({ options }, context) {
    const nowSeconds = Math.floor(context.venueNowSeconds());
    const idOf = (slug: string) => marketIdOf(context, slug);
    return readFilters((option) => options.getString(option), nowSeconds, idOf);
  },
  source: activityOf,
  isOneRow,
  rows: activityRows,
  totals: ({ items }, _asOfSeconds, language) => describeActivityTotals(items, language),
  chart: tradesChart,
  csv: activityCsv,
  opening: readCard,
});

function suggestMarkets(typed: string, context: CommandContext, interaction: Completion) {
  const seen = seenMarkets(context, namedWallet(interaction, context));
  return marketChoices(typed, seen.map(choosable));
}
