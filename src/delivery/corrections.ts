import type { Alert } from '../alerts/alert.ts';
import { namesOf } from '../alerts/decisions.ts';
import type { AmendedEvent } from '../alerts/kinds/amended.ts';
import type { DetailsRecords } from '../details/records.ts';
import { groupBy } from '../lib/group-by.ts';

/** An alert of a record that the venue has changed. */
type Correction = Alert & { readonly event: AmendedEvent };

/**
 * Creates the function that decides which corrections a channel gets: the corrections of records
 * whose alerts it was sent. While such an alert is waiting, its correction waits too: the alert is
 * sent as it was decided, and then the correction.
 */
export function createCorrections(shownIn: DetailsRecords['shown']) {
  /** Whether a channel was sent the alert of a waiting correction, by channel. */
  const found = new WeakMap<AmendedEvent, Map<string, boolean>>();

  const wereShown = async (
    channelId: string,
    corrections: readonly [Correction, ...Correction[]],
  ): Promise<void> => {
    const open = corrections.filter(({ event }) => found.get(event)?.has(channelId) !== true);
    const events = open.map(({ event }) => event);
    const isShown =
      events.length === 0 ? [] : await shownIn(channelId, corrections[0].wallet, events);
    for (const [index, event] of events.entries()) {
      const channels = found.get(event) ?? new Map<string, boolean>();
      found.set(event, channels.set(channelId, isShown[index] === true));
    }
  };

  /**
   * @param pending all alerts waiting for the channel
   * @param waiting the pending alerts that may be sent now
   * @returns `waiting` without corrections that are too early or not for the channel; the latter;
   *   and whether any are too early
   */
  return async (channelId: string, pending: readonly Alert[], waiting: readonly Alert[]) => {
    const corrections = waiting.filter(isCorrection);
    if (corrections.length === 0) return { waiting, unwanted: [], isEarly: false };
    const names = new Set(
      pending.flatMap(({ wallet, event }) =>
        event.kind === 'activity' ? namesOf(event).map((name) => `${wallet} ${name}`) : [],
      ),
    );
    const early = new Set<Alert>(
      corrections.filter(({ wallet, event }) =>
        event.identities.some((identity) => names.has(`${wallet} ${identity}`)),
      ),
    );
    const due = corrections.filter((alert) => !early.has(alert));
    for (const own of groupBy(due, ({ wallet }) => wallet).values())
      await wereShown(channelId, own);
    const unwanted = new Set<Alert>(
      due.filter(({ event }) => found.get(event)?.get(channelId) !== true),
    );
    return {
      waiting: waiting.filter((alert) => !early.has(alert) && !unwanted.has(alert)),
      unwanted: [...unwanted],
      isEarly: early.size > 0,
    };
  };
}

function isCorrection(alert: Alert): alert is Correction {
  return alert.event.kind === 'amended';
}
