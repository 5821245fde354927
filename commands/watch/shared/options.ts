import type { SlashCommandSubcommandBuilder } from 'discord.js';
import type { CommandUse } from '../../../src/discord/slash-command.ts';
import type { CommandWords } from '../../../src/language/en/commands.ts';
import type { Names } from '../../../src/language/en/names.ts';
import { LABEL_LIMIT } from '../../../src/watches/watch.ts';
import { type CommandText, choices, localised } from '../../shared/localised.ts';
import { type GivenOptions, USDC_LIMIT } from './changes.ts';

const TEXT_LIMIT = 1_000;

type Settings = CommandWords['settings'];
/** The settings' texts that are descriptions of options. */
type Described = { [Key in keyof Settings]: Settings[Key] extends string ? Key : never }[keyof Settings];
type OptionName = keyof Names['options'];
type AddOption = (builder: SlashCommandSubcommandBuilder) => SlashCommandSubcommandBuilder;

const LABEL = text('label', 'label', LABEL_LIMIT);
const KINDS = suggested('kinds', 'kinds');
const MIN_USDC = figure('min-usdc', 'minUsdc', USDC_LIMIT);
const STYLE = choice('style', 'style', ['grouped', 'each'], (style, { styles }) => styles[style]);
const MENTION: AddOption = (builder) =>
  builder.addRoleOption((option) => localised(option, 'mention', ({ settings }) => settings.mention));

/** The options of `/watch add`: the settings that most channels want from the first alert on. */
export function addSettings(builder: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
  return [LABEL, KINDS, MIN_USDC, STYLE, MENTION].reduce((so, add) => add(so), builder);
}

/** The options of `/watch edit`: all settings. */
export function editSettings(builder: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
  const options = [
    LABEL,
    KINDS,
    MIN_USDC,
    suggested('markets', 'markets'),
    figure('min-price', 'minPrice', 100),
    figure('max-price', 'maxPrice', 100),
    choice('liquidity', 'liquidity', ['maker', 'taker', 'any'], (role, { roles }) => roles[role]),
    choice('size', 'size', ['unusual', 'any'], (size, { sizes }) => sizes[size]),
    suggested('cooldown', 'cooldown'),
    STYLE,
    MENTION,
    figure('mention-min-usdc', 'mentionMinUsdc', USDC_LIMIT),
    suggested('mention-cooldown', 'mentionCooldown'),
    figure('silent-below-usdc', 'silentBelowUsdc', USDC_LIMIT),
    suggested('reset', 'reset'),
  ];
  return options.reduce((so, add) => add(so), builder);
}

/** The options of a command as `applyOptions` asks for them. */
export function givenWith({ options, guildId }: CommandUse): GivenOptions {
  return {
    text: (name) => options.getString(name),
    number: (name) => options.getNumber(name),
    roleId: (name) => options.getRole(name)?.id ?? null,
    guildId,
  };
}

/** Whether a command names anything but which watch it is about. */
export function asksForChange({ options }: CommandUse): boolean {
  const given = options.data.flatMap((subcommand) => subcommand.options ?? []);
  return given.some(({ name }) => name !== 'wallet' && name !== 'channel');
}

function text(name: OptionName, key: Described, maxLength: number): AddOption {
  return (builder) => builder.addStringOption((option) => localised(option, name, textOf(key)).setMaxLength(maxLength));
}

function suggested(name: OptionName, key: Described): AddOption {
  return (builder) =>
    builder.addStringOption((option) =>
      localised(option, name, textOf(key)).setMaxLength(TEXT_LIMIT).setAutocomplete(true),
    );
}

function figure(name: OptionName, key: Described, max: number): AddOption {
  return (builder) =>
    builder.addNumberOption((option) => localised(option, name, textOf(key)).setMinValue(0).setMaxValue(max));
}

function choice<const Value extends string>(
  name: OptionName,
  key: Described,
  values: readonly Value[],
  nameOf: (value: Value, settings: Settings) => string,
): AddOption {
  return (builder) =>
    builder.addStringOption((option) =>
      localised(option, name, textOf(key)).addChoices(
        ...choices(values, (value, { texts }) => nameOf(value, texts.commands.settings)),
      ),
    );
}

function textOf(key: Described): CommandText {
  return ({ settings }) => settings[key];
}
