import type { WalletAddress } from '../src/domain/address.ts';
import { type ActivityItem, activityIdentity } from '../src/domain/records.ts';
import { activityRows, isOneRow } from '../src/embeds/item-lines.ts';
import { activityCsv } from '../src/lookups/csv.ts';
import { type Filters, passes, readFilters, venueFilters } from '../src/lookups/filters.ts';
import { tradesChart } from '../src/lookups/list-charts.ts';
import { describeActivityTotals } from '../src/lookups/list-summary.ts';
import type { PageSource } from '../src/lookups/page-scan.ts';
import { choiceOption, textOption } from '../src/slash-commands/options.ts';
import type { CommandUse, Completion } from '../src/slash-commands/slash-command.ts';
import { readCard } from './lists/card.ts';
import { pagedCommand } from './lists/paged-list.ts';
import type { CommandContext } from './shared/context.ts';
import { marketChoices, marketIdOf, seenMarkets } from './shared/market-choices.ts';
import { namedWallet } from './shared/wallet-option.ts';

/** `/activity wallet [market] [action] [from] [to] [transaction]`: trades and redemptions of a wallet, page by page. */
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
  filters: typedFilters,
  source: activityOf,
  isOneRow,
  rows: activityRows,
  totals: ({ items }, _asOfSeconds, language) => describeActivityTotals(items, language),
  chart: ({ items }, name, _asOfSeconds, language) => tradesChart(items, name, language),
  csv: activityCsv,
  opening: readCard,
});

/** Trades and redemptions of a wallet. */
export function activityOf(
  { venue }: Pick<CommandContext, 'venue'>,
  wallet: WalletAddress,
  filters: Filters,
): PageSource<ActivityItem> {
  return {
    fetch(paging, anchorSeconds) {
      const toSeconds = Math.min(anchorSeconds ?? Infinity, filters.toSeconds ?? Infinity);
      const to = toSeconds === Infinity ? null : toSeconds;
      return venue.activity(wallet, { ...venueFilters({ ...filters, toSeconds: to }), ...paging });
    },
    matches: (item) => passes(item, filters),
    identify: activityIdentity,
  };
}

function suggestMarkets(typed: string, context: CommandContext, interaction: Completion) {
  return marketChoices(typed, seenMarkets(context, namedWallet(interaction, context)));
}

function typedFilters({ options }: CommandUse, context: CommandContext): Filters {
  const typed = {
    market: options.getString('market'),
    action: options.getString('action'),
    from: options.getString('from'),
    to: options.getString('to'),
    transaction: options.getString('transaction'),
  };
  const nowSeconds = Math.floor(context.venueNowSeconds());
  return readFilters(typed, nowSeconds, (slug) => marketIdOf(context, slug));
}
