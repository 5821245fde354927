import type { WalletAddress } from '../venue/address.ts';
import { type Cap, createCap } from './cap.ts';
import { readLearned } from './evidence.ts';
import { createForecast, type Forecast, type Population } from './forecast.ts';
import type { Endpoint, Learned } from './types.ts';

/** Endpoints that have polls to share among them. */
export interface Share {
  /** Their picks, counted in fair rounds: each adds one by their number. */
  rounds: number;
  size: number;
  /** Item·seconds of waiting that an ordinary poll of them is expected to end. */
  price: number;
  readonly cap: Cap;
  /** What the cap was when the present pick began. */
  capRounds: number;
}

/** The endpoints of one name. */
export interface Kind {
  readonly population: Population;
  readonly slots: Map<WalletAddress, Slot>;
  isOn: boolean;
}

export interface Slot {
  readonly endpoint: Endpoint;
  readonly kind: Kind;
  readonly forecast: Forecast;
  /** Breaks ties; drawn anew for each wait. */
  tie: number;
  /** Index into the list of all. */
  place: number;
  share: Share;
  isHeld: boolean;
  /** `rounds` of all when it was last let go. */
  releasedRounds: number;
  isInFlight: boolean;
  isExpedited: boolean;
  /** Whether it was last picked only because of the cap. */
  wasOverdue: boolean;
  /** The last poll that succeeded; NaN: none. */
  seenSeconds: number;
  /** Waiting counts from here: the last poll, or after a restart when the bot was last alive. */
  sinceSeconds: number;
  pickedSeconds: number;
  /** `rounds` of its share, and of all, when it was last picked. */
  pickedRounds: number;
  pickedRoundsOfAll: number;
  failures: number;
  retrySeconds: number;
}

export function createShare(pageSize: number): Share {
  return { rounds: 0, size: 0, price: 0, cap: createCap(pageSize), capRounds: 0 };
}

interface SlotOptions extends Pick<Slot, 'kind' | 'share' | 'tie' | 'place'> {
  readonly learned: Learned | undefined;
  readonly roundsOfAll: number;
}

/** An endpoint that waits from now on; what was learned of it before is taken over if it can be read. */
export function createSlot(endpoint: Endpoint, options: SlotOptions): Slot {
  const { kind, share, tie, place, learned, roundsOfAll } = options;
  const { seenSeconds, forecast } = readLearned(learned) ?? { seenSeconds: Number.NaN, forecast: createForecast() };
  // Written out, not spread: a pick reads all slots, and objects that were made by spreading are several times slower to read.
  return {
    endpoint: { wallet: endpoint.wallet, name: endpoint.name },
    kind,
    forecast,
    tie,
    place,
    share,
    isHeld: false,
    releasedRounds: roundsOfAll,
    isInFlight: false,
    isExpedited: false,
    wasOverdue: false,
    seenSeconds,
    sinceSeconds: seenSeconds,
    pickedSeconds: Number.NaN,
    pickedRounds: share.rounds,
    pickedRoundsOfAll: roundsOfAll,
    failures: 0,
    retrySeconds: Number.NaN,
  };
}
