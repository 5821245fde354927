import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type {
  PageAnswered,
  PageButton,
  PageComponent,
  PageMessage,
  PageSelect,
  PageWorld,
} from '../site/protocol.ts';
import { embedElement } from './embed.ts';
import { icon } from './icons.ts';
import { type MarkdownContext, markdown, plainMarkdown } from './markdown.ts';
import { messageTime, type Reader, stampText } from './times.ts';

/** Interval at which relative times are updated. */
const TIME_STEP_MS = 5_000;
/**
 * Messages of one author within this time after the first are shown below it without another
 * picture and name.
 */
const SAME_HEAD_MS = 7 * 60_000;
const BUTTON_CLASSES: Readonly<Record<number, string>> = {
  1: 'primary',
  2: 'secondary',
  3: 'success',
  4: 'danger',
};

export interface MessageContext extends MarkdownContext {
  readonly onPress: (messageId: string, customId: string) => void;
  /** Resolves with true if the bot has responded. */
  readonly onSelect: (
    messageId: string,
    customId: string,
    values: readonly string[],
  ) => Promise<boolean>;
  readonly onDismiss: (messageId: string) => void;
  readonly onLookUp: (messageId: string) => void;
}

/**
 * Returns the messages of a channel that show their author; the others continue the one above them.
 *
 * @param messages oldest first
 */
export function headsOf(messages: readonly PageMessage[]): ReadonlySet<string> {
  const heads = new Set<string>();
  let head: PageMessage | undefined;
  for (const message of messages) {
    const goesOn =
      head !== undefined &&
      message.answered === null &&
      message.author.id === head.author.id &&
      message.ephemeral === head.ephemeral &&
      message.createdAtMs - head.createdAtMs < SAME_HEAD_MS;
    if (goesOn) continue;
    heads.add(message.id);
    head = message;
  }
  return heads;
}

/** Renders a message as Discord does. */
export function messageElement(
  message: PageMessage,
  context: MessageContext,
  { isHead, isFailed }: Readonly<Record<'isHead' | 'isFailed', boolean>>,
): unknown {
  const step = Math.floor(context.nowMs / TIME_STEP_MS);
  return guard([message, isHead, isFailed, context.world, step], () => {
    const classes = [
      'message',
      isHead ? 'head' : '',
      message.ephemeral ? 'ephemeral' : '',
      message.pingsMe ? 'pings' : '',
    ];
    return html`<article class=${classes.join(' ').trim()} data-message-id=${message.id}>
      ${message.answered === null ? nothing : answeredElement(message.answered)}${
        isHead ? bylineElement(message, context) : nothing
      }${contentElement(message, context)}${extrasElement(message, context)}${
        isFailed ? html`<p class="failed" role="alert">This interaction failed</p>` : nothing
      }${message.thinking || message.ephemeral ? nothing : appsButton(message, context)}
    </article>`;
  });
}

function avatar(isBot: boolean): string {
  return isBot ? '/pictures/bot.svg' : '/pictures/person.svg';
}

/** Renders the line above a message: the command or message that it answers. */
function answeredElement(answered: PageAnswered): unknown {
  if (answered.kind === 'gone') {
    return html`<div class="answered"><em class="preview">Original message was deleted</em></div>`;
  }
  const who = html`<img src=${avatar(answered.author.bot)} alt=""><span class="name">${
    answered.kind === 'message' ? '@' : ''
  }${answered.author.name}</span>`;
  if (answered.kind === 'command') {
    return html`<div class="answered">${who} used <span class="command">${answered.line}</span></div>`;
  }
  const text = plainMarkdown(answered.content);
  return html`<div class="answered">${who}<span class="preview">${text === '' ? html`<em>Click to see attachment</em>` : text}</span></div>`;
}

/** Renders the sign beside the bot's name while it is not connected. */
export function offlineSign(world: PageWorld | null): unknown {
  if (world === null || world.bot.isOnline) return nothing;
  return html`<span class="offline" title="The bot is not connected"><span aria-hidden="true">○ </span>offline</span>`;
}

function bylineElement(
  { author, createdAtMs, silent }: PageMessage,
  reader: Reader & Pick<MessageContext, 'world'>,
): unknown {
  return html`<img class="avatar" src=${avatar(author.bot)} alt="">
    <div class="byline">
      <span class="name">${author.name}</span>${author.bot ? html`<span class="tag">APP</span>` : nothing}${
        author.id === reader.world.bot.id ? offlineSign(reader.world) : nothing
      }
      <time datetime=${new Date(createdAtMs).toISOString()} title=${stampText(createdAtMs / 1000, 'F', reader)}
        >${messageTime(createdAtMs, reader)}</time
      >${
        silent
          ? html`<span class="silent" role="img" aria-label="Silent message" title="This was a @silent message">${icon('silent')}</span>`
          : nothing
      }
    </div>`;
}

function contentElement(message: PageMessage, context: MessageContext): unknown {
  if (message.thinking) {
    return html`<div class="content"><em>${message.author.name} is thinking…</em></div>`;
  }
  if (message.unanswered) {
    return html`<div class="content unanswered" role="alert">${icon('warning')}The application did not respond</div>`;
  }
  const edited = message.edited ? html` <span class="edited">(edited)</span>` : nothing;
  if (message.content === '' && !message.edited) return nothing;
  return html`<div class="content">${markdown(message.content, context)}${edited}</div>`;
}

function extrasElement(message: PageMessage, context: MessageContext): unknown {
  const { embeds, attachments, rows, ephemeral } = message;
  if (embeds.length + attachments.length + rows.length === 0 && !ephemeral) return nothing;
  return html`<div class="extras">
    ${attachments.map(({ src, filename, isImage, description, sizeBytes }) =>
      isImage
        ? html`<img class="attachment" src=${src} alt=${description ?? filename}>`
        : html`<div class="file"><a href=${src} download=${filename}>${filename}</a><small>${(sizeBytes / 1024).toFixed(2)} KB</small></div>`,
    )}${embeds.map((embed) => embedElement(embed, context))}${rows.map(
      (row) =>
        html`<div class="row">${row.map((component) => componentElement(message, component, context))}</div>`,
    )}${
      ephemeral
        ? html`<div class="ephemeral-note">
            ${icon('eye')}Only you can see this •
            <button type="button" @click=${() => context.onDismiss(message.id)}>Dismiss message</button>
          </div>`
        : nothing
    }
  </div>`;
}

/**
 * Renders a button instead of Discord's Apps menu on a message, which has only one command here.
 */
function appsButton({ id }: PageMessage, { onLookUp }: MessageContext): unknown {
  const label = 'Apps: Look up wallets';
  return html`<button type="button" class="apps" title=${label} aria-label=${label} @click=${() => onLookUp(id)}></button>`;
}

function componentElement(
  message: PageMessage,
  component: PageComponent,
  context: MessageContext,
): unknown {
  return component.kind === 'button'
    ? buttonElement(message, component, context)
    : selectElement(message, component, context);
}

function buttonElement(
  message: PageMessage,
  button: PageButton,
  { onPress }: MessageContext,
): unknown {
  const { customId, url, label } = button;
  if (url !== null) {
    return html`<a class="button secondary" href=${url} target="_blank" rel="noopener noreferrer">${label}${icon('out')}</a>`;
  }
  return html`<button
    type="button"
    class="button ${BUTTON_CLASSES[button.style] ?? 'secondary'}"
    ?disabled=${button.disabled || customId === null}
    @click=${() => onPress(message.id, customId ?? '')}
  >
    ${label}
  </button>`;
}

function selectElement(
  message: PageMessage,
  select: PageSelect,
  { onSelect }: MessageContext,
): unknown {
  const isSingle = select.max === 1;
  return html`<label class="menu"
    ><select
      aria-label=${select.placeholder}
      ?multiple=${!isSingle}
      ?disabled=${select.disabled}
      @change=${({ target }: Event) => {
        if (!(target instanceof HTMLSelectElement)) return;
        const values = [...target.selectedOptions]
          .map(({ value }) => value)
          .filter((value) => value !== '');
        if (values.length < select.min || values.length > select.max) return;
        void onSelect(message.id, select.customId, values).then((isAnswered) => {
          if (!isAnswered) showDefaults(target);
        });
      }}
    >
      ${isSingle ? html`<option value="" hidden>${select.placeholder}</option>` : nothing}
      ${select.options.map(
        ({ label, detail, value, chosen }) =>
          html`<option value=${value} ?selected=${chosen}>${detail === null ? label : `${label} — ${detail}`}</option>`,
      )}</select
    >${isSingle ? icon('down') : nothing}</label
  >`;
}

/**
 * Resets the menu to its defaults, so that the same choice can be made again: browsers fire no
 * event for an option that is already selected.
 */
function showDefaults(menu: HTMLSelectElement): void {
  for (const option of menu.options) option.selected = option.defaultSelected;
}
