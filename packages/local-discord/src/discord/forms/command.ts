import * as z from 'zod';
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

/** Types of commands; user commands (2) are not supported. */
export const COMMAND_TYPES = { SLASH: 1, MESSAGE: 3 } as const;

const LOCALES = (
  'ar bg cs da de el en-GB en-US es-419 es-ES fi fr he hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi ' +
  'zh-CN zh-TW'
).split(' ');

/** Characters allowed in a name; its length is checked separately. */
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
      if (!LOCALES.includes(locale)) {
        complain(ctx, 'ENUM_TYPE_COERCE', `"${locale}" is no locale.`, [locale]);
      }
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
    file_types: list(z.string().regex(/^(audio|image|video|\.\w+)$/), 0, 10).nullish(),
  })
  .superRefine((option, ctx) => {
    checkFields(option, ctx);
    checkChoices(option, ctx);
  });
export type ValueOption = z.output<typeof valueOption>;

type Choices = readonly { readonly name: string; readonly value: string | number }[];
interface RawValueOption {
  readonly type: number;
  readonly choices?: Choices | null | undefined;
  readonly channel_types?: readonly number[] | null | undefined;
  readonly min_value?: number | null | undefined;
  readonly max_value?: number | null | undefined;
  readonly min_length?: number | null | undefined;
  readonly max_length?: number | null | undefined;
  readonly autocomplete?: boolean | null | undefined;
  readonly file_types?: readonly string[] | null | undefined;
}

const NUMBERS: readonly number[] = [T.INTEGER, T.NUMBER];
/** Fields that only some types of options may have. */
const FIELDS_OF_TYPES: readonly (readonly [keyof RawValueOption, readonly number[]])[] = [
  ['choices', [T.STRING, ...NUMBERS]],
  ['autocomplete', [T.STRING, ...NUMBERS]],
  ['channel_types', [T.CHANNEL]],
  ['file_types', [T.ATTACHMENT]],
  ['min_value', NUMBERS],
  ['max_value', NUMBERS],
  ['min_length', [T.STRING]],
  ['max_length', [T.STRING]],
];

function checkFields(option: RawValueOption, ctx: Context): void {
  const refuse = (field: string, message: string) =>
    complain(ctx, 'APPLICATION_COMMAND_OPTION_INVALID', message, [field]);
  for (const [field, types] of FIELDS_OF_TYPES) {
    const value = option[field] ?? false;
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== false;
    if (isGiven && !types.includes(option.type)) {
      refuse(field, `An option of type ${option.type} has none.`);
    }
  }
  if (
    (option.min_value ?? Number.NEGATIVE_INFINITY) > (option.max_value ?? Number.POSITIVE_INFINITY)
  ) {
    refuse('min_value', 'min_value exceeds max_value.');
  }
  if ((option.min_length ?? 0) > (option.max_length ?? 6000)) {
    refuse('min_length', 'min_length exceeds max_length.');
  }
}

function checkChoices({ type, choices: given, autocomplete }: RawValueOption, ctx: Context): void {
  const choices = given ?? [];
  if (autocomplete && choices.length > 0) {
    complain(
      ctx,
      'APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_CHOICES',
      'Autocomplete and choices exclude each other.',
      ['autocomplete'],
    );
  }
  choices.forEach(({ value }, index) => {
    const path = ['choices', index, 'value'];
    if (typeof value !== (type === T.STRING ? 'string' : 'number')) {
      complain(ctx, 'APPLICATION_COMMAND_OPTION_CHOICE_VALUE', 'Wrong type.', path);
    } else if (typeof value === 'string' && (codePoints(value) > 100 || value === '')) {
      complain(ctx, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.', path);
    } else if (type === T.INTEGER && !Number.isSafeInteger(value)) {
      complain(ctx, 'NUMBER_TYPE_COERCE', `Value "${value}" is not int.`, path);
    }
  });
  if (new Set(choices.map(({ name }) => name)).size < choices.length) {
    complain(
      ctx,
      'APPLICATION_COMMAND_OPTION_CHOICES_NAME_DUPLICATE',
      'Choice names must be unique.',
      ['choices'],
    );
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
      complain(ctx, 'APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE', 'Option names must be unique.', [
        ...path,
        index,
      ]);
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
const valueOptions = list(valueOption, 0, 25).superRefine((options, ctx) =>
  checkOrder(options, ctx),
);
const subcommand = z.object({
  type: z.literal(T.SUB_COMMAND),
  ...optionBase,
  options: valueOptions.nullish(),
});
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

function schemaOf(type: unknown) {
  if (type === T.SUB_COMMAND) return subcommand;
  if (type === T.SUB_COMMAND_GROUP) return subcommandGroup;
  return valueOption;
}

const anyOption = z.unknown().transform((value, ctx): CommandOption => {
  const type = z.object({ type: z.unknown().optional() }).safeParse(value).data?.type;
  const parsed = schemaOf(type).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) ctx.addIssue({ ...issue });
  return z.NEVER;
});

const permissionBits = z.string().superRefine((value, ctx) => {
  if (!/^\d{1,20}$/.test(value)) {
    complain(ctx, 'NUMBER_TYPE_COERCE', `Value "${value}" is no permission bit set.`);
  }
});

/** Fields that restrict who can use a command of any type, where, and for which installations. */
const whereFields = {
  default_member_permissions: permissionBits.nullish(),
  contexts: z.array(z.int().min(0).max(2)).nullish(),
  integration_types: z.array(z.int().min(0).max(1)).nullish(),
  nsfw: z.boolean().nullish(),
};

/** A slash command that a bot may register (interactions/application-commands.mdx). */
const slashCommand = z
  .object({
    id: snowflake.nullish(),
    type: z.union([z.literal(COMMAND_TYPES.SLASH), z.literal(COMMAND_TYPES.MESSAGE)]).nullish(),
    name: slashName,
    name_localizations: localised(slashName).nullish(),
    description,
    description_localizations: localised(description).nullish(),
    options: list(anyOption, 0, 25).nullish(),
    ...whereFields,
  })
  .superRefine((command, ctx) => {
    const options = command.options ?? [];
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
    if (commandSize(command.name, command.description, command) > 8000) {
      complain(ctx, 'APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)');
    }
  });

/**
 * A message command, shown under Apps. Its name may have spaces and capitals, and it has no
 * description.
 */
const messageCommand = z.object({
  id: snowflake.nullish(),
  type: z.literal(COMMAND_TYPES.MESSAGE),
  name: text(1, 32),
  name_localizations: localised(text(1, 32)).nullish(),
  ...whereFields,
});

export const commandSchema = z.unknown().transform((value, ctx): z.output<typeof slashCommand> => {
  const type = z.object({ type: z.unknown().optional() }).safeParse(value).data?.type;
  const parsed =
    type === COMMAND_TYPES.MESSAGE
      ? messageCommand.safeParse(value)
      : slashCommand.safeParse(value);
  if (parsed.success) return { description: '', ...parsed.data };
  for (const issue of parsed.error.issues) ctx.addIssue({ ...issue });
  return z.NEVER;
});
export type CommandForm = z.output<typeof commandSchema>;

interface Sized {
  readonly name_localizations?: Record<string, string | null> | null | undefined;
  readonly description_localizations?: Record<string, string | null> | null | undefined;
  readonly options?: readonly CommandOption[] | null | undefined;
}

/**
 * Returns the number of characters in names, descriptions and choice values; among localized texts
 * the longest counts.
 */
function commandSize(name: string, about: string, node: Sized): number {
  const longest = (own: string, others: Record<string, string | null> | null | undefined) =>
    Math.max(
      codePoints(own),
      ...Object.values(others ?? {}).map((other) => codePoints(other ?? '')),
    );
  let size =
    longest(name, node.name_localizations) + longest(about, node.description_localizations);
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
