import { ApplicationIntegrationType, InteractionContextType, SlashCommandBuilder } from 'discord.js';
import { activityLine } from '../src/alert/lines.ts';
import { pagedCommand } from '../src/bot/paged-list.ts';
import { walletOption } from '../src/bot/wallet-option.ts';
import type { ActivityItem } from '../src/venue/schema.ts';

/** `/activity wallet`: the newest trades and redemptions of a wallet, with Next and Previous. */
export const activity = pagedCommand<ActivityItem>({
  name: 'activity',
  definition: new SlashCommandBuilder()
    .setName('activity')
    .setDescription('Trades and redemptions of a wallet, newest first')
    .setContexts(InteractionContextType.Guild)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .addStringOption(walletOption) as SlashCommandBuilder,
  title: 'Activity',
  nothing: 'The venue knows of no trade or redemption of this wallet.',
  fetch: (venue, wallet, paging, options) => venue.activity(wallet, paging, options),
  line: activityLine,
});
