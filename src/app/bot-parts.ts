import { PermissionFlagsBits } from 'discord.js';
import { createPositionAsker } from '../alerts/ask-positions.ts';
import { createAlertBuilder } from '../alerts/build.ts';
import { createHolds } from '../alerts/holds.ts';
import { createOutbox } from '../alerts/outbox.ts';
import { createChartRenderer } from '../charts/render.ts';
import { createChannelQueueStore } from '../delivery/channel-queue.ts';
import { createSender } from '../delivery/sender.ts';
import { createDetailsRecords } from '../details/records.ts';
import { createDiscordClient, createRest } from '../discord/client.ts';
import { trackGateway } from '../discord/gateway/gateway.ts';
import { createAdmission } from '../discord/guilds/admission.ts';
import { hasPermission, serverChannel } from '../discord/permissions.ts';
import { createQuotas } from '../discord/quotas/quotas.ts';
import type { WalletAddress } from '../domain/address.ts';
import { createLinks } from '../embeds/links.ts';
import { escapeText } from '../embeds/text/escape.ts';
import type { Feed } from '../feed/interface.ts';
import { languagesNaming } from '../language/language.ts';
import { createPagerStore } from '../lookups/pager-store.ts';
import { createPersonDocuments } from '../persons/documents.ts';
import { createFence } from '../store/fence.ts';
import type { Store } from '../store/store.ts';
import { channelLanguages } from '../watches/channel-settings.ts';
import { personOf } from '../watches/owner.ts';
import { createRegistry } from '../watches/registry.ts';
import { createImports } from '../watches/transfer/imports.ts';
import { VENUE_NAME_MAX } from './config.ts';
import { type AppContext, monotonicMs, nowMs } from './context.ts';
import { openCollections } from './documents/kinds.ts';

/** Code points of the venue's name with its escapes: each character of it may have one. */
const ESCAPED_NAME_MAX = 2 * VENUE_NAME_MAX + 2;

export type Documents = ReturnType<typeof createDocuments>;
export type Polling = ReturnType<typeof createPolling>;
export type Limits = ReturnType<typeof createLimits>;
export type Discord = ReturnType<typeof createDiscord>;
export type Presentation = ReturnType<typeof createPresentation>;

/** The store, and what keeps documents in it. */
export function createDocuments(store: Store, context: AppContext) {
  const { sharding } = context.config;
  // Direct messages come to shard 0. What people look up elsewhere may come to another process: it stores nothing of them.
  const servesPersons = sharding === 'auto' || sharding.ids.includes(0);
  const collections = openCollections(context, store);
  const { channelSettings, digests, resting } = collections;
  return {
    store,
    collections,
    registry: createRegistry(context, store),
    channelSettings,
    resting,
    digests,
    channelQueues: createChannelQueueStore(collections.queues, collections.deadLetters),
    pagers: createPagerStore(collections.lists, (ownerId) => servesPersons || personOf(ownerId) === null),
    persons: createPersonDocuments(collections.persons),
    detailsRecords: createDetailsRecords(collections.details),
  };
}

/** What alerts are made of and kept in, and the feed that they come from. */
export function createPolling(
  { store, registry, channelSettings, channelQueues }: Documents,
  feed: Feed,
  context: AppContext,
) {
  const { budget } = feed;
  const holds = createHolds(monotonicMs);
  const alertBuilder = createAlertBuilder(context, {
    registry,
    channelSettings,
    isGone: (channelId) => channelQueues.get(channelId).block?.gone === true,
    venueNowSeconds: () => budget.venueNowMs() / 1000,
  });
  const outbox = createOutbox(context, { store, builder: alertBuilder });
  const positionAsker = createPositionAsker(context, {
    lookUps: feed.lookUps,
    budget,
    registry,
    alertBuilder,
    outbox,
    holds,
    isOpen: () => feed.availability.trouble('activity') === null,
    signal: context.signal,
  });
  const pruneWallet = (wallet: WalletAddress) =>
    outbox.commit(wallet, (state) => alertBuilder.withoutUnwatched(wallet, state));
  return { feed, budget, alertBuilder, outbox, holds, positionAsker, pruneWallet };
}

/** Who may use the bot, and how much. */
export function createLimits({ collections, registry }: Documents, { budget }: Polling, context: AppContext) {
  const { config } = context;
  const admission = createAdmission({
    allowedGuilds: config.allowedGuilds,
    watchesPerUser: config.watchesPerUser,
    exceptions: config.limitExceptions,
  });
  const quotas = createQuotas(context, {
    limits: {
      watchesPerGuild: config.watchesPerGuild,
      watchesPerUser: config.watchesPerUser,
      commandsPerMinute: { user: config.commandsPerMinuteUser, guild: config.commandsPerMinuteGuild },
      lookupShare: config.lookupShare,
    },
    exceptions: config.limitExceptions,
    admission,
    registry,
    budget,
  });
  return { admission, quotas, imports: createImports(context, { pending: collections.imports, registry, quotas }) };
}

/** The ways to Discord: the gateway's client, and REST for messages. */
export function createDiscord({ prove }: Store, { feed }: Pick<Polling, 'feed'>, { config, redact }: AppContext) {
  const { discordApiUrl: apiUrl, discordToken: token, sharding } = config;
  const client = createDiscordClient(apiUrl, sharding, redact, feed.awaitIdentify);
  const rest = createRest({ apiUrl, token, redact, sharding, fence: createFence({ nowMs, monotonicMs }, prove) });
  /** Whether the bot has a permission in a channel. */
  const mayIn = (permission: bigint) => (channelId: string) => hasPermission(client, channelId, permission);
  const selfId = () => client.user?.id ?? null;
  const sender = createSender({ rest, selfId, canReadHistory: mayIn(PermissionFlagsBits.ReadMessageHistory) });
  return { client, gateway: trackGateway(client), rest, mayIn, sender };
}

/** What alerts, digests and answers are shown with. */
export function createPresentation(
  { channelSettings, persons }: Documents,
  { client }: Discord,
  { config }: AppContext,
) {
  const { venueName } = config;
  const languageFor = languagesNaming(venueName === null ? null : escapeText(venueName, ESCAPED_NAME_MAX, ''));
  const languageOf = channelLanguages(
    channelSettings,
    (channelId) => persons.ofChannel(channelId)?.language ?? serverChannel(client, channelId)?.guild.preferredLocale,
    languageFor,
  );
  return { links: createLinks(config.links), languageFor, languageOf, charts: createChartRenderer() };
}

/** Reads what is known of a wallet from its document. */
export function knowledgeReader({ outbox }: Polling) {
  return async (wallet: WalletAddress) => (await outbox.stateOf(wallet)).knowledge;
}
