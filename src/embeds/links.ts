import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import { parseUrl } from '../lib/url.ts';

/** Discord's limit of a URL in an embed (its OpenAPI description). */
export const URL_MAX = 2048;
/** Discord's limit of a link button (its documentation, components/reference). */
export const BUTTON_URL_MAX = 512;

const PLACEHOLDERS = {
  MARKET_URL: ['eventSlug', 'marketSlug', 'marketId'],
  TX_URL: ['txHash'],
  WALLET_URL: ['address'],
  LINK_URL: ['tokenId', 'conditionId', 'marketSlug', 'eventSlug', 'outcome', 'priceCents', 'wallet'],
} as const;

export type LinkTemplateName = keyof typeof PLACEHOLDERS;
/** What the operator's own link may hold; left out where an alert has no such value. */
export type OwnLinkValues = { readonly [Name in (typeof PLACEHOLDERS)['LINK_URL'][number]]?: string | undefined };

/** A checked template. Only `parseLinkTemplate` makes one. */
export interface LinkTemplate {
  readonly text: string;
}

/**
 * Checks a link template of the environment: an http(s) URL of at most 2,048 characters, the operator's own link an https one of at
 * most 512, without a user name, with at least one of the placeholders that belong to the variable, all of them after the host. The reason of a refusal names
 * the variable and what is accepted; it never repeats the value, which might hold a password.
 */
export function parseLinkTemplate(name: LinkTemplateName, text: string) {
  const trimmed = text.trim();
  const known: readonly string[] = PLACEHOLDERS[name].map((placeholder) => `{${placeholder}}`);
  const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(known);
  const schemes = name === 'LINK_URL' ? 'https' : 'http or https';
  const refuse = (fault: string) => ({
    ok: false as const,
    reason: `${name} ${fault}. Accepted: an ${schemes} URL with ${listed} after the host, such as https://example.com/${known[0]}.`,
  });

  const isWeb = name === 'LINK_URL' ? /^https:\/\//i : /^https?:\/\//i;
  if (!isWeb.test(trimmed)) return refuse(`is not an ${schemes} URL`);
  const most = name === 'LINK_URL' ? BUTTON_URL_MAX : URL_MAX;
  if (trimmed.length > most) return refuse(`has ${trimmed.length} characters, more than ${most}`);
  const used = trimmed.match(/\{[^{}]*\}/g) ?? [];
  const unknown = used.find((placeholder) => !known.includes(placeholder));
  if (unknown !== undefined) return refuse(`has the unknown placeholder ${unknown.slice(0, 40)}`);
  if (/[{}]/.test(trimmed.replace(/\{[^{}]*\}/g, ''))) return refuse('has a brace without its pair');
  if (used.length === 0) return refuse('has no placeholder');

  const [example, other] = ['1', 'other.example'].map((value) => readUrl(trimmed.replace(/\{[^{}]*\}/g, value)));
  if (example === undefined) return refuse('is not a valid URL');
  if (example.username !== '' || example.password !== '') return refuse('has a user name or password in it');
  // Otherwise a slug could lead to another site.
  if (example.origin !== other?.origin) return refuse('has a placeholder in the host');
  const template: LinkTemplate = { text: trimmed };
  return { ok: true as const, template };
}

/** Links of the operator's templates; undefined without a template, or if the item's values make no valid URL with it. */
export interface Links {
  readonly market: (item: Pick<ActivityItem, 'eventSlug' | 'marketSlug' | 'marketId'>) => string | undefined;
  readonly transaction: (txHash: string) => string | undefined;
  readonly wallet: (address: WalletAddress) => string | undefined;
  /** The operator's own, with its name. */
  readonly own: (values: OwnLinkValues) => { readonly name: string; readonly url: string } | undefined;
}

interface Templates {
  readonly market?: LinkTemplate | undefined;
  readonly transaction?: LinkTemplate | undefined;
  readonly wallet?: LinkTemplate | undefined;
  readonly own?: { readonly name: string; readonly template: LinkTemplate } | undefined;
}

/** Links that are safe behind a mask: http(s), at most 2,048 ASCII characters, no space, parenthesis or asterisk. */
export function createLinks(templates: Templates): Links {
  return {
    market: ({ eventSlug, marketSlug, marketId }) => fill(templates.market, { eventSlug, marketSlug, marketId }),
    transaction: (txHash) => fill(templates.transaction, { txHash }),
    wallet: (address) => fill(templates.wallet, { address }),
    own(values) {
      const url = fill(templates.own?.template, values);
      return url === undefined || templates.own === undefined ? undefined : { name: templates.own.name, url };
    },
  };
}

/** The URL with a fragment, unless it has one already or would become too long. @param fragment any text */
export function withFragment(url: string, fragment: string): string {
  const whole = `${url}#${encodeURIComponent(fragment).replace(/[!'()*]/g, percent)}`;
  return url.includes('#') || whole.length > URL_MAX ? url : whole;
}

/** The same links, undefined where longer than `limit` characters: for lists, where text needs the space. */
export function shortLinks(links: Links, limit: number): Links {
  const within = (url: string | undefined) => (url !== undefined && url.length <= limit ? url : undefined);
  return {
    market: (item) => within(links.market(item)),
    transaction: (txHash) => within(links.transaction(txHash)),
    wallet: (address) => within(links.wallet(address)),
    own: links.own,
  };
}

/**
 * The market's logo as Discord will take it, or `undefined`: https, a full host name, no user name, at most 2,048
 * characters. Strict, because one malformed image URL makes Discord refuse the whole message.
 */
export function imageUrl(text: string): string | undefined {
  const url = readUrl(text);
  if (url === undefined || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  if (!/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(url.hostname)) {
    return undefined;
  }
  return withinLimit(tidy(url.href).replace(/[[\]]/g, percent));
}

function fill(
  template: LinkTemplate | undefined,
  values: Readonly<Partial<Record<string, string>>>,
): string | undefined {
  if (template === undefined) return undefined;
  let isWhole = true;
  const filled = template.text.replace(/\{([^{}]*)\}/g, (_match, placeholder: string) => {
    const value = values[placeholder] ?? '';
    // A dot segment would be resolved away and lead to a page of something else.
    if (value === '' || value === '.' || value === '..' || /\p{Cs}/u.test(value)) {
      isWhole = false;
      return '';
    }
    return encodeURIComponent(value).replace(/[!'()*]/g, percent);
  });
  const url = isWhole ? readUrl(filled) : undefined;
  return url === undefined ? undefined : withinLimit(tidy(url.href));
}

function readUrl(text: string): URL | undefined {
  return text.length <= 4 * URL_MAX ? parseUrl(text) : undefined;
}

/** Encodes what a URL may hold but what would end a masked link or fail Discord's check of URLs. */
function tidy(href: string): string {
  return href.replace(/[()*|^`{}<>"'\\\s]/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function withinLimit(href: string): string | undefined {
  return href.length <= URL_MAX ? href : undefined;
}
