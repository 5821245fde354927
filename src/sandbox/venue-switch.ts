import type { Logger } from 'pino';
import { DEMO_KEY } from '../venue-server/keys.ts';
import type { Ledger } from '../venue-server/ledger.ts';
import { startVenue, type Venue, type VenueAnswer } from '../venue-server/venue.ts';

/** `down`: nothing listens. `limited`: 429 to nearly every request. `revoked`: 401 to all. */
export type VenueMode = 'up' | 'down' | 'limited' | 'revoked';
export const VENUE_MODES = ['up', 'down', 'limited', 'revoked'] as const satisfies readonly VenueMode[];

/** A venue that can be taken down and brought back at the same address. */
export interface VenueSwitch {
  readonly url: string;
  readonly mode: VenueMode;
  /** Requests answered so far. */
  readonly requests: number;
  /** The last answer to the demo's key; null before the first. */
  readonly lastAnswer: VenueAnswer | null;
  set(mode: VenueMode): Promise<void>;
  close(): Promise<void>;
}

const KEYS = {
  up: [DEMO_KEY],
  limited: [{ ...DEMO_KEY, limit: 1 }],
  revoked: [],
} as const;

export interface VenueSwitchDeps {
  readonly ledger: Ledger;
  readonly log: Logger;
}

/** Starts a venue with the demo's key. */
export async function createVenueSwitch({ ledger, log }: VenueSwitchDeps): Promise<VenueSwitch> {
  let mode: VenueMode = 'up';
  let requests = 0;
  let lastAnswer: VenueAnswer | null = null;
  let lastChange: Promise<void> = Promise.resolve();
  const start = (port: number) =>
    startVenue({
      ledger,
      keys: KEYS.up,
      port,
      log,
      onAnswer: (answer) => {
        requests += 1;
        if (answer.label === DEMO_KEY.label) lastAnswer = answer;
      },
    });
  let venue: Venue | null = await start(0);
  const { url } = venue;
  const port = Number(new URL(url).port);

  async function change(next: VenueMode): Promise<void> {
    mode = next;
    if (next === 'down') {
      await venue?.close();
      venue = null;
      return;
    }
    venue ??= await start(port);
    venue.setKeys(KEYS[next]);
  }

  return {
    url,
    get mode() {
      return mode;
    },
    get requests() {
      return requests;
    },
    get lastAnswer() {
      return lastAnswer;
    },
    set(next) {
      lastChange = lastChange.catch(() => {}).then(() => change(next));
      return lastChange;
    },
    async close() {
      await lastChange.catch(() => {});
      await venue?.close();
    },
  };
}
