import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import * as z from 'zod';
import { postedKey } from '../../src/alerts/wallets/posted.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { openStore } from '../../src/store/store.ts';
import { watchKey } from '../../src/watches/watch.ts';
import { boughtFor, inMarket, nowSeconds, txHash } from './records.ts';
import { TestBot } from './test-bot.ts';

/** Fills per transaction; a page has room for them. */
const FILLS = 90;
/** Trades per page. */
const TRADES = 50;

export interface FullServer {
  readonly storeUrl: string;
  readonly guildId: string;
  readonly wallet: WalletAddress;
  /** The channel that has received all alerts. */
  readonly deskId: string;
  /** The channels in which alerts are waiting. */
  readonly channelIds: readonly [string, ...string[]];
  /** Number of markets in which the wallet has bought; a multiple of 50. */
  readonly openPositions: number;
  /** Number of waiting alerts per channel; a multiple of 90. */
  readonly waitingAlerts: number;
}

const documentSchema = z.looseObject({
  state: z.looseObject({
    /** Positions by channel. */
    knowledge: z.looseObject({ alertedPositions: z.record(z.string(), z.array(z.unknown())) }),
  }),
  outbox: z.array(z.looseObject({ channels: z.array(z.string()) })),
});

/**
 * Fills a store that no bot has opened yet with a server whose channels all watch one wallet. The
 * bot's own parts store the data of the desk and of one channel; it is then copied to the other
 * channels.
 *
 * @returns the venue's records of the wallet
 */
export async function fillServer(full: FullServer): Promise<readonly LedgerRecord[]> {
  const { storeUrl, guildId, wallet, deskId, channelIds } = full;
  const [sampleId] = channelIds;
  const bot = new TestBot();
  bot.nowSeconds = nowSeconds() - 10_000;
  const records: LedgerRecord[] = [];
  const trade = (changes: Partial<ActivityItem>) => {
    const item = bot.trade(wallet, changes);
    records.push({ kind: 'activity', wallet, block: 1, item });
  };
  const watchIn = (channelId: string) => bot.watch(wallet, channelId, {}, undefined, guildId);

  await watchIn(deskId);
  await bot.poll(wallet);
  for (let market = 0; market < full.openPositions; market += 1) {
    trade({ ...boughtFor(1_000 + market, 500), ...inMarket(market), txHash: txHash() });
    if (market % TRADES < TRADES - 1) continue;
    await bot.poll(wallet);
    await bot.deliver(deskId);
  }
  await watchIn(sampleId);
  for (let alerts = 0; alerts < full.waitingAlerts; alerts += FILLS) {
    const hash = txHash();
    for (let fill = 0; fill < FILLS; fill += 1) {
      trade({ ...boughtFor(100 + fill, 60 + fill), ...inMarket(alerts), txHash: hash });
    }
    await bot.poll(wallet);
    await bot.deliver(deskId);
  }
  await bot.idle();

  const store = await openStore(storeUrl);
  for (const [key, text] of bot.disk) await store.set(key, JSON.parse(text));
  const watch = JSON.parse(bot.disk.get(watchKey({ channelId: sampleId, wallet })) ?? '{}');
  for (const channelId of channelIds) {
    await store.set(watchKey({ channelId, wallet }), { ...watch, channelId });
  }
  const document = documentSchema.parse(JSON.parse(bot.disk.get(`wallet:${wallet}`) ?? '{}'));
  const { alertedPositions } = document.state.knowledge;
  // A page may have moved positions to the sample channel's document, which the wallet's document
  // refers to.
  const positions = alertedPositions[sampleId] ?? [];
  const own = bot.disk.get(postedKey({ channelId: sampleId, wallet }));
  for (const channelId of channelIds) {
    alertedPositions[channelId] = positions;
    if (own === undefined) continue;
    await store.set(postedKey({ channelId, wallet }), { ...JSON.parse(own), channelId });
  }
  for (const alert of document.outbox) alert.channels = [...channelIds];
  await store.set(`wallet:${wallet}`, document);
  await store.close();
  return records;
}
