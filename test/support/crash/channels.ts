import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { FakeDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { createAccount, followMessages } from '../../../src/demo/reconcile.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import { messageChange } from '../../e2e/fixture.ts';
import { nowSeconds } from '../records.ts';
import type { Destination } from './destination.ts';

/** Channels of Discord: reads what the messages show, and in which order. */
export function followChannels(discord: FakeDiscord) {
  const account = createAccount();
  const placesByWallet = new Map<string, string[][]>();
  let gaps = 0;
  let edits = 0;
  followMessages(account, discord.events);
  discord.events.on('message', (message) => {
    gaps += message.content.startsWith('⚠️') && message.embeds.length > 0 ? 1 : 0;
    if (message.interactionId === null) notePlaces(message, placesByWallet);
  });
  discord.events.on('edit', ({ interactionId }) => {
    if (interactionId === null) edits += 1;
  });
  const destination: Destination = {
    expect: (record) => account.expect(record),
    missing: () => account.balance().lost,
    change: (signal) => messageChange(discord, signal),
    report() {
      const { alerts, lost, duplicates } = account.balance();
      return {
        delivered: alerts,
        lost,
        duplicated: duplicates,
        /** Notices that more had arrived at once than a page shows. */
        gaps,
        /** Messages that were changed, each time. */
        edits,
        /** Purchases and transfers of a wallet that did not stand in their order in a channel. */
        outOfOrder: [...placesByWallet.values()].filter((places) => !isAscending(places)).length,
      };
    },
  };
  return {
    ...destination,
    /** From now on the channel has to get alerts of the wallet. */
    watch: (wallet: string, channelId: string) => account.watch(wallet, channelId, nowSeconds()),
  };
}

/**
 * Notes which purchases and transfers of each wallet a new message shows: a transfer links its
 * transaction, a trade its market.
 */
function notePlaces(
  { channelId, embeds }: SeenMessage,
  placesByWallet: Map<string, string[][]>,
): void {
  const text = embeds.map(({ description, url }) => `${url} ${description}`).join('\n');
  const links = [...text.matchAll(/\/(tx\/0x|market\/)(\d)(\d+)/g)];
  for (const [name, shown] of groupBy(
    links,
    ([, endpoint = '', wallet = '']) => endpoint + wallet,
  )) {
    const key = `${channelId}:${name}`;
    const places = shown.map(([, , , place = '']) => place);
    placesByWallet.set(key, [...(placesByWallet.get(key) ?? []), places]);
  }
}

/** Of one endpoint, nothing that an alert shows is earlier than what the alert before it showed. */
function isAscending(alerts: readonly (readonly string[])[]): boolean {
  return alerts.every((places, index) => {
    const latestBefore = alerts[index - 1]?.toSorted().at(-1) ?? '';
    return places.every((place) => place >= latestBefore);
  });
}
