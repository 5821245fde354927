import { html, nothing } from 'lit-html';
import type { PageField, PageInput, PageOption } from '../site/protocol.ts';
import type { SiteRequest } from '../site/requests.ts';
import { fileOf } from './api.ts';
import { icon } from './icons.ts';

type Values = Extract<SiteRequest, { readonly do: 'submit' }>['values'];

/**
 * Renders a field of a modal: label, description, input and error.
 *
 * @param index position among the modal's fields
 */
export function fieldElement(field: PageField, index: number, fault: string | null): unknown {
  const { label, description, input, isRequired } = field;
  const name = `field-${index}`;
  const about = description === null ? null : `${name}-about`;
  const isInvalid = fault !== null;
  const describedBy = [about, isInvalid ? `${name}-fault` : null].filter((id) => id !== null);
  const context: InputContext = {
    name,
    isRequired,
    isInvalid,
    describedBy: describedBy.join(' ') || nothing,
    isFirst: index === 0,
  };
  return html`<div class="field" data-invalid=${isInvalid ? '' : nothing}>
    ${labelElement(label, input, context)}${
      about === null ? nothing : html`<p id=${about} class="about">${description}</p>`
    }${inputElement(input, context)}${
      isInvalid ? html`<p id="${name}-fault" class="fault">${fault}</p>` : nothing
    }
  </div>`;
}

function labelElement(label: string, { kind }: PageInput, context: InputContext): unknown {
  const { name, isRequired } = context;
  const sign = isRequired ? html`<span class="required" aria-hidden="true">*</span>` : nothing;
  return kind === 'radio' || kind === 'checkboxes'
    ? html`<span class="label" id="${name}-label">${label}${sign}</span>`
    : html`<label class="label" for=${name}>${label}${sign}</label>`;
}

interface InputContext {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isInvalid: boolean;
  readonly describedBy: string | typeof nothing;
  /** Whether it is focused when the modal opens. */
  readonly isFirst: boolean;
}

function inputElement(input: PageInput, context: InputContext): unknown {
  const { name, isRequired, isInvalid, describedBy, isFirst } = context;
  const invalid = isInvalid ? 'true' : nothing;
  switch (input.kind) {
    case 'line':
      return html`<input
        type="text"
        id=${name}
        name=${name}
        autocomplete="off"
        placeholder=${input.placeholder}
        .value=${input.value}
        ?autofocus=${isFirst}
        aria-required=${isRequired}
        aria-invalid=${invalid}
        aria-describedby=${describedBy}
      >`;
    case 'paragraph':
      return html`<textarea
        id=${name}
        name=${name}
        rows="4"
        placeholder=${input.placeholder}
        .value=${input.value}
        ?autofocus=${isFirst}
        aria-required=${isRequired}
        aria-invalid=${invalid}
        aria-describedby=${describedBy}
      ></textarea>`;
    case 'menu':
      return html`<div class="menu"><select
          id=${name}
          name=${name}
          ?autofocus=${isFirst}
          aria-required=${isRequired}
          aria-invalid=${invalid}
          aria-describedby=${describedBy}
        >
          <option value="" ?hidden=${isRequired}>${input.placeholder}</option>
          ${input.options.map(
            (option) =>
              html`<option value=${option.value} ?selected=${option.chosen}>${wordsOf(option)}</option>`,
          )}</select
        >${icon('down')}</div>`;
    case 'radio':
      return html`<div
        class="choices"
        role="radiogroup"
        aria-labelledby="${name}-label"
        aria-describedby=${describedBy}
        aria-required=${isRequired}
        aria-invalid=${invalid}
      >
        ${input.options.map((option, place) => choiceElement('radio', option, name, isFirst && place === 0))}
        ${isRequired ? nothing : clearButton(name)}
      </div>`;
    case 'checkboxes':
      return html`<div
        class="choices"
        role="group"
        aria-labelledby="${name}-label"
        aria-describedby=${describedBy}
      >
        ${input.options.map((option, place) => choiceElement('checkbox', option, name, isFirst && place === 0))}
      </div>`;
    case 'checkbox':
      return html`<input
        type="checkbox"
        id=${name}
        name=${name}
        ?checked=${input.isTicked}
        ?autofocus=${isFirst}
        aria-describedby=${describedBy}
      >`;
    case 'files':
      return html`<input
        type="file"
        id=${name}
        name=${name}
        accept=${input.accept}
        ?multiple=${input.isMany}
        ?autofocus=${isFirst}
        aria-required=${isRequired}
        aria-invalid=${invalid}
        aria-describedby=${describedBy}
      >`;
  }
}

function choiceElement(
  type: 'radio' | 'checkbox',
  { label, detail, value, chosen }: PageOption,
  name: string,
  isFirst: boolean,
): unknown {
  return html`<label class="choice"
    ><input type=${type} name=${name} value=${value} ?checked=${chosen} ?autofocus=${isFirst}><span
      >${label}${detail === null ? nothing : html`<small>${detail}</small>`}</span
    ></label
  >`;
}

/**
 * Renders a button that clears a radio group, because a selected radio button cannot be deselected.
 */
function clearButton(name: string): unknown {
  return html`<button
    type="button"
    class="clear"
    @click=${({ target }: Event) => {
      if (!(target instanceof HTMLButtonElement) || target.form === null) return;
      for (const radio of target.form.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)) {
        radio.checked = false;
      }
    }}
  >
    Clear the choice
  </button>`;
}

function wordsOf({ label, detail }: PageOption): string {
  return detail === null ? label : `${label} — ${detail}`;
}

/** Returns the values of the fields, by custom id. */
export async function valuesIn(
  form: HTMLFormElement,
  fields: readonly PageField[],
): Promise<Values> {
  const data = new FormData(form);
  const values: Values = {};
  for (const [index, { customId, input }] of fields.entries()) {
    values[customId] = await valueIn(data, `field-${index}`, input);
  }
  return values;
}

async function valueIn(data: FormData, name: string, input: PageInput): Promise<Values[string]> {
  const texts = data.getAll(name).filter((entry) => typeof entry === 'string');
  switch (input.kind) {
    case 'line':
    case 'paragraph':
      // Line breaks in form data have two characters.
      return (texts[0] ?? '').replaceAll('\r\n', '\n');
    case 'radio':
      return texts[0] ?? null;
    case 'menu':
    case 'checkboxes':
      return texts.filter((text) => text !== '');
    case 'checkbox':
      return data.has(name);
    case 'files': {
      const files = data.getAll(name).filter((entry) => entry instanceof File);
      return Promise.all(files.filter(({ name: filename }) => filename !== '').map(fileOf));
    }
  }
}
