import { randomBytes } from 'node:crypto';
import type { DiscordOptions, FakeDiscord, Faults } from './api.ts';
import { createCommands } from './commands.ts';
import type { SeenMessage } from './events.ts';
import { createRestFaults } from './faults.ts';
import { createGateway } from './gateway/gateway.ts';
import { USUAL_GATEWAY } from './gateway/state.ts';
import { createInteractions, interactionMetadata } from './interactions.ts';
import { createCdn } from './messages/cdn.ts';
import { createMessages } from './messages/messages.ts';
import { createNonces } from './messages/nonce.ts';
import { createMessageView } from './messages/view.ts';
import { CHANNEL_TYPES, type Wire } from './model.ts';
import { createCommandAccess } from './people/access.ts';
import { createPeople } from './people/people.ts';
import { createRecord } from './record.ts';
import { MAX_FILE_BYTES } from './rest/body.ts';
import { commandRoutes } from './rest/commands.ts';
import { guildRoutes } from './rest/guilds.ts';
import { createHttp } from './rest/http.ts';
import { identityRoutes } from './rest/identity.ts';
import { interactionRoutes } from './rest/interactions.ts';
import { createLimits } from './rest/limits.ts';
import { messageRoutes } from './rest/messages.ts';
import { createCounters, USUAL_LIMITS } from './rest/ratelimit.ts';
import { createSnowflakes } from './snowflake.ts';
import { userWire } from './wire.ts';
import { createWorld } from './world/world.ts';

export type { DiscordOptions, FakeDiscord } from './api.ts';
export { CannotDo } from './people/commandline.ts';
export type { MemberRef } from './world/world.ts';

/**
 * Starts a local Discord that real clients can log in to. It rejects what Discord rejects.
 *
 * @throws Error if the port is in use
 */
export async function startDiscord(options: DiscordOptions): Promise<FakeDiscord> {
  const host = options.host ?? '127.0.0.1';
  const address = { host, port: options.port ?? 0 };
  const parts = createParts(options, () => `${host}:${address.port}`);
  const rest = createRest(options, parts);
  await new Promise<void>((resolve, fail) => {
    rest.server.once('error', fail);
    rest.server.listen(address.port, host, resolve);
  });
  const bound = rest.server.address();
  if (typeof bound === 'object' && bound !== null) address.port = bound.port;
  return createControls(options, parts, rest);
}

/** @param hostAndPort called only once the server listens */
function createParts(options: DiscordOptions, hostAndPort: () => string) {
  const now = options.now ?? Date.now;
  const newId = createSnowflakes(now);
  const newSecret = options.newSecret ?? (() => randomBytes(32).toString('hex'));
  const state: { token: string | null; isOutage: boolean } = {
    token: options.token,
    isOutage: false,
  };
  const isToken = (given: string) => state.token !== null && given === state.token;
  const isOutage = () => state.isOutage;
  const httpUrl = () => `http://${hostAndPort()}`;
  const gatewayUrl = () => `ws://${hostAndPort()}/gateway`;
  const record = createRecord(options, now);
  const { events, reject, warn } = record;
  const revokeToken = () => {
    state.token = null;
    gateway.dropGateway(4004);
  };

  const cdn = createCdn({ now, secret: newSecret(), baseUrl: httpUrl });
  const world = createWorld({
    now,
    newId,
    events,
    dispatch: (...args) => gateway.dispatch(...args),
  });
  const gateway = createGateway({
    now,
    newSecret,
    world,
    events,
    isToken,
    reject,
    isOutage,
    resetToken: revokeToken,
    resumeUrl: gatewayUrl,
    options: { ...USUAL_GATEWAY, ...options.gateway },
  });
  const { dispatch } = gateway;
  const interactions = createInteractions({
    now,
    newId,
    reject,
    newToken: newSecret,
    ackMs: options.ackMs ?? 3000,
  });
  const interactionWire = (id: string): Wire | null => {
    const interaction = interactions.get(id);
    const user = interaction && world.user(interaction.userId);
    if (!interaction || !user) return null;
    const opener =
      interaction.openerId === undefined ? null : interactionWire(interaction.openerId);
    return interactionMetadata(interaction, userWire(user), opener);
  };
  const view = createMessageView({ world, cdn, interactionWire });
  const messages = createMessages({ now, newId, world, cdn, events, warn, dispatch, view });
  const commands = createCommands({ now, newId, events, applicationId: world.applicationId });
  const access = createCommandAccess({ world, commands });
  const sending = {
    world,
    messages,
    interactions,
    dispatch,
    events,
    cdn,
    newId,
    attachmentSizeLimitBytes: MAX_FILE_BYTES,
  };
  const people = createPeople({ ...sending, access });
  const urls = { httpUrl, gatewayUrl };
  const token = { state, isToken, isOutage, revokeToken };
  return {
    now,
    newId,
    record,
    world,
    gateway,
    interactions,
    cdn,
    messages,
    commands,
    access,
    people,
    ...urls,
    ...token,
  };
}
type Parts = ReturnType<typeof createParts>;

/** Creates the HTTP server with REST, files and the gateway's upgrade. */
function createRest(options: DiscordOptions, parts: Parts) {
  const { now, interactions, record, world } = parts;
  const closing = new AbortController();
  const faults = createRestFaults();
  const limits = createLimits({
    now,
    counters: createCounters(now),
    limits: { ...USUAL_LIMITS, ...options.rateLimits },
    globalLimit: options.globalLimit ?? { limit: 50, windowMs: 1000 },
    webhookMinuteLimit: options.webhookMinuteLimit ?? 30,
    invalidRequestLimit: options.invalidRequestLimit ?? 10_000,
    channelOfToken: (given) => interactions.byToken(given)?.channelId ?? null,
    isAnnouncementChannel: (channelId) =>
      world.channel(channelId)?.type === CHANNEL_TYPES.ANNOUNCEMENT,
  });
  const context = {
    ...parts,
    ...record,
    nonces: createNonces(now),
    missingEmbedLinks: options.missingEmbedLinks ?? 'empty',
    installsOpenDms: options.installsOpenDms ?? false,
  };
  const routes = [identityRoutes, guildRoutes, messageRoutes, commandRoutes, interactionRoutes];
  const server = createHttp({
    ...context,
    routes: routes.flatMap((routesOf) => routesOf(context)),
    limits,
    takeFault: faults.take,
    closing: closing.signal,
  });
  server.on('upgrade', parts.gateway.upgrade);
  return { server, faults, limits, closing };
}
type Rest = ReturnType<typeof createRest>;

/** Creates the interface through which a test or the demo observes and acts. */
function createControls(options: DiscordOptions, parts: Parts, rest: Rest): FakeDiscord {
  const { record, world, gateway, interactions, messages, commands, people, state, revokeToken } =
    parts;
  const { bot, ...places } = world;
  const readMessages: FakeDiscord['messages'] = (channelId, view) => {
    if (view === undefined) return messages.inChannel(channelId).map(messages.seen);
    return messages.visibleTo(channelId, view === 'all' ? null : view.as).map(messages.seen);
  };
  return {
    ...places,
    ...people,
    apiUrl: `${parts.httpUrl()}/api`,
    gatewayUrl: parts.gatewayUrl(),
    bot: { id: bot.id, applicationId: world.applicationId, name: bot.name },
    events: record.events,
    faults: createFaults(parts, rest),
    rejections: record.rejections,
    warnings: record.warnings,
    get commandCounts() {
      return commands.counts;
    },
    get invalidRequests() {
      return rest.limits.invalidRequests();
    },
    get connections() {
      return gateway.readyConnections();
    },
    get shards() {
      return gateway.readyShards();
    },
    commands: commands.list,
    setCommandExceptions: parts.access.setExceptions,
    messages: readMessages,
    message(messageId) {
      const message = messages.get(messageId);
      return message && messages.seen(message);
    },
    deleteMessage(messageId) {
      const message = messages.get(messageId);
      if (!message) throw new Error(`The fake Discord has no message ${messageId}.`);
      messages.delete(message);
    },
    waitForMessage(channelId, predicate = () => true, timeoutMs = 10_000) {
      const present = readMessages(channelId).find(predicate);
      return present
        ? Promise.resolve(present)
        : comingMessage(parts, channelId, predicate, timeoutMs);
    },
    revokeToken,
    restoreToken(next = options.token) {
      state.token = next;
    },
    async close() {
      rest.closing.abort();
      interactions.close();
      gateway.close();
      const closed = new Promise<void>((resolve) => rest.server.close(() => resolve()));
      rest.server.closeAllConnections();
      await closed;
    },
  };
}

function createFaults({ gateway, state }: Parts, { faults, server }: Rest): Faults {
  const { dropGateway, zombie, holdShard, invalidSession, reconnect } = gateway;
  const { deliver, sendPacket, sendText, alterPackets } = gateway;
  return {
    ...faults,
    dropGateway,
    zombie,
    holdShard,
    invalidSession,
    reconnect,
    deliver,
    sendPacket,
    sendText,
    alterPackets,
    outage(on) {
      state.isOutage = on;
      if (!on) return;
      dropGateway();
      server.closeAllConnections();
    },
  };
}

function comingMessage(
  { record: { events } }: Parts,
  channelId: string,
  predicate: (message: SeenMessage) => boolean,
  timeoutMs: number,
): Promise<SeenMessage> {
  return new Promise((resolve, fail) => {
    const check = (message: SeenMessage) => {
      if (message.channelId !== channelId || message.ephemeralFor !== null || !predicate(message)) {
        return;
      }
      stop();
      resolve(message);
    };
    const timer = setTimeout(() => {
      stop();
      fail(new Error(`No such message in channel ${channelId} within ${timeoutMs} ms.`));
    }, timeoutMs);
    const stop = () => {
      clearTimeout(timer);
      events.off('message', check).off('edit', check);
    };
    events.on('message', check).on('edit', check);
  });
}
