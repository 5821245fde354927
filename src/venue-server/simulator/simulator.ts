import type { Ledger, LedgerRecord } from '../ledger.ts';
import { createMarkets } from './markets.ts';
import { createRandom } from './random.ts';
import { createPlayer, DEEDS, type Deed, type Pace, type Player, type SimulatedTrader } from './trader.ts';

export type { Deed, SimulatedTrader } from './trader.ts';

export interface SimulatorOptions {
  readonly ledger: Ledger;
  /** The same seed plays the same deeds at the same distances in time. */
  readonly seed: string | number;
  /** The wall clock, Unix seconds; fractions are welcome. */
  readonly nowSeconds: () => number;
  /** Called with each live record once it is in the ledger, not with those of `backfill`. */
  readonly onRecord?: (record: LedgerRecord) => void;
  /** Called if a tick of `start` fails; the play has stopped then. */
  readonly onError?: (error: unknown) => void;
}

/** Traders of very different pace who play in a ledger. */
export interface Simulator {
  /** Fastest first. Their addresses do not depend on the seed. */
  readonly traders: readonly SimulatedTrader[];
  /** Writes the history of the hours before now, and returns the number of records. Only before the first tick. */
  backfill(hours: number): Promise<number>;
  /** Plays up to now and returns what entered the ledger, in that order. */
  tick(): Promise<LedgerRecord[]>;
  /**
   * Lets a trader do something now, at once in the ledger, whether the play runs or not. Returns its records.
   *
   * @throws Error for an address that is no trader's
   */
  act(address: string, deed: Deed): Promise<LedgerRecord[]>;
  /** Ticks until `stop`. */
  start(intervalMs?: number): void;
  /** Resolves when the last tick is done. */
  stop(): Promise<void>;
}

const CAST: readonly (readonly [handle: string, pace: Pace])[] = [
  ['quickdraw', 'fast'],
  ['metronome', 'fast'],
  ['hailstorm', 'fast'],
  ['tidewatcher', 'brisk'],
  ['copperline', 'brisk'],
  ['lamplighter', 'steady'],
  ['northbound', 'steady'],
  ['quietriver', 'steady'],
  ['oldharbor', 'slow'],
  ['winterking', 'slow'],
];

const MARKETS = 24;
const DEFAULT_INTERVAL_MS = 200;
/** Share of transactions that the venue indexes late, and how late. */
const LATE_SHARE = 0.04;
const LATE_SECONDS = { least: 2, most: 20 };
/** Each fast trader begins the live play with every deed, twice, within these seconds. */
const OPENING_SECONDS = 24;
const BACKFILL_BATCH = 500;

interface Turn {
  readonly atSeconds: number;
  readonly player: Player;
  readonly deed?: Deed;
}

interface Emission {
  readonly atSeconds: number;
  readonly records: readonly LedgerRecord[];
}

/** A seeded world of markets and traders. It is the same for a seed, however often it is ticked. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { ledger, nowSeconds } = options;
  const seed = String(options.seed);
  const markets = createMarkets(seed, MARKETS);
  const random = createRandom(`${seed} simulator`);
  const players = CAST.map(([handle, pace]) => createPlayer({ handle, pace, markets, seed }));
  let turns: Turn[] = [];
  const late: Emission[] = [];
  let isLive = false;
  let timer: NodeJS.Timeout | undefined;
  let lastTick: Promise<unknown> = Promise.resolve();

  /** Takes the earliest turn; equal times go by the order of the cast, which a stable sort keeps. */
  function takeTurn(untilSeconds: number): Turn | undefined {
    const turn = turns.reduce<Turn | undefined>(
      (first, candidate) => (first === undefined || candidate.atSeconds < first.atSeconds ? candidate : first),
      undefined,
    );
    if (turn === undefined || turn.atSeconds > untilSeconds) return undefined;
    turns = turns.filter((other) => other !== turn);
    return turn;
  }

  /** Everything that enters the ledger up to a time, a transaction each, in the order in which it enters. */
  function play(untilSeconds: number): Emission[] {
    const emissions: Emission[] = [];
    for (let turn = takeTurn(untilSeconds); turn !== undefined; turn = takeTurn(untilSeconds)) {
      const { player, atSeconds } = turn;
      const records = player.act(atSeconds, turn.deed);
      const isLate = turn.deed === undefined && random.chance(LATE_SHARE);
      const delaySeconds = isLate ? random.between(LATE_SECONDS.least, LATE_SECONDS.most) : 0;
      late.push({ atSeconds: atSeconds + delaySeconds, records });
      if (!turns.some((other) => other.player === player)) {
        turns.push({ atSeconds: atSeconds + player.pause(), player });
      }
    }
    late.sort((left, right) => left.atSeconds - right.atSeconds);
    while (late[0] !== undefined && late[0].atSeconds <= untilSeconds) emissions.push(...late.splice(0, 1));
    return emissions;
  }

  function openLive(): void {
    isLive = true;
    const startSeconds = nowSeconds();
    const opening: Turn[] = [];
    for (const player of players.filter(({ pace }) => pace === 'fast')) {
      const deeds = [...random.shuffled(DEEDS), ...random.shuffled(DEEDS)];
      const stepSeconds = OPENING_SECONDS / deeds.length;
      for (const [index, deed] of deeds.entries()) {
        opening.push({ atSeconds: startSeconds + (index + random.next()) * stepSeconds, player, deed });
      }
    }
    const others = turns.filter(({ player }) => player.pace !== 'fast');
    const waiting = players.filter(
      (player) => player.pace !== 'fast' && !others.some((turn) => turn.player === player),
    );
    turns = [...opening, ...others, ...waiting.map((player) => ({ atSeconds: startSeconds + player.pause(), player }))];
  }

  async function tickOnce(): Promise<LedgerRecord[]> {
    if (!isLive) openLive();
    const entered: LedgerRecord[] = [];
    for (const { records } of play(nowSeconds())) {
      await enter(records);
      entered.push(...records);
    }
    return entered;
  }

  async function enter(records: readonly LedgerRecord[]): Promise<void> {
    await ledger.addAll(records);
    for (const record of records) options.onRecord?.(record);
  }

  /** One after another: what enters the ledger keeps its order. */
  function inTurn(play: () => Promise<LedgerRecord[]>): Promise<LedgerRecord[]> {
    const result = lastTick.then(play);
    lastTick = result.catch(() => {});
    return result;
  }

  function tick(): Promise<LedgerRecord[]> {
    return inTurn(tickOnce);
  }

  async function stop(): Promise<void> {
    clearInterval(timer);
    timer = undefined;
    await lastTick;
  }

  return {
    traders: players.map(({ handle, address, pace }) => ({ handle, address, pace })),
    async backfill(hours) {
      if (isLive || turns.length > 0) throw new Error('Expected backfill once, before the first tick.');
      const endSeconds = nowSeconds();
      const startSeconds = endSeconds - hours * 3600;
      turns = players.map((player) => ({ atSeconds: startSeconds + player.pause(), player }));
      const records = play(endSeconds).flatMap((emission) => emission.records);
      for (let from = 0; from < records.length; from += BACKFILL_BATCH) {
        await ledger.addAll(records.slice(from, from + BACKFILL_BATCH));
      }
      return records.length;
    },
    tick,
    act: (address, deed) =>
      inTurn(async () => {
        const player = players.find((candidate) => candidate.address === address);
        if (player === undefined) throw new Error(`There is no simulated trader ${address}.`);
        const records = player.act(nowSeconds(), deed);
        await enter(records);
        return records;
      }),
    start(intervalMs = DEFAULT_INTERVAL_MS) {
      if (timer !== undefined) return;
      let isBusy = false;
      timer = setInterval(() => {
        if (isBusy) return;
        isBusy = true;
        tick()
          .catch((error) => {
            clearInterval(timer);
            timer = undefined;
            options.onError?.(error);
          })
          .finally(() => {
            isBusy = false;
          });
      }, intervalMs);
    },
    stop,
  };
}
