import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type {
  PageOutcome,
  PageSuggestion,
  PageSuggestions,
  PageWorld,
  PickedChoice,
} from '../site/protocol.ts';
import { ask, fileOf } from './api.ts';
import { signOf } from './store.ts';

const MESSAGE_LIMIT = 2000;
const TYPING_PAUSE_MS = 150;
const NONE: PageSuggestions = { suggestions: [], takesFile: false };

export interface Place {
  readonly world: PageWorld;
  readonly channelId: string;
}

/**
 * Creates the input line at the bottom, for messages and commands, with suggestions from the
 * server: a combobox that works like Discord's.
 *
 * @param redraw called when its appearance changes
 * @param onSend called when something is sent
 * @param onOutcome called with the immediate outcome of the sent line
 */
export function createComposer(
  redraw: () => void,
  onSend: () => void,
  onOutcome: (outcome: PageOutcome) => void,
) {
  let text = '';
  let suggested = NONE;
  /** Picked suggestions, which the line shows by name. */
  let picked: readonly PickedChoice[] = [];
  /** Index of the suggestion that Enter and Tab pick; null if Enter sends. */
  let marked: number | null = null;
  let file: File | null = null;
  let error: string | null = null;
  let isSending = false;
  let typing: ReturnType<typeof setTimeout> | undefined;
  /** Number of the latest request for suggestions; responses to earlier ones are ignored. */
  let turn = 0;

  /** Discards the line because another person, language or channel was chosen. */
  function reset(): void {
    [text, suggested, marked, file, error, isSending] = ['', NONE, null, null, null, false];
    picked = [];
    turn += 1;
    clearTimeout(typing);
    redraw();
  }

  const fail = (reason: unknown) => {
    error = reason instanceof Error ? reason.message : String(reason);
    isSending = false;
    redraw();
  };

  function suggest({ world, channelId }: Place, waitMs: number): void {
    turn += 1;
    const mine = turn;
    clearTimeout(typing);
    typing = setTimeout(() => {
      ask({ do: 'suggest', as: world.me.id, channelId, text, picked: [...picked] }).then(
        (found) => {
          if (mine !== turn) return;
          suggested = found;
          const [first] = found.suggestions;
          mark(first === undefined || first.kind === 'option' ? null : 0);
        },
        fail,
      );
    }, waitMs);
  }

  function mark(index: number | null): void {
    marked = index;
    redraw();
    if (index !== null) {
      requestAnimationFrame(() => optionAt(index)?.scrollIntoView({ block: 'nearest' }));
    }
  }

  function close(): void {
    turn += 1;
    suggested = { ...suggested, suggestions: [] };
    mark(null);
  }

  function pick({ text: line, picked: choice }: PageSuggestion, place: Place): void {
    if (choice !== null) {
      picked = [...picked.filter(({ option }) => option !== choice.option), choice];
    }
    change(line, place, 0);
    focusLine();
  }

  /**
   * As in Discord: arrows move the mark, Enter and Tab pick the marked suggestion, Escape closes
   * the list. Without suggestions keys work as usual.
   */
  function press(event: KeyboardEvent, place: Place): void {
    const { suggestions } = suggested;
    if (suggestions.length === 0 || event.isComposing || event.shiftKey) return;
    const one = suggestions[marked ?? -1];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      mark(((marked ?? (step > 0 ? -1 : 0)) + step + suggestions.length) % suggestions.length);
    } else if (event.key === 'Escape') close();
    // The line already contains the marked suggestion, so Enter sends it.
    else if (
      one === undefined ||
      !['Enter', 'Tab'].includes(event.key) ||
      one.text.trim() === text.trim()
    ) {
      return;
    } else {
      pick(one, place);
    }
    event.preventDefault();
  }

  function change(next: string, place: Place, waitMs: number): void {
    if (!next.startsWith('/')) reset();
    text = next;
    error = null;
    // The suggestions for the previous line stay visible until the new ones arrive, but Enter
    // doesn't pick them.
    marked = null;
    if (next.startsWith('/')) suggest(place, waitMs);
    redraw();
  }

  async function send({ world, channelId }: Place): Promise<void> {
    if (isSending || text.trim() === '') return;
    isSending = true;
    error = null;
    onSend();
    close();
    const sent = text;
    try {
      const upload = file && (await fileOf(file));
      const said = { as: world.me.id, channelId, text: text.trim(), picked: [...picked] };
      onOutcome(await ask({ do: 'send', ...said, file: upload }));
      isSending = false;
      // The next line may have been started in the meantime.
      if (text === sent) reset();
      else redraw();
    } catch (reason) {
      fail(reason);
    }
    focusLine();
  }

  function suggestionList(place: Place): unknown {
    if (suggested.suggestions.length === 0) return nothing;
    return html`<ul id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions">
      ${suggested.suggestions.map(
        (one, index) =>
          html`<li
            id="suggestion-${index}"
            role="option"
            class=${one.kind}
            aria-selected=${index === marked}
            @mousedown=${(event: Event) => event.preventDefault()}
            @click=${() => pick(one, place)}
          >
            <b>${one.label}</b> <small>${one.detail}</small>
          </li>`,
      )}
    </ul>`;
  }

  function fileField(): unknown {
    return html`<input
      id="file"
      type="file"
      aria-label="File of the command"
      @change=${({ target }: Event) => {
        file = (target instanceof HTMLInputElement ? target.files?.[0] : undefined) ?? null;
      }}
    >`;
  }

  return {
    reset,
    /** Requests new suggestions because the channel now has other commands. */
    refresh(place: Place): void {
      if (text.startsWith('/')) suggest(place, 0);
    },
    element(place: Place): unknown {
      const channel = place.world.channels.find(({ id }) => id === place.channelId);
      const label = `Message ${channel === undefined ? '' : signOf(channel) + channel.name}, or / for a command`;
      const count = suggested.suggestions.length;
      return html`<form
        class="composer"
        aria-label="Composer"
        @submit=${(event: Event) => {
          event.preventDefault();
          void send(place);
        }}
      >
        ${error === null ? nothing : html`<p class="error" role="alert">${error}</p>`}
        <input
          id="composer"
          type="text"
          autocomplete="off"
          role="combobox"
          aria-label=${label}
          aria-autocomplete="list"
          aria-expanded=${count > 0}
          aria-controls="suggestions"
          aria-activedescendant=${marked === null ? nothing : `suggestion-${marked}`}
          placeholder="Message or /command"
          maxlength=${MESSAGE_LIMIT}
          .value=${live(text)}
          @keydown=${(event: KeyboardEvent) => press(event, place)}
          @input=${({ target }: Event) => {
            if (target instanceof HTMLInputElement) change(target.value, place, TYPING_PAUSE_MS);
          }}
        >
        ${suggestionList(place)} ${suggested.takesFile ? fileField() : nothing}
        <button type="submit" class="button primary" ?disabled=${isSending}>Send</button>
        <p class="for-readers" role="status">${count === 0 ? '' : `${count} suggestions`}</p>
      </form>`;
    },
  };
}

function optionAt(index: number): HTMLElement | null {
  return document.getElementById(`suggestion-${index}`);
}

/** Focuses the line after the next drawing, with the cursor at the end. */
function focusLine(): void {
  requestAnimationFrame(() => {
    const line = document.getElementById('composer');
    if (!(line instanceof HTMLInputElement)) return;
    line.focus();
    line.setSelectionRange(line.value.length, line.value.length);
  });
}
