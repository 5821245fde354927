import { SlashCommandRoleOption } from 'discord.js';
import * as z from 'zod';
import { UserError } from '../../language/user-error.ts';
import { optionOf } from '../../slash-commands/options.ts';
import { snowflake } from '../owner.ts';
import { COOLDOWN, signed, USDC } from './cells.ts';
import { COOLDOWN_LIMIT_SECONDS, durationWords } from './durations.ts';
import { cooldown, readCooldown, readUsdc, type Setting, usdc } from './setting.ts';

/** A role that is mentioned when an alert has at least that much USDC, not again before the cooldown is over. */
type Mention = { roleId: string; minUsdc: number; cooldownSeconds: number } | null;

export const mention: Setting<Mention> = {
  schema: z
    .object({
      roleId: snowflake,
      minUsdc: z.number().min(0),
      cooldownSeconds: z.number().int().min(0).max(COOLDOWN_LIMIT_SECONDS),
    })
    .nullable()
    .default(null),
  options: [
    optionOf(new SlashCommandRoleOption(), 'mention', ({ settings }) => settings.mention),
    usdc('mention-min-usdc', ({ settings }) => settings.mentionMinUsdc),
    cooldown('mention-cooldown', ({ settings }) => settings.mentionCooldown),
  ],
  isOnAdd: true,
  isFilter: false,
  read(given, present) {
    const { options, guildId } = given;
    const roleId = options.getRole('mention')?.id ?? present?.roleId ?? null;
    if (roleId !== null && roleId === guildId) {
      throw new UserError(({ texts }) => texts.watch.settings.notEveryone);
    }
    const minUsdc = readUsdc(given, 'mention-min-usdc', present?.minUsdc ?? 0);
    const cooldownSeconds = readCooldown(given, 'mention-cooldown', present?.cooldownSeconds ?? 0);
    if (roleId !== null) return { roleId, minUsdc, cooldownSeconds };
    const needing = options.getNumber('mention-min-usdc') !== null ? 'mention-min-usdc' : 'mention-cooldown';
    if (options.getNumber('mention-min-usdc') === null && options.getString('mention-cooldown') === null) return null;
    throw new UserError(({ texts }) => texts.watch.settings.needsRole(texts.names.options[needing]));
  },
  say: ({ roleId, minUsdc, cooldownSeconds }, language) =>
    language.texts.watch.settings.mention(
      `<@&${roleId}>`,
      minUsdc > 0 ? language.format.settingUsdc(minUsdc) : null,
      cooldownSeconds > 0 ? durationWords(cooldownSeconds, language) : null,
    ),
  columns: {
    mentionRole: (value) => value && `<@&${value.roleId}>`,
    mentionRoleName: (value, names) => value && signed('@', names.role(value.roleId)),
    mentionMinUsdc: (value) => value?.minUsdc ?? null,
    mentionCooldownSeconds: (value) => value?.cooldownSeconds ?? null,
  },
  fromFile(cells) {
    const roleId = cells.role('mentionRole', 'mentionRoleName');
    const minUsdc = cells.number('mentionMinUsdc', USDC) ?? 0;
    const cooldownSeconds = cells.number('mentionCooldownSeconds', COOLDOWN) ?? 0;
    return roleId === null ? null : { roleId, minUsdc, cooldownSeconds };
  },
};
