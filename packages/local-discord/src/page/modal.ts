import { html, nothing } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { ref } from 'lit-html/directives/ref.js';
import type { PageField, PageModal, PageSubmitted } from '../site/protocol.ts';
import { ask } from './api.ts';
import { fieldElement, valuesIn } from './fields.ts';
import { icon } from './icons.ts';
import { type MarkdownContext, markdown } from './markdown.ts';

const UNANSWERED = 'Something went wrong. Try again.';

/**
 * Creates the view of the modal that the bot has responded with; like in Discord, it is in front of
 * everything else.
 */
export function createModalView(redraw: () => void) {
  let modal: PageModal | null = null;
  let faults: Readonly<Record<string, string>> = {};
  let trouble: string | null = null;
  let isSending = false;
  let dialog: HTMLDialogElement | null = null;
  /**
   * Whether the pointer was pressed outside of the dialog. Prevents a text selection that ends
   * beyond the dialog's edge from closing it.
   */
  let isPressedBeside = false;

  function clear(): void {
    [modal, faults, trouble, isSending] = [null, {}, null, false];
  }

  /** Restores the focus and removes the dialog. */
  function leave(): void {
    dialog?.close();
    clear();
    redraw();
  }

  function close(as: string): void {
    const closed = modal;
    if (closed === null) return;
    leave();
    // The response may have closed it already.
    ask({ do: 'closeModal', as, modalId: closed.id }).catch(() => {});
  }

  async function submit(as: string, shown: PageModal, form: HTMLFormElement): Promise<void> {
    if (isSending) return;
    [isSending, faults, trouble] = [true, {}, null];
    redraw();
    const outcome = await send(as, shown, form);
    // It may have been closed in the meantime.
    if (modal !== shown) return;
    isSending = false;
    if (outcome.kind === 'answered') return leave();
    if (outcome.kind === 'invalid') faults = outcome.faults;
    else trouble = outcome.kind === 'failed' ? outcome.reason : UNANSWERED;
    redraw();
    requestAnimationFrame(() => {
      form.querySelector<HTMLElement>('[data-invalid] :is(input, textarea, select)')?.focus();
    });
  }

  /** Called with the dialog when it is rendered, before it is in the page. */
  function show(element: Element | undefined): void {
    if (!(element instanceof HTMLDialogElement)) return;
    dialog = element;
    queueMicrotask(() => {
      if (element.isConnected && !element.open) element.showModal();
    });
  }

  function element(context: MarkdownContext): unknown {
    if (modal === null) return nothing;
    const shown = modal;
    const { me, bot } = context.world;
    const fields = fieldsOf(shown.parts);
    return keyed(
      shown.id,
      html`<dialog
        class="modal"
        aria-labelledby="modal-title"
        ${ref(show)}
        @close=${() => {
          // Closed by Escape.
          if (modal === shown) close(me.id);
        }}
        @pointerdown=${({ target, currentTarget }: Event) => {
          isPressedBeside = target === currentTarget;
        }}
        @click=${({ target, currentTarget }: Event) => {
          if (isPressedBeside && target === currentTarget) close(me.id);
        }}
        @keydown=${keepTab}
      >
        <form
          novalidate
          aria-busy=${isSending}
          @submit=${(event: Event) => {
            event.preventDefault();
            if (event.target instanceof HTMLFormElement) void submit(me.id, shown, event.target);
          }}
        >
          <div class="head">
            <h2 id="modal-title">${shown.title}</h2>
            <button type="button" class="close" aria-label="Close" @click=${() => close(me.id)}>${icon('close')}</button>
          </div>
          <div class="body">
            ${shown.parts.map((part) =>
              part.kind === 'text'
                ? html`<div class="content">${markdown(part.content, context)}</div>`
                : fieldElement(part, fields.indexOf(part), faults[part.customId] ?? null),
            )}
            <p class="note">${icon('warning')}This form will be submitted to ${bot.name}. Do not share passwords or other sensitive information.</p>
          </div>
          ${trouble === null ? nothing : html`<p class="error" role="alert">${trouble}</p>`}
          <div class="foot">
            <button type="button" class="button secondary" @click=${() => close(me.id)}>Cancel</button>
            <button type="submit" class="button primary" aria-disabled=${isSending}>Submit</button>
          </div>
        </form>
      </dialog>`,
    );
  }

  return {
    /** Opens a modal, replacing the previous one. */
    open(next: PageModal): void {
      dialog?.close();
      clear();
      modal = next;
      redraw();
    },
    element,
  };
}

async function send(
  as: string,
  { id: modalId, parts }: PageModal,
  form: HTMLFormElement,
): Promise<PageSubmitted | { readonly kind: 'failed'; readonly reason: string }> {
  try {
    return await ask({ do: 'submit', as, modalId, values: await valuesIn(form, fieldsOf(parts)) });
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function fieldsOf(parts: PageModal['parts']): PageField[] {
  return parts.filter((part) => part.kind === 'field');
}

/** Makes Tab wrap around between the last and the first control. */
function keepTab(event: KeyboardEvent): void {
  const { key, shiftKey, currentTarget } = event;
  if (key !== 'Tab' || !(currentTarget instanceof Element)) return;
  const controls = [
    ...currentTarget.querySelectorAll<HTMLElement>('button, input, select, textarea'),
  ];
  const [from, to] = shiftKey
    ? [controls.at(0), controls.at(-1)]
    : [controls.at(-1), controls.at(0)];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to?.focus();
}
