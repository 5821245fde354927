import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { PageButton, PageComponent, PageEmbed, PageMessage, PagePicture, PageSelect } from '../site/protocol.ts';
import { type MarkdownContext, markdown, plainMarkdown } from './markdown.ts';
import { messageTime } from './times.ts';

/** Relative times move on at this pace. */
const TIME_STEP_MS = 5_000;
const BUTTON_CLASSES: Readonly<Record<number, string>> = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' };

export interface MessageContext extends MarkdownContext {
  readonly isLight: boolean;
  readonly onPress: (messageId: string, customId: string) => void;
  readonly onSelect: (messageId: string, customId: string, values: readonly string[]) => void;
  readonly onDismiss: (messageId: string) => void;
}

/** A message as Discord shows it. */
export function messageElement(message: PageMessage, context: MessageContext): unknown {
  const step = Math.floor(context.nowMs / TIME_STEP_MS);
  return guard([message, context.world, context.isLight, step], () => {
    const { answers } = message;
    return html`<discord-message
      .author=${message.author.name}
      avatar=${avatar(message.author.bot)}
      ?bot=${message.author.bot}
      ?edited=${message.edited}
      ?ephemeral=${message.ephemeral}
      ?highlight=${message.pingsMe}
      ?light-theme=${context.isLight}
      .timestamp=${messageTime(message.createdAtMs, context.nowMs)}
      .dismissMessageClicked=${() => context.onDismiss(message.id)}
      data-message-id=${message.id}
      >${
        answers === null
          ? nothing
          : html`<discord-command
              slot="reply"
              author=${answers.userName}
              avatar=${avatar(false)}
              command=${answers.line.slice(1)}
              ?light-theme=${context.isLight}
            ></discord-command>`
      }${message.thinking ? html`<em>${message.author.name} is thinking…</em>` : markdown(message.content, context)}${message.embeds.map(
        (embed) => embedElement(embed, context),
      )}${attachments(message)}${message.rows.map(
        (row) =>
          html`<div slot="components" class="row">
            ${row.map((component) => componentElement(message, component, context))}
          </div>`,
      )}</discord-message
    >`;
  });
}

function avatar(isBot: boolean): string {
  return isBot ? '/bot.svg' : '/person.svg';
}

function pictureUrl(picture: PagePicture | null): string | undefined {
  return picture === null ? undefined : (picture.src ?? '/picture.svg');
}

function embedElement(embed: PageEmbed, context: MessageContext): unknown {
  const footer = [embed.footer, embed.timestampMs === null ? null : messageTime(embed.timestampMs, context.nowMs)];
  const footerText = footer.filter((part) => part !== null).join(' • ');
  let inlineIndex = 0;
  return html`<discord-embed
    slot="embeds"
    .color=${embed.colour ?? undefined}
    .authorName=${embed.author ?? undefined}
    .embedTitle=${embed.title === null ? undefined : plainMarkdown(embed.title)}
    .url=${embed.url ?? undefined}
    .image=${pictureUrl(embed.image)}
    .thumbnail=${pictureUrl(embed.thumbnail)}
    ?light-theme=${context.isLight}
    >${
      embed.description === null
        ? nothing
        : html`<discord-embed-description slot="description"
            >${markdown(embed.description, context)}</discord-embed-description
          >`
    }${
      embed.fields.length === 0
        ? nothing
        : html`<discord-embed-fields slot="fields"
            >${embed.fields.map(({ name, value, inline }) => {
              inlineIndex = inline ? (inlineIndex % 3) + 1 : 0;
              return html`<discord-embed-field
                .fieldTitle=${plainMarkdown(name)}
                ?inline=${inline}
                .inlineIndex=${inline ? inlineIndex : undefined}
                ?light-theme=${context.isLight}
                >${markdown(value, context)}</discord-embed-field
              >`;
            })}</discord-embed-fields
          >`
    }${
      footerText === ''
        ? nothing
        : html`<discord-embed-footer slot="footer" ?light-theme=${context.isLight}>${footerText}</discord-embed-footer>`
    }</discord-embed
  >`;
}

function attachments(message: PageMessage): unknown {
  if (message.attachments.length === 0) return nothing;
  return html`<div slot="attachments" class="attachments">
    ${message.attachments.map(({ src, filename, isImage, description, sizeBytes }) =>
      isImage
        ? html`<img src=${src} alt=${description ?? filename}>`
        : html`<a href=${src} download=${filename}>${filename} (${Math.ceil(sizeBytes / 1024)} KB)</a>`,
    )}
  </div>`;
}

/** Real buttons and selects: those of the library cannot be disabled for the keyboard. */
function componentElement(message: PageMessage, component: PageComponent, context: MessageContext): unknown {
  return component.kind === 'button'
    ? buttonElement(message, component, context)
    : selectElement(message, component, context);
}

function buttonElement(message: PageMessage, button: PageButton, { onPress }: MessageContext): unknown {
  const { customId, url } = button;
  if (url !== null)
    return html`<a class="button secondary" href=${url} target="_blank" rel="noopener">${button.label}</a>`;
  return html`<button
    type="button"
    class="button ${BUTTON_CLASSES[button.style] ?? 'secondary'}"
    ?disabled=${button.disabled || customId === null}
    @click=${() => onPress(message.id, customId ?? '')}
  >
    ${button.label}
  </button>`;
}

function selectElement(message: PageMessage, select: PageSelect, { onSelect }: MessageContext): unknown {
  return html`<select
    aria-label=${select.placeholder}
    ?multiple=${select.max > 1}
    ?disabled=${select.disabled}
    @change=${({ target }: Event) => {
      if (!(target instanceof HTMLSelectElement)) return;
      const values = [...target.selectedOptions].map(({ value }) => value).filter((value) => value !== '');
      if (values.length >= select.min && values.length <= select.max) onSelect(message.id, select.customId, values);
    }}
  >
    ${select.max > 1 ? nothing : html`<option value="">${select.placeholder}</option>`}
    ${select.options.map(({ label, value, chosen }) => html`<option value=${value} ?selected=${chosen}>${label}</option>`)}
  </select>`;
}
