import { afterAll, expect, it } from 'vitest';
import { storeKinds } from '../cli/store/stores.ts';
import { type DatabaseServer, hasNats, startNats } from '../support/servers.ts';
import { variants } from '../support/thorough.ts';
import { type CarryOver, carryOver, WAIT_MS } from './carry-over.ts';
import { FAN_OUT_NAMES } from './kept-fan-out.ts';

const kinds = storeKinds();
let nats: DatabaseServer | undefined;
afterAll(() => nats?.stop());

const [NEWEST = ''] = FAN_OUT_NAMES.slice(-1);
const NEEDED: CarryOver = {
  ...{ name: NEWEST, store: 'SQLite', step: 'outbox.cleared', reach: 3 },
  ...{ isApart: false, by: 'restart' },
};

/** Steps between two of the parties that must agree, each store, each format, and each who goes on. */
const CASES: readonly CarryOver[] = [
  NEEDED,
  { ...NEEDED, step: 'room.taken_out', reach: 1 },
  { ...NEEDED, step: 'later.counted' },
  { ...NEEDED, step: 'poll.stored', by: 'standby' },
  { ...NEEDED, step: 'edit.answered', isApart: true },
  ...FAN_OUT_NAMES.filter((name) => name !== NEWEST).map(
    (name): CarryOver => ({ ...NEEDED, name, step: 'sent.stored' }),
  ),
  { ...NEEDED, store: 'Redis', step: 'later.stored', reach: 1 },
  { ...NEEDED, store: 'PostgreSQL', step: 'positions.stored', reach: 1 },
];
const possible = CASES.filter(
  ({ store, isApart }) => kinds.names.includes(store) && (hasNats || !isApart),
);

it.each(variants(possible, (one) => one === NEEDED))(
  'a store of $name goes on under trades on $store, killed at $step (feed apart: $isApart), by a $by: everything once',
  async (one) => {
    if (one.isApart) nats ??= await startNats();
    const natsUrl = one.isApart ? await nats?.newStore() : undefined;
    const { wasKilled, differences, warned, meantToBeWarned } = await carryOver(
      kinds,
      one,
      natsUrl,
    );
    expect(wasKilled).toBe(true);
    expect(differences).toEqual([]);
    // Who watches the wallet whose document was damaged reads that something may be missing.
    expect(warned).toEqual(meantToBeWarned);
  },
  3 * WAIT_MS,
);
