import { html, nothing } from 'lit';
import type { PageOption, PageWorld } from '../site/protocol.ts';

/** Discord's option types (interactions/application-commands.mdx). */
export const OPTION = {
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

export type Value = string | number | boolean | { readonly filename: string; readonly base64: string };

export interface FieldOptions {
  readonly option: PageOption;
  readonly world: PageWorld;
  readonly value: Value | undefined;
  readonly onValue: (value: Value | undefined) => void;
  readonly onEnter: () => void;
}

export function fieldId({ name }: PageOption): string {
  return `option-${name}`;
}

/** The field of an option without autocomplete: a list of what can be picked, or what is typed by its type. */
export function optionField(field: FieldOptions): unknown {
  const { option, world } = field;
  const byId = (list: readonly { id: string; name: string }[], sign: string) =>
    list.map(({ id, name }) => ({ label: `${sign}${name}`, value: id }));
  if (option.choices.length > 0) {
    return listField(
      field,
      option.choices.map(({ name, value }) => ({ label: name, value })),
    );
  }
  switch (option.type) {
    case OPTION.BOOLEAN:
      return listField(field, [
        { label: 'True', value: true },
        { label: 'False', value: false },
      ]);
    case OPTION.CHANNEL: {
      const { channelTypes } = option;
      const fitting = world.channels.filter(({ type }) => channelTypes.length === 0 || channelTypes.includes(type));
      return listField(field, byId(fitting, '#'));
    }
    case OPTION.USER:
      return listField(field, byId(world.users, '@'));
    case OPTION.ROLE:
      return listField(field, byId(world.roles, '@'));
    case OPTION.MENTIONABLE:
      return listField(field, [...byId(world.roles, '@'), ...byId(world.users, '@')]);
    case OPTION.ATTACHMENT:
      return fileField(field);
    case OPTION.INTEGER:
    case OPTION.NUMBER:
      return inputField(field, 'number');
    default:
      return inputField(field, 'text');
  }
}

function listField(
  { option, value, onValue }: FieldOptions,
  entries: readonly { readonly label: string; readonly value: Value }[],
): unknown {
  const current = entries.findIndex((entry) => entry.value === value);
  return html`<select
    id=${fieldId(option)}
    aria-required=${option.required}
    @change=${({ target }: Event) => {
      if (target instanceof HTMLSelectElement) onValue(entries[Number(target.value)]?.value);
    }}
  >
    <option value="-1" ?selected=${current === -1}>–</option>
    ${entries.map(({ label }, index) => html`<option value=${index} ?selected=${index === current}>${label}</option>`)}
  </select>`;
}

function inputField({ option, value, onValue, onEnter }: FieldOptions, type: 'text' | 'number'): unknown {
  return html`<input
    id=${fieldId(option)}
    type=${type}
    autocomplete="off"
    placeholder=${option.description}
    aria-required=${option.required}
    maxlength=${option.maxLength ?? nothing}
    min=${option.min ?? nothing}
    max=${option.max ?? nothing}
    step=${option.type === OPTION.NUMBER ? 'any' : nothing}
    .value=${String(value ?? '')}
    @input=${({ target }: Event) => {
      if (!(target instanceof HTMLInputElement)) return;
      const isEmpty = target.value === '';
      onValue(isEmpty ? undefined : type === 'number' ? Number(target.value) : target.value);
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      onEnter();
    }}
  >`;
}

function fileField({ option, onValue }: FieldOptions): unknown {
  return html`<input
    id=${fieldId(option)}
    type="file"
    aria-required=${option.required}
    @change=${({ target }: Event) => {
      const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
      if (!file) return onValue(undefined);
      const reader = new FileReader();
      reader.onload = () => onValue({ filename: file.name, base64: String(reader.result).split(',')[1] ?? '' });
      reader.readAsDataURL(file);
    }}
  >`;
}
