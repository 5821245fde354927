import { connect } from '@nats-io/transport-node';
import { inject } from 'vitest';
import { type BotProcess, type BotProcessOptions, startBot } from '../../src/demo/bot-process.ts';
import { STATE } from '../../src/feed/nats/wire.ts';
import { type DatabaseServer, PASSWORD, startNats } from './servers.ts';

/**
 * `npm run test:cluster` sets it: whole bots then have their feed in another process, with NATS
 * between them.
 */
export const IS_FEED_APART = process.env['WALLETBELL_TEST_FEED'] === 'nats';

/** What a feed reads of the variables that a test gives its bot. */
const OF_THE_FEED = [
  'VENUE_BASE_URL',
  'VENUE_API_KEY',
  'POLL_CRON',
  'POLL_MIN_SECONDS',
  'BUDGET_SHARE',
  'LOG_LEVEL',
];
/** What is the feed's alone. */
const NOT_OF_THE_BOT = ['VENUE_BASE_URL', 'VENUE_API_KEY', 'POLL_CRON', 'BUDGET_SHARE'];

/**
 * Splits a bot in two processes.
 *
 * @param directory where the feed has its store, beside the bot's
 */
export function createFeedApart(directory: string) {
  let nats: DatabaseServer | undefined;
  let feed: { readonly process: BotProcess; readonly environment: string } | undefined;
  return {
    /**
     * Starts a feed if none runs with these variables.
     *
     * @returns the variables of the bot half
     */
    async ready(
      environment: Readonly<Record<string, string>>,
      onLine: BotProcessOptions['onLine'],
    ): Promise<Record<string, string>> {
      nats ??= await startNats();
      const NATS_URL = await nats.newStore();
      const ofFeed = Object.fromEntries(
        Object.entries(environment).filter(([name]) => OF_THE_FEED.includes(name)),
      );
      const wanted = JSON.stringify(ofFeed);
      if (feed?.environment !== wanted || feed.process.process.exitCode !== null) {
        await feed?.process.stop();
        const process = startBot({
          directory,
          main: inject('botMain'),
          environment: { ...ofFeed, ROLE: 'feed', NATS_URL, STORE_URL: 'sqlite://feed.sqlite' },
          onLine,
        });
        feed = { process, environment: wanted };
        await heard(NATS_URL);
      }
      const ofBot = Object.entries(environment).filter(([name]) => !NOT_OF_THE_BOT.includes(name));
      return { ...Object.fromEntries(ofBot), ROLE: 'bot', NATS_URL };
    },
    async stop(): Promise<void> {
      await feed?.process.kill();
      await nats?.stop();
    },
  };
}

/** Resolves when a feed has said how it is. */
async function heard(natsUrl: string): Promise<void> {
  const connection = await connect({
    servers: new URL(natsUrl).host,
    user: 'bell',
    pass: PASSWORD,
  });
  for await (const _state of connection.subscribe(STATE.subject, { max: 1 }));
  await connection.close();
}
