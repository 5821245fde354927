import { randomBytes } from 'node:crypto';
import { createCommandAccess } from './access.ts';
import type { DiscordOptions, FakeDiscord, Faults } from './api.ts';
import { MAX_FILE_BYTES } from './body.ts';
import { createCdn } from './cdn.ts';
import { createCommands } from './commands.ts';
import { createEvents, type Rejection, type SeenMessage, type Warning } from './events.ts';
import { createRestFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { createHttp } from './http.ts';
import { createInteractions, interactionMetadata } from './interactions.ts';
import { createMessages } from './messages.ts';
import { createMessageView } from './messageview.ts';
import { createNonces } from './nonce.ts';
import { createPeople } from './people.ts';
import { createCounters, USUAL_LIMITS } from './ratelimit.ts';
import { commandRoutes } from './rest/commands.ts';
import type { RestContext } from './rest/context.ts';
import { guildRoutes } from './rest/guilds.ts';
import { identityRoutes } from './rest/identity.ts';
import { interactionRoutes } from './rest/interactions.ts';
import { messageRoutes } from './rest/messages.ts';
import { createSnowflakes } from './snowflake.ts';
import { userWire } from './wire.ts';
import { createWorld } from './world.ts';

export type { DiscordOptions, FakeDiscord } from './api.ts';
export { CannotDo, type OptionValues } from './commandline.ts';
export type { MemberRef } from './world.ts';

/**
 * Starts a local Discord that real clients can log in to. It refuses what Discord refuses.
 *
 * @throws Error when the port is taken
 */
export async function startDiscord(options: DiscordOptions): Promise<FakeDiscord> {
  const now = options.now ?? Date.now;
  const host = options.host ?? '127.0.0.1';
  const events = createEvents();
  const newId = createSnowflakes(now);
  const newSecret = options.newSecret ?? (() => randomBytes(32).toString('hex'));
  const rejections: Rejection[] = [];
  const warnings: Warning[] = [];
  const closing = new AbortController();
  let port = options.port ?? 0;
  let token: string | null = options.token;
  let isOutage = false;

  const httpUrl = () => `http://${host}:${port}`;
  const gatewayUrl = () => `ws://${host}:${port}/gateway`;
  const isToken = (given: string) => token !== null && given === token;
  const reject = (rejection: Omit<Rejection, 'atMs'>) => {
    const entry = { ...rejection, atMs: now() };
    rejections.push(entry);
    options.log?.warn({ event: 'discord.rejected', ...entry }, entry.reason);
    events.emit('rejected', entry);
  };
  const warn = (route: string, reason: string) => {
    const entry = { atMs: now(), route, reason };
    warnings.push(entry);
    options.log?.warn({ event: 'discord.warning', ...entry }, reason);
    events.emit('warning', entry);
  };

  const cdn = createCdn({ now, secret: newSecret(), baseUrl: httpUrl });
  const world = createWorld({
    now,
    newId,
    events,
    botName: options.botName ?? 'walletbell',
    dispatch: (...args) => gateway.dispatch(...args),
  });
  const gateway = createGateway({
    now,
    newSecret,
    world,
    events,
    isToken,
    reject,
    resetToken: () => revokeToken(),
    resumeUrl: gatewayUrl,
    isOutage: () => isOutage,
    options: {
      heartbeatIntervalMs: 41_250,
      resumeWindowMs: 180_000,
      maxConcurrency: 1,
      identifyWindowMs: 5000,
      sessionStartTotal: 1000,
      recommendedShards: null,
      maxGuildsPerShard: 2500,
      privilegedIntents: 0,
      ...options.gateway,
    },
  });
  const interactions = createInteractions({
    now,
    newId,
    reject,
    newToken: newSecret,
    ackMs: options.ackMs ?? 3000,
    tokenLifeMs: options.tokenLifeMs ?? 15 * 60_000,
  });
  const messages = createMessages({
    now,
    newId,
    world,
    cdn,
    events,
    warn,
    dispatch: gateway.dispatch,
    view: createMessageView({
      world,
      cdn,
      interactionWire: (id) => {
        const interaction = interactions.get(id);
        const user = interaction && world.user(interaction.userId);
        return interaction && user ? interactionMetadata(interaction, userWire(user)) : null;
      },
    }),
  });
  const commands = createCommands({ now, newId, events, applicationId: world.applicationId });
  const access = createCommandAccess({ world, commands });
  const people = createPeople({
    world,
    messages,
    access,
    interactions,
    events,
    cdn,
    newId,
    dispatch: gateway.dispatch,
    attachmentSizeLimitBytes: MAX_FILE_BYTES,
  });
  const context: RestContext = {
    now,
    newId,
    world,
    messages,
    commands,
    access,
    interactions,
    events,
    gateway,
    gatewayUrl,
    warn,
    nonces: createNonces({ now, windowMs: options.nonceWindowMs ?? 180_000 }),
    missingEmbedLinks: options.missingEmbedLinks ?? 'empty',
  };
  const restFaults = createRestFaults();
  const http = createHttp({
    now,
    routes: [
      ...identityRoutes(context),
      ...guildRoutes(context),
      ...messageRoutes(context),
      ...commandRoutes(context),
      ...interactionRoutes(context),
    ],
    counters: createCounters(now),
    limits: { ...USUAL_LIMITS, ...options.rateLimits },
    globalLimit: options.globalLimit ?? { limit: 50, windowMs: 1000 },
    webhookMinuteLimit: options.webhookMinuteLimit ?? 30,
    invalidRequestLimit: options.invalidRequestLimit ?? 10_000,
    isToken,
    channelOfToken: (given) => interactions.byToken(given)?.channelId ?? null,
    cdn,
    events,
    reject,
    takeFault: restFaults.take,
    isOutage: () => isOutage,
    closing: closing.signal,
  });
  const { server } = http;
  server.on('upgrade', gateway.upgrade);

  function revokeToken(): void {
    token = null;
    gateway.dropGateway(4004);
  }

  await new Promise<void>((resolve, fail) => {
    server.once('error', fail);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (typeof address === 'object' && address !== null) port = address.port;

  const faults: Faults = {
    ...restFaults,
    dropGateway: gateway.dropGateway,
    zombie: gateway.zombie,
    holdShard: gateway.holdShard,
    invalidSession: gateway.invalidSession,
    reconnect: gateway.reconnect,
    deliver: gateway.deliver,
    outage(on) {
      isOutage = on;
      if (!on) return;
      gateway.dropGateway();
      server.closeAllConnections();
    },
  };

  function readMessages(channelId: string, view?: { as: string } | 'all'): SeenMessage[] {
    const found =
      view === undefined
        ? messages.inChannel(channelId)
        : messages.visibleTo(channelId, view === 'all' ? null : view.as);
    return found.map(messages.seen);
  }

  const { bot: botUser, ...worldRest } = world;
  return {
    ...worldRest,
    ...people,
    apiUrl: `${httpUrl()}/api`,
    gatewayUrl: gatewayUrl(),
    bot: { id: botUser.id, applicationId: world.applicationId, name: botUser.name },
    events,
    faults,
    rejections,
    warnings,
    get commandCounts() {
      return commands.counts;
    },
    get invalidRequests() {
      return http.invalidRequests();
    },
    get connections() {
      return gateway.readyConnections();
    },
    get shards() {
      return gateway.readyShards();
    },
    commands: (guildId) => commands.list(guildId ?? null),
    setCommandExceptions: access.setExceptions,
    messages: readMessages,
    message(messageId) {
      const message = messages.get(messageId);
      return message && messages.seen(message);
    },
    deleteMessage(messageId) {
      const message = messages.get(messageId);
      if (!message) throw new Error(`The Discord double has no message ${messageId}.`);
      messages.delete(message);
    },

    waitForMessage(channelId, predicate = () => true, timeoutMs = 10_000) {
      const present = readMessages(channelId).find(predicate);
      if (present) return Promise.resolve(present);
      return new Promise((resolve, fail) => {
        const look = (message: SeenMessage) => {
          if (message.channelId !== channelId || message.ephemeralFor !== null || !predicate(message)) return;
          stop();
          resolve(message);
        };
        const timer = setTimeout(() => {
          stop();
          fail(new Error(`No such message in channel ${channelId} within ${timeoutMs} ms.`));
        }, timeoutMs);
        const stop = () => {
          clearTimeout(timer);
          events.off('message', look).off('edit', look);
        };
        events.on('message', look).on('edit', look);
      });
    },

    revokeToken,
    restoreToken(next = options.token) {
      token = next;
    },

    async close() {
      closing.abort();
      interactions.close();
      gateway.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
