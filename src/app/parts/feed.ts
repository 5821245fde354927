import { PERSON_SIGN, personOf } from '../../watches/owner.ts';
import { createPayers } from '../../watches/payers.ts';
import type { AppContext } from '../context.ts';
import { openFeed } from '../feed-half.ts';
import { followLimits } from '../limits.ts';
import type { DocumentParts } from './documents.ts';

export type FeedParts = Awaited<ReturnType<typeof createFeedParts>>;

/** Creates the feed and the accounts that it polls for. */
export async function createFeedParts(context: AppContext, { registry }: DocumentParts) {
  const { config, log } = context;
  const limits = followLimits(log, config.limits);
  const payers = createPayers({
    secret: config.DISCORD_TOKEN,
    weightOf: (ownerId) => limits.get(ownerId)?.weight,
  });
  const feed = await openFeed(context, registry, payers);
  payers.listen((ownerId) => {
    const persons = () => [...registry.owners()].filter((owner) => personOf(owner) !== null);
    const owners = ownerId === PERSON_SIGN ? persons() : [ownerId];
    for (const { wallet } of owners.flatMap(registry.ofOwner)) feed.watchersChanged(wallet);
  });
  const { budget } = feed;
  const { venueNowMs } = budget;
  const venueNowSeconds = () => venueNowMs() / 1000;
  return {
    limits,
    payers,
    feed,
    budget,
    venueNowMs,
    venueNowSeconds,
  };
}
