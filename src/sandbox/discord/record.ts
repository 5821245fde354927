import type { DiscordOptions } from './api.ts';
import { createEvents, type Events, type Rejection, type Warning } from './events.ts';

/** What happened in the fake Discord: events, and what it refused or let pass with a warning. */
export interface IncidentRecord {
  readonly events: Events;
  readonly rejections: readonly Rejection[];
  readonly warnings: readonly Warning[];
  reject(rejection: Omit<Rejection, 'atMs'>): void;
  warn(route: string, reason: string): void;
}

export function createRecord({ log }: DiscordOptions, now: () => number): IncidentRecord {
  const events = createEvents();
  const rejections: Rejection[] = [];
  const warnings: Warning[] = [];
  return {
    events,
    rejections,
    warnings,
    reject(rejection) {
      const entry = { ...rejection, atMs: now() };
      rejections.push(entry);
      log?.warn({ event: 'discord.rejected', ...entry }, entry.reason);
      events.emit('rejected', entry);
    },
    warn(route, reason) {
      const entry = { atMs: now(), route, reason };
      warnings.push(entry);
      log?.warn({ event: 'discord.warning', ...entry }, reason);
      events.emit('warning', entry);
    },
  };
}
