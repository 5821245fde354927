import { html, nothing } from 'lit-html';
import type { PageEmbed, PagePicture } from '../site/protocol.ts';
import { type MarkdownContext, markdown, plainMarkdown } from './markdown.ts';
import { calendarTime, type Reader } from './times.ts';

/** Renders an embed as Discord does. */
export function embedElement(embed: PageEmbed, context: MarkdownContext): unknown {
  const { description, fields } = embed;
  return html`<div class="embed" .style=${embed.colour === null ? '' : `--bar: ${embed.colour}`}>
    ${authorElement(embed)}${titleElement(embed)}${
      description === null
        ? nothing
        : html`<div class="description">${markdown(description, context)}</div>`
    }${
      fields.length === 0
        ? nothing
        : html`<div class="fields">
            ${fields.map(
              ({ name, value, inline }) =>
                html`<div class=${inline ? 'field inline' : 'field'}><b>${plainMarkdown(name)}</b>${markdown(value, context)}</div>`,
            )}
          </div>`
    }${pictureElement(embed.thumbnail, 'thumbnail')}${pictureElement(embed.image, 'image')}${footerElement(
      embed,
      context,
    )}
  </div>`;
}

function authorElement({ author }: PageEmbed): unknown {
  if (author === null) return nothing;
  return html`<div class="author">${pictureElement(author.icon, 'portrait')}<span>${linked(author.name, author.url)}</span></div>`;
}

function titleElement({ title, url }: PageEmbed): unknown {
  return title === null
    ? nothing
    : html`<div class="title">${linked(plainMarkdown(title), url)}</div>`;
}

function linked(text: string, url: string | null): unknown {
  return url === null
    ? text
    : html`<a href=${url} target="_blank" rel="noopener noreferrer">${text}</a>`;
}

/**
 * Renders a picture. As in Discord, an unavailable thumbnail is omitted, so that the text has its
 * full width.
 */
function pictureElement(picture: PagePicture | null, kind: string): unknown {
  if (picture === null || (kind === 'thumbnail' && picture.src === null)) return nothing;
  return html`<img class=${kind} src=${picture.src ?? '/pictures/picture.svg'} alt="">`;
}

function footerElement({ footer, timestampMs }: PageEmbed, reader: Reader): unknown {
  const parts = [footer, timestampMs === null ? null : calendarTime(timestampMs, reader)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? nothing : html`<div class="footer">${parts.join(' • ')}</div>`;
}
