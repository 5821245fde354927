import { DiscordAuthorInfo } from '@skyra/discord-components-core/discord-author-info.js';
import { DiscordCommand } from '@skyra/discord-components-core/discord-command.js';
import { DiscordEmbed } from '@skyra/discord-components-core/discord-embed.js';
import { DiscordEmbedFooter } from '@skyra/discord-components-core/discord-embed-footer.js';
import { DiscordMention } from '@skyra/discord-components-core/discord-mention.js';
import { DiscordMessage } from '@skyra/discord-components-core/discord-message.js';
import { DiscordMessages } from '@skyra/discord-components-core/discord-messages.js';
import '@skyra/discord-components-core/discord-embed-description.js';
import '@skyra/discord-components-core/discord-embed-field.js';
import '@skyra/discord-components-core/discord-embed-fields.js';
import { type CSSResult, css } from 'lit';

/** Colours with enough contrast (WCAG 2.2, 1.4.3), where those of the library have less; and a phone's width. */
const LOOKS: readonly (readonly [{ elementStyles: unknown[] }, CSSResult])[] = [
  [
    DiscordMessages,
    css`
      :host {
        border: 0;
      }
    `,
  ],
  [
    DiscordMessage,
    css`
      :host {
        padding-right: 1em;
      }
      .discord-message-content {
        min-width: 0;
      }
      .discord-message-timestamp,
      .discord-message-edited,
      .discord-message-ephemeral {
        color: #b5bac1;
      }
      .discord-message-ephemeral span.discord-message-ephemeral-link {
        color: #4cc4ff;
      }
      :host([light-theme]) .discord-message-timestamp,
      :host([light-theme]) .discord-message-edited,
      :host([light-theme]) .discord-message-ephemeral {
        color: #565961;
      }
      :host([light-theme]) .discord-message-ephemeral span.discord-message-ephemeral-link {
        color: #0057a8;
      }
    `,
  ],
  [DiscordAuthorInfo, css``],
  [
    DiscordCommand,
    css`
      .discord-replied-message-content.discord-slash-command-name,
      .discord-replied-message-content.discord-slash-command-name:hover {
        color: #c9cdfb !important;
      }
      .discord-replied-message-username {
        opacity: 1 !important;
      }
      :host([light-theme]),
      :host([light-theme]) .discord-replied-message-username {
        color: #2e3338 !important;
      }
      :host([light-theme]) .discord-replied-message-content.discord-slash-command-name,
      :host([light-theme]) .discord-replied-message-content.discord-slash-command-name:hover {
        background-color: #e4e6fd;
        color: #3c45a5 !important;
      }
    `,
  ],
  [
    DiscordEmbed,
    css`
      .discord-embed-wrapper {
        overflow-wrap: anywhere;
      }
      :host([light-theme]) .discord-embed-title a {
        color: #0057a8;
      }
    `,
  ],
  [
    DiscordEmbedFooter,
    css`
      :host {
        color: #b5bac1;
      }
      :host([light-theme]) {
        color: #4f545c;
      }
    `,
  ],
  [
    DiscordMention,
    css`
      :host([light-theme]) {
        color: #3c45a5;
      }
    `,
  ],
];

/** Before the first element of the library is made: they take their styles then. */
export function applyLook(): void {
  for (const [element, styles] of LOOKS) element.elementStyles.push(styles);
}
