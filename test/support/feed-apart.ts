import { connect } from '@nats-io/transport-node';
import { inject } from 'vitest';
import { type BotProcess, type BotProcessOptions, startBot } from '../../src/demo/bot-process.ts';
import { STATE } from '../../src/feed/nats/wire.ts';
import { type DatabaseServer, PASSWORD, startNats } from './servers.ts';

/**
 * Set by `npm run test:cluster`: whole bots then have their feed in another process, connected by
 * NATS.
 */
export const IS_FEED_APART = process.env['WALLETBELL_TEST_FEED'] === 'nats';

/** Variables of a test's bot that the feed reads. */
const OF_THE_FEED = [
  'VENUE_BASE_URL',
  'VENUE_API_KEY',
  'POLL_CRON',
  'WALLETBELL_TEST_POLL_MIN_SECONDS',
  'BUDGET_SHARE',
  'LOG_LEVEL',
];
/** Variables that only the feed has. */
const NOT_OF_THE_BOT = ['VENUE_BASE_URL', 'VENUE_API_KEY', 'POLL_CRON', 'BUDGET_SHARE'];

/**
 * Creates the means to split a bot into two processes.
 *
 * @param directory folder for the feed's store, next to the bot's
 */
export function createFeedApart(directory: string) {
  let nats: DatabaseServer | undefined;
  let feed: { readonly process: BotProcess; readonly environment: string } | undefined;
  return {
    /**
     * Starts a feed unless one is running with these variables.
     *
     * @returns the variables of the bot's process
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

/** Resolves when a feed has published its state. */
async function heard(natsUrl: string): Promise<void> {
  const connection = await connect({
    servers: new URL(natsUrl).host,
    user: 'bell',
    pass: PASSWORD,
  });
  for await (const _state of connection.subscribe(STATE.subject, { max: 1 }));
  await connection.close();
}
