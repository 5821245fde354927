import type { Ledger, LedgerRecord } from '../ledger.ts';
import { CAST, type Pace, RHYTHMS } from './cast.ts';
import { createMarkets } from './markets.ts';
import { createRandom, type Random } from './random.ts';
import { createPlayer, DEEDS, type Deed, type Player, type Transaction } from './trader.ts';

export interface SimulatorOptions {
  readonly ledger: Ledger;
  /** The same seed produces the same trades at the same intervals. */
  readonly seed: string | number;
  /** Returns the wall-clock time in Unix seconds; may be fractional. */
  readonly nowSeconds: () => number;
  /** Called with each live record once it is in the ledger, but not with records of `backfill`. */
  readonly onRecord?: (record: LedgerRecord) => void;
  /** Called if a tick of `start` fails; the simulation has stopped by then. */
  readonly onError?: (error: unknown) => void;
}

const MARKETS = 32;
const DEFAULT_INTERVAL_MS = 200;
/** Share of transactions that the venue indexes late, and the range of that delay. */
const LATE_SHARE = 0.04;
const LATE_SECONDS = { least: 2, most: 20 };
/** Each fast trader begins live play with every kind of action, twice, within this time. */
const OPENING_SECONDS = 24;
const BACKFILL_BATCH = 500;
/** Progress is reported after each of this many parts of the history. */
const BACKFILL_PARTS = 100;

interface Turn {
  readonly atSeconds: number;
  readonly player: Player;
  /** The action; without one the player chooses. */
  readonly deed?: Deed | 'redeem what is won';
}

/** A transaction as it enters the ledger. */
interface Emission {
  readonly atSeconds: number;
  readonly records: Transaction;
}

/** A period in which a trader is active. */
interface Session {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/**
 * Creates a seeded world of markets and of traders of very different pace, who trade in a ledger.
 * It is the same for a seed, however often it is ticked.
 */
export function createSimulator({ ledger, seed, nowSeconds, onRecord, onError }: SimulatorOptions) {
  const markets = createMarkets(String(seed), MARKETS);
  const random = createRandom(`${seed} simulator`);
  const players = CAST.map((part) => createPlayer(part, markets, String(seed)));
  /** Sessions of the history that are not over yet, per trader. */
  const sessions = new Map<Player, Session[]>();
  let turns: Turn[] = [];
  let late: Emission[] = [];
  let hasBegun = false;
  let isLive = false;
  let timer: NodeJS.Timeout | undefined;
  let lastTick: Promise<unknown> = Promise.resolve();

  /**
   * Removes and returns the earliest turn. For equal times the order of the cast decides, which a
   * stable sort preserves.
   */
  function takeTurn(untilSeconds: number): Turn | undefined {
    const redemptions = players.map(
      (player): Turn => ({
        atSeconds: player.redeemsAtSeconds(),
        player,
        deed: 'redeem what is won',
      }),
    );
    const turn = [...turns, ...redemptions].reduce((first, next) =>
      next.atSeconds < first.atSeconds ? next : first,
    );
    if (turn.atSeconds > untilSeconds) return undefined;
    turns = turns.filter((other) => other !== turn);
    return turn;
  }

  /** Returns the non-empty transactions of a turn. */
  function take(
    { player, atSeconds, deed }: Turn,
    indexedAtSeconds: number,
  ): readonly Transaction[] {
    if (deed !== undefined && deed !== 'redeem what is won') return player.act(deed, atSeconds);
    const records = deed === undefined ? player.play(atSeconds, indexedAtSeconds) : player.redeem();
    return records.length === 0 ? [] : [records];
  }

  function nextTurn(player: Player, afterSeconds: number): Turn {
    const atSeconds = afterSeconds + player.pause();
    const [session, ...later] = sessions.get(player) ?? [];
    const [next] = later;
    if (session === undefined || next === undefined || atSeconds < session.endSeconds) {
      return { atSeconds, player };
    }
    sessions.set(player, later);
    return nextTurn(player, Math.max(next.startSeconds, session.endSeconds));
  }

  /** Returns everything that enters the ledger up to a time, in order of entry. */
  function play(untilSeconds: number): Emission[] {
    for (let turn = takeTurn(untilSeconds); turn !== undefined; turn = takeTurn(untilSeconds)) {
      const { player, atSeconds, deed } = turn;
      const isLate = deed === undefined && random.chance(LATE_SHARE);
      const indexedAtSeconds =
        atSeconds + (isLate ? random.between(LATE_SECONDS.least, LATE_SECONDS.most) : 0);
      late.push(
        ...take(turn, indexedAtSeconds).map((records) => ({
          atSeconds: indexedAtSeconds,
          records,
        })),
      );
      if (!turns.some((other) => other.player === player)) turns.push(nextTurn(player, atSeconds));
    }
    late.sort((left, right) => left.atSeconds - right.atSeconds);
    const due = late.filter(({ atSeconds }) => atSeconds <= untilSeconds);
    late = late.slice(due.length);
    return due;
  }

  function openLive(): void {
    isLive = true;
    hasBegun = true;
    const startSeconds = nowSeconds();
    turns = players.flatMap((player) => {
      if (player.trader.pace !== 'fast') {
        return [turns.find((turn) => turn.player === player) ?? nextTurn(player, startSeconds)];
      }
      const deeds = [...random.shuffled(DEEDS), ...random.shuffled(DEEDS)];
      const stepSeconds = OPENING_SECONDS / deeds.length;
      return deeds.map((deed, index) => ({
        atSeconds: startSeconds + (index + random.next()) * stepSeconds,
        player,
        deed,
      }));
    });
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
    for (const record of records) onRecord?.(record);
  }

  /** Runs one after another, so that records enter the ledger in order. */
  function inTurn(play: () => Promise<LedgerRecord[]>): Promise<LedgerRecord[]> {
    const result = lastTick.then(play);
    lastTick = result.catch(() => {});
    return result;
  }

  /** Plays up to now and returns the records that entered the ledger, in order of entry. */
  const tick = () => inTurn(tickOnce);

  function pause(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** The traders, fastest first. Their addresses do not depend on the seed. */
    traders: players.map(({ trader }) => trader),
    /**
     * Writes the history of the hours before now, and returns the number of records. Must be called
     * before the first tick.
     *
     * @param onHours called from time to time with the number of hours written
     */
    async backfill(hours: number, onHours: (done: number) => void = () => {}): Promise<number> {
      if (hasBegun) {
        throw new Error('Expected backfill once, before the first tick and the first deed.');
      }
      hasBegun = true;
      const endSeconds = nowSeconds();
      const startSeconds = endSeconds - hours * 3600;
      turns = players.map((player) => {
        const planned = sessionsOf(random, player.trader.pace, { startSeconds, endSeconds });
        sessions.set(player, planned);
        return nextTurn(player, planned[0].startSeconds);
      });
      let count = 0;
      let unwritten: LedgerRecord[] = [];
      for (let part = 1; part <= BACKFILL_PARTS; part += 1) {
        const isLast = part === BACKFILL_PARTS;
        const doneHours = (hours * part) / BACKFILL_PARTS;
        const emissions = play(isLast ? endSeconds : startSeconds + doneHours * 3600);
        unwritten.push(...emissions.flatMap((emission) => emission.records));
        while (unwritten.length >= BACKFILL_BATCH || (isLast && unwritten.length > 0)) {
          const batch = unwritten.slice(0, BACKFILL_BATCH);
          unwritten = unwritten.slice(BACKFILL_BATCH);
          await ledger.addAll(batch);
          count += batch.length;
        }
        onHours(doneHours);
      }
      return count;
    },
    tick,
    /**
     * Makes a trader act now, whether the simulation runs or not, and returns its records. They
     * enter the ledger at once.
     *
     * @throws Error if no trader has this address
     */
    act: (address: string, deed: Deed) =>
      inTurn(async () => {
        const player = players.find(({ trader }) => trader.address === address);
        if (player === undefined) throw new Error(`There is no simulated trader ${address}.`);
        hasBegun = true;
        const transactions = player.act(deed, nowSeconds());
        for (const records of transactions) await enter(records);
        return transactions.flat();
      }),
    /** Ticks at this interval until `stop`. */
    start(intervalMs = DEFAULT_INTERVAL_MS): void {
      let isBusy = false;
      timer ??= setInterval(async () => {
        if (isBusy) return;
        isBusy = true;
        await tick().catch((error) => {
          pause();
          onError?.(error);
        });
        isBusy = false;
      }, intervalMs);
    },
    /** Resolves when the last tick is done. */
    async stop(): Promise<void> {
      pause();
      await lastTick;
    },
  };
}
export type Simulator = ReturnType<typeof createSimulator>;

/** Returns the sessions of a trader's past, at least one. The last continues into live play. */
function sessionsOf(
  random: Random,
  pace: Pace,
  { startSeconds, endSeconds }: Session,
): [Session, ...Session[]] {
  const { everySeconds, lengthSeconds, lastSeconds } = RHYTHMS[pace].sessions;
  const last = {
    startSeconds: Math.max(startSeconds, endSeconds - lastSeconds),
    endSeconds: Number.POSITIVE_INFINITY,
  };
  const past: Session[] = [];
  let beginSeconds = startSeconds + random.exponential(everySeconds);
  while (beginSeconds + 2 * lengthSeconds < last.startSeconds) {
    const session = {
      startSeconds: beginSeconds,
      endSeconds: beginSeconds + lengthSeconds * random.between(0.5, 1.5),
    };
    past.push(session);
    beginSeconds = session.endSeconds + random.exponential(everySeconds);
  }
  const [first = last, ...later] = [...past, last];
  return [first, ...later];
}
