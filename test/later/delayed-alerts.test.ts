import { describe, expect, it } from 'vitest';
import { alertKey } from '../../src/alerts/alert.ts';
import { type DelayedAlert, delayedAlertKind } from '../../src/later/delayed-alerts.ts';
import { documentStore } from '../support/documents.ts';
import { transfer } from '../support/records.ts';
import { A, CHANNEL, GUILD } from '../support/test-bot.ts';

const PLACE = { ownerId: GUILD, channelId: CHANNEL };

function alertOf(number: number): DelayedAlert {
  const event = { kind: 'transfer', item: transfer({ time: number }) } as const;
  return { id: `i${number}`, wallet: A, event, seenAtMs: number };
}

function alertsOf(from: number, to: number): DelayedAlert[] {
  return Array.from({ length: to - from }, (_, index) => alertOf(from + index));
}

/** A store over the network: it may reject a write that it has. */
function openStore() {
  const network = { isAnswerLost: false };
  const store = documentStore(undefined, {
    onWritten() {
      if (network.isAnswerLost) throw new Error('The answer of the store is lost.');
    },
  });
  return { ...store, network };
}

describe('what waits for a destination', () => {
  it('is there once after a write that was rejected and has landed, and goes as a whole', async () => {
    const store = openStore();
    const delayedAlerts = delayedAlertKind.open(store);
    await delayedAlerts.add(PLACE, alertsOf(0, 49));
    store.network.isAnswerLost = true;
    await expect(delayedAlerts.add(PLACE, alertsOf(49, 52))).rejects.toThrow();
    store.network.isAnswerLost = false;
    await delayedAlerts.add(PLACE, alertsOf(49, 52));
    const all = alertsOf(0, 52).map(alertKey);
    expect(delayedAlerts.entries(CHANNEL).map(({ key }) => key)).toEqual(all);
    await delayedAlerts.remove(CHANNEL, new Set(all));
    expect(delayedAlerts.entries(CHANNEL)).toEqual([]);
    expect([...store.documents.keys()]).toEqual([]);
  });

  it('goes from each document that has it', async () => {
    const store = openStore();
    const delayedAlerts = delayedAlertKind.open(store);
    const twice = alertOf(0);
    for (const number of [0, 1]) {
      const document = { ...PLACE, alerts: [twice] };
      store.documents.set(`later:${CHANNEL}:${number}`, document);
      expect(delayedAlerts.load(`later:${CHANNEL}:${number}`, document)).toBe('kept');
    }
    await delayedAlerts.remove(CHANNEL, new Set([alertKey(twice)]));
    expect(delayedAlerts.has(CHANNEL, alertKey(twice))).toBe(false);
    expect(delayedAlerts.entries(CHANNEL)).toEqual([]);
    expect([...store.documents.keys()]).toEqual([]);
  });
});
