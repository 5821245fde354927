import { nameLargeGuilds } from '../discord/guilds/large.ts';
import { learnOwners } from '../discord/guilds/owners.ts';
import type { AppContext } from './context.ts';
import { createAlertParts } from './parts/alerts.ts';
import { createAlertsOutParts } from './parts/alerts-out.ts';
import { createDeliveryParts } from './parts/delivery.ts';
import { createDiscordParts } from './parts/discord.ts';
import { createDocumentParts } from './parts/documents.ts';
import { createFeedParts } from './parts/feed.ts';
import { createQuotaParts } from './parts/quotas.ts';

export type BotParts = Awaited<ReturnType<typeof createParts>>;

/**
 * Creates the parts of the bot half. Nothing runs yet, and nothing has been read from the store.
 */
export async function createParts(context: AppContext) {
  const documents = createDocumentParts(context);
  const feed = await createFeedParts(context, documents);
  const kept = { ...documents, ...feed };
  const alerts = createAlertParts(context, kept);
  const alertsOut = createAlertsOutParts(context, { ...kept, ...alerts });
  const quotas = createQuotaParts(context, kept);
  const discord = createDiscordParts(context, kept);
  const delivery = createDeliveryParts(context, { ...kept, ...alerts, ...discord });
  learnOwners(discord.client, feed.payers.learn);
  nameLargeGuilds(context, discord.client);
  return {
    ...kept,
    ...alerts,
    ...alertsOut,
    ...quotas,
    ...discord,
    ...delivery,
  };
}
