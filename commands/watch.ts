import {
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  SlashCommandBuilder,
} from 'discord.js';
import { described, named } from '../src/bot/localised.ts';
import { commandOf } from '../src/bot/subcommand.ts';
import { watchAdd } from '../src/bot/watch-add.ts';
import { watchDigest } from '../src/bot/watch-digest.ts';
import { watchEdit } from '../src/bot/watch-edit.ts';
import { watchExport } from '../src/bot/watch-export.ts';
import { watchImport } from '../src/bot/watch-import.ts';
import { watchList } from '../src/bot/watch-list.ts';
import { pressMute } from '../src/bot/watch-mute.ts';
import { watchPause } from '../src/bot/watch-pause.ts';
import { watchRemove } from '../src/bot/watch-remove.ts';
import { watchResume } from '../src/bot/watch-resume.ts';
import { watchRoom } from '../src/bot/watch-room.ts';
import { watchStatus } from '../src/bot/watch-status.ts';

/** `/watch …`: which wallets ring in which channels. */
export const watch = commandOf(
  described(named(new SlashCommandBuilder(), 'commands', 'watch'), (texts) => texts.watch)
    .setContexts(InteractionContextType.Guild)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild),
  [
    watchAdd,
    watchEdit,
    watchRemove,
    watchPause,
    watchResume,
    watchRoom,
    watchDigest,
    watchList,
    watchStatus,
    watchExport,
    watchImport,
  ],
  { mute: pressMute },
);
