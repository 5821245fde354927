import { pino } from 'pino';
import { expect, it } from 'vitest';
import { flows } from '../../commands/flows.ts';
import type { CommandContext } from '../../commands/shared/context.ts';
import { createPictureCache } from '../../src/charts/picture-cache.ts';
import { createChartRenderer } from '../../src/charts/render.ts';
import type { ButtonUse, CommandUse } from '../../src/discord/slash-command.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { createPageScanCache } from '../../src/lookups/page-scan-cache.ts';
import { createPagerStore } from '../../src/lookups/pager-store.ts';
import { transfer, WALLET } from '../e2e/fixture.ts';
import { documentStore } from '../support/documents.ts';

const NOW_SECONDS = 1_795_257_000;
const GUILD = '100000000000000001';

it('draws the chart of a list once, however often its pages are turned, and anew when more has been read', async () => {
  const pages = 5;
  const charts = createChartRenderer();
  let drawn = 0;
  const context = {
    venue: {
      async transfers(_wallet: string, { cursor = '0' }: { readonly cursor?: string }) {
        const page = Number(cursor);
        const items = Array.from({ length: 100 }, (_, index) =>
          transfer({ time: NOW_SECONDS - (page * 100 + index) * 60, txHash: `0x${page}-${index}` }),
        );
        return { items, skipped: [], nextCursor: page + 1 < pages ? String(page + 1) : null };
      },
    },
    registry: { ofWallet: () => [], ofOwner: () => [] },
    place: { kind: 'server', ownerId: GUILD },
    labelOf: () => null,
    pagers: createPagerStore(documentStore(), { nowMs: () => NOW_SECONDS * 1000 }),
    scans: { activity: createPageScanCache(), flows: createPageScanCache() },
    charts: {
      png(svg: string) {
        drawn += 1;
        return charts.png(svg);
      },
    },
    pictures: createPictureCache(1_000_000),
    links: createLinks({}),
    language: ENGLISH,
    venueClock: () => ({ nowMs: NOW_SECONDS * 1000, isKnown: true }),
    nowMs: () => NOW_SECONDS * 1000,
    log: pino({ level: 'silent' }),
  } as unknown as CommandContext;
  const files: Buffer[] = [];
  const editReply = async (message: { readonly files: readonly { readonly attachment: Buffer }[] }) => {
    for (const { attachment } of message.files) files.push(attachment);
  };
  const options = { getString: (name: string) => (name === 'wallet' ? WALLET : null) };
  await flows.execute({ id: 'list', options, editReply } as unknown as CommandUse, context);
  const turnTo = (page: number) =>
    flows.press?.({ editReply } as unknown as ButtonUse, ['list', String(page)], context);
  for (const page of [1, 2, 1, 0, 1]) await turnTo(page);
  expect(files).toHaveLength(6);
  expect(new Set(files).size).toBe(1);
  expect(drawn).toBe(1);
  // Beyond the three hundred that were read at first.
  await turnTo(30);
  await turnTo(29);
  expect(drawn).toBe(2);
});
