import { openLedger } from '@walletbell/venue-server/ledger';
import { createSimulator } from '@walletbell/venue-server/simulator/simulator';
import type { ActivityItem } from '../../src/domain/records.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { addUnknown, readHistory } from '../../src/portfolio/positions/question.ts';
import type { Answer } from '../../src/portfolio/wallet-knowledge.ts';
import {
  addActivityPage,
  type WalletKnowledge,
  withAnswers,
} from '../../src/portfolio/wallet-knowledge.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

const DAY = 86_400;
const PAGE = 100;
const MARKETS_A_REQUEST = 10;
/** Most pages of older trades that are read back per wallet. */
const READ_BACK_PAGES = 10;

/**
 * Counts the requests needed to know the positions of the demo's traders, who are watched for
 * `days` after `past` days of trading and polled at an interval.
 */
export async function run(args: string[]): Promise<void> {
  const { days, past, seconds, seed } = readOptions(args, DEFAULTS.questions);
  const ledger = await openLedger({ path: ':memory:' });
  const nowSeconds = Math.floor(Date.now() / 1000);
  const simulator = createSimulator({ ledger, seed: `${seed}`, nowSeconds: () => nowSeconds });
  await simulator.backfill((days + past) * 24);
  for (const { handle, address } of simulator.traders) {
    const all = (await ledger.allActivity(address))
      .toReversed()
      .toSorted((a, b) => a.time - b.time);
    const { records, ...requests } = await costOf(all, nowSeconds - days * DAY, seconds);
    const perDay = Object.fromEntries(
      Object.entries(requests).map(([name, count]) => [name, count / days]),
    );
    print({ handle, recordsPerDay: Math.round(records / days), perDay });
  }
  await ledger.close();
}

/** @param all oldest first */
async function costOf(all: readonly ActivityItem[], sinceSeconds: number, everySeconds: number) {
  const older = all.filter(({ time }) => time < sinceSeconds);
  const fresh = all.filter(({ time }) => time >= sinceSeconds);
  const readBack = Math.min(READ_BACK_PAGES, Math.ceil(Math.max(0, older.length - PAGE) / PAGE));
  let [questions, positions, said, saidAtOnce] = [0, 0, 0, 0];
  let knowledge: WalletKnowledge | undefined;
  let newestSeconds = sinceSeconds;
  for (const [turn, items] of groupBy(fresh, ({ time }) => Math.floor(time / everySeconds))) {
    const nowSeconds = (turn + 1) * everySeconds;
    const isFirst = knowledge === undefined;
    const page = addActivityPage(knowledge, {
      items: [
        ...items.toReversed(),
        ...(isFirst ? older.slice(items.length - PAGE).toReversed() : []),
      ],
      fresh: items,
      known: [],
      isCut: older.length + items.length > PAGE,
      sinceSeconds: newestSeconds,
      isFirst,
      boundaries: [sinceSeconds],
      gapEndSeconds: null,
      nowSeconds,
    });
    saidAtOnce += page.meanings.filter(({ context }) => context !== null).length;
    const unknown = page.meanings.flatMap(({ isUnknown }, at) => {
      const item = items[at];
      return isUnknown && item !== undefined ? [{ alertId: `${at}`, item, isWanted: true }] : [];
    });
    const seenSeconds = Math.max(newestSeconds, ...items.map(({ time }) => time));
    const detected = { beforeSeconds: newestSeconds, seenSeconds };
    const { open } = addUnknown(
      page.knowledge.questions,
      unknown,
      detected,
      page.knowledge.refusedMarkets,
    );
    const listed = all.filter(({ time }) => time <= seenSeconds);
    for (let from = 0; from < open.length; from += MARKETS_A_REQUEST) {
      const ids = new Set(
        open.slice(from, from + MARKETS_A_REQUEST).map(({ marketId }) => marketId),
      );
      positions += Math.max(
        1,
        Math.ceil(listed.filter(({ marketId }) => ids.has(marketId)).length / PAGE),
      );
    }
    questions += open.length;
    const answers = await Promise.all(
      open.map(async (question): Promise<Answer> => {
        return { question, history: await readHistory(question, listed.toReversed()) };
      }),
    );
    const answered = withAnswers({ ...page.knowledge, questions: open }, answers);
    said += answered.contexts.size;
    knowledge = answered.knowledge;
    newestSeconds = seenSeconds;
  }
  return {
    records: fresh.length,
    markets: questions,
    positionRequests: positions,
    saidAtOnce,
    saidWithAnswer: said,
    readBack,
  };
}
