import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { createVenueAvailability, reportingAvailability } from '../../src/feed/availability.ts';
import {
  answeredError,
  unansweredError,
  type VenueCall,
  type VenueError,
} from '../../src/venue/errors.ts';
import { TransportError } from '../../src/venue/http-transport.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { WALLET_A } from '../support/wallets.ts';

function openAvailability() {
  let nowMs = 1_000_000;
  const changes: [string, boolean][] = [];
  const { log, lines } = collectingLog();
  const availability = createVenueAvailability(
    testMachine({ nowMs: () => nowMs, log }),
    (name, isOpen) => void changes.push([name, isOpen]),
  );
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { availability, changes, lines, pass };
}

const answer = (status: number) => ({ status, venueMessage: null });
const call: VenueCall = { endpoint: 'deposits-withdrawals', wallet: WALLET_A };
const refusedKey = answeredError(call, answer(401));
const notInPlan = answeredError(call, answer(403));
const odd = answeredError(call, answer(404));
const oddOfVenue = answeredError(call, { ...answer(404), isVenues: true });
const outage = unansweredError(call, new TransportError('cut'), 3);

describe('the health of the venue', () => {
  it('closes both endpoints when the key is refused, says it once at error level, and opens both at the first success', () => {
    const { availability, changes, lines } = openAvailability();
    availability.failed('activity', refusedKey);
    availability.failed('activity', refusedKey);
    expect(changes.toSorted()).toEqual(ENDPOINT_NAMES.map((name) => [name, false]));
    const trouble = { kind: 'key', sinceMs: 1_000_000 };
    expect(availability.trouble('deposits-withdrawals')).toMatchObject(trouble);
    expect(lines.filter(({ level }) => level === 50)).toHaveLength(2);
    availability.succeeded('activity');
    expect(ENDPOINT_NAMES.map(availability.trouble)).toEqual([null, null]);
  });

  it('knows since when an endpoint answers, from its first answer after a failure or a start', () => {
    const { availability, pass } = openAvailability();
    expect(availability.reachedSinceMs('activity')).toBeNull();
    availability.succeeded('activity');
    pass(1_000);
    availability.succeeded('activity');
    expect(availability.reachedSinceMs('activity')).toBe(1_000_000);
    for (const failure of [outage, refusedKey, notInPlan]) {
      availability.failed('activity', failure);
      expect(availability.reachedSinceMs('activity')).toBeNull();
      pass(1_000);
      availability.succeeded('activity');
    }
    expect(availability.reachedSinceMs('activity')).toBe(1_004_000);
  });

  it('closes only the endpoint that the plan lacks, and keeps it closed when the other one succeeds', () => {
    const { availability } = openAvailability();
    availability.failed('deposits-withdrawals', notInPlan);
    availability.succeeded('activity');
    expect(ENDPOINT_NAMES.filter(availability.isOpen)).toEqual(['activity']);
  });

  it('probes a refusal gently: once at a time, and once within each minute', () => {
    const { availability, pass } = openAvailability();
    availability.failed('deposits-withdrawals', notInPlan);
    const waits: number[] = [];
    for (let probe = 0; probe < 8; probe += 1) {
      let waited = 0;
      while (!availability.isProbeDue('deposits-withdrawals')) {
        pass(5_000);
        waited += 5;
      }
      expect(availability.isProbeDue('deposits-withdrawals')).toBe(false);
      waits.push(waited);
      availability.failed('deposits-withdrawals', notInPlan);
    }
    expect(waits).toEqual(Array(8).fill(50));
  });

  it('probes again after a probe that an outage left without an answer, and after the clock was set back', () => {
    const { availability, pass } = openAvailability();
    availability.failed('activity', notInPlan);
    pass(50_000);
    expect(availability.isProbeDue('activity')).toBe(true);
    availability.failed('activity', outage);
    pass(49_000);
    expect(availability.isProbeDue('activity')).toBe(false);
    pass(1_000);
    expect(availability.isProbeDue('activity')).toBe(true);
    pass(-3 * 3_600_000);
    expect(availability.isProbeDue('activity')).toBe(true);
  });

  it('goes on polling through an outage, and says its beginning and its end once', () => {
    const { availability, changes, lines } = openAvailability();
    for (let poll = 0; poll < 5; poll += 1) availability.failed('activity', outage);
    expect(availability.isOpen('activity')).toBe(true);
    expect(availability.trouble('activity')).toMatchObject({ kind: 'unreachable' });
    availability.succeeded('activity');
    expect(lines.map(({ event }) => event)).toEqual(['venue.unreachable', 'venue.reached_again']);
    expect(changes).toEqual([]);
  });

  it('takes an odd answer for the trouble of one wallet, and two without a page between them for everybody’s', () => {
    const { availability, lines } = openAvailability();
    for (let round = 0; round < 3; round += 1) {
      availability.failed('activity', odd);
      expect(availability.trouble('activity')).toBeNull();
      availability.succeeded('activity');
    }
    expect(lines).toEqual([]);
    availability.failed('activity', odd);
    availability.failed('activity', odd);
    expect(availability.trouble('activity')).toMatchObject({ kind: 'unreachable' });
  });

  it('takes the key for accepted by an odd answer of the venue’s own, and not by that of a proxy', () => {
    const { availability } = openAvailability();
    availability.failed('activity', refusedKey);
    availability.failed('activity', odd);
    expect(availability.isOpen('activity')).toBe(false);
    availability.failed('activity', oddOfVenue);
    expect(ENDPOINT_NAMES.every(availability.isOpen)).toBe(true);
  });

  it('takes the key for accepted by an odd answer of the venue’s own to a person, and no endpoint for away by it', async () => {
    const { availability } = openAvailability();
    const asked = (error: VenueError) => {
      const client = {
        activity: () => Promise.reject(error),
        transfers: () => Promise.reject(error),
      };
      const { activity } = reportingAvailability(client, availability);
      return expect(activity(WALLET_A, {}, { priority: 'person' })).rejects.toBe(error);
    };
    await asked(refusedKey);
    await asked(odd);
    expect(availability.isOpen('activity')).toBe(false);
    await asked(oddOfVenue);
    await asked(oddOfVenue);
    expect(availability.isOpen('activity')).toBe(true);
    expect(availability.trouble('activity')).toBeNull();
  });

  it('probes a refused key once within each minute, at each endpoint in turn, however many are refused meanwhile', () => {
    const { availability, pass } = openAvailability();
    availability.failed('activity', refusedKey);
    const probes: string[] = [];
    for (let seconds = 5; seconds <= 300; seconds += 5) {
      pass(5_000);
      // Polls that were under way, and people who ask.
      availability.failed('activity', refusedKey);
      availability.failed('deposits-withdrawals', refusedKey);
      for (const name of ENDPOINT_NAMES) {
        if (availability.isProbeDue(name)) probes.push(`${seconds} ${name}`);
      }
    }
    const inTurn = [50, 100, 150, 200, 250, 300].map((seconds, index) => {
      return `${seconds} ${ENDPOINT_NAMES[index % 2]}`;
    });
    expect(probes).toEqual(inTurn);
    availability.succeeded('activity');
    expect(availability.isProbeDue('deposits-withdrawals')).toBe(false);
  });

  it('knows whether an endpoint that is refused has answered before', () => {
    const { availability } = openAvailability();
    availability.failed('activity', notInPlan);
    expect(availability.trouble('activity')).toMatchObject({ kind: 'plan', hasAnswered: false });
    availability.succeeded('activity');
    availability.failed('activity', notInPlan);
    expect(availability.trouble('activity')).toMatchObject({ kind: 'plan', hasAnswered: true });
  });

  it('does not take an endpoint for away since before a refusal that is over', () => {
    const { availability, pass } = openAvailability();
    availability.failed('deposits-withdrawals', outage);
    pass(60_000);
    availability.failed('activity', refusedKey);
    availability.failed('deposits-withdrawals', outage);
    pass(600_000);
    availability.succeeded('activity');
    expect(availability.trouble('deposits-withdrawals')).toBeNull();
  });
});
