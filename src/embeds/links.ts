import type { WalletAddress } from '../domain/address.ts';
import { type ActivityItem, isTxHash } from '../domain/records.ts';
import { parseUrl } from '../lib/text/url.ts';
import { EMBED_LIMITS, MESSAGE_LIMITS } from './text/limits.ts';

/** A host name with a top-level domain; neither `localhost` nor an IP address. */
const FULL_HOST_NAME =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const PLACEHOLDERS = {
  MARKET_URL: ['eventSlug', 'marketSlug', 'marketId'],
  TX_URL: ['txHash'],
  WALLET_URL: ['address'],
  LINK_URL: [
    'tokenId',
    'conditionId',
    'marketSlug',
    'eventSlug',
    'outcome',
    'priceCents',
    'wallet',
  ],
} as const;

/** Rules for links in texts, and for the operator's own link, which is a button. */
const TEXT_RULES = { schemes: 'http or https', isWeb: /^https?:\/\//i, most: EMBED_LIMITS.url };
const BUTTON_RULES = { schemes: 'https', isWeb: /^https:\/\//i, most: MESSAGE_LIMITS.buttonUrl };

/** Link of the operator's own, a button with this name. */
export interface OwnLink {
  readonly name: string;
  readonly template: string;
}

export type LinkTemplateName = keyof typeof PLACEHOLDERS;
/** Values for the operator's own link; omitted if an alert has no such value. */
export type OwnLinkValues = {
  readonly [Name in (typeof PLACEHOLDERS)['LINK_URL'][number]]?: string | undefined;
};

/**
 * Returns the fault of a link template from the environment; null if it has none. A valid template
 * is an http(s) URL of at most 2,048 characters (the operator's own link: https, at most 512)
 * without a user name. It has at least one of the variable's placeholders, all of them after the
 * host. The fault never repeats the value, which might contain a password.
 */
export function linkFault(name: LinkTemplateName, text: string): string | null {
  const known: readonly string[] = PLACEHOLDERS[name].map((placeholder) => `{${placeholder}}`);
  const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(known);
  const { schemes, isWeb, most } = name === 'LINK_URL' ? BUTTON_RULES : TEXT_RULES;
  const refuse = (fault: string) =>
    `${fault}. Accepted: an ${schemes} URL with ${listed} after the host, ` +
    `such as https://example.com/${known[0]}.`;

  if (!isWeb.test(text)) return refuse(`is not an ${schemes} URL`);
  if (text.length > most) return refuse(`has ${text.length} characters, more than ${most}`);
  const used = text.match(/\{[^{}]*\}/g) ?? [];
  const unknown = used.find((placeholder) => !known.includes(placeholder));
  if (unknown !== undefined) return refuse(`has the unknown placeholder ${unknown.slice(0, 40)}`);
  if (/[{}]/.test(text.replace(/\{[^{}]*\}/g, ''))) return refuse('has a brace without its pair');
  if (used.length === 0) return refuse('has no placeholder');

  const filledWith = (value: string) => readUrl(text.replace(/\{[^{}]*\}/g, value));
  const example = filledWith('1');
  const other = filledWith('other.example');
  if (example === undefined) return refuse('is not a valid URL');
  if (hasPassword(example)) return refuse('has a user name or password in it');
  // Otherwise a slug could lead to another site.
  if (example.origin !== other?.origin) return refuse('has a placeholder in the host');
  return null;
}

/**
 * Creates links from the operator's templates; undefined without a template, or if the values do
 * not make a valid URL. They are safe in a masked link: http(s), at most 2,048 ASCII characters, no
 * space, parenthesis or asterisk.
 */
export function createLinks(
  templates: { readonly [Name in Exclude<LinkTemplateName, 'LINK_URL'>]?: string | undefined } & {
    readonly LINK_URL?: OwnLink | null;
  },
) {
  const { LINK_URL: ownLink = null } = templates;
  return {
    market: ({
      eventSlug,
      marketSlug,
      marketId,
    }: Pick<ActivityItem, 'eventSlug' | 'marketSlug' | 'marketId'>) =>
      fill(templates.MARKET_URL, { eventSlug, marketSlug, marketId }),
    /** Undefined also if the text is not a transaction hash. */
    transaction: (txHash: string) =>
      isTxHash(txHash) ? fill(templates.TX_URL, { txHash }) : undefined,
    wallet: (address: WalletAddress) => fill(templates.WALLET_URL, { address }),
    /** Returns the operator's own link, with its name. */
    own(values: OwnLinkValues) {
      const url = fill(ownLink?.template, values);
      if (url === undefined || ownLink === null) return undefined;
      return { name: ownLink.name, url };
    },
  };
}
export type Links = Readonly<ReturnType<typeof createLinks>>;

/**
 * Returns the URL with a fragment, or unchanged if it already has one or would become too long.
 *
 * @param fragment any text
 */
export function withFragment(url: string, fragment: string): string {
  const whole = `${url}#${encoded(fragment)}`;
  if (url.includes('#') || whole.length > EMBED_LIMITS.url) return url;
  return whole;
}

/**
 * Returns links that are undefined if longer than `limit` characters, for lists in which texts need
 * the space.
 */
export function shortLinks(links: Links, limit: number): Links {
  return changedLinks(links, (url) => (url.length <= limit ? url : undefined));
}

/**
 * Returns links in angle brackets, so that Discord shows no preview of them below a message's text.
 */
export function withoutPreview(links: Links): Links {
  return changedLinks(links, (url) => `<${url}>`);
}

/** Returns links with their URLs changed, except the operator's own. */
function changedLinks(links: Links, change: (url: string) => string | undefined): Links {
  const changed = (url: string | undefined) => url && change(url);
  return {
    ...links,
    market: (item) => changed(links.market(item)),
    transaction: (txHash) => changed(links.transaction(txHash)),
    wallet: (address) => changed(links.wallet(address)),
  };
}

/**
 * Returns the market's logo in a form that Discord accepts, or `undefined`: https, a full host
 * name, no user name, at most 2,048 characters. The check is strict because one malformed image URL
 * makes Discord reject the whole message.
 */
export function imageUrl(text: string): string | undefined {
  const url = readUrl(text);
  if (url === undefined || url.protocol !== 'https:' || hasPassword(url)) return undefined;
  if (!FULL_HOST_NAME.test(url.hostname)) return undefined;
  return withinLimit(tidy(url.href).replace(/[[\]]/g, percent));
}

/** True if the URL has a user name or a password. */
function hasPassword({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function fill(
  template: string | undefined,
  values: Readonly<Partial<Record<string, string>>>,
): string | undefined {
  if (template === undefined) return undefined;
  let isWhole = true;
  const filled = template.replace(/\{([^{}]*)\}/g, (_match, placeholder: string) => {
    const value = values[placeholder] ?? '';
    // A dot segment would be resolved and lead to a different page.
    if (value === '' || value === '.' || value === '..' || /\p{Cs}/u.test(value)) {
      isWhole = false;
      return '';
    }
    return encoded(value);
  });
  if (!isWhole) return undefined;
  const url = readUrl(filled);
  if (url === undefined) return undefined;
  return withinLimit(tidy(url.href));
}

function readUrl(text: string): URL | undefined {
  if (text.length > 4 * EMBED_LIMITS.url) return undefined;
  return parseUrl(text);
}

/** Encodes a value as part of a URL, including the characters that would end a masked link. */
function encoded(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, percent);
}

/**
 * Encodes characters that are allowed in a URL but would end a masked link or fail Discord's URL
 * check.
 */
function tidy(href: string): string {
  return href.replace(/[()*|^`{}<>"'\\\s]/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function withinLimit(href: string): string | undefined {
  if (href.length <= EMBED_LIMITS.url) return href;
  return undefined;
}
