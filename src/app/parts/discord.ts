import { PermissionFlagsBits } from 'discord.js';
import { createSender } from '../../delivery/sender.ts';
import { createDiscordClient, createRest } from '../../discord/client.ts';
import { trackGateway } from '../../discord/gateway/gateway.ts';
import { createGatewayFaults } from '../../discord/gateway/guard.ts';
import { patientStrategy } from '../../discord/gateway/patient-strategy.ts';
import { requestsPerSecond, shareOf } from '../../discord/gateway/shards.ts';
import { hasPermission, reachOf, serverChannel } from '../../discord/permissions.ts';
import { createRefusals } from '../../discord/requests/refusals.ts';
import { createTokenUse } from '../../discord/requests/token-use.ts';
import { createRequestTurns } from '../../discord/requests/turns.ts';
import { createBusiestPayers } from '../../lib/fair-shares/busiest-payers.ts';
import { createFence } from '../../store/store.ts';
import { personOwner } from '../../watches/owner.ts';
import type { AppContext } from '../context.ts';
import type { DocumentParts } from './documents.ts';
import type { FeedParts } from './feed.ts';

export type DiscordParts = ReturnType<typeof createDiscordParts>;

/** Creates the connections to Discord: the gateway's client, and REST for messages. */
export function createDiscordParts(context: AppContext, parts: DocumentParts & FeedParts) {
  const { config, redact, signal, store } = context;
  const { sharding, DISCORD_API_URL: apiUrl, DISCORD_TOKEN: token } = config;
  const { registry, personDocuments, feed } = parts;
  const { accountOf } = parts.payers;
  const ownerOf = (channelId: string): string | null => {
    const watchedBy = registry.ofChannel(channelId)[0]?.ownerId;
    const person = personDocuments.ofChannel(channelId);
    const personId = person === undefined ? null : personOwner(person.personId);
    return watchedBy ?? personId ?? serverChannel(client, channelId)?.guildId ?? null;
  };
  const perSecond = requestsPerSecond(sharding);
  const busiest = createBusiestPayers(context, { event: 'discord.busiest_payers' });
  void busiest.run(signal);
  const turns = createRequestTurns(context, {
    accountOf,
    ownerOf,
    perSecond,
    signal,
    onTurn: busiest.count,
  });
  const share = shareOf(sharding);
  const refusals = createRefusals(context, { share, accountOf, ownerOf });
  const gatewayFaults = createGatewayFaults(context);
  const tokenUse = createTokenUse(context);
  const client = createDiscordClient({
    apiUrl,
    sharding,
    redact,
    turns,
    refusals,
    awaitIdentify: feed.awaitIdentify,
    buildStrategy: patientStrategy(context, signal),
    gatewayFaults,
    tokenUse,
  });
  const reachIn = (channelId: string) => {
    const ownerId = registry.ofChannel(channelId)[0]?.ownerId;
    return reachOf(client, channelId, ownerId, context.nowMs());
  };
  const fence = createFence(context, store.prove);
  const rest = createRest({
    apiUrl,
    token,
    redact,
    turns,
    refusals,
    fence,
    reachOf: reachIn,
  });
  const mayIn = (permission: bigint) => (channelId: string) =>
    hasPermission(client, channelId, permission);
  const sender = createSender({
    rest,
    selfId: () => client.user?.id ?? null,
    canReadHistory: mayIn(PermissionFlagsBits.ReadMessageHistory),
  });
  return {
    client,
    gateway: { ...trackGateway(client), isTokenShared: tokenUse.isShared },
    gatewayFaults,
    refusals,
    sender,
    ownerOf,
    reachIn,
    mayIn,
    share,
  };
}
