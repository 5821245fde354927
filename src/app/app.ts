import type { Given, Running } from './context.ts';

/** Starts the process that the configuration describes. A feed loads nothing of Discord. */
export async function startApp(given: Given): Promise<Running> {
  if (given.config.role === 'feed') return (await import('./feed-app.ts')).startFeed(given);
  return (await import('./bot-app.ts')).startBot(given);
}
