import { CREATE_FLAGS, messageForm } from '@walletbell/local-discord/discord/forms/message';
import type { APIComponentInMessageActionRow } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { inRowOrder } from '../../src/alerts/row-order.ts';
import { plan } from '../../src/delivery/plan/plan.ts';
import { groupsWithDetails, parseDetailsId } from '../../src/details/target.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { referenceIn } from '../../src/messages/buttons.ts';
import { type AlertMessage, renderMessage } from '../../src/messages/message.ts';
import type { ResultNews } from '../../src/portfolio/results/alerted-positions.ts';
import { DEFAULT_SETTINGS } from '../../src/watches/watch-settings.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { randomRuns, within } from '../support/thorough.ts';
import { unalertedChannel } from '../support/unalerted-channel.ts';
import { type MarkdownKind, type MarkdownNode, parseMarkdown } from './discord-markdown.ts';
import {
  anyActivity,
  anyContext,
  anyEvent,
  anyResult,
  hostileLinks,
  linkTemplate,
} from './hostile-items.ts';
import { hostileText } from './hostile-text.ts';
import { resultOf } from './result-of.ts';

const NOW_MS = 1_790_000_000_000;
const WALLETS = ['a', 'b', 'c', 'd', 'e', 'f', '1'].map(
  (digit) => `0x${digit.repeat(40)}` as WalletAddress,
);
/** About 45 items each: ten thousand in a thorough run. */
const runs = randomRuns(120, 8);
/** As long as an operator may make them, or nearly so. */
const longLinks = createLinks({
  MARKET_URL: linkTemplate('MARKET_URL', `https://venue.example/${'m'.repeat(200)}/{marketSlug}`),
  TX_URL: linkTemplate('TX_URL', `https://scan.example/${'t'.repeat(700)}/{txHash}`),
  WALLET_URL: linkTemplate('WALLET_URL', `https://venue.example/${'w'.repeat(120)}/{address}`),
});
const discordTakes = messageForm({ allowedFlags: CREATE_FLAGS });

/**
 * Some items that belong to nothing, and some markets with several fills, all as hostile as can be.
 */
const waiting = fc
  .tuple(
    fc.array(anyEvent, { minLength: 5, maxLength: 25 }),
    fc.array(
      fc.tuple(
        anyActivity,
        fc.array(fc.tuple(anyActivity, anyContext), { minLength: 1, maxLength: 12 }),
      ),
      {
        minLength: 3,
        maxLength: 7,
      },
    ),
    fc.array(fc.nat(WALLETS.length - 1), { minLength: 1, maxLength: 20 }),
    fc.array(anyResult, { maxLength: 4 }),
  )
  .map(([singles, purchases, turns, ends]) => {
    const alike = purchases.flatMap(([model, fills]) =>
      fills.map(([item, context]) => {
        const { marketId, conditionId, marketSlug, tokenId, action, positionSide, outcomeIndex } =
          model;
        const market = {
          marketId,
          conditionId,
          marketSlug,
          tokenId,
          action,
          positionSide,
          outcomeIndex,
        };
        return { kind: 'activity', item: { ...item, ...market }, context } as const;
      }),
    );
    const alerts = [...singles, ...alike].map((event, index): Alert => {
      const wallet = WALLETS[turns[index % turns.length] ?? 0] as WalletAddress;
      return { id: `i${index}`, wallet, channelId: '1', event, seenAtMs: index };
    });
    const redemptions = alerts.flatMap(({ wallet, event }) =>
      event.kind === 'activity' && event.item.action === 'Redeem'
        ? [{ wallet, item: event.item }]
        : [],
    );
    const results = redemptions.slice(0, ends.length).map(({ wallet, item }, index): Alert => {
      const { key, closedSeconds } = resultOf(item).result;
      const result = { ...(ends[index] as ResultNews), key, closedSeconds };
      const event = { kind: 'result', result } as const;
      return { id: `i${alerts.length + index}`, wallet, channelId: '1', event, seenAtMs: 1e9 };
    });
    return [...alerts, ...results];
  });

const textOf = ({ content, embeds }: AlertMessage) =>
  [
    content,
    ...embeds.flatMap(({ title, description, footer }) => [title, description, footer?.text]),
  ].join('\n');

const HARMLESS: readonly MarkdownKind[] = ['text', 'link', 'timestamp', 'code', 'heading'];
/** Our own small print. */
const smallPrint = (markdown: string) => markdown.match(/^-# /gm)?.length ?? 0;
const headings = (markdown: string) =>
  parseMarkdown(markdown).filter(({ kind }) => kind === 'heading').length;

const isBlank = (line: string) => line.replace('-# ', '').trim() === '';

/**
 * What is not our own markup, to our own addresses: compared plainly, because there are hundreds of
 * thousands.
 */
function harmful(markdown: string): readonly MarkdownNode[] {
  return parseMarkdown(markdown)
    .flatMap((node): readonly MarkdownNode[] => (node.kind === 'strong' ? node.children : [node]))
    .filter(
      ({ kind, children, url = '' }) =>
        !HARMLESS.includes(kind) ||
        children.some((child) => child.kind !== 'text') ||
        (kind === 'link' && !/^https:\/\/(?:venue|scan)\.example\//.test(url)),
    );
}

describe('whatever venue and people write, a message', () => {
  it(
    'is taken by Discord, says everything once, names nobody and keeps its links whole',
    () => {
      let items = 0;
      fc.assert(
        fc.property(
          waiting,
          fc.array(fc.option(hostileText()), { minLength: 7, maxLength: 7 }),
          fc.boolean(),
          fc.constantFrom('grouped' as const, 'each' as const),
          fc.constantFrom(hostileLinks, longLinks),
          fc.constantFrom(...LANGUAGE_TAGS),
          (alerts, labels, isCompact, style, links, tag) => {
            items += alerts.length;
            let { groups } = plan(alerts, {
              ...unalertedChannel(NOW_MS),
              settingsOf: () => ({ ...DEFAULT_SETTINGS, style }),
            });
            const included: Alert[] = [];
            while (groups.length > 0) {
              const message = renderMessage(groups, {
                links,
                sentAtMs: NOW_MS,
                language: languageFor(tag),
                labelOf: (wallet) => labels[WALLETS.indexOf(wallet)] ?? undefined,
                isCompact,
              });
              const { embeds, components } = message.body;
              expect(message.included).toBeGreaterThan(0);
              included.push(...groups.slice(0, message.included).flatMap((group) => group.alerts));
              const shown = groups.slice(0, message.included);
              groups = groups.slice(message.included);

              const taken = discordTakes.safeParse({
                ...message.body,
                allowed_mentions: { parse: [] },
              });
              expect(taken.error?.issues ?? []).toEqual([]);
              const [firstLine = '', small, ...below] = message.body.content.split('\n');
              // A single alert of a compact channel has no box, but a small line.
              const hasBox = !isCompact || shown.length > 1 || embeds.length > 0;
              expect(embeds).toHaveLength(hasBox ? 1 : 0);
              expect(below).toEqual([]);
              expect(small === undefined || (!hasBox && /^-# \S/u.test(small))).toBe(true);
              expect(small ?? '', 'a link with a preview').not.toMatch(/\]\((?!<)/);
              expect(components.length).toBeLessThanOrEqual(5);
              const parts = components.flatMap(
                (row): readonly APIComponentInMessageActionRow[] => row.components,
              );
              const texts = parts.flatMap((part) => ('label' in part ? [part.label ?? ''] : []));
              expect(
                texts.filter((label) => label.trim() === '' || Array.from(label).length > 80),
              ).toEqual([]);
              // Rows have an order of their own, unless they fit as they came alone.
              const menus = [shown, inRowOrder(shown)].map((listed) =>
                groupsWithDetails(listed).map(([{ id }]) => id),
              );
              const asked = parts.flatMap((part) => {
                if ('options' in part)
                  return part.options.flatMap(({ value }) =>
                    value.startsWith('details:') ? value : [],
                  );
                return 'custom_id' in part && part.custom_id.startsWith('details:')
                  ? [part.custom_id]
                  : [];
              });
              expect(menus).toContainEqual(asked.map((id) => parseDetailsId(id)?.reference));
              for (const embed of embeds) assertEmbedLimits(embed);
              expect(
                embeds.filter(({ description = '' }) => description.split('\n').some(isBlank)),
              ).toEqual([]);
              const carried = [
                ...parts.flatMap((part) =>
                  'custom_id' in part ? (referenceIn(part.custom_id) ?? []) : [],
                ),
                ...asked.map((id) => referenceIn(id)),
                ...embeds.flatMap(({ footer }) => /^#(i\d+)$/.exec(footer?.text ?? '')?.[1] ?? []),
              ];
              const ids = shown.flatMap((group) => group.alerts.map(({ id }) => id));
              expect(carried.length, 'A repeat must find it').toBeGreaterThan(0);
              expect(carried.filter((id) => id === undefined || !ids.includes(id))).toEqual([]);
              expect(embeds.flatMap(({ title = '' }) => harmful(title))).toEqual([]);
              expect(embeds.filter(({ title = '' }) => headings(title) > 0)).toEqual([]);
              expect(
                embeds.filter(({ description: text = '' }) => headings(text) !== smallPrint(text)),
              ).toEqual([]);
              expect(harmful(message.body.content)).toEqual([]);
              expect(
                parseMarkdown(firstLine).filter(
                  ({ kind }) => kind === 'link' || kind === 'heading',
                ),
              ).toEqual([]);
              expect(firstLine).toMatch(/^\S+ \S/u);
              // The whole name of a market, each of its letters escaped.
              expect(Array.from(firstLine).length).toBeLessThan(700);
              const urls = embeds.flatMap(({ url }) => (url === undefined ? [] : [url]));
              expect(new Set(urls).size, 'Discord shows embeds with an equal url as one').toBe(
                urls.length,
              );
              expect(urls.filter((url) => !/^https:\/\/venue\.example\//.test(url))).toEqual([]);
              expect(embeds.flatMap(({ description = '' }) => harmful(description))).toEqual([]);
              expect(textOf(message.body)).not.toMatch(/@everyone|@here|<@[!&]?\d/u);
            }
            expect(included.map(({ id }) => id).toSorted()).toEqual(
              alerts.map(({ id }) => id).toSorted(),
            );
          },
        ),
        { ...runs, endOnFailure: true },
      );
      // 43 in the mean; few would say that the cases have become trivial.
      expect(items).toBeGreaterThan(10 * runs.numRuns);
    },
    within(600_000),
  );
});
