import type { APIEmbed } from 'discord.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type ListPage, listEmbed } from '../../commands/lists/list-message.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { NO_FILTERS } from '../../src/lookups/filters.ts';
import { type MarkdownKind, parseMarkdown } from '../embeds/discord-markdown.ts';
import { WALLET } from '../support/wallets.ts';

export const wallet = WALLET as WalletAddress;

type Page<Item> = Partial<ListPage<Item>> &
  Pick<ListPage<Item>, 'scan' | 'rows' | 'totals' | 'links'>;

/** A page of a list of trades in English, unless the page says otherwise. */
export function pageOf<Item>(page: Page<Item>): APIEmbed {
  const { language = ENGLISH } = page;
  return listEmbed<Item>({
    names: language.texts.lists.activity,
    label: 'Whale',
    wallet,
    filters: NO_FILTERS,
    index: 0,
    trouble: null,
    proxy: null,
    picture: null,
    language,
    asOfSeconds: 1_795_257_000,
    ...page,
  });
}

export const anyLanguage = fc.constantFrom(...LANGUAGE_TAGS).map(languageFor);

/**
 * That an embed pings nobody, and that these texts and its title have no markup but of these kinds,
 * and links to our hosts.
 */
export function expectOurMarkup(
  embed: APIEmbed,
  texts: readonly string[],
  kinds: readonly MarkdownKind[],
): void {
  for (const node of texts
    .flatMap(parseMarkdown)
    .flatMap((one) => (one.kind === 'strong' ? one.children : [one]))) {
    expect(kinds).toContain(node.kind);
    if (node.kind === 'link') expect(node.url).toMatch(/^https:\/\/(?:venue|scan)\.example\//);
  }
  expect(JSON.stringify(embed)).not.toMatch(
    /@everyone|@here|<@[!&]?\d|[\u202a-\u202e\u2066-\u2069]|NaN|Infinity|undefined|\[object/u,
  );
  expect(parseMarkdown(embed.title ?? '').map(({ kind }) => kind)).toEqual(['text']);
}
