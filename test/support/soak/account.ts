import type { Alert } from '../../../src/alerts/alert.ts';

const DAY_MS = 86_400_000;
/**
 * A record that has no alert after this time counts as lost. A record with an alert is checked for
 * a duplicate for the same time.
 */
const KEPT_MS = 4 * DAY_MS;

type State = 'due' | 'shown' | 'excused';

interface Entry {
  readonly channelId: string;
  readonly wallet: string;
  readonly timeSeconds: number;
  readonly atMs: number;
  state: State;
}

/**
 * Creates an account of the required and the posted alerts, which forgets entries after some days.
 */
export function createSoakAccount(clock: { readonly nowMs: number }) {
  const entries = new Map<string, Entry>();
  const figures = {
    expected: 0,
    shown: 0,
    lost: 0,
    doubled: 0,
    unexpected: 0,
    gaps: 0,
    excused: 0,
  };

  const excuse = (isMeant: (entry: Entry) => boolean) => {
    for (const entry of entries.values()) {
      if (entry.state !== 'due' || !isMeant(entry)) continue;
      entry.state = 'excused';
      figures.excused += 1;
    }
  };

  return {
    figures,
    expect(channelId: string, wallet: string, txHash: string, timeSeconds: number): void {
      figures.expected += 1;
      entries.set(`${channelId}:${txHash}`, {
        channelId,
        wallet,
        timeSeconds,
        atMs: clock.nowMs,
        state: 'due',
      });
    },
    /** Excuses alerts that a channel has not posted yet, of a wallet or of all. */
    release(channelId: string, wallet?: string): void {
      excuse(
        (entry) =>
          entry.channelId === channelId && (wallet === undefined || entry.wallet === wallet),
      );
    },
    /** Excuses an alert that Discord will never accept. */
    poison(channelId: string, txHash: string): void {
      const entry = entries.get(`${channelId}:${txHash}`);
      if (entry !== undefined) excuse((other) => other === entry);
    },
    see(channelId: string, alerts: readonly Alert[]): void {
      for (const { wallet, event } of alerts) {
        if (event.kind === 'gap') {
          const { fromSeconds, toSeconds } = event.gap;
          figures.gaps += 1;
          excuse(
            (entry) =>
              entry.channelId === channelId &&
              entry.wallet === wallet &&
              entry.timeSeconds >= fromSeconds &&
              entry.timeSeconds <= toSeconds,
          );
          continue;
        }
        if (event.kind !== 'activity' && event.kind !== 'transfer') continue;
        const entry = entries.get(`${channelId}:${event.item.txHash}`);
        figures.shown += 1;
        if (entry === undefined) figures.unexpected += 1;
        else if (entry.state === 'shown') figures.doubled += 1;
        else entry.state = 'shown';
      }
    },
    /** Counts entries due for longer than `forMs` as lost, and forgets old ones. */
    audit(forMs = KEPT_MS): readonly Entry[] {
      const lost: Entry[] = [];
      for (const [key, entry] of entries) {
        const ageMs = clock.nowMs - entry.atMs;
        if (entry.state === 'due' && ageMs >= forMs) lost.push(entry);
        if ((entry.state === 'due' && ageMs >= forMs) || ageMs >= KEPT_MS) entries.delete(key);
      }
      figures.lost += lost.length;
      return lost;
    },
  };
}

export type SoakAccount = ReturnType<typeof createSoakAccount>;
