import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { FakeDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { createAccount, followMessages } from '../../../src/demo/reconcile.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import { messageChange } from '../../e2e/fixture.ts';
import { nowSeconds } from '../records.ts';
import type { Destination } from './destination.ts';

/**
 * Follows Discord's channels: reads the alerts in messages and their order, and detects alerts that
 * appear too early in delayed channels.
 */
export function followChannels(discord: FakeDiscord) {
  /** Delays of channels, in ms. */
  const delays = new Map<string, number>();
  /** Times at which markets and transactions first occurred, by the end of their links. */
  const firstMs = new Map<string, number>();
  let early = 0;
  const account = createAccount();
  const placesByWallet = new Map<string, string[][]>();
  let gaps = 0;
  let edits = 0;
  followMessages(account, discord.events);
  discord.events.on('message', (message) => {
    const delayMs = delays.get(message.channelId) ?? 0;
    const isEarly = (link: string) =>
      message.createdAtMs < (firstMs.get(link) ?? 0) + delayMs && delayMs > 0;
    if (linksIn(message, message.components).some(([link]) => isEarly(link))) early += 1;
    gaps += message.content.startsWith('⚠️') && message.embeds.length > 0 ? 1 : 0;
    if (message.interactionId === null) notePlaces(message, placesByWallet);
  });
  discord.events.on('edit', ({ interactionId }) => {
    if (interactionId === null) edits += 1;
  });
  const destination: Destination = {
    expect(record, atMs) {
      const { item } = record;
      const link = 'marketId' in item ? `/market/${item.marketId}` : `/tx/${item.txHash}`;
      if (!firstMs.has(link)) firstMs.set(link, atMs);
      account.expect(record);
    },
    missing: () => account.balance().lost,
    change: (signal) => messageChange(discord, signal),
    report() {
      const { alerts, lost, duplicates } = account.balance();
      return {
        delivered: alerts,
        lost,
        duplicated: duplicates,
        /** Messages of a delayed channel that contain something too recent. */
        early,
        /** Notices that more had arrived at once than a page shows. */
        gaps,
        /** Number of edits of messages. */
        edits,
        /** Wallets whose purchases or transfers were out of order in a channel. */
        outOfOrder: [...placesByWallet.values()].filter((places) => !isAscending(places)).length,
      };
    },
  };
  return {
    ...destination,
    /** Expects alerts of the wallet in the channel from now on. */
    watch: (wallet: string, channelId: string) => account.watch(wallet, channelId, nowSeconds()),
    /** Delays the channel by this time, in ms. */
    delay: (channelId: string, ms: number) => void delays.set(channelId, ms),
  };
}

/**
 * Returns the links to transactions and markets, each with its kind, the wallet's number and the
 * rest.
 *
 * @param buttons components to search too; by default none
 */
function linksIn({ embeds }: SeenMessage, buttons: SeenMessage['components'] = []) {
  const texts = embeds.map(({ description, url }) => `${url} ${description}`);
  const text = [...texts, JSON.stringify(buttons)].join('\n');
  return [...text.matchAll(/\/(tx\/0x|market\/)(\d)(\d+)/g)];
}

/**
 * Records the purchases and transfers of each wallet in a new message. A transfer links to its
 * transaction, a trade to its market.
 */
function notePlaces(message: SeenMessage, placesByWallet: Map<string, string[][]>): void {
  const { channelId } = message;
  const links = linksIn(message);
  for (const [name, shown] of groupBy(
    links,
    ([, endpoint = '', wallet = '']) => endpoint + wallet,
  )) {
    const key = `${channelId}:${name}`;
    const places = shown.map(([, , , place = '']) => place);
    placesByWallet.set(key, [...(placesByWallet.get(key) ?? []), places]);
  }
}

/**
 * Whether a wallet's purchases, or its transfers, begin in order in a channel. Rows of one message
 * are ordered by USDC, so their order doesn't matter. Later pieces of a purchase don't matter
 * either: if the message of the first piece is full, the rest gets its own message, which may be
 * below a later purchase.
 */
function isAscending(alerts: readonly (readonly string[])[]): boolean {
  const begun = [...new Set(alerts.flatMap((places) => places.toSorted()))];
  return begun.every((place, index) => place >= (begun[index - 1] ?? ''));
}
