import { html, nothing } from 'lit';
import type { PageCommand, PageOption, PageWorld } from '../site/protocol.ts';
import { ask, type Suggestion } from './api.ts';
import { type ComboState, combobox } from './combobox.ts';
import { fieldId, OPTION, optionField, type Value } from './option-field.ts';

const MESSAGE_LIMIT = 2000;
const TYPING_PAUSE_MS = 150;

export interface Place {
  readonly world: PageWorld;
  readonly channelId: string;
}

/** The line at the bottom: messages, and commands with their options. */
export interface Composer {
  element(place: Place): unknown;
  /** Forgets what was begun: another person or channel. */
  reset(): void;
}

/** @param redraw called when it looks different */
export function createComposer(redraw: () => void): Composer {
  let text = '';
  let commands: readonly PageCommand[] = [];
  let chosen: PageCommand | null = null;
  let values = new Map<string, Value>();
  /** What an autocomplete field shows for its value. */
  let shown = new Map<string, string>();
  let suggestions = new Map<string, readonly Suggestion[]>();
  let combos = new Map<string, ComboState>();
  let error: string | null = null;
  let isSending = false;
  let typing: ReturnType<typeof setTimeout> | undefined;
  /** The latest request of its kind: answers to earlier ones are too late. */
  let turn = 0;
  const menu: ComboState = { isOpen: false, active: 0 };

  function reset(): void {
    [text, chosen, error, isSending] = ['', null, null, false];
    commands = [];
    values = new Map();
    shown = new Map();
    suggestions = new Map();
    combos = new Map();
    clearTimeout(typing);
  }

  const fail = (reason: unknown) => {
    error = reason instanceof Error ? reason.message : String(reason);
    redraw();
  };

  async function loadCommands({ world, channelId }: Place): Promise<void> {
    commands = await ask({ do: 'commands', as: world.me.id, channelId });
    redraw();
  }

  function choose(command: PageCommand): void {
    reset();
    chosen = command;
    redraw();
    const first = command.options[0];
    requestAnimationFrame(() => document.getElementById(first ? fieldId(first) : 'send')?.focus());
  }

  function onMessageInput(next: string, place: Place): void {
    text = next;
    error = null;
    if (next.startsWith('/') && commands.length === 0) loadCommands(place).catch(fail);
    redraw();
  }

  async function send(place: Place): Promise<void> {
    const { world, channelId } = place;
    if (isSending) return;
    const missing = chosen?.options.find(({ required, name }) => required && !values.has(name));
    if (missing) {
      document.getElementById(fieldId(missing))?.focus();
      return fail(new Error(`${missing.label} is required.`));
    }
    if (chosen === null && text.trim() === '') return;
    if (chosen === null && text.startsWith('/')) {
      const known = commands.find(({ label }) => `/${label}` === text.trim());
      if (known) return choose(known);
      const names = commands.map(({ label }) => `/${label}`).join(', ') || 'none';
      return fail(new Error(`${world.me.name} is offered no such command here. Offered: ${names}.`));
    }
    isSending = true;
    error = null;
    redraw();
    try {
      const as = world.me.id;
      if (chosen === null) await ask({ do: 'say', as, channelId, content: text });
      else await ask({ do: 'command', as, channelId, line: chosen.line, values: Object.fromEntries(values) });
      reset();
      requestAnimationFrame(() => document.getElementById('composer')?.focus());
    } catch (reason) {
      isSending = false;
      fail(reason);
    }
    redraw();
  }

  function suggest(option: PageOption, place: Place, waitMs: number): void {
    if (chosen === null) return;
    const { line } = chosen;
    turn += 1;
    const mine = turn;
    clearTimeout(typing);
    typing = setTimeout(() => {
      const typed = { ...Object.fromEntries(values), [option.name]: values.get(option.name) ?? '' };
      ask({
        do: 'autocomplete',
        as: place.world.me.id,
        channelId: place.channelId,
        line,
        values: typed,
        focused: option.name,
      }).then((found) => {
        if (mine !== turn) return;
        suggestions.set(option.name, found);
        const isFocused = document.activeElement?.id === fieldId(option);
        if (isFocused) combos.set(option.name, { isOpen: true, active: 0 });
        redraw();
      }, fail);
    }, waitMs);
  }

  function setValue(option: PageOption, value: Value | undefined): void {
    if (value === undefined || value === '') values.delete(option.name);
    else values.set(option.name, value);
    error = null;
    redraw();
  }

  function autocompleteField(option: PageOption, place: Place): unknown {
    const found = suggestions.get(option.name) ?? [];
    const state = combos.get(option.name) ?? { isOpen: false, active: 0 };
    combos.set(option.name, state);
    const toValue = (typed: string) => (option.type === OPTION.STRING ? typed : Number(typed));
    return combobox({
      id: fieldId(option),
      label: option.label,
      text: shown.get(option.name) ?? '',
      placeholder: option.description,
      picks: found.map(({ name }) => ({ label: name, detail: '' })),
      state,
      maxLength: option.maxLength ?? 6000,
      required: option.required,
      redraw,
      onInput(typed) {
        shown.set(option.name, typed);
        setValue(option, typed === '' ? undefined : toValue(typed));
        suggest(option, place, TYPING_PAUSE_MS);
      },
      onPick(index) {
        const picked = found[index];
        if (!picked) return;
        shown.set(option.name, picked.name);
        setValue(option, picked.value);
      },
      onEnter: () => void send(place),
      onFocus: () => suggest(option, place, 0),
    });
  }

  function field(option: PageOption, place: Place): unknown {
    if (option.autocomplete) return autocompleteField(option, place);
    return optionField({
      option,
      world: place.world,
      value: values.get(option.name),
      onValue: (value) => setValue(option, value),
      onEnter: () => void send(place),
    });
  }

  function commandForm(command: PageCommand, place: Place): unknown {
    return html`<fieldset>
        <legend>/${command.label} <small>${command.description}</small></legend>
        ${command.options.map(
          (option) =>
            html`<div class="field">
              <label for=${fieldId(option)}>${option.label}${option.required ? ' *' : ''}</label>${field(option, place)}
            </div>`,
        )}
      </fieldset>
      <button id="send" type="submit" class="button primary" ?disabled=${isSending}>Send</button>
      <button
        type="button"
        class="button secondary"
        @click=${() => {
          reset();
          redraw();
          requestAnimationFrame(() => document.getElementById('composer')?.focus());
        }}
      >
        Cancel
      </button>`;
  }

  function messageLine(place: Place, channelName: string): unknown {
    const typed = text.slice(1).toLowerCase();
    const matching = text.startsWith('/') ? commands.filter(({ label }) => label.startsWith(typed)) : [];
    return html`${combobox({
      id: 'composer',
      label: `Message #${channelName}, or / for a command`,
      text,
      placeholder: `Message #${channelName}, or / for a command`,
      picks: matching.map(({ label, description }) => ({ label: `/${label}`, detail: description })),
      state: menu,
      maxLength: MESSAGE_LIMIT,
      required: false,
      redraw,
      onInput: (next) => onMessageInput(next, place),
      onPick(index) {
        const command = matching[index];
        if (command) choose(command);
      },
      onEnter: () => void send(place),
      onFocus: () => {},
    })}<button id="send" type="submit" class="button primary" ?disabled=${isSending}>Send</button>`;
  }

  return {
    reset() {
      reset();
      redraw();
    },
    element(place) {
      const channel = place.world.channels.find(({ id }) => id === place.channelId);
      return html`<form
        class="composer"
        aria-label="Composer"
        @submit=${(event: Event) => {
          event.preventDefault();
          void send(place);
        }}
      >
        ${error === null ? nothing : html`<p class="error" role="alert">${error}</p>`}
        ${chosen === null ? messageLine(place, channel?.name ?? '') : commandForm(chosen, place)}
      </form>`;
    },
  };
}
