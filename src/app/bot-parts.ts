import { PermissionFlagsBits } from 'discord.js';
import { createPositionAsker } from '../alerts/ask-positions.ts';
import { createAlertBuilder } from '../alerts/build.ts';
import { createIntake } from '../alerts/intake.ts';
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
import { languagesNaming } from '../language/language.ts';
import { createPagerStore } from '../lookups/pager-store.ts';
import { createPersonDocuments } from '../persons/documents.ts';
import { createFence } from '../store/fence.ts';
import { createQuarantine } from '../store/quarantine.ts';
import { personOf } from '../watches/owner.ts';
import { createRegistry } from '../watches/registry.ts';
import { createImports } from '../watches/transfer/imports.ts';
import { VENUE_NAME_MAX } from './config.ts';
import type { AppContext } from './context.ts';
import { openCollections } from './documents/kinds.ts';
import { openFeed } from './feed-half.ts';

/** Code points of the venue's name with its escapes: each character of it may have one. */
const ESCAPED_NAME_MAX = 2 * VENUE_NAME_MAX + 2;

export type BotParts = Awaited<ReturnType<typeof createParts>>;

/** Makes what the bot half consists of, but for the delivery. Nothing of it works yet, and nothing has been read from the store. */
export async function createParts(context: AppContext) {
  const { config, log, redact, signal, store } = context;
  const { sharding, LIMITS_FILE: exceptions, VENUE_NAME: venueName } = config;

  // What keeps documents. Direct messages come to shard 0. What people look up elsewhere may come to another process: it
  // stores nothing of them.
  const servesPersons = sharding === 'auto' || sharding.ids.includes(0);
  const collections = openCollections(context, store);
  const { channelSettings, digests, resting } = collections;
  const registry = createRegistry(context, store);
  const channelQueues = createChannelQueueStore(collections.queues, collections.deadLetters);
  const pagers = createPagerStore(collections.lists, (ownerId) => servesPersons || personOf(ownerId) === null);
  const personDocuments = createPersonDocuments(collections.persons);
  const detailsRecords = createDetailsRecords(collections.details);

  // The feed, and what alerts are made of and kept in.
  const feed = await openFeed(context, registry);
  const { budget, lookUps } = feed;
  const venueNowSeconds = () => budget.venueNowMs() / 1000;
  const isGone = (channelId: string) => channelQueues.get(channelId).block?.gone === true;
  const alertBuilder = createAlertBuilder(context, { registry, channelSettings, isGone, venueNowSeconds });
  const outbox = createOutbox(context, { store, builder: alertBuilder });
  const isOpen = () => feed.availability.trouble('activity') === null;
  const asked = { lookUps, budget, registry, alertBuilder, outbox, isOpen, signal };
  const positionAsker = createPositionAsker(context, asked);
  const putAside = createQuarantine(store, log);
  const { gaps: onGap } = context.ops.metrics;
  const intake = createIntake(context, { registry, alertBuilder, outbox, positionAsker, putAside, onGap });
  const knowledgeOf = async (wallet: WalletAddress) => (await outbox.stateOf(wallet)).knowledge;

  // Who may use the bot, and how much.
  const {
    WATCHES_PER_GUILD: watchesPerGuild,
    WATCHES_PER_USER: watchesPerUser,
    ALLOWED_GUILDS: allowedGuilds,
  } = config;
  const admission = createAdmission({ allowedGuilds, watchesPerUser, exceptions });
  const commandsPerMinute = { user: config.COMMANDS_PER_MINUTE_USER, guild: config.COMMANDS_PER_MINUTE_GUILD };
  const limits = { watchesPerGuild, watchesPerUser, commandsPerMinute, lookupShare: config.LOOKUP_SHARE };
  const quotas = createQuotas(context, { limits, exceptions, admission, registry, budget });
  const imports = createImports(context, { pending: collections.imports, registry, quotas });

  // The ways to Discord: the gateway's client, and REST for messages.
  const { DISCORD_API_URL: apiUrl, DISCORD_TOKEN: token } = config;
  const client = createDiscordClient(apiUrl, sharding, redact, feed.awaitIdentify);
  const rest = createRest({ apiUrl, token, redact, sharding, fence: createFence(context, store.prove) });
  /** Whether the bot has a permission in a channel. */
  const mayIn = (permission: bigint) => (channelId: string) => hasPermission(client, channelId, permission);
  const selfId = () => client.user?.id ?? null;
  const sender = createSender({ rest, selfId, canReadHistory: mayIn(PermissionFlagsBits.ReadMessageHistory) });

  // What alerts, digests and answers are shown with.
  const languageFor = languagesNaming(venueName === null ? null : escapeText(venueName, ESCAPED_NAME_MAX, ''));
  const preferred = (channelId: string) =>
    personDocuments.ofChannel(channelId)?.language ?? serverChannel(client, channelId)?.guild.preferredLocale;
  /** Of a channel's alerts and digests: its own, else its guild's or its person's. */
  const languageOf = (channelId: string) =>
    languageFor(channelSettings.get(channelId)?.language ?? preferred(channelId));

  return {
    collections,
    registry,
    channelSettings,
    digests,
    resting,
    channelQueues,
    pagers,
    personDocuments,
    detailsRecords,
    feed,
    budget,
    venueNowSeconds,
    alertBuilder,
    outbox,
    positionAsker,
    intake,
    pruneWallet: outbox.prune,
    knowledgeOf,
    admission,
    quotas,
    imports,
    client,
    gateway: trackGateway(client),
    mayIn,
    sender,
    languageFor,
    languageOf,
    links: createLinks(config.links),
    charts: createChartRenderer(),
  };
}
