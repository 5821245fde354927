import { ApplicationIntegrationType, InteractionContextType, SlashCommandBuilder } from 'discord.js';
import { transferLine } from '../src/alert/lines.ts';
import { pagedCommand } from '../src/bot/paged-list.ts';
import { walletOption } from '../src/bot/wallet-option.ts';
import type { TransferItem } from '../src/venue/schema.ts';

/** `/flows wallet`: the newest deposits and withdrawals of a wallet, with Next and Previous. */
export const flows = pagedCommand<TransferItem>({
  name: 'flows',
  definition: new SlashCommandBuilder()
    .setName('flows')
    .setDescription('Deposits and withdrawals of a wallet, newest first')
    .setContexts(InteractionContextType.Guild)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .addStringOption(walletOption) as SlashCommandBuilder,
  title: 'Deposits and withdrawals',
  nothing: 'The venue knows of no deposit or withdrawal of this wallet.',
  fetch: (venue, wallet, paging, options) => venue.transfers(wallet, paging, options),
  line: transferLine,
});
