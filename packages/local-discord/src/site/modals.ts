import { CannotDo } from '../discord/fake-discord.ts';
import { COMPONENT_TYPES } from '../discord/forms/components.ts';
import { isRequired, type ModalField } from '../discord/forms/modal.ts';
import type { OpenModal, SeenField } from '../discord/people/handle.ts';
import type { PageField, PageInput, PageModal, PageOption } from './protocol.ts';
import { type Offered, optionOf } from './view.ts';

const T = COMPONENT_TYPES;
/**
 * Most open modals. Beyond it the oldest are closed because a page that is closed sends no notice.
 */
const MODALS_KEPT = 100;

/** The modals that are open on pages. */
export type Modals = ReturnType<typeof createModals>;

export function createModals() {
  const byId = new Map<string, { readonly ownerId: string; readonly modal: OpenModal }>();
  let count = 0;

  function find(ownerId: string, modalId: string): OpenModal {
    const found = byId.get(modalId);
    if (found?.ownerId !== ownerId) throw new CannotDo('This modal is no longer open.');
    return found.modal;
  }

  function close(ownerId: string, modalId: string): void {
    find(ownerId, modalId).close();
    byId.delete(modalId);
  }

  return {
    /** Stores a modal until it is closed, and returns the page's view of it. */
    keep(ownerId: string, modal: OpenModal, offered: Offered): PageModal {
      count += 1;
      const id = String(count);
      byId.set(id, { ownerId, modal });
      const [oldest] = byId;
      if (byId.size > MODALS_KEPT && oldest) close(oldest[1].ownerId, oldest[0]);
      return { id, title: modal.title, parts: partsOf(modal, offered) };
    },
    /** @throws CannotDo if the modal is closed or belongs to another person */
    find,
    /** @throws CannotDo like `find` */
    close,
  };
}

function partsOf(modal: OpenModal, offered: Offered): PageModal['parts'] {
  return modal.components.flatMap((one): PageModal['parts'] => {
    if (one.type === T.TEXT_DISPLAY) return [{ kind: 'text', content: one.content }];
    const inner: readonly ModalField[] = one.type === T.LABEL ? [one.component] : one.components;
    return modal.fields
      .filter(({ component }) => inner.includes(component))
      .map((field) => fieldOf(field, offered));
  });
}

function fieldOf(field: SeenField, offered: Offered): PageField {
  const { customId, label, description, component } = field;
  return {
    kind: 'field',
    customId,
    label,
    description,
    isRequired: component.type !== T.CHECKBOX && isRequired(component),
    input: inputOf(field, offered),
  };
}

function inputOf({ component, value }: SeenField, offered: Offered): PageInput {
  switch (component.type) {
    case T.TEXT_INPUT:
      return {
        kind: component.style === 1 ? 'line' : 'paragraph',
        value: typeof value === 'string' ? value : '',
        placeholder: component.placeholder ?? '',
      };
    case T.CHECKBOX:
      return { kind: 'checkbox', isTicked: value === true };
    case T.FILE_UPLOAD: {
      const types = component.file_types ?? [];
      const accept = types.map((type) => (type.startsWith('.') ? type : `${type}/*`)).join(',');
      return { kind: 'files', isMany: (component.max_values ?? 1) > 1, accept };
    }
    case T.RADIO_GROUP:
      return { kind: 'radio', options: optionsOf(component.options, value) };
    case T.CHECKBOX_GROUP:
      return { kind: 'checkboxes', options: optionsOf(component.options, value) };
    default: {
      const options = optionsOf(choicesOf(component, offered), value);
      if ((component.max_values ?? 1) > 1) return { kind: 'checkboxes', options };
      return { kind: 'menu', placeholder: component.placeholder ?? 'Make a selection', options };
    }
  }
}

function optionsOf(
  options: readonly Parameters<typeof optionOf>[0][],
  value: SeenField['value'],
): PageOption[] {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
  return options.map((option) => optionOf(option, chosen.includes(option.value)));
}

type Menu = Exclude<ModalField, { readonly type: 4 | 19 | 21 | 22 | 23 }>;

/** Returns the choices of a menu: its own options, or people, roles and channels. */
function choicesOf(menu: Menu, { users, roles, channels }: Offered) {
  const people = users.map(({ id, name }) => ({ label: `@${name}`, value: id }));
  const groups = roles.map(({ id, name }) => ({ label: `@${name.replace(/^@/, '')}`, value: id }));
  switch (menu.type) {
    case T.STRING_SELECT:
      return menu.options;
    case T.USER_SELECT:
      return people;
    case T.ROLE_SELECT:
      return groups;
    case T.MENTIONABLE_SELECT:
      return [...people, ...groups];
    default: {
      const types: readonly number[] = menu.channel_types ?? [];
      return channels
        .filter(({ type }) => types.length === 0 || types.includes(type))
        .map(({ id, name }) => ({ label: `#${name}`, value: id }));
    }
  }
}
