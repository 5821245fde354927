import type { SlashCommandSubcommandBuilder } from 'discord.js';
import { LABEL_LIMIT } from '../watch/watch.ts';
import type { GuildCommand } from './command.ts';
import { type GivenOptions, USDC_LIMIT } from './watch-changes.ts';

const TEXT_LIMIT = 1_000;

type AddOption = (builder: SlashCommandSubcommandBuilder) => SlashCommandSubcommandBuilder;

const LABEL = text('label', 'What this server calls the wallet; "none" for no label', LABEL_LIMIT);
const KINDS = suggested('kinds', 'What rings, such as "buy, sell"; "all"');
const MIN_USDC = figure(
  'min-usdc',
  'Least USDC of an alert (of the total where fills are grouped); 0: any',
  USDC_LIMIT,
);
const STYLE = choice('style', 'Fills that belong together as one alert, or each on its own', {
  grouped: 'grouped: one alert for fills that belong together',
  each: 'each: an alert for every fill',
});
const MENTION: AddOption = (builder) =>
  builder.addRoleOption((option) => option.setName('mention').setDescription('A role to mention in alerts'));

/** The options of `/watch add`: the settings that most rooms want from the first alert on. */
export function addSettings(builder: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
  return [LABEL, KINDS, MIN_USDC, STYLE, MENTION].reduce((so, add) => add(so), builder);
}

/** The options of `/watch edit`: all settings. */
export function editSettings(builder: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
  const options = [
    LABEL,
    KINDS,
    MIN_USDC,
    suggested('markets', 'By id or slug: "only: …, …" or "except: …, …"; "any"'),
    figure('min-price', 'Lowest price of a trade in cents; 0: any', 100),
    figure('max-price', 'Highest price in cents; 94 leaves out most settlement sweeps; 100: any', 100),
    choice('liquidity', 'Only trades in this role', { maker: 'maker', taker: 'taker', any: 'any' }),
    suggested('cooldown', 'One alert per market in this time, the rest comes with the next: 10m, 1h; "none"'),
    STYLE,
    MENTION,
    figure('mention-min-usdc', 'Mention the role from this much USDC on; 0: always', USDC_LIMIT),
    suggested('mention-cooldown', 'Mention the role at most once in this time: 30m, 2h; "none"'),
    figure('silent-below-usdc', 'Alerts of less USDC make no sound; 0: all do', USDC_LIMIT),
    suggested('reset', 'Back to the default, such as "price, mention"; "all" leaves the label'),
  ];
  return options.reduce((so, add) => add(so), builder);
}

/** The options of a command as `applyOptions` asks for them. */
export function givenWith({ options, guildId }: GuildCommand): GivenOptions {
  return {
    text: (name) => options.getString(name),
    number: (name) => options.getNumber(name),
    roleId: (name) => options.getRole(name)?.id ?? null,
    guildId,
  };
}

/** Whether a command names anything but which watch it is about. */
export function asksForChange({ options }: GuildCommand): boolean {
  const given = options.data.flatMap((subcommand) => subcommand.options ?? []);
  return given.some(({ name }) => name !== 'wallet' && name !== 'channel');
}

function text(name: string, description: string, maxLength: number): AddOption {
  return (builder) =>
    builder.addStringOption((option) => option.setName(name).setDescription(description).setMaxLength(maxLength));
}

function suggested(name: string, description: string): AddOption {
  return (builder) =>
    builder.addStringOption((option) =>
      option.setName(name).setDescription(description).setMaxLength(TEXT_LIMIT).setAutocomplete(true),
    );
}

function figure(name: string, description: string, max: number): AddOption {
  return (builder) =>
    builder.addNumberOption((option) =>
      option.setName(name).setDescription(description).setMinValue(0).setMaxValue(max),
    );
}

function choice(name: string, description: string, choices: Readonly<Record<string, string>>): AddOption {
  return (builder) =>
    builder.addStringOption((option) =>
      option
        .setName(name)
        .setDescription(description)
        .addChoices(...Object.entries(choices).map(([value, shown]) => ({ name: shown, value }))),
    );
}
