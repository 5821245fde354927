import { type TransferItem, transferIdentity } from '../src/domain/records.ts';
import { transferRow } from '../src/embeds/item-lines.ts';
import { flowsCsv } from '../src/lookups/csv.ts';
import { NO_FILTERS } from '../src/lookups/filters.ts';
import { flowsChart } from '../src/lookups/list-charts.ts';
import { describeFlowTotals } from '../src/lookups/list-summary.ts';
import { pagedCommand } from './lists/paged-command.ts';

/**
 * `/flows wallet`: a wallet's deposits and withdrawals, with net deposits and the buttons Next and
 * Previous.
 */
export const flows = pagedCommand<TransferItem>({
  name: 'flows',
  about: (texts) => texts.flows,
  options: [],
  filters: () => NO_FILTERS,
  source: ({ venue }, wallet) => ({
    fetch: (paging) => venue.transfers(wallet, paging),
    matches: () => true,
    identify: transferIdentity,
  }),
  rows: (rows, links, language) => rows.flat().map((item) => transferRow(item, links, language)),
  totals: describeFlowTotals,
  chart: flowsChart,
  csv: flowsCsv,
});
