import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Running } from './context.ts';

/** Starts the process that the configuration describes. A feed loads nothing of Discord. */
export async function startApp(
  config: Config,
  log: Logger,
  redact: (text: string) => string,
  onFatal: (exitCode: number) => void,
): Promise<Running> {
  if (config.role === 'feed') {
    const { startFeed } = await import('./feed-app.ts');
    return startFeed(config, log, redact, onFatal);
  }
  const { startBot } = await import('./bot-app.ts');
  return startBot(config, log, redact, onFatal);
}
