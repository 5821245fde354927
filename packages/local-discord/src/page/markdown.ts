import { parse } from 'discord-markdown-parser';
import { html, type TemplateResult } from 'lit-html';
import type { PageWorld } from '../site/protocol.ts';
import { type Reader, stampText } from './times.ts';

type Node = ReturnType<typeof parse>[number];

export interface MarkdownContext extends Reader {
  readonly world: PageWorld;
}

/** Renders Discord's markdown. Texts are inserted as text, so a message cannot inject markup. */
export function markdown(text: string, context: MarkdownContext): unknown[] {
  return parse(text, 'extended').map((node) => element(node, context));
}

/** Returns the text of Discord's markdown, for places that accept only text. */
export function plainMarkdown(text: string): string {
  return parse(text, 'extended').map(plain).join('');
}

function plain(node: Node): string {
  const content: unknown = node['content'];
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(plain).join('');
  if (node.type === 'br') return '\n';
  if (node.type === 'everyone' || node.type === 'here') return `@${node.type}`;
  if (node.type === 'emoji') return `:${node['name']}:`;
  return typeof node['name'] === 'string' ? node['name'] : '';
}

function element(node: Node, context: MarkdownContext): unknown {
  const content: unknown = node['content'];
  const inner = () =>
    Array.isArray(content) ? content.map((child: Node) => element(child, context)) : content;
  const { channels, users, roles } = context.world;
  const named = (list: readonly { id: string; name: string }[]) =>
    list.find(({ id }) => id === node['id'])?.name;
  switch (node.type) {
    case 'br':
    case 'newline':
      return html`<br>`;
    case 'strong':
      return html`<strong>${inner()}</strong>`;
    case 'em':
      return html`<em>${inner()}</em>`;
    case 'underline':
      return html`<u>${inner()}</u>`;
    case 'strikethrough':
      return html`<s>${inner()}</s>`;
    case 'inlineCode':
      return html`<code class="code">${inner()}</code>`;
    case 'codeBlock':
      return html`<pre class="code" tabindex="0">${inner()}</pre>`;
    case 'blockQuote':
      return html`<blockquote>${inner()}</blockquote>`;
    case 'heading':
      return html`<div class="heading heading-${node['level']}">${inner()}</div>`;
    case 'subtext':
      return html`<small class="subtext">${inner()}</small>`;
    case 'spoiler':
      return html`<details class="spoiler"><summary>Spoiler</summary>${inner()}</details>`;
    case 'link':
    case 'url':
    case 'autolink':
      return link(String(node['target']), inner());
    case 'timestamp': {
      const seconds = Number(node['timestamp']);
      const iso = new Date(seconds * 1000).toISOString();
      return html`<time class="stamp" datetime=${iso} title=${stampText(seconds, 'F', context)}
        >${stampText(seconds, node['format'], context)}</time
      >`;
    }
    case 'channel':
      return mention(`#${named(channels) ?? 'unknown'}`);
    case 'user':
      return mention(`@${named(users) ?? 'unknown-user'}`);
    case 'role':
      return mention(`@${named(roles) ?? 'deleted-role'}`);
    case 'everyone':
    case 'here':
      return mention(`@${node.type}`);
    case 'slashCommand':
      return mention(`/${node['fullName'] ?? node['name'] ?? 'command'}`);
    default:
      return plain(node);
  }
}

function mention(text: string): TemplateResult {
  return html`<span class="mention">${text}</span>`;
}

function link(target: string, inner: unknown): unknown {
  if (!/^https?:\/\//i.test(target)) return inner;
  return html`<a href=${target} target="_blank" rel="noopener noreferrer">${inner}</a>`;
}
