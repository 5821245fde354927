import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { PageSuggestions, PageWorld } from '../site/protocol.ts';
import { ask } from './api.ts';
import { signOf } from './store.ts';

const MESSAGE_LIMIT = 2000;
const TYPING_PAUSE_MS = 150;
const NONE: PageSuggestions = { suggestions: [], takesFile: false };

export interface Place {
  readonly world: PageWorld;
  readonly channelId: string;
}

/** The line at the bottom, for messages and commands, with what the server suggests for it. */
export interface Composer {
  element(place: Place): unknown;
  /** Forgets what was begun: another person, language or channel is chosen. */
  reset(): void;
  /** Asks anew what may be typed: the place has other commands now. */
  refresh(place: Place): void;
}

/** @param redraw called when it looks different @param onSend called when something is sent */
export function createComposer(redraw: () => void, onSend: () => void): Composer {
  let text = '';
  let suggested = NONE;
  let file: File | null = null;
  let error: string | null = null;
  let isSending = false;
  let typing: ReturnType<typeof setTimeout> | undefined;
  /** The latest question for suggestions: answers to earlier ones are too late. */
  let turn = 0;

  function reset(): void {
    [text, suggested, file, error, isSending] = ['', NONE, null, null, false];
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
      ask({ do: 'suggest', as: world.me.id, channelId, text }).then((found) => {
        if (mine !== turn) return;
        suggested = found;
        redraw();
      }, fail);
    }, waitMs);
  }

  function change(next: string, place: Place, waitMs: number): void {
    if (!next.startsWith('/')) reset();
    text = next;
    error = null;
    if (next.startsWith('/')) suggest(place, waitMs);
    redraw();
  }

  async function send({ world, channelId }: Place): Promise<void> {
    if (isSending || text.trim() === '') return;
    isSending = true;
    error = null;
    onSend();
    redraw();
    const sent = text;
    try {
      const picked = file === null ? null : { filename: file.name, base64: await base64Of(file) };
      await ask({ do: 'send', as: world.me.id, channelId, text: text.trim(), file: picked });
      isSending = false;
      // The next line may have been begun meanwhile.
      if (text === sent) reset();
      else redraw();
    } catch (reason) {
      fail(reason);
    }
    focusLine();
  }

  function suggestionList(place: Place): unknown {
    if (suggested.suggestions.length === 0) return nothing;
    return html`<ul class="suggestions" aria-label="Suggestions">
      ${suggested.suggestions.map(
        (one) =>
          html`<li>
            <button
              type="button"
              @click=${() => {
                change(one.text, place, 0);
                focusLine();
              }}
            >
              <b>${one.label}</b> <span>${one.detail}</span>
            </button>
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
    refresh(place) {
      if (text.startsWith('/')) suggest(place, 0);
    },
    element(place) {
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
          aria-label=${label}
          aria-describedby="suggested"
          placeholder=${label}
          maxlength=${MESSAGE_LIMIT}
          .value=${live(text)}
          @input=${({ target }: Event) => {
            if (target instanceof HTMLInputElement) change(target.value, place, TYPING_PAUSE_MS);
          }}
        >
        ${suggestionList(place)} ${suggested.takesFile ? fileField() : nothing}
        <button type="submit" class="button primary" ?disabled=${isSending}>Send</button>
        <p id="suggested" class="for-readers" role="status">${count === 0 ? '' : `${count} suggestions follow.`}</p>
      </form>`;
    },
  };
}

/** After the next drawing, with the cursor at the end. */
function focusLine(): void {
  requestAnimationFrame(() => {
    const line = document.getElementById('composer');
    if (!(line instanceof HTMLInputElement)) return;
    line.focus();
    line.setSelectionRange(line.value.length, line.value.length);
  });
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
