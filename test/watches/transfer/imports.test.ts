import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { createRegistry } from '../../../src/watches/registry.ts';
import {
  createImports,
  importKind,
  type PendingImport,
  planImport,
} from '../../../src/watches/transfer/imports.ts';
import { beganSecondsOf, WATCH_PREFIX, type Watch } from '../../../src/watches/watch.ts';
import { DEFAULT_SETTINGS } from '../../../src/watches/watch-settings.ts';
import { documentStore } from '../../support/documents.ts';
import { testMachine } from '../../support/machine.ts';
import { moment } from '../../support/moment.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { watchOf } from '../../support/watch.ts';

const ID = '100000000000000007';
const SINCE = 1_800_000_000;
const WALLETS = ['1', '2', '3', '4'].map(walletOfDigit);
const old = watchOf({ label: 'Old', knownIdentities: ['seen'], addedBy: '100000000000000009' });
const { ownerId: GUILD, channelId: CHANNEL, wallet: OLD } = old;

class Crash extends Error {}

/**
 * A bot over documents that outlive it; it dies at its n-th write from now, before or after that is
 * done.
 */
function startOver(documents: Map<string, unknown>, clock = { ms: SINCE * 1000 }) {
  const death = { writesLeft: Number.POSITIVE_INFINITY, isAfter: false };
  const store = documentStore(documents, {
    onWrite() {
      death.writesLeft -= 1;
      if (death.writesLeft < 0 || (death.writesLeft === 0 && !death.isAfter)) throw new Crash();
    },
    onWritten() {
      if (death.writesLeft === 0) throw new Crash();
    },
  });
  const registry = createRegistry(testMachine(), store);
  const quotas = {
    withSpaceFor: <Result>(_guild: string, _places: object, work: () => Promise<Result>) => work(),
  };
  const machine = testMachine({ nowMs: () => clock.ms });
  const pending = importKind.open(machine, store);
  const noted: string[] = [];
  const imports = createImports(machine, {
    pending,
    registry,
    changes: {
      async note(ownerId, by, made) {
        for (const one of made) noted.push(JSON.stringify({ ownerId, by, ...one }));
      },
    },
    quotas,
  });
  const expired: string[] = [];
  for (const [key, document] of documents) {
    if (key.startsWith(WATCH_PREFIX)) registry.load(key, document);
    else if (pending.load(key, document) === 'expired') expired.push(key);
  }
  return { registry, imports, death, clock, expired, noted };
}

function proposal(registry: {
  get: (channelId: string, wallet: WalletAddress) => Watch | undefined;
}): PendingImport {
  const orders = WALLETS.map((wallet) => ({
    channelId: CHANNEL,
    wallet,
    label: 'New',
    settings: { minUsdc: 5 },
  }));
  return {
    id: ID,
    ownerId: GUILD,
    userId: '100000000000000003',
    isManager: true,
    createdAtMs: SINCE * 1000,
    sinceSeconds: null,
    targets: planImport(orders, registry.get, SINCE).map(({ target }) => target),
  };
}

async function proposed() {
  const documents = new Map<string, unknown>([[`${WATCH_PREFIX}${CHANNEL}:${OLD}`, old]]);
  const bot = startOver(documents);
  await bot.imports.propose(proposal(bot.registry));
  return documents;
}

/** Notes of who changed what that the import leaves: one watch was there, the others are new. */
const NOTED = WALLETS.map((wallet, index) => {
  const change = { ownerId: GUILD, by: '100000000000000003', channelId: CHANNEL, wallet };
  if (index > 0) return { ...change, deed: 'added', parts: [] };
  const values = { label: ['"Old"', '"New"'], minUsdc: ['0', '5'] };
  return { ...change, deed: 'edited', parts: ['label', 'minUsdc'], values };
});

function expectApplied(registry: { ofOwner: (ownerId: string) => readonly Watch[] }) {
  const watches = registry.ofOwner(GUILD).toSorted((a, b) => (a.wallet < b.wallet ? -1 : 1));
  const settings = { ...DEFAULT_SETTINGS, minUsdc: 5 };
  expect(watches[0]).toEqual({ ...old, label: 'New', settings });
  expect(watches.slice(1)).toEqual(
    WALLETS.slice(1).map((wallet) =>
      watchOf({ wallet, label: 'New', settings, sinceSeconds: SINCE }),
    ),
  );
}

describe('an import that waits for a yes', () => {
  it('is applied whole or not at all, wherever a crash cuts it off, and announces from the press on', async () => {
    // One write that it has begun, four watches, one that it is over.
    for (let write = 1; write <= 6; write += 1) {
      for (const isAfter of [false, true]) {
        const documents = await proposed();
        const first = startOver(documents);
        const pending = await first.imports.find(GUILD, ID);
        Object.assign(first.death, { writesLeft: write, isAfter });
        await expect(first.imports.apply(pending, SINCE)).rejects.toThrow(Crash);

        const second = startOver(documents, { ms: SINCE * 1000 + 7_200_000 });
        await second.imports.finish();
        if (write === 1 && !isAfter) {
          expect(second.registry.ofOwner(GUILD), 'nothing was begun').toEqual([old]);
          continue;
        }
        expectApplied(second.registry);
        // A crash right after they were noted has them noted once more.
        const noted = [...new Set([...first.noted, ...second.noted])].map((one) => JSON.parse(one));
        expect(noted).toEqual(NOTED);
        expect([...documents.keys()].filter((key) => importKind.holds(key))).toEqual([]);
      }
    }
  });

  it('leaves a wallet as somebody adds it in the same moment, and says so', async () => {
    const { imports, registry } = startOver(await proposed());
    const mine = watchOf({ wallet: WALLETS[2] ?? OLD, label: 'Mine' });
    let store = async () => {};
    const asked = new Promise<void>((resolve) => {
      registry.listen({
        beginWatches: (_, write) =>
          new Promise<void>((stored) => {
            store = () => write().then(stored);
            resolve();
          }),
      });
    });
    const added = registry.add(mine);
    await asked;
    // Its first step is a change.
    registry.listen({ channelChanged: () => void store() });
    const applied = imports.apply(await imports.find(GUILD, ID), SINCE);
    expect(await added).toBe(true);
    expect(await applied).toMatchObject([{ wallet: mine.wallet, label: 'New' }]);
    const labels = registry.ofOwner(GUILD).map(({ wallet, label }) => [wallet, label]);
    expect(new Map(labels as [WalletAddress, string][])).toEqual(
      new Map(WALLETS.map((wallet) => [wallet, wallet === mine.wallet ? 'Mine' : 'New'])),
    );
  });

  it('can be pressed again when the store failed for a moment', async () => {
    const documents = await proposed();
    const { imports, registry, death } = startOver(documents);
    const press = async (since: number) => {
      await imports.apply(await imports.find(GUILD, ID), since);
    };
    Object.assign(death, { writesLeft: 3, isAfter: false });
    await expect(press(SINCE)).rejects.toThrow(Crash);
    death.writesLeft = Number.POSITIVE_INFINITY;
    await expect(imports.cancel(proposal(registry))).rejects.toThrow('was interrupted');
    await press(SINCE + 60);
    expectApplied(registry);
  });

  it('announces nothing of a pause that it ends, and all since one that was over', async () => {
    for (const [untilSeconds, since] of [
      [null, SINCE],
      [SINCE + 60, SINCE],
      [SINCE - 60, old.sinceSeconds],
    ] as const) {
      const documents = new Map<string, unknown>([
        [`${WATCH_PREFIX}${CHANNEL}:${OLD}`, { ...old, pause: { untilSeconds } }],
      ]);
      const { imports, registry } = startOver(documents);
      const orders = [{ channelId: CHANNEL, wallet: OLD, label: 'New', settings: {}, pause: null }];
      const targets = planImport(orders, registry.get, SINCE).map(({ target }) => target);
      const pending = { ...proposal(registry), targets };
      await imports.propose(pending);
      await imports.apply(pending, SINCE);
      const watch = registry.get(CHANNEL, OLD);
      expect(watch).toMatchObject({ label: 'New', pause: null, sinceSeconds: since });
      expect(watch && beganSecondsOf(watch), 'its record goes on').toBe(old.sinceSeconds);
    }
  });

  it('is refused as a whole when a watch has changed since the dry run', async () => {
    const { imports, registry } = startOver(await proposed());
    await registry.update({ ...old, label: 'Edited' }, null);
    const pending = await imports.find(GUILD, ID);
    await expect(imports.apply(pending, SINCE)).rejects.toThrow('have changed since this preview');
    expect(registry.ofOwner(GUILD)).toHaveLength(1);
  });

  it('is deleted with the id of who sent it, unless it is another’s, or has begun', async () => {
    const { imports, registry } = startOver(await proposed());
    const { userId } = proposal(registry);
    await imports.forgetPerson(GUILD, '100000000000000009');
    expect((await imports.find(GUILD, ID)).userId).toBe(userId);
    await imports.forgetPerson(GUILD, userId);
    await expect(imports.find(GUILD, ID)).rejects.toThrow();
    await imports.propose({ ...proposal(registry), targets: [], sinceSeconds: SINCE });
    await imports.forgetPerson(GUILD, userId);
    expect((await imports.find(GUILD, ID)).sinceSeconds).toBe(SINCE);
  });

  it('and somebody else never undo each other’s change of a watch at the same moment', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const { imports, registry } = startOver(await proposed());
      const applied = imports.apply(proposal(registry), SINCE).catch(() => {});
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const seen = registry.get(CHANNEL, OLD) ?? old;
      const isEdited = await registry.update({ ...seen, label: 'Edited' }, null, seen);
      await applied;
      expect(registry.get(CHANNEL, OLD)?.label, `after ${turns}`).toBe(isEdited ? 'Edited' : 'New');
    }
  });

  it('leaves alone what somebody has changed between the crash and the end', async () => {
    const documents = await proposed();
    const first = startOver(documents);
    const pending = await first.imports.find(GUILD, ID);
    Object.assign(first.death, { writesLeft: 1, isAfter: true });
    await expect(first.imports.apply(pending, SINCE)).rejects.toThrow(Crash);
    documents.set(`${WATCH_PREFIX}${CHANNEL}:${OLD}`, { ...old, label: 'Edited' });
    const second = startOver(documents);
    await second.imports.finish();
    expect(second.registry.get(CHANNEL, OLD)?.label).toBe('Edited');
    expect(second.registry.ofOwner(GUILD)).toHaveLength(4);
  });

  it('is one for each server: a later one takes its place, another server does not see it, an hour ends it', async () => {
    const documents = await proposed();
    const { imports, registry, clock } = startOver(documents);
    const other = '200000000000000001';
    await expect(imports.find(other, '100000000000000007')).rejects.toThrow(
      'This import has ended',
    );
    await imports.propose({ ...proposal(registry), ownerId: other, id: '100000000000000008' });
    expect(await imports.find(GUILD, ID)).toBeDefined();
    await imports.propose({ ...proposal(registry), id: '100000000000000009' });
    await expect(imports.find(GUILD, ID)).rejects.toThrow('This import has ended');
    clock.ms += 3_600_000;
    await expect(imports.find(GUILD, '100000000000000009')).rejects.toThrow(
      'This import has ended',
    );
    expect(startOver(documents, clock).expired).toHaveLength(2);
    await expect(imports.apply(proposal(registry), SINCE)).rejects.toThrow('This import has ended');
    const cancelled = await proposed();
    const bot = startOver(cancelled);
    await bot.imports.cancel(proposal(bot.registry));
    expect([...cancelled.keys()]).toHaveLength(1);
  });

  it('reads one file of a server at a time, however many are sent at once', async () => {
    const { imports } = startOver(new Map());
    const read = moment();
    const first = imports.alone(GUILD, () => read.reached);
    await expect(imports.alone(GUILD, async () => {})).rejects.toThrow(
      'Another import is running here',
    );
    await imports.alone('100000000000000009', async () => {});
    read.reach();
    await first;
    await imports.alone(GUILD, async () => {});
  });
});
