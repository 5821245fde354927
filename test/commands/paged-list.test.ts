import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { activity } from '../../commands/activity.ts';
import { flows } from '../../commands/flows.ts';
import type { CommandContext } from '../../commands/shared/context.ts';
import { createChartRenderer } from '../../src/charts/render.ts';
import { createWorkTurns } from '../../src/discord/quotas/work-turns.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH, languageFor } from '../../src/language/language.ts';
import { createPageScanCache } from '../../src/lookups/page-scan.ts';
import { createPagerStore, pagerKind } from '../../src/lookups/pager-store.ts';
import type {
  ButtonUse,
  CommandUse,
  SlashCommand,
} from '../../src/slash-commands/slash-command.ts';
import { accountOf } from '../support/accounts.ts';
import { documentStore } from '../support/documents.ts';
import { quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { trade, transfer } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';

const NOW_SECONDS = 1_795_257_000;

type Page = (wallet: string, ask: { readonly cursor?: string }) => Promise<object>;
type Answer = (message: {
  readonly files: readonly { readonly attachment: Buffer }[];
}) => Promise<void>;

/** A list as people use it, of a venue that has this page for each cursor. */
function openList(
  command: SlashCommand<CommandContext>,
  { page, onDrawn, answer = async () => {} }: { page: Page; onDrawn: () => void; answer?: Answer },
) {
  const charts = createChartRenderer();
  const { inTurn } = createWorkTurns();
  const nowMs = () => NOW_SECONDS * 1000;
  const context = {
    venue: { activity: page, transfers: page },
    registry: { ofWallet: () => [], ofOwner: () => [] },
    place: { kind: 'server', ownerId: '100000000000000001' },
    labelOf: () => null,
    pagers: createPagerStore(pagerKind.open(testMachine({ nowMs }), documentStore()), () => true),
    scans: { activity: createPageScanCache(), flows: createPageScanCache() },
    watchesForAll: () => [],
    charts: {
      png(svg: string) {
        onDrawn();
        return charts.png(svg);
      },
    },
    inTurn: (work: () => Promise<unknown>) => inTurn(accountOf('100000000000000001'), 'ada', work),
    links: createLinks({}),
    languageFor,
    language: ENGLISH,
    venueNowSeconds: () => NOW_SECONDS,
    nowMs,
    log: quietLog(),
  } as unknown as CommandContext;
  const options = { getString: (name: string) => (name === 'wallet' ? WALLET : null) };
  const press = (...values: string[]) =>
    command.press?.(
      { editReply: answer, followUp: answer } as unknown as ButtonUse,
      ['list', ...values],
      context,
    );
  return {
    async type(id: string) {
      const typed = { id, options, editReply: answer } as unknown as CommandUse;
      await command.execute(typed, context, command.check?.(typed, context));
    },
    turnTo: (number: number) => press(`${number}`, `${number * 10}`),
    press,
  };
}

it('draws the chart of a list once, however often its pages are turned, and anew when more has been read', async () => {
  let drawn = 0;
  const files: Buffer[] = [];
  const { type, turnTo } = openList(flows, {
    async page(_wallet, { cursor = '0' }) {
      const page = Number(cursor);
      const items = Array.from({ length: 100 }, (_, index) =>
        transfer({ time: NOW_SECONDS - (page * 100 + index) * 60, txHash: `0x${page}-${index}` }),
      );
      return { items, skipped: [], nextCursor: page < 4 ? String(page + 1) : null };
    },
    onDrawn: () => {
      drawn += 1;
    },
    answer: async (message) =>
      void files.push(...message.files.map(({ attachment }) => attachment)),
  });
  await type('list');
  for (const page of [1, 2, 1, 0, 1]) await turnTo(page);
  expect(files).toHaveLength(6);
  expect(new Set(files).size).toBe(1);
  expect(drawn).toBe(1);
  // Beyond the three hundred that were read at first.
  await turnTo(30);
  await turnTo(29);
  expect(drawn).toBe(2);
});

/**
 * Counts the records that are read in one turn of the event loop: what is drawn into one picture
 * counts as the picture.
 */
function countRecords() {
  const inTurn = new Set<object>();
  const count = {
    most: 0,
    all: new Set<object>(),
    picture: () => inTurn.clear(),
    watched<Item extends object>(item: Item): Item {
      const note = () => {
        if (inTurn.size === 0) setImmediate(() => end());
        inTurn.add(item);
      };
      return new Proxy(item, {
        get(target, name, receiver) {
          note();
          return Reflect.get(target, name, receiver);
        },
        ownKeys(target) {
          note();
          return Reflect.ownKeys(target);
        },
      });
    },
  };
  const end = () => {
    count.most = Math.max(count.most, inTurn.size);
    for (const item of inTurn) count.all.add(item);
    inTurn.clear();
  };
  return count;
}

it.each([
  ['activity', activity],
  ['flows', flows],
] as const)(
  'handles at most a hundred records, or one picture, before others have a turn: %s',
  async (name, command) => {
    const [pages, size] = [20, 100];
    const counted = countRecords();
    let isWhole = false;
    const page: Page = async (_wallet, { cursor = '0' }) => {
      await nextTurn();
      const items = Array.from({ length: size }, (_, index) => {
        const n = Number(cursor) * size + index;
        const of = { time: NOW_SECONDS - n * 60, txHash: `0x${n}` };
        const inMarket = {
          conditionId: `${n % 40}`,
          tokenId: `${n % 40}`,
          action: n % 3 ? 'Buy' : 'Sell',
        };
        return counted.watched<object>(
          name === 'flows' ? transfer(of) : trade({ ...of, ...inMarket }),
        );
      });
      const next = Number(cursor) + 1;
      return { items, skipped: [], nextCursor: next < (isWhole ? 3 : pages) ? String(next) : null };
    };
    const { type, turnTo, press } = openList(command, { page, onDrawn: counted.picture });
    await type('list');
    for (const turn of [199, 0]) await turnTo(turn);
    await press('csv');
    expect(counted.all.size).toBeGreaterThanOrEqual(500);
    // What is held is worked out of a list that has been read to its end.
    isWhole = true;
    await type('whole');
    expect(counted.most).toBeLessThanOrEqual(100);
  },
);
