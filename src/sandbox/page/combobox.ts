import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

export interface Pick {
  readonly label: string;
  readonly detail: string;
}

/** What of a combobox moves. */
export interface ComboState {
  isOpen: boolean;
  active: number;
}

export interface ComboOptions {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly placeholder: string;
  readonly picks: readonly Pick[];
  readonly state: ComboState;
  readonly maxLength: number;
  readonly required: boolean;
  readonly redraw: () => void;
  readonly onInput: (text: string) => void;
  readonly onPick: (index: number) => void;
  /** Enter while nothing is to be picked. */
  readonly onEnter: () => void;
  readonly onFocus: () => void;
}

/** A text field with a list under it (WAI-ARIA's combobox pattern: the focus stays in the field). */
export function combobox(options: ComboOptions): unknown {
  const { id, picks, state } = options;
  const isOpen = state.isOpen && picks.length > 0;
  const active = Math.min(state.active, picks.length - 1);
  const pick = (index: number) => {
    state.isOpen = false;
    options.onPick(index);
  };

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !isOpen) {
      event.preventDefault();
      options.onEnter();
    }
    if (!isOpen) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      state.active = (active + (event.key === 'ArrowDown' ? 1 : -1) + picks.length) % picks.length;
      options.redraw();
    } else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) {
      event.preventDefault();
      pick(active);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      state.isOpen = false;
      options.redraw();
    }
  }

  return html`<div class="combobox">
    <input
      id=${id}
      type="text"
      role="combobox"
      autocomplete="off"
      aria-label=${options.label}
      aria-autocomplete="list"
      aria-expanded=${isOpen}
      aria-controls=${isOpen ? `${id}-list` : nothing}
      aria-activedescendant=${isOpen ? `${id}-${active}` : nothing}
      aria-required=${options.required}
      placeholder=${options.placeholder}
      maxlength=${options.maxLength}
      .value=${live(options.text)}
      @input=${({ target }: Event) => {
        state.isOpen = true;
        state.active = 0;
        if (target instanceof HTMLInputElement) options.onInput(target.value);
      }}
      @keydown=${onKey}
      @focus=${options.onFocus}
      @blur=${() => {
        state.isOpen = false;
        options.redraw();
      }}
    >
    ${
      isOpen
        ? html`<ul id="${id}-list" role="listbox" aria-label=${options.label}>
            ${picks.map(
              ({ label, detail }, index) =>
                html`<li
                  id="${id}-${index}"
                  role="option"
                  aria-selected=${index === active}
                  @pointerdown=${(event: Event) => {
                    event.preventDefault();
                    pick(index);
                  }}
                >
                  <b>${label}</b> <span>${detail}</span>
                </li>`,
            )}
          </ul>`
        : nothing
    }
  </div>`;
}
