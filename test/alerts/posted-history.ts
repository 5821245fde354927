import fc from 'fast-check';
import type { Alert } from '../../src/alerts/alert.ts';
import { readWalletDocument } from '../../src/alerts/wallets/wallet-document.ts';
import type { Settlement } from '../../src/domain/settlement.ts';
import { entryKeys } from '../../src/portfolio/market.ts';
import { readHistory } from '../../src/portfolio/positions/question.ts';
import { withAnswers, withSettlements } from '../../src/portfolio/wallet-knowledge.ts';
import { happening } from '../support/happening.ts';
import { inMarket } from '../support/records.ts';
import { A, START, TestBot } from '../support/test-bot.ts';
import { storeAsFormat11 } from './older-format.ts';

export const CHANNELS = Array.from({ length: 4 }, (_, n) =>
  String(300_000_000_000_000_000n + BigInt(n)),
);
/** The one that hears later. */
export const [, , , DELAYED = ''] = CHANNELS;
const MARKETS = 6;
const KEY = `wallet:${A}`;

const channel = fc.constantFrom(...CHANNELS);
const market = fc.nat({ max: MARKETS - 1 });

/** What may happen to a bot whose channels watch one wallet. */
export const historySteps = fc.oneof(
  happening(9, 'buys', { market, isSeen: fc.boolean() }),
  happening(6, 'sells', { market, isWhole: fc.boolean(), isSeen: fc.boolean() }),
  happening(14, 'delivers', { channel, isDelivered: fc.boolean(), parts: fc.nat({ max: 3 }) }),
  happening(2, 'settles', { market }),
  happening(3, 'answers', { isKnown: fc.boolean() }),
  happening(3, 'moves'),
  happening(2, 'write refused', { channel, isKept: fc.boolean(), isPage: fc.boolean() }),
  happening(2, 'restarts', { readBy: fc.constantFrom('start', 'pass', 'page', 'state') }),
  happening(1, 'older format'),
  happening(1, 'watch ends', { channel }),
  happening(1, 'watch begins', { channel }),
  happening(2, 'document damaged', {
    channel,
    how: fc.constantFrom('unreadable' as const, 'missing' as const, 'of the future' as const),
  }),
  happening(1, 'wallet damaged', { isMissing: fc.boolean() }),
);
export type HistoryStep = typeof historySteps extends fc.Arbitrary<infer Step> ? Step : never;

/** A bot with four channels, one of which hears later, and a wallet of which not all is known. */
export async function openHistory() {
  const bot = new TestBot();
  const watch = (channelId: string) => {
    const owner = String(400_000_000_000_000_000n + BigInt(CHANNELS.indexOf(channelId)));
    const begunSeconds = bot.nowSeconds === START ? START : bot.nowSeconds;
    return bot.watch(A, channelId, {}, begunSeconds, owner);
  };
  for (const channelId of CHANNELS) await watch(channelId);
  await bot.setChannel(DELAYED, { delay: { ms: 60_000, fromMs: 0 } });
  // Older trades that the page does not show, so that the venue is asked about each market.
  await bot.take(bot.pageOf(A, 1, { hasMore: true }));
  const ledger: ReturnType<TestBot['trade']>[] = [];
  const held = new Map<number, number>();
  /** What has moved to the documents of the channel that hears later. */
  let moved: readonly Alert[] = [];
  /** Alerts that a channel has got, or never will, by its id. */
  const done = new Map(CHANNELS.map((channelId) => [channelId, new Set<string>()]));

  const acknowledge = async (channelId: string, alerts: readonly Alert[], isDelivered: boolean) => {
    const messageId = `m${ledger.length}`;
    const delivered = isDelivered ? { messageId } : null;
    await bot.parts.outbox.acknowledge(channelId, alerts, delivered, () => true);
    const ids = new Set(alerts.map(({ id }) => id));
    for (const id of ids) done.get(channelId)?.add(id);
    if (channelId === DELAYED) moved = moved.filter(({ id }) => !ids.has(id));
  };

  const deliver = async (channelId: string, isDelivered: boolean, parts: number) => {
    const waiting = channelId === DELAYED ? moved : bot.allWaiting(channelId);
    const some = parts === 0 ? waiting : waiting.filter((_, index) => index % 3 < parts);
    if (some.length > 0) await acknowledge(channelId, some, isDelivered);
  };

  const trade = async (changes: Parameters<TestBot['trade']>[1], isSeen: boolean) => {
    ledger.push(bot.trade(A, changes));
    if (isSeen) await bot.poll(A);
  };

  const move = () =>
    bot.parts.outbox.moveOn(A, {
      isReady: () => true,
      isKept: ({ id }) => moved.some((alert) => alert.id === id),
      keep: async (_channelId, alerts) => {
        moved = [...moved, ...alerts];
      },
    });

  /**
   * The next write is rejected.
   *
   * @param isKept whether the store has it all the same
   */
  const refuseOne = async (isKept: boolean, work: () => Promise<unknown>) => {
    const { set } = bot.disk;
    let left = 1;
    bot.disk.set = (key, text) => {
      left -= 1;
      if (left >= 0) {
        if (isKept) set.call(bot.disk, key, text);
        throw new Error('The connection is lost.');
      }
      return set.call(bot.disk, key, text);
    };
    await work().catch(() => {});
    bot.disk.set = set;
  };

  /** Whether the wallet's document says that a channel has a document. */
  const isMissed = (channelId: string): boolean => {
    const loaded = readWalletDocument(JSON.parse(bot.disk.get(KEY) ?? 'null'));
    const runs = loaded?.document.state.knowledge?.alertedPositions[channelId] ?? [];
    return runs.some((run) => Array.isArray(run));
  };

  const take = async (step: HistoryStep): Promise<void> => {
    if (step.kind === 'buys') {
      held.set(step.market, (held.get(step.market) ?? 0) + 10);
      return trade({ ...inMarket(step.market), quantity: 10 }, step.isSeen);
    }
    if (step.kind === 'sells') {
      const shares = held.get(step.market) ?? 0;
      if (shares === 0) return;
      const quantity = step.isWhole ? shares : Math.ceil(shares / 2);
      held.set(step.market, shares - quantity);
      return trade({ ...inMarket(step.market), action: 'Sell', quantity }, step.isSeen);
    }
    if (step.kind === 'delivers') return deliver(step.channel, step.isDelivered, step.parts);
    if (step.kind === 'settles') {
      const item = ledger.find(({ marketId }) => marketId === `${step.market}`);
      if (item === undefined) return;
      const { market: name, outcome } = entryKeys(item);
      const payouts = new Map([[outcome, 1]]);
      const settlement: Settlement = { market: name, atSeconds: bot.nowSeconds, payouts };
      await bot.parts.outbox.learn(A, (knowledge, boundaries) =>
        withSettlements(knowledge, [settlement], boundaries),
      );
      return;
    }
    if (step.kind === 'answers') {
      const [question] = bot.parts.walletIndex.questions(A);
      if (question === undefined) return;
      const answer = step.isKnown ? ledger.toReversed() : ('never' as const);
      const history = await readHistory(question, answer);
      await bot.parts.outbox.learn(A, (knowledge) =>
        withAnswers(knowledge, [{ question, history }]),
      );
      return;
    }
    if (step.kind === 'moves') return move();
    if (step.kind === 'write refused') {
      await refuseOne(step.isKept, () =>
        step.isPage ? trade(inMarket(0), true) : deliver(step.channel, true, 0),
      );
      return;
    }
    if (step.kind === 'restarts') {
      bot.readsLater = step.readBy !== 'start';
      bot.restart();
      bot.readsLater = false;
      if (step.readBy === 'pass') await bot.parts.firstReading.run();
      if (step.readBy === 'page') await bot.poll(A);
      // As a command does that comes before.
      if (step.readBy === 'state') await bot.parts.outbox.stateOf(A);
      return;
    }
    if (step.kind === 'older format') {
      storeAsFormat11(bot, A);
      return bot.restart();
    }
    if (step.kind === 'watch ends') {
      await bot.registry.remove(step.channel, A);
      await bot.idle();
      if (bot.registry.ofWallet(A).length > 0) await bot.parts.outbox.forgetUnwatched(A);
      if (step.channel === DELAYED) moved = [];
      // Nothing of it waits any more, as delivery sees to it.
      await acknowledge(step.channel, bot.allWaiting(step.channel), false);
      done.get(step.channel)?.clear();
      return;
    }
    if (step.kind === 'watch begins') return watch(step.channel);
    if (step.kind === 'document damaged') {
      const key = `posted:${step.channel}:${A}`;
      const text = bot.disk.get(key);
      if (text === undefined) return;
      // The notice of another second is another one.
      bot.nowSeconds += 1;
      const future = JSON.stringify({ ...JSON.parse(text), revision: 1_000_000 });
      // The wallet's document does not know it yet: what it alone said is gone with it.
      if (step.how === 'missing' && !isMissed(step.channel)) done.get(step.channel)?.clear();
      if (step.how === 'missing') bot.disk.delete(key);
      else bot.disk.set(key, step.how === 'unreadable' ? '{"half":1}' : future);
      bot.restart();
      // A start reads what is damaged.
      await bot.parts.outbox.stateOf(A);
      return;
    }
    bot.nowSeconds += 1;
    // What was seen before may be seen again.
    for (const ids of done.values()) ids.clear();
    if (step.isMissing) bot.disk.delete(KEY);
    else bot.disk.set(KEY, '"damaged"');
    bot.restart();
    await bot.parts.outbox.stateOf(A);
  };

  return {
    bot,
    done,
    /** @returns once nothing is under way */
    async take(step: HistoryStep): Promise<void> {
      await take(step);
      await bot.idle();
    },
  };
}
