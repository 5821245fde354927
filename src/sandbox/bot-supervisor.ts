import { once } from 'node:events';
import { type BotProcess, type BotProcessOptions, startBot } from './bot-process.ts';

export type BotState = 'starting' | 'running' | 'stopped';

/** Holds the bot's process, which can be killed and started again. */
export interface BotSupervisor {
  readonly state: BotState;
  /** Starts it, unless it is there already. Resolves when the process has been made, not when it has logged in. */
  start(): void;
  /** SIGKILL, as a power cut would do it. */
  kill(): Promise<void>;
  /** SIGTERM, in good order. */
  stop(): Promise<void>;
  /** Rejects if the bot ends by itself. */
  unexpectedEnd(): Promise<never>;
}

export interface BotSupervisorDeps extends BotProcessOptions {
  readonly onState: (state: BotState) => void;
}

export function createBotSupervisor(deps: BotSupervisorDeps): BotSupervisor {
  let state: BotState = 'stopped';
  let bot: BotProcess | null = null;
  let wanted: BotProcess | null = null;
  let failEnd: (error: Error) => void = () => {};
  const unexpected = new Promise<never>((_, reject) => {
    failEnd = reject;
  });
  unexpected.catch(() => {});
  const become = (next: BotState) => {
    if (state === next) return;
    state = next;
    deps.onState(next);
  };

  return {
    get state() {
      return state;
    },
    start() {
      if (bot !== null) return;
      const started = startBot({
        ...deps,
        onLine: (line) => {
          if (line['event'] === 'discord.ready' && bot === started) become('running');
          deps.onLine(line);
        },
      });
      bot = started;
      wanted = started;
      become('starting');
      void once(started.process, 'close').then(([code]) => {
        if (bot === started) bot = null;
        if (wanted === started) failEnd(new Error(`The bot ended by itself (exit code ${code}).`));
        if (bot === null) become('stopped');
      });
    },
    async kill() {
      wanted = null;
      await bot?.kill();
    },
    async stop() {
      wanted = null;
      await bot?.stop();
    },
    unexpectedEnd: () => unexpected,
  };
}
