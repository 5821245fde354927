import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import type { HandedOnAlert } from '../../src/alerts/wallets/handed-on.ts';
import type { NewAlert } from '../../src/alerts/wallets/wallet-document.ts';
import { isPaused } from '../../src/watches/watch.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { happening } from '../support/happening.ts';
import { boughtFor, inMarket, soldFor } from '../support/records.ts';
import { A, CHANNEL, GUILD, OTHER, TestBot } from '../support/test-bot.ts';

/** Channels, and whose they are. */
const OWNERS: Readonly<Record<string, string>> = {
  [CHANNEL]: GUILD,
  [OTHER]: GUILD,
  '200000000000000003': '100000000000000002',
};

const channelId = fc.constantFrom(...Object.keys(OWNERS));
const market = fc.integer({ min: 0, max: 1 });
const happened = fc.oneof(
  happening(5, 'buys', { market }),
  happening(4, 'sells', { market }),
  happening(1, 'page is lost'),
  happening(1, 'restart'),
  happening(1, 'document is damaged'),
  happening(4, 'reads', { channelId }),
  happening(2, 'pauses', { channelId, seconds: fc.constantFrom(null, 2) }),
  happening(2, 'resumes', { channelId }),
  happening(2, 'hears later', { channelId, isLater: fc.boolean() }),
  happening(1, 'filters', {
    channelId,
    kinds: fc.constantFrom<WatchSettings['kinds']>(null, ['buy'], ['deposit']),
  }),
);
type Happened = typeof happened extends fc.Arbitrary<infer Value> ? Value : never;

/** What the wallet's document holds for channels, and for receivers outside of Discord. */
function storedOf(bot: TestBot) {
  const { outbox = [], state = {} } = JSON.parse(bot.disk.get(`wallet:${A}`) ?? '{}');
  const handedOn: readonly HandedOnAlert[] = state.handedOn?.waiting ?? [];
  return { outbox: outbox as readonly NewAlert[], handedOn };
}

/** A bot whose three channels watch a wallet. */
async function openWatched() {
  const bot = new TestBot();
  bot.handsOn = true;
  for (const [channel, ownerId] of Object.entries(OWNERS))
    await bot.watch(A, channel, {}, undefined, ownerId);
  await bot.poll(A);
  const held = [0, 0];
  const trade = async (nth: number, isPurchase: boolean): Promise<void> => {
    const shares = isPurchase ? 100 : (held[nth] ?? 0);
    if (shares === 0) return;
    held[nth] = isPurchase ? (held[nth] ?? 0) + shares : 0;
    const figures = isPurchase ? boughtFor(shares, 50) : soldFor(shares, 60);
    await bot.see(A, { ...figures, ...inMarket(nth) });
  };
  const happenAt = async (channel: string, one: Happened): Promise<void> => {
    const watch = bot.registry.get(channel, A);
    if (watch === undefined) throw new Error('The wallet is watched.');
    if (one.kind === 'pauses') {
      const untilSeconds = one.seconds === null ? null : bot.nowSeconds + one.seconds;
      await bot.change(A, channel, { pause: { untilSeconds } });
    }
    if (one.kind === 'resumes') await bot.change(A, channel, { pause: null });
    if (one.kind === 'filters')
      await bot.change(A, channel, { settings: { ...watch.settings, kinds: one.kinds } });
    if (one.kind === 'hears later') {
      const delay = one.isLater ? { ms: 60_000, fromMs: 0 } : null;
      await bot.setChannel(channel, { ownerId: watch.ownerId, delay });
    }
    if (one.kind === 'reads') {
      const own = storedOf(bot).outbox.filter(({ channels }) => channels.includes(channel));
      const alerts = own.map((alert): Alert => ({ ...alert, wallet: A, channelId: channel }));
      await bot.parts.outbox.acknowledge(channel, alerts, { messageId: 'm1' });
    }
  };
  return {
    bot,
    async happen(one: Happened): Promise<void> {
      if (one.kind === 'buys' || one.kind === 'sells') await trade(one.market, one.kind === 'buys');
      if (one.kind === 'restart') bot.restart();
      if (one.kind === 'document is damaged') {
        bot.nowSeconds += 1;
        bot.disk.set(`wallet:${A}`, '"damaged"');
        bot.restart();
        await bot.poll(A);
      }
      if (one.kind === 'page is lost') {
        bot.nowSeconds += 1;
        await bot.abandon(bot.pageOf(A, 0));
      }
      if ('channelId' in one) await happenAt(one.channelId, one);
    },
  };
}

const isResult = ({ event }: Pick<Alert, 'event'>) => event.kind === 'result';
const nameOf = (id: string, ownerId = '', ofChannel = '') => [id, ownerId, ofChannel].join(' ');

describe('what goes out of Discord', () => {
  it('is each event once an owner, and a result once a channel, where a watch is not paused', async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(happened, { maxLength: 20 }), async (plan) => {
        const { bot, happen } = await openWatched();
        const known = new Set<string>();
        const told: string[] = [];
        const expected: string[] = [];
        for (const one of plan) {
          const before = new Set(told);
          await happen(one);
          const { outbox, handedOn } = storedOf(bot);
          const isOn = (channel: string) => {
            const watch = bot.registry.get(channel, A);
            return watch !== undefined && !isPaused(watch, bot.nowSeconds);
          };
          const news = handedOn.filter(
            (alert) => !before.has(nameOf(alert.id, alert.ownerId, alert.channelId)),
          );
          for (const { id, ownerId, channelId: of, event, watches } of news) {
            told.push(nameOf(id, ownerId, of));
            kinds.add(event.kind);
            expect(watches.filter(({ channel }) => !isOn(channel))).toEqual([]);
          }
          const fresh = [...outbox, ...news].filter(({ id }) => !known.has(id));
          for (const { id } of fresh) known.add(id);
          const results = outbox.filter((alert) => isResult(alert) && fresh.includes(alert));
          for (const { id, channels } of results)
            for (const channel of channels.filter(isOn))
              expected.push(nameOf(id, OWNERS[channel], channel));
          const events = new Set(fresh.filter((alert) => !isResult(alert)).map(({ id }) => id));
          const owners = new Set(
            Object.keys(OWNERS)
              .filter(isOn)
              .map((channel) => OWNERS[channel]),
          );
          for (const id of events) for (const owner of owners) expected.push(nameOf(id, owner));
          expect(told.toSorted()).toEqual(expected.toSorted());
        }
      }),
      { numRuns: 100 },
    );
    expect(kinds).toEqual(new Set(['activity', 'result', 'gap']));
  });
});
