import {
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  SlashCommandBuilder,
} from 'discord.js';
import { commandOf } from '../src/bot/subcommand.ts';
import { watchAdd } from '../src/bot/watch-add.ts';
import { watchList } from '../src/bot/watch-list.ts';
import { watchRemove } from '../src/bot/watch-remove.ts';

/** `/watch …`: which wallets ring in which channels. */
export const watch = commandOf(
  new SlashCommandBuilder()
    .setName('watch')
    .setDescription('Which wallets ring in which channels')
    .setContexts(InteractionContextType.Guild)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild),
  [watchAdd, watchRemove, watchList],
);
