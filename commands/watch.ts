import {
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  SlashCommandBuilder,
} from 'discord.js';
import { described, named } from '../src/slash-commands/options.ts';
import { watchAdd } from './watch/add.ts';
import { watchChannel } from './watch/channel.ts';
import { watchDeleteData } from './watch/delete-data.ts';
import { watchDigest } from './watch/digest.ts';
import { watchEdit } from './watch/edit.ts';
import { watchExport } from './watch/export.ts';
import { watchImport } from './watch/import.ts';
import { watchList } from './watch/list.ts';
import { pressMute } from './watch/mute.ts';
import { watchPause } from './watch/pause.ts';
import { watchRemove } from './watch/remove.ts';
import { watchResume } from './watch/resume.ts';
import { watchScores } from './watch/scores.ts';
import { commandOf } from './watch/shared/subcommand.ts';
import { watchStatus } from './watch/status.ts';

/**
 * `/watch …`: which channels get alerts of which wallets; in a direct message, which wallets a person watches alone. Discord
 * offers it also in other servers to those who have installed the bot for themselves: there it says where it works.
 */
export const watch = commandOf(
  described(named(new SlashCommandBuilder(), 'commands', 'watch'), (texts) => texts.watch)
    .setContexts(InteractionContextType.Guild, InteractionContextType.BotDM)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall)
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild),
  [
    watchAdd,
    watchEdit,
    watchRemove,
    watchPause,
    watchResume,
    watchChannel,
    watchDigest,
    watchScores,
    watchList,
    watchStatus,
    watchExport,
    watchImport,
    watchDeleteData,
  ],
  { mute: pressMute },
);
