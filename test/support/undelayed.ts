import type { Outbox } from '../../src/alerts/outbox.ts';
import { delayedAlertKind } from '../../src/later/delayed-alerts.ts';
import { createLater } from '../../src/later/later.ts';
import { createChannelClock } from '../../src/watches/channel-clock.ts';
import { testMachine } from './machine.ts';

/** Creates what delivery needs when no channel is delayed. */
export function undelayed(outbox: Outbox, venueNowMs: () => number) {
  const clock = createChannelClock({ channelSettings: { get: () => undefined }, venueNowMs });
  const nothing = { get: async () => undefined, set: async () => {}, delete: async () => {} };
  const later = createLater(testMachine(), {
    delayedAlerts: delayedAlertKind.open(nothing),
    outbox,
    clock,
    registry: { kept: () => undefined, unreadableChannels: () => [] },
    channelSettings: { get: () => undefined },
    builder: {
      filteredLater: () => null,
      consensusLater: (_alert, { consensus }) => ({ consensus, reason: null, learn: null }),
    },
    decisions: { filtered() {} },
    venueNowMs,
    awaitingAnswerMs: () => 0,
    keysInQueue: () => new Set(),
    signal: new AbortController().signal,
  });
  return { clock, outbox: { ...later, stateOf: outbox.stateOf } };
}
