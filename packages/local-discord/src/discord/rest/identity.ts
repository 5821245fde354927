import { refusals } from '../refusal.ts';
import { userWire } from '../wire.ts';
import type { RestContext } from './context.ts';
import { ok, type Route } from './routes.ts';

/** Returns the routes for the bot's identity and the address of its gateway. */
export function identityRoutes({ world, gateway, gatewayUrl }: RestContext): Route[] {
  const application = () => ({
    id: world.applicationId,
    name: world.bot.name,
    icon: null,
    description: '',
    summary: '',
    type: null,
    bot: userWire(world.bot),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: 0,
    hook: true,
    is_monetized: false,
    approximate_guild_count: world.botGuilds().length,
    approximate_user_install_count: world.installers().length,
    integration_types_config: { 0: {}, 1: {} },
    owner: userWire(world.bot),
    team: null,
    tags: [],
  });

  return [
    {
      method: 'GET',
      pattern: '/gateway',
      auth: 'bot',
      bucket: 'other',
      handle: () => ok({ url: gatewayUrl() }),
    },
    {
      method: 'GET',
      pattern: '/gateway/bot',
      auth: 'bot',
      bucket: 'other',
      handle: () => {
        const starts = gateway.sessionStarts();
        return ok({
          url: gatewayUrl(),
          shards: gateway.recommendedShards(),
          session_start_limit: {
            total: starts.total,
            remaining: starts.remaining,
            reset_after: starts.resetAfterMs,
            max_concurrency: starts.maxConcurrency,
          },
        });
      },
    },
    {
      method: 'GET',
      pattern: '/users/@me',
      auth: 'bot',
      bucket: 'other',
      handle: () =>
        ok({
          ...userWire(world.bot),
          verified: true,
          mfa_enabled: true,
          email: null,
          locale: 'en-US',
        }),
    },
    {
      method: 'GET',
      pattern: '/users/:user',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const user = world.user(request.id('user'));
        if (!user) throw refusals.unknownUser();
        return ok(userWire(user));
      },
    },
    {
      method: 'GET',
      pattern: '/applications/@me',
      auth: 'bot',
      bucket: 'other',
      handle: () => ok(application()),
    },
    {
      method: 'GET',
      pattern: '/oauth2/applications/@me',
      auth: 'bot',
      bucket: 'other',
      handle: () => ok(application()),
    },
  ];
}
