import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { FakeDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { createAccount, followMessages } from '../../../src/demo/reconcile.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import { messageChange } from '../../e2e/fixture.ts';
import { nowSeconds } from '../records.ts';
import type { Destination } from './destination.ts';

/**
 * Channels of Discord: reads what the messages show, and in which order, and of channels that hear
 * later whether they show it too early.
 */
export function followChannels(discord: FakeDiscord) {
  /** Delays of channels, ms. */
  const delays = new Map<string, number>();
  /** Times at which markets and transactions were first played, by the end of their links. */
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
        /** Messages of a channel that hears later with something too young for it. */
        early,
        /** Notices that more had arrived at once than a page shows. */
        gaps,
        /** Messages that were changed, each time. */
        edits,
        /** Wallets whose purchases, or transfers, did not begin in their order in a channel. */
        outOfOrder: [...placesByWallet.values()].filter((places) => !isAscending(places)).length,
      };
    },
  };
  return {
    ...destination,
    /** From now on the channel has to get alerts of the wallet. */
    watch: (wallet: string, channelId: string) => account.watch(wallet, channelId, nowSeconds()),
    /** The channel hears later by so much, ms. */
    delay: (channelId: string, ms: number) => void delays.set(channelId, ms),
  };
}

/**
 * Links to transactions and markets: with the kind, the number of the wallet and the rest.
 *
 * @param buttons in which there are some, too; left out: none are read
 */
function linksIn({ embeds }: SeenMessage, buttons: SeenMessage['components'] = []) {
  const texts = embeds.map(({ description, url }) => `${url} ${description}`);
  const text = [...texts, JSON.stringify(buttons)].join('\n');
  return [...text.matchAll(/\/(tx\/0x|market\/)(\d)(\d+)/g)];
}

/**
 * Notes which purchases and transfers of each wallet a new message shows: a transfer links its
 * transaction, a trade its market.
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
 * Whether a wallet's purchases, or its transfers, begin in a channel in their order: rows of one
 * message have an order of their own, by USDC. The rest of a purchase counts for nothing: where the message of the first piece has no room left, it gets
 * a message of its own, and that may stand below a later purchase.
 */
function isAscending(alerts: readonly (readonly string[])[]): boolean {
  const begun = [...new Set(alerts.flatMap((places) => places.toSorted()))];
  return begun.every((place, index) => place >= (begun[index - 1] ?? ''));
}
