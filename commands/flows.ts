import { transferIdentity } from '../src/domain/identity.ts';
import type { TransferItem } from '../src/domain/records.ts';
import { transferRow } from '../src/embeds/item-lines.ts';
import { inTurns } from '../src/lib/async/turns.ts';
import { flowsCsv } from '../src/lookups/csv.ts';
import { NO_FILTERS } from '../src/lookups/filters.ts';
import { flowsChart } from '../src/lookups/list-charts.ts';
import { describeFlowTotals, WINDOWS } from '../src/lookups/list-summary.ts';
import { flowTotals } from '../src/lookups/totals.ts';
import { pagedCommand } from './lists/paged-list.ts';

/** `/flows wallet`: deposits and withdrawals of a wallet, with net deposits and Next and Previous. */
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
  async totals(scan, asOfSeconds, language) {
    const nothing = flowTotals([]);
    const since = new Map([0, ...WINDOWS.map(([, length]) => asOfSeconds - length)].map((from) => [from, nothing]));
    for await (const piece of inTurns(scan.items)) {
      for (const [from, totals] of since) {
        const later = piece.filter(({ time }) => time >= from);
        since.set(from, flowTotals(later, totals));
      }
    }
    return describeFlowTotals(scan, (from) => since.get(from) ?? nothing, asOfSeconds, language);
  },
  chart: ({ items }, name, asOfSeconds, language) => flowsChart(items, name, asOfSeconds, language),
  csv: flowsCsv,
});
