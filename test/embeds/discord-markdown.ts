/**
 * Discord's markdown as its clients read it, for tests: the rules of simple-markdown that its
 * clients are built on, and what its issue tracker says of masked links (no unescaping inside:
 * #6185, no address as text: #7721).
 */
export type MarkdownKind =
  | 'text'
  | 'heading'
  | 'list'
  | 'quote'
  | 'code'
  | 'link'
  | 'url'
  | 'mention'
  | 'emoji'
  | 'timestamp'
  | 'command'
  | 'invite'
  | 'strong'
  | 'underline'
  | 'emphasis'
  | 'strike'
  | 'spoiler';

export interface MarkdownNode {
  readonly kind: MarkdownKind;
  /** What a person reads. */
  readonly text: string;
  /** Where a click leads. */
  readonly url?: string;
  readonly children: readonly MarkdownNode[];
}

const LINK =
  /^\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['"]([\s\S]*?)['"])?\s*\)/;
const LINE_RULES: readonly (readonly [MarkdownKind, RegExp])[] = [
  ['heading', /^(?:#{1,3}|-#)\s+/],
  ['list', /^(?:[-*+]|\d+\.) /],
  ['quote', /^>{1,3} ?/],
];
const LEAF_RULES: readonly (readonly [MarkdownKind, RegExp])[] = [
  ['code', /^(`+)([\s\S]*?[^`])\1(?!`)/],
  ['mention', /^<(?:@[!&]?|#)\d+>|^<id:\w+>|^@(?:everyone|here)/],
  ['emoji', /^<a?:\w+:\d+>|^:[\w+-]+(?:::skin-tone-\d)?:/],
  ['timestamp', /^<t:-?\d+(?::[a-zA-Z])?>/],
  ['command', /^<\/[^>]+:\d+>/],
  ['url', /^<[^<>\s]+:\/[^<>\s]*>|^[a-z][a-z0-9+.-]*:\/\/[^\s<]+/i],
  ['invite', /^(?:discord\.gg|discord(?:app)?\.com\/invite)\/\w+/i],
];
const SPAN_RULES: readonly (readonly [MarkdownKind, RegExp])[] = [
  ['strong', /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/],
  ['underline', /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/],
  ['emphasis', /^\*(?=\S)((?:\\[\s\S]|[^\\*])+?)\*|^_((?:\\[\s\S]|[^\\_])+?)_/],
  ['strike', /^~~([\s\S]+?)~~/],
  ['spoiler', /^\|\|([\s\S]+?)\|\|/],
];

/**
 * Its link rule spans lines, as Discord's does; headings, lists and quotes show as an empty node
 * where they begin.
 */
export function parseMarkdown(source: string): MarkdownNode[] {
  return parseInline(source, false);
}

/** The whole as a person reads it, without what has no width. */
export function readMarkdown(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => node.text)
    .join('')
    .replaceAll(/[\u200b\u200e]/g, '');
}

function parseInline(source: string, isMasked: boolean): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let rest = source;
  // The text of a mask begins a line, too, for the parsers that are built on the clients' rules.
  let isLineStart = true;
  while (rest !== '') {
    const [node, length]: readonly [MarkdownNode, number] =
      (isLineStart ? lineStart(rest) : undefined) ?? next(rest, isMasked);
    append(nodes, node);
    isLineStart = !isMasked && rest.charAt(length - 1) === '\n';
    rest = rest.slice(length);
  }
  return nodes;
}

function lineStart(rest: string): readonly [MarkdownNode, number] | undefined {
  for (const [kind, rule] of LINE_RULES) {
    const match = rule.exec(rest);
    if (match) return [{ kind, text: '', children: [] }, match[0].length];
  }
  return undefined;
}

function next(rest: string, isMasked: boolean): readonly [MarkdownNode, number] {
  if (!/^[\\[<`@:*_~|a-z]/i.test(rest)) return character(rest);
  const escaped = isMasked ? null : /^\\([^0-9A-Za-z\s])/u.exec(rest);
  if (escaped) return [plain(escaped[1] ?? ''), escaped[0].length];
  const link = isMasked ? null : LINK.exec(rest);
  if (link) {
    const children = parseInline(link[1] ?? '', true);
    if (!children.some((child) => child.kind === 'url')) {
      return [
        { kind: 'link', text: readMarkdown(children), url: link[2] ?? '', children },
        link[0].length,
      ];
    }
  }
  for (const [kind, rule] of LEAF_RULES) {
    const match = rule.exec(rest);
    if (match) return [{ kind, text: match[2] ?? match[0], children: [] }, match[0].length];
  }
  for (const [kind, rule] of SPAN_RULES) {
    const match = rule.exec(rest);
    if (match) {
      const children = parseInline(match[1] ?? match[2] ?? '', isMasked);
      return [{ kind, text: readMarkdown(children), children }, match[0].length];
    }
  }
  return character(rest);
}

function character(rest: string): readonly [MarkdownNode, number] {
  const first = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return [plain(first), first.length];
}

function plain(text: string): MarkdownNode {
  return { kind: 'text', text, children: [] };
}

function append(nodes: MarkdownNode[], node: MarkdownNode): void {
  const last = nodes.at(-1);
  if (last?.kind === 'text' && node.kind === 'text')
    nodes[nodes.length - 1] = plain(last.text + node.text);
  else nodes.push(node);
}
