/**
 * All that the bot half knows of the feed half (docs/architecture.md): what the feed shows, in which terms, and how a
 * look-up fails. The lint lets the bot half import nothing else from `feed/`, `venue/` and `poll-policy/`.
 */
export type { ActivityFilters, VenuePage } from '../venue/client.ts';
export { VenueError } from '../venue/errors.ts';
export { type Budget, mayAskBeside } from '../venue/rate-limit/budget.ts';
export type { UnreadableRow } from '../venue/read.ts';
export type { VenueAvailability } from './availability.ts';
export type { Committed, Feed } from './feed.ts';
export type { LookUps } from './observe.ts';
export { type AnyPolledPage, LARGEST_LEAD_SECONDS, type PageSink, type PolledPage } from './polled-page.ts';
export { SETTLEMENTS_LIMIT } from './settlements/settlements.ts';
