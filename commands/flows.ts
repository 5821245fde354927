import { ApplicationIntegrationType, InteractionContextType, SlashCommandBuilder } from 'discord.js';
import { transferLine } from '../src/alert/lines.ts';
import { described, named } from '../src/bot/localised.ts';
import { pagedCommand } from '../src/bot/paged-list.ts';
import { walletOption } from '../src/bot/wallet-option.ts';
import { flowsCsv } from '../src/look/csv.ts';
import { NO_FILTERS } from '../src/look/filters.ts';
import { flowsChart } from '../src/look/series.ts';
import { flowTotals } from '../src/look/totals.ts';
import { VENUE_PAGE } from '../src/look/walk.ts';
import { describeFlowTotals } from '../src/look/words.ts';
import type { TransferItem } from '../src/venue/schema.ts';

/** `/flows wallet`: deposits and withdrawals of a wallet, with net deposits and Next and Previous. */
export const flows = pagedCommand<TransferItem>({
  name: 'flows',
  definition: described(named(new SlashCommandBuilder(), 'commands', 'flows'), (texts) => texts.flows)
    .setContexts(InteractionContextType.Guild)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .addStringOption(walletOption),
  names: ({ lists }) => lists.flows,
  filters: () => NO_FILTERS,
  cache: ({ walks }) => walks.flows,
  source: ({ venue }, wallet) => ({
    fetch: (cursor) =>
      venue.transfers(
        wallet,
        { limit: VENUE_PAGE, ...(cursor === undefined ? {} : { cursor }) },
        { priority: 'person' },
      ),
    matches: () => true,
  }),
  rows: (items, links, language) => items.map((item) => transferLine(item, links, language)),
  totals: (walk, asOfSeconds, language) =>
    describeFlowTotals(
      walk,
      (fromSeconds) => flowTotals(walk.items.filter(({ time }) => time >= fromSeconds)),
      asOfSeconds,
      language,
    ),
  chart: ({ items }, name, asOfSeconds, language) => flowsChart(items, name, asOfSeconds, language),
  csv: flowsCsv,
});
