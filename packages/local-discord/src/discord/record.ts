import type { DiscordOptions } from './api.ts';
import { createEvents, type Rejection, type Warning } from './events.ts';

/** Creates the record of the fake Discord: its events, rejections and warnings. */
export function createRecord({ log }: DiscordOptions, now: () => number) {
  const events = createEvents();
  const rejections: Rejection[] = [];
  const warnings: Warning[] = [];
  return {
    events,
    rejections,
    warnings,
    reject(rejection: Omit<Rejection, 'atMs'>): void {
      const entry = { ...rejection, atMs: now() };
      rejections.push(entry);
      log?.warn({ event: 'discord.rejected', ...entry }, entry.reason);
      events.emit('rejected', entry);
    },
    warn(route: string, reason: string): void {
      const entry = { atMs: now(), route, reason };
      warnings.push(entry);
      log?.warn({ event: 'discord.warning', ...entry }, reason);
      events.emit('warning', entry);
    },
  };
}
