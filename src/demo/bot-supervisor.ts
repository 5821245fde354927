import { once } from 'node:events';
import { type BotProcess, type BotProcessOptions, startBot } from './bot-process.ts';

export type BotState = 'starting' | 'running' | 'stopped';

export type BotSupervisor = ReturnType<typeof createBotSupervisor>;

/** Manages the bot's process, which can be killed and restarted. */
export function createBotSupervisor(
  deps: BotProcessOptions & { readonly onState: (state: BotState) => void },
) {
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
    get state(): BotState {
      return state;
    },
    /**
     * Starts it, unless it is already running. Returns when the process has been created, not when
     * it has logged in.
     */
    start(): void {
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
    /** Sends SIGKILL, which simulates a power cut. */
    async kill(): Promise<void> {
      wanted = null;
      await bot?.kill();
    },
    /** Sends SIGTERM for an orderly stop. */
    async stop(): Promise<void> {
      wanted = null;
      await bot?.stop();
    },
    /** Rejects if the bot ends by itself. */
    unexpectedEnd: () => unexpected,
  };
}
