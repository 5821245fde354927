import { z } from 'zod';
import { codePoints, complain, list, snowflake, text } from './form.ts';

/** Option types (interactions/application-commands.mdx). */
export const OPTION_TYPES = {
  SUB_COMMAND: 1,
  SUB_COMMAND_GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
} as const;
const T = OPTION_TYPES;

const LOCALES = (
  'ar bg cs da de el en-GB en-US es-419 es-ES fi fr he hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi ' +
  'zh-CN zh-TW'
).split(' ');

/** The letters of a name; its length is checked on its own. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]*$/u;

type Context = Parameters<typeof complain>[0];

function checkName(value: string, ctx: Context): void {
  if (!NAME.test(value) || value !== value.toLowerCase()) {
    complain(ctx, 'APPLICATION_COMMAND_INVALID_NAME', `Command name is invalid: "${value}"`);
  }
}

const slashName = text(1, 32).superRefine(checkName);
const description = text(1, 100);

function localised(entry: z.ZodType<string>) {
  return z.record(z.string(), entry.nullable()).superRefine((map, ctx) => {
    for (const locale of Object.keys(map)) {
      if (!LOCALES.includes(locale)) complain(ctx, 'ENUM_TYPE_COERCE', `"${locale}" is no locale.`, [locale]);
    }
  });
}

const choice = z.object({
  name: text(1, 100),
  name_localizations: localised(text(1, 100)).nullish(),
  value: z.union([z.string(), z.number()]),
});

const valueOption = z
  .object({
    type: z.int().min(3).max(11),
    name: slashName,
    name_localizations: localised(slashName).nullish(),
    description,
    description_localizations: localised(description).nullish(),
    required: z.boolean().nullish(),
    choices: list(choice, 0, 25).nullish(),
    channel_types: z.array(z.int()).nullish(),
    min_value: z.number().nullish(),
    max_value: z.number().nullish(),
    min_length: z.int().min(0).max(6000).nullish(),
    max_length: z.int().min(1).max(6000).nullish(),
    autocomplete: z.boolean().nullish(),
  })
  .superRefine(checkValueOption);
export type ValueOption = z.output<typeof valueOption>;

type RawValueOption = {
  type: number;
  choices?: { name: string; value: string | number }[] | null | undefined;
  channel_types?: number[] | null | undefined;
  min_value?: number | null | undefined;
  max_value?: number | null | undefined;
  min_length?: number | null | undefined;
  max_length?: number | null | undefined;
  autocomplete?: boolean | null | undefined;
};

function checkValueOption(option: RawValueOption, ctx: Context): void {
  const isNumber = option.type === T.INTEGER || option.type === T.NUMBER;
  const isText = option.type === T.STRING;
  const choices = option.choices ?? [];
  const refuse = (field: string, message: string) =>
    complain(ctx, 'APPLICATION_COMMAND_OPTION_INVALID', message, [field]);
  if (choices.length > 0 && !isNumber && !isText) refuse('choices', 'Only text and numbers have choices.');
  if (option.autocomplete && !isNumber && !isText) refuse('autocomplete', 'Only text and numbers have autocomplete.');
  if (option.autocomplete && choices.length > 0) {
    complain(ctx, 'APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_CHOICES', 'Autocomplete and choices exclude each other.', [
      'autocomplete',
    ]);
  }
  if ((option.channel_types?.length ?? 0) > 0 && option.type !== T.CHANNEL) {
    refuse('channel_types', 'Only channel options have channel types.');
  }
  for (const field of ['min_value', 'max_value'] as const) {
    if (typeof option[field] === 'number' && !isNumber) refuse(field, 'Only numbers have it.');
  }
  for (const field of ['min_length', 'max_length'] as const) {
    if (typeof option[field] === 'number' && !isText) refuse(field, 'Only text has it.');
  }
  if ((option.min_value ?? Number.NEGATIVE_INFINITY) > (option.max_value ?? Number.POSITIVE_INFINITY)) {
    refuse('min_value', 'min_value exceeds max_value.');
  }
  if ((option.min_length ?? 0) > (option.max_length ?? 6000)) refuse('min_length', 'min_length exceeds max_length.');
  choices.forEach(({ value }, index) => {
    const isRight = isText ? typeof value === 'string' : typeof value === 'number';
    if (!isRight) complain(ctx, 'APPLICATION_COMMAND_OPTION_CHOICE_VALUE', 'Wrong type.', ['choices', index, 'value']);
    if (typeof value === 'string' && (codePoints(value) > 100 || value === '')) {
      complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.', ['choices', index, 'value']);
    }
    if (option.type === T.INTEGER && typeof value === 'number' && !Number.isSafeInteger(value)) {
      complain(ctx, 'NUMBER_TYPE_COERCE', `Value "${value}" is not int.`, ['choices', index, 'value']);
    }
  });
  if (new Set(choices.map(({ name }) => name)).size < choices.length) {
    complain(ctx, 'APPLICATION_COMMAND_OPTION_CHOICES_NAME_DUPLICATE', 'Choice names must be unique.', ['choices']);
  }
}

interface Named {
  readonly name: string;
  readonly required?: boolean | null | undefined;
}

function checkOrder(options: readonly Named[], ctx: Context, path: (string | number)[] = []): void {
  const names = new Set<string>();
  let hasOptional = false;
  options.forEach((option, index) => {
    if (names.has(option.name)) {
      complain(ctx, 'APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE', 'Option names must be unique.', [...path, index]);
    }
    names.add(option.name);
    if (option.required && hasOptional) {
      const message = 'Required options must be placed before non-required options';
      complain(ctx, 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message, [...path, index]);
    }
    hasOptional ||= !option.required;
  });
}

const optionBase = {
  name: slashName,
  name_localizations: localised(slashName).nullish(),
  description,
  description_localizations: localised(description).nullish(),
};
const valueOptions = list(valueOption, 0, 25).superRefine((options, ctx) => checkOrder(options, ctx));
const subcommand = z.object({ type: z.literal(T.SUB_COMMAND), ...optionBase, options: valueOptions.nullish() });
const subcommandGroup = z.object({
  type: z.literal(T.SUB_COMMAND_GROUP),
  ...optionBase,
  options: list(subcommand, 0, 25)
    .superRefine((options, ctx) =>
      checkOrder(
        options.map(({ name }) => ({ name })),
        ctx,
      ),
    )
    .nullish(),
});
export type Subcommand = z.output<typeof subcommand>;
export type SubcommandGroup = z.output<typeof subcommandGroup>;
export type CommandOption = ValueOption | Subcommand | SubcommandGroup;

const anyOption = z.unknown().transform((value, ctx): CommandOption => {
  const type = z.object({ type: z.unknown().optional() }).safeParse(value).data?.type;
  const schema = type === T.SUB_COMMAND ? subcommand : type === T.SUB_COMMAND_GROUP ? subcommandGroup : valueOption;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) ctx.addIssue({ ...issue });
  return z.NEVER;
});

const permissionBits = z.string().superRefine((value, ctx) => {
  if (!/^\d{1,20}$/.test(value)) complain(ctx, 'NUMBER_TYPE_COERCE', `Value "${value}" is no permission bit set.`);
});

/** A command as it may be registered (interactions/application-commands.mdx). */
export const commandSchema = z
  .object({
    id: snowflake.nullish(),
    type: z.int().min(1).max(3).nullish(),
    name: text(1, 32),
    name_localizations: z.record(z.string(), z.string().nullable()).nullish(),
    description: z.string().trim().nullish(),
    description_localizations: localised(description).nullish(),
    options: list(anyOption, 0, 25).nullish(),
    default_member_permissions: permissionBits.nullish(),
    contexts: z.array(z.int().min(0).max(2)).nullish(),
    integration_types: z.array(z.int().min(0).max(1)).nullish(),
    nsfw: z.boolean().nullish(),
  })
  .superRefine((command, ctx) => {
    const isSlash = (command.type ?? 1) === 1;
    const options = command.options ?? [];
    if (isSlash) {
      checkSlash(command, ctx);
    } else {
      if (command.description) complain(ctx, 'APPLICATION_COMMAND_DESCRIPTION_INVALID', 'Not here.', ['description']);
      if (options.length > 0) complain(ctx, 'APPLICATION_COMMAND_OPTIONS_INVALID', 'Not here.', ['options']);
    }
    const subcommands = options.filter((option) => option.type <= T.SUB_COMMAND_GROUP).length;
    if (subcommands > 0 && subcommands < options.length) {
      const message = 'Sub-commands and groups exclude all other option types';
      complain(ctx, 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', message, ['options']);
    }
    checkOrder(
      options.map((option) => ('required' in option ? option : { name: option.name })),
      ctx,
      ['options'],
    );
    if (commandSize(command.name, command.description ?? '', command) > 8000) {
      complain(ctx, 'APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)');
    }
  });
export type CommandForm = z.output<typeof commandSchema>;

function checkSlash(
  command: {
    name: string;
    description?: string | null | undefined;
    name_localizations?: Record<string, string | null> | null | undefined;
  },
  ctx: Context,
): void {
  const reports = (path: (string | number)[]): Context => ({
    addIssue: (issue) => ctx.addIssue({ ...issue, path: [...path, ...(issue.path ?? [])] }),
  });
  checkName(command.name, reports(['name']));
  for (const [locale, name] of Object.entries(command.name_localizations ?? {})) {
    if (!LOCALES.includes(locale)) {
      complain(ctx, 'ENUM_TYPE_COERCE', `"${locale}" is no locale.`, ['name_localizations', locale]);
    }
    if (name !== null) checkName(name, reports(['name_localizations', locale]));
  }
  const length = codePoints(command.description ?? '');
  if (length === 0) complain(ctx, 'BASE_TYPE_REQUIRED', 'This field is required', ['description']);
  if (length > 100) complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.', ['description']);
}

interface Sized {
  readonly name_localizations?: Record<string, string | null> | null | undefined;
  readonly description_localizations?: Record<string, string | null> | null | undefined;
  readonly options?: readonly CommandOption[] | null | undefined;
}

/** Characters over names, descriptions and choice values; of localised texts the longest counts. */
function commandSize(name: string, about: string, node: Sized): number {
  const longest = (own: string, others: Record<string, string | null> | null | undefined) =>
    Math.max(codePoints(own), ...Object.values(others ?? {}).map((other) => codePoints(other ?? '')));
  let size = longest(name, node.name_localizations) + longest(about, node.description_localizations);
  for (const option of node.options ?? []) {
    const inner = 'options' in option ? option.options : null;
    size += commandSize(option.name, option.description, {
      name_localizations: option.name_localizations,
      description_localizations: option.description_localizations,
      options: inner,
    });
    if ('choices' in option) {
      for (const choice of option.choices ?? []) {
        size += longest(choice.name, choice.name_localizations) + codePoints(String(choice.value));
      }
    }
  }
  return size;
}
