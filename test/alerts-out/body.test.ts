import { describe, expect, it } from 'vitest';
import { isForReceivers } from '../../src/alerts/kinds/kinds.ts';
import { bodyJsonSchema, bodyOf, bodySchema } from '../../src/alerts-out/body.ts';
import { alertOf, KINDS } from '../embeds/every-alert.ts';

const ABOUT = {
  ownerId: '100000000000000001',
  sequence: 7,
  isLate: false,
  isBetterThanLuck: true,
  watches: [{ channel: '100000000000000002', label: 'Whale', wanted: false }],
};

describe('the body of a message', () => {
  it('is of the schema for every kind of alert, and says when it happened', () => {
    const types = new Set<string>();
    for (const [name, { events }] of Object.entries(KINDS)) {
      for (const event of events) {
        // Receivers get no corrections of records.
        if (!isForReceivers(event)) continue;
        const body = bodyOf({ ...alertOf(event, 1), ...ABOUT, event });
        types.add(body.type);
        const sent: unknown = JSON.parse(JSON.stringify(body));
        // All of it: a field that the schema does not have is one that nobody is told of.
        expect(bodySchema.parse(sent), name).toEqual(sent);
        expect(body.data.watches).toEqual(ABOUT.watches);
      }
    }
    expect([...types].toSorted()).toEqual([
      'consensus',
      'deposit',
      'gap',
      'other',
      'otherTransfer',
      'redemption',
      'result',
      'trade',
      'withdrawal',
    ]);
  });

  it('has the schema that the docs have', async () => {
    const text = `${JSON.stringify(bodyJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../docs/signed-alerts.schema.json');
  });
});
