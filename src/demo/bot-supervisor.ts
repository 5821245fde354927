import { once } from 'node:events';
import { type BotProcess, type BotProcessOptions, startBot } from './bot-process.ts';

export type BotState = 'starting' | 'running' | 'stopped';

export type BotSupervisor = ReturnType<typeof createBotSupervisor>;

/** Holds the bot's process, which can be killed and started again. */
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
     * Starts it, unless it is there already. Returns when the process has been made, not when it
     * has logged in.
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
    /** SIGKILL, as a power cut would do it. */
    async kill(): Promise<void> {
      wanted = null;
      await bot?.kill();
    },
    /** SIGTERM, in good order. */
    async stop(): Promise<void> {
      wanted = null;
      await bot?.stop();
    },
    /** Rejects if the bot ends by itself. */
    unexpectedEnd: () => unexpected,
  };
}
