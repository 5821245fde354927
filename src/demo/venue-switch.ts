import { DEMO_KEY } from '@walletbell/venue-server/keys';
import type { Ledger } from '@walletbell/venue-server/ledger';
import { startVenue, type Venue, type VenueAnswer } from '@walletbell/venue-server/venue';
import type { Logger } from 'pino';

/** `down`: nothing listens. `limited`: 429 to nearly every request. `revoked`: 401 to all. */
export type VenueMode = 'up' | 'down' | 'limited' | 'revoked';
export const VENUE_MODES = [
  'up',
  'down',
  'limited',
  'revoked',
] as const satisfies readonly VenueMode[];

export type VenueSwitch = Awaited<ReturnType<typeof createVenueSwitch>>;

const KEYS = {
  up: [DEMO_KEY],
  limited: [{ ...DEMO_KEY, limit: 1 }],
  revoked: [],
} as const;

/** Starts a venue with the demo's key, which can be stopped and restarted at the same address. */
export async function createVenueSwitch({
  ledger,
  log,
  onServed,
}: {
  readonly ledger: Ledger;
  readonly log: Logger;
  /** Called for each page that the bot receives. */
  readonly onServed: () => void;
}) {
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
        if (answer.label !== DEMO_KEY.label) return;
        lastAnswer = answer;
        if (answer.status === 200) onServed();
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
    get mode(): VenueMode {
      return mode;
    },
    /** Number of requests answered so far. */
    get requests(): number {
      return requests;
    },
    /** The last response to the demo's key; null before the first. */
    get lastAnswer(): VenueAnswer | null {
      return lastAnswer;
    },
    set(next: VenueMode): Promise<void> {
      lastChange = lastChange.catch(() => {}).then(() => change(next));
      return lastChange;
    },
    async close(): Promise<void> {
      await lastChange.catch(() => {});
      await venue?.close();
    },
  };
}
